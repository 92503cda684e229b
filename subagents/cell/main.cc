// paddock-cell: the program inside a jail. Untrusted from its first read of the workspace on.
//
// Started by the launcher with frames on descriptors 3 and 4 and the second filter on 5; arguments (but for the name) and
// environment are not used, and 0, 1 and 2 are /dev/null. The order below is the point of this file: nothing
// is read before the second filter, and nothing costly happens before ready.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <string_view>

#include "subagents/cell/cell.h"
#include "subagents/cell/copy_workspace.h"
#include "subagents/cell/ready.h"
#include "subagents/cell/second_stage.h"
#include "subagents/cell/witness.h"
#include "subagents/playbook.h"

int main(int argc, char** argv) {
  using namespace paddock::subagents;

  // No cell then, but what makes a program's private copy of the workspace.
  if (argc > 0 && std::string_view(argv[0]) == kCopyName) CopyWorkspace(argc, argv);

  // The stricter filter, before anything else.
  if (!InstallSecondFilter(kSecondFilterFd)) _exit(kExitSetup);

  // No memory is an ending of its own, and a prompt one.
  std::set_new_handler([] { _exit(kExitAllocFailed); });

  // A parent that is gone shows as an error of write(2).
  ::signal(SIGPIPE, SIG_IGN);

  // What is denied to us, tried.
  const auto denials = TryDenials();
  if (!SendReady(kFrameOutFd, denials)) _exit(errno == EPIPE ? 0 : kExitSetup);

  // From here on the parent leads: go, task, and the work.
  CellOptions options;
  options.playbook = &MakePlaybook;
  _exit(RunCell(options));
}
