// The forms in which models write calls into text, read at one place of it. Whether that place may hold a call is text_calls.h's question.
//
//   {"name": N, "arguments": {...}}      also tool, function; parameters, input, args; a list of them; {"tool_calls": [...]}; arguments as
//                                        JSON in a string. By itself, in a code block, or in one of the tags below
//   <tool_call> ... </tool_call>         Hermes, Qwen, GLM (also function_call, tool_use, and the plurals, with a prefix or without)
//   <function=N><parameter=K>V</parameter></function>, <invoke name="N"><parameter name="K">V</parameter></invoke>
//   [TOOL_CALLS][{...}], [TOOL_CALLS]N[ARGS]{...}                      Mistral
//   <|python_tag|>{...}                                                Llama
//   <｜tool▁calls▁begin｜>...                                            DeepSeek
//   <|tool_calls_section_begin|>...                                    Kimi
//   <|channel|>commentary to=functions.N <|message|>{...}<|call|>      gpt-oss
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/model/text_scan.h"
#include "agentcore/tools/tool.h"
#include "base/json.h"

namespace paddock::agentcore {

struct WrittenCall {
  std::string name;
  Json arguments = Json::object();
  std::string fault = {};  // why it can't be taken; the name may be empty then
  std::string words = {};  // as it was written, by itself, where that can be told
};

// Calls in a row, and where they end.
struct WrittenCalls {
  std::vector<WrittenCall> calls;
  size_t end = 0;
};

// A form with marks of its own that begins at `at` ('<' or '['). Nothing when there is none.
std::optional<WrittenCalls> ReadMarkedCalls(TextScan* scan, size_t at, std::span<const ToolSpec> offered);

// JSON objects or lists of them, all of `body`, by themselves. Nothing when that is no call: a value of another shape, or no JSON (unless
// a tool's name and the word for arguments stand in it: then it is a call with a fault).
std::optional<std::vector<WrittenCall>> ReadBareCalls(std::string_view body, std::span<const ToolSpec> offered);

}  // namespace paddock::agentcore
