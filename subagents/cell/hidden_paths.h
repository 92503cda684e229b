// Which paths of the workspace a profile's patterns hide, all names of each thing together.
#pragma once

#include <string>
#include <vector>

#include "agentcore/tools/hidden_names.h"
#include "subagents/frames.h"

namespace paddock::subagents {

// Walks everything, `.git` and ignored files too, until nothing new is found:
//
// - What matches is hidden, and in a folder everything; so is each other name of the same device and inode (a hard
//   link, or the same folder mounted twice), also of what lies in a hidden folder.
// - A symbolic link can't be covered. What a matching one leads to is hidden, where that is in the workspace; else
//   it is told (`links_out`). Links are not followed otherwise.
// - A folder whose names can't be listed, though things in it can be opened by name, is hidden whole; so is one in
//   which a path would become too long.
//
// `root_fd` is an O_PATH descriptor of the workspace. Takes as long as it takes: the parent keeps the clock.
HiddenFrame FindHiddenPaths(int root_fd, const agentcore::HiddenNames& names);

}  // namespace paddock::subagents
