// The names that a profile hides (filesystem.hide): patterns, and the tools' own refusal of what they match.
//
// What matches at the start is covered by the jail itself; this is for names that appear later. A pattern without a
// slash matches a name at any depth (`.env`, `*.pem`), one with a slash the whole path from the top (`config/*.key`). A
// slash at the end matches folders only, at any depth (`secrets/`), and links, which may lead to one. Globs and {a,b}
// are those of path_filter.h. What lies in a folder that matches is hidden with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/path_filter.h"
#include "agentcore/tools/tool_error.h"
#include "base/result.h"

namespace paddock::agentcore {

class HiddenNames {
 public:
  // kInvalid names the pattern: one that could never match would hide nothing, so it is refused.
  static Result<HiddenNames> Parse(const std::vector<std::string>& patterns);

  bool empty() const { return patterns_.empty(); }
  // Does a pattern match this very path (bytes, relative to the workspace)? `folder`: it is one, or a link.
  bool Match(std::string_view path, bool folder) const;
  // It, or a folder above it.
  bool Hides(std::string_view path, bool folder) const;

 private:
  struct Pattern {
    PathFilter filter;
    bool folders_only = false;
  };
  std::vector<Pattern> patterns_;
};

// The refusal of `path` (as WorkspacePath gives it) by its name, or by that of what it leads to over links inside the
// workspace. `hidden` may be null: nothing is.
std::optional<ToolError> RefuseHidden(const HiddenNames* hidden, int root_fd, const std::string& path);

}  // namespace paddock::agentcore
