// The part of TOML that agent files have: keys with text, numbers, truth values and lists of them; tables are told by their name
// only, and what stands in them is passed over.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/foreign/yaml_lines.h"

namespace paddock::subagents {

// The top table's keys in order, each once; lists are kList, tables and braces kUnread. Errors as there.
std::expected<YamlNode, YamlFault> ReadTomlText(std::string_view text);

}  // namespace paddock::subagents
