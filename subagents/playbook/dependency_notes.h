// What a manifest says beside a dependency's name, and that it names none.
#pragma once

#include <optional>
#include <string>

#include "subagents/playbook/cmake_options.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

// " (optional)", " (for tests)", or nothing.
std::string NoteOfDependency(const RepoView& view, const CMakeOptions& cmake, const LineHit& hit);
// Where a manifest of the root was read to its end, and there is no list of what it needs when it runs.
std::optional<Fact> NoDependencies(const RepoView& view);

}  // namespace paddock::subagents
