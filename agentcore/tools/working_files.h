// What of the files as they are git can be let near: git_diff and git_blame compare with them.
//
// git reads each tracked file that may have changed, .gitattributes on the way to it, .gitmodules and .mailmap, and HEAD of each
// submodule. It waits for one that is a FIFO, and breaks off at one that it may not read, such as those that the profile hides.
#pragma once

#include <string>
#include <vector>

#include "agentcore/tools/git_program.h"
#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

inline constexpr size_t kMaxLeftOut = 1000;

// Tracked files that git must not look at.
struct LeftOut {
  std::vector<std::string> paths;  // bytes, as git names them
  int64_t hidden = 0;              // of them: by the profile
  int64_t closed = 0;              // without permission to read them
  int64_t special = 0;             // no regular file, link or sound submodule any more
};

// Of the tracked files below `path`, for a comparison of them with `revision`. Fails, naming it, where one of the files that git reads besides is none that it could read
// to its end, and where more than kMaxLeftOut would have to be left out.
ToolOutcome<LeftOut> FilesToLeaveOut(const Git& git, const ToolContext& context, const std::string& revision, const std::string& path);

// What git reads on the way to the file `path` alone.
ToolOutcome<void> CheckWayTo(const Git& git, const ToolContext& context, const std::string& path);

}  // namespace paddock::agentcore
