// A model with a small window and a long task, for long_run_test.cc: it reads one file after the other, writes notes when it is asked
// to, and answers after the last. What it was sent is counted by the tokenizer of o200k.
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "package.json"));

let state = { files: 0, goal: "" };
let countTokens = null;
const counted = new Map(); // most of a question was in the one before

function tokens(text) {
  countTokens ??= require("gpt-tokenizer/encoding/o200k_base").countTokens;
  if (!counted.has(text)) counted.set(text, countTokens(text, { disallowedSpecial: new Set() }));
  return counted.get(text);
}

// {files, goal, rules}: how many there are to be read; what every question must hold.
export function beginLongRun(setup) {
  counted.clear();
  state = { ...setup, next: 1, questions: 0, mostTokens: 0, withoutGoal: 0, notes: 0, lastTokens: 0, facts: 0, factsLost: 0 };
  return {};
}

export function longRunFacts() {
  const { files, goal, rules, ...facts } = state;
  return facts;
}

export function answerLongRun(request, send) {
  const messages = request.messages;
  let sum = tokens(JSON.stringify(request.tools ?? []));
  for (const message of messages) sum += tokens(typeof message.content === "string" ? message.content : JSON.stringify(message.content ?? "")) + (message.tool_calls ? tokens(JSON.stringify(message.tool_calls)) : 0) + 4;
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  const isNotes = names.length === 1 && names[0] === "notes";
  const said = messages.map((message) => message.content ?? "").join("\n");
  state.mostTokens = Math.max(state.mostTokens, sum);
  if (!said.includes(state.goal) || (!isNotes && !said.includes(state.rules))) state.withoutGoal++;
  let call = null;
  if (isNotes) {
    state.notes++;
    call = ["notes", { facts: [`fact number ${state.notes}: the files up to ${state.next - 1} each define sixty functions`], open_questions: ["what do the others hold?"], done: [`read up to ${state.next - 1}`] }];
    state.facts = state.notes;
  } else {
    state.questions++;
    for (let n = 1; n <= state.facts; n++) if (!said.includes(`fact number ${n}:`)) state.factsLost++;
    if (names.includes("read_file") && state.next <= state.files) call = ["read_file", { path: `src/file${state.next++}.c` }];
  }
  const chunk = (delta, finish = null) => send({ id: "c", object: "chat.completion.chunk", created: 1, model: request.model, choices: [{ index: 0, delta, finish_reason: finish }] });
  if (call) chunk({ role: "assistant", tool_calls: [{ index: 0, id: `call_${state.questions}_${state.notes}`, type: "function", function: { name: call[0], arguments: JSON.stringify(call[1]) } }] });
  else chunk({ role: "assistant", content: "All of them were read." });
  chunk({}, call ? "tool_calls" : "stop");
  send({ id: "c", object: "chat.completion.chunk", created: 1, model: request.model, choices: [], usage: { prompt_tokens: sum, completion_tokens: 30, total_tokens: sum + 30 } });
  send("[DONE]");
}
