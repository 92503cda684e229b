// The `pattern` and `glob` arguments: which paths of a walk are wanted.
//
// One glob with git's meaning, and {a,b} as shells have it. Without a slash it is matched against the file's
// name, else against the whole path from the workspace; a leading "/" or "./" is dropped. ":(icase)" before it, as in
// git's pathspecs: letters of any case, as file systems of macOS and Windows have them.
#pragma once

#include <string_view>
#include <vector>

#include "agentcore/tools/glob.h"
#include "base/result.h"

namespace paddock::agentcore {

class PathFilter {
 public:
  // Empty text: everything is wanted. kInvalid: an open "[", too many alternatives.
  static Result<PathFilter> Parse(std::string_view text);
  bool Wants(std::string_view path, GlobCost* cost) const;
  bool wants_all() const { return globs_.empty(); }

 private:
  bool on_name_ = true, any_case_ = false;
  std::vector<Glob> globs_;
};

}  // namespace paddock::agentcore
