// What the commands take from their surroundings: the programs beside this one, standard input, how standard
// output is to look, a length of time that a person gave.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "orchestrator/report/text_style.h"
#include "sandbox/workspace.h"

namespace paddock::orchestrator {

inline constexpr size_t kMaxInputBytes = 1u << 20;  // of standard input

// Where this very program lies; never the current folder, which may be the repository.
Result<std::string> ProgramsFolder();
// For the reader of a run: the git folder that lies above the workspace, if any, was not looked at, since nothing above it is ever read. It is
// told by the name's being there alone. Empty where there is none, or the workspace has one.
std::string PartNote(const sandbox::Workspace& workspace);
// To its end, at most kMaxInputBytes. kCancelled when `cancel_fd` becomes readable meanwhile.
Result<std::string> ReadStandardInput(int cancel_fd, size_t max_bytes = kMaxInputBytes);
// The user's settings and records must not lie in the repository, nor be reached through it: it would be its own judge.
// `insisted`: the folder is a home that was named on purpose, which holds them.
Status OwnFoldersOutside(const sandbox::Workspace& workspace, bool insisted);
// Columns of the terminal there; no end where there is none.
size_t WidthOf(int fd);
// By the locale, the terminal, NO_COLOR and TERM.
TextStyle StyleOfStdout();
// --timeout in milliseconds: 100ms to 24h.
Result<int64_t> ReadTimeout(const std::string& text);
// --max-turns: 1 to 1000.
Result<int64_t> ReadMaxTurns(const std::string& text);

}  // namespace paddock::orchestrator
