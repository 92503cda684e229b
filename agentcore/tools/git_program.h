// git, as the history tools run it: on a git folder of their own (git_folder.h), in an environment that leaves nothing of
// git's to anybody else, for reading only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/git_folder.h"
#include "agentcore/tools/run_program.h"
#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

class Git {
 public:
  // kUnsupported: no git, or no repository.
  static ToolOutcome<Git> Open(const ToolContext& context);

  // `arguments` begin with the command. What git wrote, also when that was cut or time ran out (ended_well()); when git
  // itself says no: kNotFound for revisions and paths that are not there, else kFailed, with git's words.
  ToolOutcome<ProgramEnd> Run(std::vector<std::string> arguments) const;

 private:
  Git(GitFolder folder, std::string file, const ToolContext& context) : folder_(std::move(folder)), file_(std::move(file)), context_(context) {}

  GitFolder folder_;
  std::string file_;
  const ToolContext& context_;
};

// Is `text` what names a commit, and can't be anything else on git's command line: no option, no path, no search?
// `range`: "a..b" and "a...b" too. kInvalidArguments names the field.
ToolOutcome<void> CheckRevision(std::string_view field, std::string_view text, bool range);

// The deadline passed before git had said anything.
ToolError TooSlow(std::string_view tool, const std::string& path_text);

// Options of every comparison: nothing is started, names are as patch.h reads them.
std::vector<std::string> DiffOptions();
// And of what shows commits: nothing is decorated, no byte re-encoded.
std::vector<std::string> PlainOptions();

}  // namespace paddock::agentcore
