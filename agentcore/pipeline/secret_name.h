// Names of things that may be secrets ("DB_PASSWORD", "clientSecret", "max_tokens"), and what they say of their values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

enum class NameClass { kNone, kWeak, kStrong, kPassword };
NameClass ClassifyName(std::string_view name);

// "dbPassword2" → db password: its words, lower case; the first 16.
std::vector<std::string> WordsOfName(std::string_view name);

}  // namespace paddock::agentcore
