// The rest of what is worth saying of a repository: what it is, what it needs, how it is kept.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct Fact {
  std::string text;  // "CI runs on GitHub Actions", "Fast web framework"
  std::vector<Citation> evidence;
};

struct Description {
  std::string name;  // may be empty
  std::string heading;  // the README's first, where it begins with one
  Fact fact;         // no evidence: nothing says what this is
  bool from_manifest = false;
  int readme_score = 0;  // how much the README's paragraph reads as a description
};

Description DescribeRepository(const RepoView& view);
// Names of direct dependencies, each with its line.
std::vector<Fact> FindDependencies(const RepoView& view, size_t limit);
// Licence, CI, formatters and linters.
std::vector<Fact> FindConventions(const RepoView& view);

}  // namespace paddock::subagents
