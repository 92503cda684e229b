// A model server's stand-in for exec_compare.py, the same for all: it says what exec_script.mjs has, LATENCY ms after it was asked.
// Chat completions and Responses, streamed. Loopback only; prints its port.
//
//   node exec_double.mjs [LATENCY]      GET /counts: what was asked since the last such request
import http from 'node:http';
import { next } from './exec_script.mjs';

const LATENCY = Number(process.argv[2] ?? 0);

const none = () => ({ asked: {}, seen: {}, most_open: 0 });
let counts = none();
let open = 0;

const words = (text) => text.split(/(?<= )/);
const tokens = (body) => Math.ceil(body.length / 4);
const textOf = (content) => (typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'));

const protocols = {
  '/chat/completions': {
    read: (request) => ({
      tools: (request.tools ?? []).map((tool) => tool.function?.name),
      user: request.messages.filter((message) => message.role === 'user').map((message) => textOf(message.content)).join('\n'),
      results: request.messages.filter((message) => message.role === 'tool').map((message) => textOf(message.content)),
    }),
    write(request, body, said, send) {
      const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: request.model };
      const chunk = (delta, finish = null) => send({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
      chunk({ role: 'assistant', content: '' });
      said.calls?.forEach((call, index) => chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } }] }));
      if (said.text) for (const word of words(said.text)) chunk({ content: word });
      chunk({}, said.calls ? 'tool_calls' : 'stop');
      send({ ...head, choices: [], usage: { prompt_tokens: tokens(body), completion_tokens: 20, total_tokens: tokens(body) + 20 } });
      send('[DONE]');
    },
  },
  '/responses': {
    read: (request) => ({
      tools: (request.tools ?? []).flatMap((tool) => [tool, ...(tool.tools ?? [])]).map((tool) => tool.name),
      user: request.input.filter((item) => item.role === 'user').map((item) => textOf(item.content)).join('\n'),
      results: request.input.filter((item) => item.type?.endsWith('_output')).map((item) => textOf(item.output)),
    }),
    write(request, body, said, send) {
      const head = { id: 'resp', object: 'response', created_at: 1, model: request.model, status: 'in_progress', output: [] };
      const event = (type, fields) => send({ type, ...fields }, type);
      event('response.created', { response: head });
      const calls = (said.calls ?? []).map((call) => ({ ...call, type: 'function_call', id: `fc_${call.id}`, call_id: call.id, arguments: JSON.stringify(call.arguments), status: 'completed' }));
      const output = said.text ? [{ type: 'message', id: 'msg', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: said.text, annotations: [] }] }] : calls;
      output.forEach((item, output_index) => {
        event('response.output_item.added', { output_index, item: item.arguments ? { ...item, arguments: '' } : { ...item, content: [] } });
        if (item.arguments) event('response.function_call_arguments.delta', { output_index, item_id: item.id, delta: item.arguments });
        else for (const word of words(said.text)) event('response.output_text.delta', { output_index, content_index: 0, item_id: item.id, delta: word });
        event('response.output_item.done', { output_index, item });
      });
      const usage = { input_tokens: tokens(body), input_tokens_details: { cached_tokens: 0 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: tokens(body) + 20 };
      event('response.completed', { response: { ...head, status: 'completed', output, usage } });
    },
  },
};

function answer(protocol, body, response) {
  const request = JSON.parse(body);
  const conversation = protocol.read(request);
  const said = next(conversation);
  said.calls?.forEach((call, i) => (call.id = `call_${conversation.results.length + i + 1}`));
  counts.asked[said.who] = (counts.asked[said.who] ?? 0) + 1;
  counts.most_open = Math.max(counts.most_open, ++open);
  if (said.seen !== undefined) counts.seen[said.who] = said.seen;
  if (process.env.DOUBLE_LOG) console.error(said.who, JSON.stringify(said), JSON.stringify(conversation.results.at(-1) ?? conversation.tools));
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    protocol.write(request, body, said, (data, event) => response.write((event ? `event: ${event}\n` : '') + `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`));
    response.end();
    --open;
  }, LATENCY);
}

function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

http.createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    const path = request.url.split('?')[0];
    const protocol = request.method === 'POST' && protocols[Object.keys(protocols).find((end) => path.endsWith(end))];
    try {
      if (protocol) return answer(protocol, body, response);
    } catch (error) {  // an agent of another version, say
      console.error(error);
      return refuse(response, 400, error.message);
    }
    if (path !== '/counts') return refuse(response, 404, 'not here');
    response.end(JSON.stringify(counts));
    counts = none();
  });
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port);
});
