// Which paths of a workspace a profile hides: asked of a hide cell before anything else is started on it, since the parent
// never looks into a repository itself.
//
// What the cell says is checked and never taken for nothing: a cell that dies, is late or says what can't be is a
// failure to start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/frame_pipe.h"
#include "orchestrator/delegation/cell_starter.h"

namespace paddock::orchestrator {

struct HiddenPaths {
  std::vector<std::string> paths;  // bytes, relative to the workspace
  std::vector<std::string> notes;  // for the ticket or report
};

// Nothing, and no cell, where the profile hides nothing. The cell gets the profile read-only, whatever `profile` is.
// At most 20 s. `starter` and `pool` are borrowed.
std::expected<HiddenPaths, StartFailure> FindHiddenPaths(CellStarter* starter, const sandbox::Profile& profile, const sandbox::Workspace& workspace, FramePool* pool,
                                                         int cancel_fd, const Deadline& deadline);

// Of the patterns that a person asked for: a note where one matches nothing, since a name that is written otherwise (another case, another form of its
// letters, a blank) hides nothing.
void NoteUnmatched(const std::vector<std::string>& asked, HiddenPaths* hidden);

// The cell's answer. kProtocol: it is none; kLimit, kInvalid: the profile and the repository don't fit each other.
Result<HiddenPaths> ReadHiddenFrame(std::string_view frame, const sandbox::Profile& profile);

}  // namespace paddock::orchestrator
