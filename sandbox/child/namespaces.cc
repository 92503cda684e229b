#include "sandbox/child/namespaces.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>

#include "sandbox/child/held_namespace.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

std::string MapLine(uint32_t inner, uint32_t outer) {
  return std::to_string(inner) + " " + std::to_string(outer) + " 1";
}

void WriteMaps(const Plan& plan, int proc, int pid) {
  const std::string folder = std::to_string(pid);
  // "deny" already stands there for an ordinary user, whose launcher wrote it one level up.
  if (!WriteFile(proc, folder + "/setgroups", "deny") && errno != EPERM) Die(Stage::kIds, errno, "setgroups");
  const std::string uids = MapLine(plan.inner_uid, plan.outer_uid), gids = MapLine(plan.inner_gid, plan.outer_gid);
  if (!WriteFile(proc, folder + "/uid_map", uids)) Die(Stage::kIds, errno, "uid_map: " + uids);
  if (!WriteFile(proc, folder + "/gid_map", gids)) Die(Stage::kIds, errno, "gid_map: " + gids);
  StageDone(Stage::kIds);
}

}  // namespace

bool BecomeInit(const Plan& plan, const LauncherWorld& world, bool sibling) {
  // With a root of its own pid 1 begins in a copy of the host's mounts, and leaves them.
  if (!plan.own_root && setns(world.template_root.get(), CLONE_NEWNS) < 0) Die(Stage::kNamespaces, errno, "template root");
  if (plan.network == Network::kSharedEmpty && setns(world.empty_network.get(), CLONE_NEWNET) < 0)
    Die(Stage::kNamespaces, errno, "shared empty network");
  int sync[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sync) < 0) Die(Stage::kNamespaces, errno, "socketpair");
  UniqueFd builder_end(sync[0]), init_end(sync[1]);

  int pidfd = -1;
  clone_args args{};
  args.flags = plan.namespaces | (sibling ? CLONE_PARENT : 0) | CLONE_PIDFD | (plan.network == Network::kOwnEmpty ? CLONE_NEWNET : 0);
  if (!sibling) args.exit_signal = SIGCHLD;  // else that of the builder
  args.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  int pid = Clone3(&args);
  if (pid < 0) Die(Stage::kNamespaces, errno, "clone3");
  if (pid > 0) {
    StageDone(Stage::kNamespaces);
    if (plan.namespaces & CLONE_NEWUSER) WriteMaps(plan, world.proc.get(), pid);
    StatusMessage built;
    built.kind = MessageKind::kBuilt;
    Send(built, pidfd);
    close(pidfd);
    (void)!write(builder_end.get(), "", 1);
    return false;
  }
  builder_end.reset();
  char byte;
  // A builder that dies half way closes its end: then this process has no ids and must not go on.
  if (read(init_end.get(), &byte, 1) != 1) _exit(125);
  return true;
}

void TakeIds(const Plan& plan) {
  // Capabilities are dropped later, on purpose and visibly, not by this change of ids (capabilities(7)).
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0) Die(Stage::kIds, errno, "PR_SET_KEEPCAPS");
  // Without a user namespace these are the host's own ids.
  const bool mapped = plan.namespaces & CLONE_NEWUSER;
  const uid_t uid = mapped ? plan.inner_uid : plan.outer_uid;
  const gid_t gid = mapped ? plan.inner_gid : plan.outer_gid;
  if (syscall(SYS_setresgid, gid, gid, gid) < 0) Die(Stage::kIds, errno, "setresgid");
  if (syscall(SYS_setresuid, uid, uid, uid) < 0) Die(Stage::kIds, errno, "setresuid");
  // After setresuid, which clears the effective set, and PDEATHSIG, and may raise dumpable (prctl(2)).
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) Die(Stage::kIds, errno, "PR_SET_DUMPABLE");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) Die(Stage::kIds, errno, "PR_SET_PDEATHSIG");
  StageDone(Stage::kIds);
}

}  // namespace paddock::sandbox::child
