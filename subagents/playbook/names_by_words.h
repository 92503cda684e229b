// Names of the code that hold words of a goal: what a goal may be about that names no identifier.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// For search_text, ignoring case: lines that may define something whose name holds one of these stems, and those that may declare such
// a field of a structure.
std::string DefinitionsByWords(const std::vector<std::string>& stems);
std::string FieldsByWords(const std::vector<std::string>& stems);

// Lines seen that declare such a field, if they stand in a structure: path and line. Tests and what isn't the project's own left out.
std::vector<std::pair<std::string, int64_t>> LikelyFields(const RepoView& view, const std::vector<std::string>& stems);

// The names of such definitions and fields that were seen, those first that hold the most telling words; none that falls far behind
// the first.
std::vector<std::string> NamesByWords(const RepoView& view, const std::vector<std::string>& stems);

}  // namespace paddock::subagents
