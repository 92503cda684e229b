// Files of the repository for what a log calls them: absolute paths of another machine, paths from a build folder, base names, Java
// classes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

class LoggedFiles {
 public:
  explicit LoggedFiles(const RepoView& view);
  // "" where it is none of the repository's, or could be several.
  std::string Find(const Frame& frame) const;

 private:
  const RepoView& view_;
  std::map<std::string, std::vector<std::string>> by_name_;
};

// Files that the goal names and that are no source: what a program wrote.
std::vector<std::string> LogsNamed(const std::string& goal, const RepoView& view);

}  // namespace paddock::subagents
