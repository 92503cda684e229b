// A call that is written as a JSON object: {"name": ..., "arguments": ...} and its relatives.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "agentcore/model/text_call_forms.h"

namespace paddock::agentcore {

// kMarked: tags around it say that it is a call. kBare: only its shape does.
enum class JsonPlace { kMarked, kBare };

// The calls of a value: an object, a list of objects, {"tool_calls": [...]}. Nothing when it has no such shape, and then not one of them is a
// call; in kMarked they get a fault instead.
std::optional<std::vector<WrittenCall>> CallsOfJson(const Json& value, JsonPlace place);

// Arguments as they may be written: an object, JSON of one in a string, nothing.
void TakeArguments(const Json& written, WrittenCall* call);

// JSON as a model may write it here: bounded.
Result<Json> ParseWritten(std::string_view text);

}  // namespace paddock::agentcore
