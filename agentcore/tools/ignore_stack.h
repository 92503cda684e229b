// The ignore files that apply at a point of a walk: .git/info/exclude, then each folder's .gitignore from the
// workspace down. The deepest file with a matching rule decides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/gitignore.h"

namespace paddock::agentcore {

class IgnoreStack {
 public:
  // Reads .git/info/exclude of the workspace.
  explicit IgnoreStack(int root_fd);

  // Enters the folder `path` ("." for the workspace), whose descriptor is `folder_fd`: reads its .gitignore,
  // if there is one. A .gitignore that is a link is not followed, as in git.
  void Push(std::string_view path, int folder_fd, bool has_ignore_file);
  void Pop();

  // Not for folders above: whoever calls this has seen to it that none of them is ignored.
  bool Ignores(std::string_view path, bool is_folder, GlobCost* cost) const;
  bool capped() const { return capped_; }

 private:
  struct Level {
    size_t base;        // bytes of a path that belong to the folder, its slash included
    IgnoreRules rules;  // often none
    size_t bytes;
  };
  void Add(size_t base, std::string_view text);

  std::vector<Level> levels_;
  size_t bytes_ = 0, rules_ = 0;  // held at the moment
  bool capped_ = false;
};

}  // namespace paddock::agentcore
