// Members of structures that hold a value: for where no index of symbols knows them. By lines alone, in languages that have bodies of
// nothing else: Go, Rust, C and C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// May the line declare a field of this name, if it stands in a structure?
bool LooksLikeField(std::string_view path, std::string_view text, std::string_view name);

// The structure in whose body a line stands, as far as the lines from its beginning on were seen: its name, "" where that stands behind it.
std::optional<std::string> StructureAround(std::string_view path, const SeenLines& lines, int64_t number);

}  // namespace paddock::subagents
