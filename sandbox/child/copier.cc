#include "sandbox/child/copier.h"

#include <sched.h>
#include <signal.h>

#include <cerrno>

#include "sandbox/child/confined/payload.h"
#include "sandbox/child/privileges.h"
#include "sandbox/child/report.h"
#include "sandbox/child/rootfs.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

int StartCopier(const Plan& plan, Trees* trees, const Request& request) {
  if (plan.copier.empty()) return -1;
  clone_args args{};
  args.flags = CLONE_NEWNS | CLONE_CLEAR_SIGHAND;
  args.exit_signal = SIGCHLD;
  const int pid = Clone3(&args);
  if (pid < 0) Die(Stage::kRootfs, errno, "copier");
  if (pid > 0) return pid;
  PlaceCopierMounts(plan, trees);
  DropPrivileges(plan);
  RunCopier(plan, request);
}

}  // namespace paddock::sandbox::child
