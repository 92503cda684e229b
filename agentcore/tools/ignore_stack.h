// The ignore files that apply at a point of a walk: .git/info/exclude, then each folder's .gitignore from the
// workspace down. The deepest file with a matching rule decides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/gitignore.h"
#include "agentcore/tools/oddities.h"

namespace paddock::agentcore {

class IgnoreStack {
 public:
  // Reads .git/info/exclude of the workspace. Without `apply`, no rule is read and nothing is ignored.
  IgnoreStack(int root_fd, Deadline deadline, bool apply = true);

  // Enters the folder `path` ("." for the workspace), whose descriptor is `folder_fd`: reads its .gitignore,
  // if there is one. A .gitignore that is a link is not followed, as in git; one that can't be read is noted in `odd`.
  void Push(std::string_view path, int folder_fd, bool has_ignore_file, Oddities* odd);
  void Pop();

  // Not for folders above: whoever calls this has seen to it that none of them is ignored.
  // What the rules of a walk may cost is bounded: they are a stranger's. Beyond it nothing is ignored any more.
  bool Ignores(std::string_view path, bool is_folder);
  // Not all rules were held, or applied.
  bool capped() const { return capped_ || cost_.steps >= cost_.max_steps; }
  bool out_of_time() const { return cost_.exhausted && cost_.steps < cost_.max_steps; }

 private:
  struct Level {
    size_t base;        // bytes of a path that belong to the folder, its slash included
    IgnoreRules rules;  // often none
    size_t bytes;
  };
  void Add(size_t base, std::string_view text);

  const bool apply_;
  GlobCost cost_;
  std::vector<Level> levels_;
  size_t bytes_ = 0, rules_ = 0;  // held at the moment
  size_t read_ = 0;               // since the start
  bool capped_ = false;
};

}  // namespace paddock::agentcore
