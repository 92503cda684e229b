// Which files triage opens only to see what they are.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct TriageProbes {
  std::vector<std::string> paths;  // those whose name doesn't say what they are, and a few programs of which a line is to be cited
  size_t left_out = 0;             // of the former
};

// None that was read already, or is known to be `binary`.
TriageProbes ChooseProbes(const RepoView& view, const std::map<std::string, std::string>& binary);

}  // namespace paddock::subagents
