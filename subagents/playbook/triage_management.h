// Of Maven: what pluginManagement only sets up. It runs where a module or somebody asks for it, and not by itself.
#pragma once

#include <cstdint>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// The lines where that begins and ends, of search_text.
inline constexpr char kPluginManagement[] = R"(</?pluginManagement>)";
// Between two such lines.
bool IsInPluginManagement(const SeenLines& lines, int64_t line);

}  // namespace paddock::subagents
