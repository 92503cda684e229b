// Scripts that a line starts: files of the tree that it names.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class StartedScripts {
 public:
  // `view` must outlive it, and knows all names before the first line is asked about.
  explicit StartedScripts(const RepoView& view) : view_(view) {}

  // Below the folder of `path`, or one above it.
  std::vector<std::string> In(const std::string& path, std::string_view line);
  // Were there more names than are looked up? Then nothing more is found.
  bool more() const { return more_; }

 private:
  enum class Spelling { kWhole, kMayLackSuffix };
  // "" where nothing of the name is there.
  const std::string& Find(const std::string& path, const std::string& name, Spelling spelling);

  const RepoView& view_;
  std::map<std::pair<std::string, std::string>, std::string> found_[2];  // by the file that names it, and the name
  size_t looked_up_ = 0;
  bool more_ = false;
};

}  // namespace paddock::subagents
