// What the model of exec_double.mjs says. It knows a conversation by its messages alone.
//
//   calls      "Read all files.": ten files, one a turn, then an answer.
//   delegated  "Hand out all parts.": eight subagents in one turn, then an answer. Each looks around in four turns and answers in the fifth.
//
// A conversation is {tools: names, user: what the user said, results: texts of the tools' results so far}. What is said is
// {who, calls: [{name, namespace?, arguments}]} or {who, text}; `who` is "main", "part 1" to "part 8", or "other" (a title, say). With
// the last of a conversation comes `seen`: how many results had in them what they should, of files or of subagents.
const PARTS = 8;

const report = (n) => `Part ${n}: src/file${n}.c defines sixty functions.`;

// The same acts in the words of each agent's tools, by a tool that only it has.
const dialects = {
  read_file: {  // paddock
    list: (folder) => ({ name: 'list_files', arguments: { path: folder } }),
    read: (path) => ({ name: 'read_file', arguments: { path } }),
    search: (text) => ({ name: 'search_text', arguments: { pattern: text } }),
    delegate: (goal) => ({ name: 'subagent_explorer', arguments: { goal } }),
    answer: (n) => ({
      name: 'report',
      arguments: {
        summary: report(n),
        findings: [{ title: 'It begins so', evidence: [{ path: `src/file${n}.c`, line_start: 1, line_end: 1, quote: `int value_${n}_0(int x)` }] }],
        complete: true,
      },
    }),
  },
  read: {  // opencode
    list: (folder) => ({ name: 'glob', arguments: { pattern: `${folder}/*` } }),
    read: (path) => ({ name: 'read', arguments: { filePath: `${process.cwd()}/${path}` } }),
    search: (text) => ({ name: 'grep', arguments: { pattern: text } }),
    delegate: (goal) => ({ name: 'task', arguments: { description: 'one part', prompt: goal, subagent_type: 'explore' } }),
  },
  exec_command: {  // Codex CLI: a subagent is begun with one call, and waited for with another
    list: (folder) => ({ name: 'exec_command', arguments: { cmd: `ls ${folder}` } }),
    read: (path) => ({ name: 'exec_command', arguments: { cmd: `cat ${path}` } }),
    search: (text) => ({ name: 'exec_command', arguments: { cmd: `grep -rn ${text} .` } }),
    delegate: (goal) => ({ name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: { message: goal } }),
    wait: (begun) => ({ name: 'wait_agent', namespace: 'multi_agent_v1', arguments: { targets: [JSON.parse(begun).agent_id], timeout_ms: 60000 } }),
  },
};

const line = (n, k) => `value_${n}_${k}(int x)`;  // in src/fileN.c

const allFiles = (say) => Array.from({ length: 10 }, (_, i) => ({ call: say.read(`src/file${i + 1}.c`), shows: line(i + 1, 59) }));
const ofPart = (say, n) => [
  { call: say.list('src'), shows: `file${n}.c` },
  { call: say.read(`src/file${n}.c`), shows: line(n, 59) },
  { call: say.search(`value_${n}_7`), shows: line(n, 7) },
  { call: say.read(`src/file${n + 1}.c`), shows: line(n + 1, 59) },
];

// One act a turn; after the last one `seen` counts the results that show what they should.
function walk(acts, results, answer) {
  if (results.length < acts.length) return { calls: [acts[results.length].call] };
  return { ...answer, seen: acts.filter((act, i) => results[i].includes(act.shows)).length };
}

function handOut(say, results) {
  if (results.length === 0) return { calls: Array.from({ length: PARTS }, (_, i) => say.delegate(`Do part ${i + 1} of ${PARTS}: what does src/file${i + 1}.c define?`)) };
  if (say.wait && results.length === PARTS) return { calls: results.map(say.wait) };
  const all = results.join('\n');
  const delivered = Array.from({ length: PARTS }, (_, i) => report(i + 1)).filter((text) => all.includes(text)).length;
  return { text: 'All parts were done.', seen: delivered };
}

export function next({ tools, user, results }) {
  const say = dialects[Object.keys(dialects).find((name) => tools.includes(name))];
  if (!say) return { who: 'other', text: 'A title' };
  if (user.includes('Read all files.')) return { who: 'main', ...walk(allFiles(say), results, { text: 'All ten files were read: each of them defines one function.' }) };
  if (user.includes('Hand out all parts.')) return { who: 'main', ...handOut(say, results) };
  const n = Number(/Do part (\d) of/.exec(user)?.[1]);
  if (!n) return { who: 'other', text: 'Nothing was asked.' };
  return { who: `part ${n}`, ...walk(ofPart(say, n), results, say.answer ? { calls: [say.answer(n)] } : { text: report(n) }) };
}
