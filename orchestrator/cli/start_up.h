// What paddock puts right before anything else: it may have been started in untidy surroundings.
#pragma once

namespace paddock::orchestrator {

// Descriptors 0, 1 and 2 that are closed become the null device, opened for reading: else a pipe or a socket
// of ours would get the number, and progress for people would be written into it. What is written to a
// standard output that was closed fails all the same.
// A file that may not grow (RLIMIT_FSIZE) is a failed write, not the signal SIGXFSZ. Children can be waited
// for even where the caller ignores SIGCHLD.
void TidyUp();

}  // namespace paddock::orchestrator
