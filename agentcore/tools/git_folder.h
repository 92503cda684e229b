// A git folder of the tools' own, which borrows what a repository's one holds of history and nothing of its settings.
//
// Whatever a repository's configuration can start or change (hooks, fsmonitor, pagers, filters, textconv, external diffs,
// aliases, includes, core.worktree, signature programs, its attributes in .git/info, grafts, alternates, a commit graph that says
// something else than the commits) lies in files that git never sees: GIT_DIR is a private folder with a configuration of ours, a
// copy of HEAD, and links to refs, packed-refs, shallow and the folders of objects, after all of that was looked at
// (git_store.h). .gitattributes of the tree can name no driver: info/attributes comes before them and takes `diff`, `filter` and
// the encoding back.
#pragma once

#include <string>
#include <vector>

#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

class GitFolder {
 public:
  // For the innermost repository in which `path` lies. kUnsupported: there is none, its git folder lies elsewhere, or holds what
  // git could not read to its end. kDenied: the profile hides it.
  static ToolOutcome<GitFolder> Make(const ToolContext& context, const std::string& path);
  GitFolder(GitFolder&& other) noexcept;
  GitFolder& operator=(GitFolder&& other) = delete;
  ~GitFolder();  // removes it

  const std::string& path() const { return path_; }
  const std::string& index() const { return index_; }  // the repository's own
  const std::string& work() const { return work_; }    // the repository's folder, relative to the workspace

 private:
  GitFolder() = default;
  std::string path_, index_, work_;
  std::vector<std::string> made_;  // in it, what lies in a folder before the folder
};

}  // namespace paddock::agentcore
