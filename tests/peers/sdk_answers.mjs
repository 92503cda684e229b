// What the official libraries make of recorded streams: sdk_answers.mjs PROTOCOL FILE... prints a line of JSON for each file,
//
//   {"text", "calls": [{"name", "arguments"}], "finish": "stop"|"length"|"refused", "usage": {"input_tokens", "output_tokens", "cached_tokens"} | null}
//   {"error": "..."} where the library throws
//
// Arguments are null where the answer was cut off. The bytes come in pieces of seven, so that characters are cut.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "package.json"));
const OpenAI = require("openai").OpenAI;
const Anthropic = require("@anthropic-ai/sdk").Anthropic;

function answering(bytes) {
  return async () => {
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(new Uint8Array(bytes.subarray(at, (at += 7))));
      },
    });
    return new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } });
  };
}

function argumentsOf(text, finish) {
  if (finish === "length") return null;
  return text.trim() === "" ? {} : JSON.parse(text);
}

const readers = {
  async chat(fetch) {
    const client = new OpenAI({ apiKey: "x", fetch, maxRetries: 0 });
    const stream = client.chat.completions.stream({ model: "m", messages: [{ role: "user", content: "?" }] });
    const completion = await stream.finalChatCompletion();
    const { message, finish_reason } = completion.choices[0];
    let finish = finish_reason === "length" ? "length" : finish_reason === "content_filter" ? "refused" : "stop";
    const calls = (message.tool_calls ?? []).map((call) => ({ name: call.function.name, arguments: argumentsOf(call.function.arguments, finish) }));
    if (message.refusal && calls.length === 0) finish = "refused";
    const usage = completion.usage && { input_tokens: completion.usage.prompt_tokens, output_tokens: completion.usage.completion_tokens, cached_tokens: completion.usage.prompt_tokens_details?.cached_tokens ?? 0 };
    return { text: message.content || message.refusal || "", calls, finish, usage: usage ?? null };
  },
  async responses(fetch) {
    const client = new OpenAI({ apiKey: "x", fetch, maxRetries: 0 });
    const stream = client.responses.stream({ model: "m", input: "?" });
    // Put together from the pieces; an answer that did not complete is as its last event has it.
    let last = null;
    for await (const event of stream) if (event.type === "response.incomplete" || event.type === "response.failed") last = event.response;
    const response = last ?? (await stream.finalResponse());
    if (response.status === "failed") throw new Error(response.error.message);
    const parts = response.output.filter((item) => item.type === "message").flatMap((item) => item.content);
    const refusal = parts.filter((part) => part.type === "refusal").map((part) => part.refusal).join("");
    const reason = response.status === "incomplete" ? response.incomplete_details.reason : "";
    let finish = reason === "content_filter" ? "refused" : reason ? "length" : "stop";
    const calls = response.output.filter((item) => item.type === "function_call").map((item) => ({ name: item.name, arguments: argumentsOf(item.arguments, finish) }));
    if (refusal && calls.length === 0) finish = "refused";
    const usage = { input_tokens: response.usage.input_tokens, output_tokens: response.usage.output_tokens, cached_tokens: response.usage.input_tokens_details?.cached_tokens ?? 0 };
    const text = parts.filter((part) => part.type === "output_text").map((part) => part.text).join("");
    return { text: text || refusal, calls, finish, usage };
  },
  async messages(fetch) {
    const client = new Anthropic({ apiKey: "x", fetch, maxRetries: 0 });
    const message = await client.messages.stream({ model: "m", max_tokens: 1, messages: [{ role: "user", content: "?" }] }).finalMessage();
    const finish = message.stop_reason === "max_tokens" ? "length" : message.stop_reason === "refusal" ? "refused" : "stop";
    const calls = message.content.filter((block) => block.type === "tool_use").map((block) => ({ name: block.name, arguments: finish === "length" ? null : block.input }));
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message.usage;
    const cached = cache_read_input_tokens ?? 0;
    const usage = { input_tokens: input_tokens + cached + (cache_creation_input_tokens ?? 0), output_tokens, cached_tokens: cached };
    return { text: message.content.filter((block) => block.type === "text").map((block) => block.text).join(""), calls, finish, usage };
  },
};

// Halves of surrogate pairs, which a JavaScript string may hold, are no text.
function wellFormed(value) {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

const [protocol, ...files] = process.argv.slice(2);
process.on("unhandledRejection", () => {});
for (const file of files) {
  const answer = await readers[protocol](answering(fs.readFileSync(file))).catch((fault) => ({ error: String(fault.message ?? fault) }));
  // A double that counts nothing says 0.
  if (answer.usage?.input_tokens === 0) answer.usage = null;
  console.log(JSON.stringify(wellFormed(answer)));
}
