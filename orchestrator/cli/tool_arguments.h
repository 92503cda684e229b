// Arguments of a tool from the words of a command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace paddock::orchestrator {

// Each word is key=value; `schema` is the JSON Schema of the tool's arguments and says what type a value has: a
// string stays as it is, also one that looks like a number; true and false; numbers; a list takes one item a word,
// in order. The value "-" is what `standard_input` gives (once), whole. kInvalid names the word.
Result<Json> ArgumentsFromWords(const Json& schema, const std::vector<std::string>& words, const std::function<Result<std::string>()>& standard_input);

// One JSON object.
Result<Json> ArgumentsFromJson(const std::string& text);

}  // namespace paddock::orchestrator
