// git, as the history tools run it: on a git folder of their own (git_folder.h), in an environment that leaves nothing of
// git's to anybody else, for reading only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/git_folder.h"
#include "agentcore/tools/run_program.h"
#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"
#include "base/unique_fd.h"

namespace paddock::agentcore {

struct GitQuestion {
  std::vector<std::string> words;      // the command and its options
  std::vector<std::string> revisions = {};  // each checked by CheckRevision
  std::string path = ".";              // only what lies there; as the request has it, taken literally
  std::vector<std::string> without = {};  // and not there: bytes, as git names them
  bool files = false;                  // git sees the index and the files as they are; else the commits alone
  size_t max_output = 16u << 20;       // bytes
  Deadline deadline = Deadline::Never();  // besides the call's own
};

class Git {
 public:
  // For the innermost repository in which `path` lies. kUnsupported: no git, or no repository.
  static ToolOutcome<Git> Open(const ToolContext& context, const std::string& path);

  // What git wrote, also when that was cut or time ran out (ended_well()); when git itself says no: kNotFound for revisions and
  // paths that are not there, else kFailed, with git's words; kTimeout where it had written nothing by then.
  ToolOutcome<ProgramEnd> Ask(GitQuestion question) const;
  // The same, whatever git says; and what Ask would make of it.
  ToolOutcome<ProgramEnd> Try(GitQuestion question) const;
  static std::optional<ToolError> FaultOf(const ProgramEnd& end);

  // The repository's folder, relative to the workspace.
  const std::string& work() const { return folder_.work(); }
  // Says which it is where it isn't the workspace's own; else "".
  std::string Note() const;
  // `path` as git names it, from that folder, for the workspace; and the other way round.
  std::string InWorkspace(const std::string& path) const;
  std::string InRepository(const std::string& path) const;
  // Does the profile hide what git names `path`? By either name: a repository inside may be a second view of the outer one.
  bool Hides(const std::string& path) const;

 private:
  Git(GitFolder folder, std::string file, UniqueFd work_fd, const ToolContext& context)
      : folder_(std::move(folder)), file_(std::move(file)), work_fd_(std::move(work_fd)), context_(context) {}

  GitFolder folder_;
  std::string file_;
  UniqueFd work_fd_;
  const ToolContext& context_;
};

// Is `text` what names a commit, and can't be anything else on git's command line: no option, no path, no search?
// `range`: "a..b" and "a...b" too. kInvalidArguments names the field.
ToolOutcome<void> CheckRevision(std::string_view field, std::string_view text, bool range);

// The deadline passed before git had said anything.
ToolError TooSlow();

// Options of every comparison: nothing is started, names are as patch.h reads them.
std::vector<std::string> DiffOptions();
// And of what shows commits: nothing is decorated, no byte re-encoded.
std::vector<std::string> PlainOptions();

}  // namespace paddock::agentcore
