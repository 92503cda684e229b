// A git folder of the tools' own, which borrows what a repository's one holds of history and nothing of its settings.
//
// Whatever a repository's configuration can start or change (hooks, fsmonitor, pagers, filters, textconv, external diffs,
// aliases, includes, core.worktree, signature programs, its attributes in .git/info, grafts, a commit graph that says something
// else than the commits) lies in files that git never sees: GIT_DIR is a private folder with a configuration of ours, a copy
// of HEAD, and links to objects, refs, packed-refs and shallow. .gitattributes of the tree can name no driver: info/attributes
// comes before them and takes `diff`, `filter` and the encoding back.
#pragma once

#include <string>

#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

class GitFolder {
 public:
  // kUnsupported: the workspace is no repository, or its .git is a file or link that leads elsewhere. kDenied: the profile hides it.
  static ToolOutcome<GitFolder> Make(const ToolContext& context);
  GitFolder(GitFolder&& other) noexcept;
  GitFolder& operator=(GitFolder&& other) = delete;
  ~GitFolder();  // removes it

  const std::string& path() const { return path_; }
  const std::string& index() const { return index_; }  // the repository's own

 private:
  GitFolder() = default;
  std::string path_, index_;
};

}  // namespace paddock::agentcore
