// A model server's stand-in for exec_compare.py: whoever asks is told to read ten files, one a turn, with whatever tool it offers for
// that, and then gets an answer in words. Chat completions and Responses, streamed. Loopback only; prints its port.
import http from 'node:http';

const TURNS = Number(process.argv[2] ?? 10);
const ANSWER = 'All ten files were read: each of them defines one function.';

// By the names of tools that agents in use offer.
function callFor(names, n) {
  const path = `src/file${n}.c`;
  if (names.includes('read_file')) return ['read_file', { path }];
  if (names.includes('read')) return ['read', { filePath: `${process.cwd()}/${path}` }];
  if (names.includes('exec_command')) return ['exec_command', { cmd: `cat ${path}` }];
  if (names.includes('shell_command')) return ['shell_command', { command: `cat ${path}` }];
  if (names.includes('shell')) return ['shell', { command: ['cat', path] }];
  return null;
}

const usage = (body) => Math.ceil(body.length / 4);

function chat(request, body, send) {
  const names = (request.tools ?? []).map((tool) => tool.function?.name);
  const n = request.messages.filter((message) => message.role === 'tool').length + 1;
  const call = n <= TURNS ? callFor(names, n) : null;
  const chunk = (delta, finish = null) => send({ id: 'c', object: 'chat.completion.chunk', created: 1, model: request.model, choices: [{ index: 0, delta, finish_reason: finish }] });
  chunk({ role: 'assistant', content: '' });
  if (call) chunk({ tool_calls: [{ index: 0, id: `call_${n}`, type: 'function', function: { name: call[0], arguments: JSON.stringify(call[1]) } }] });
  else for (const word of ANSWER.split(/(?<= )/)) chunk({ content: word });
  chunk({}, call ? 'tool_calls' : 'stop');
  send({ id: 'c', object: 'chat.completion.chunk', created: 1, model: request.model, choices: [], usage: { prompt_tokens: usage(body), completion_tokens: 20, total_tokens: usage(body) + 20 } });
  send('[DONE]');
}

function responses(request, body, send) {
  const names = (request.tools ?? []).map((tool) => tool.name);
  const input = Array.isArray(request.input) ? request.input : [];
  const n = input.filter((item) => item.type?.endsWith('_output')).length + 1;
  const call = n <= TURNS ? callFor(names, n) : null;
  const head = { id: `resp_${n}`, object: 'response', created_at: 1, model: request.model, status: 'in_progress', output: [] };
  const event = (type, fields) => send({ type, ...fields }, type);
  event('response.created', { response: head });
  let item;
  if (call) {
    item = { type: 'function_call', id: `fc_${n}`, call_id: `call_${n}`, name: call[0], arguments: JSON.stringify(call[1]), status: 'completed' };
    event('response.output_item.added', { output_index: 0, item: { ...item, arguments: '' } });
    event('response.function_call_arguments.delta', { output_index: 0, item_id: item.id, delta: item.arguments });
    event('response.function_call_arguments.done', { output_index: 0, item_id: item.id, arguments: item.arguments });
  } else {
    item = { type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: ANSWER, annotations: [] }] };
    event('response.output_item.added', { output_index: 0, item: { ...item, content: [] } });
    for (const word of ANSWER.split(/(?<= )/)) event('response.output_text.delta', { output_index: 0, content_index: 0, item_id: item.id, delta: word });
  }
  event('response.output_item.done', { output_index: 0, item });
  event('response.completed', { response: { ...head, status: 'completed', output: [item], usage: { input_tokens: usage(body), input_tokens_details: { cached_tokens: 0 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: usage(body) + 20 } } });
}

http.createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    const path = request.url.split('?')[0];
    const answer = path.endsWith('/chat/completions') ? chat : path.endsWith('/responses') ? responses : null;
    if (request.method !== 'POST' || !answer) {
      response.writeHead(404, { 'content-type': 'application/json' });
      return response.end('{"error":{"message":"not here"}}');
    }
    const question = JSON.parse(body);
    if (process.env.DOUBLE_LOG) console.error(path, (question.tools ?? []).map((tool) => tool.function?.name ?? tool.name ?? tool.type).join(','), body.length);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(question, body, (data, event) => response.write((event ? `event: ${event}\n` : '') + `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`));
    response.end();
  });
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port);
});
