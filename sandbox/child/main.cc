// paddock-jail: the launcher. Started once a session, while the parent is small; asked for each jail over
// the socket on its standard input. Decides nothing and knows nothing of agents: it obeys plans.
//
// Read this file for the order of confinement; each step is a file of its own.
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "sandbox/child/confined/init.h"
#include "sandbox/child/copier.h"
#include "sandbox/child/held_namespace.h"
#include "sandbox/child/loopback.h"
#include "sandbox/child/namespaces.h"
#include "sandbox/child/privileges.h"
#include "sandbox/child/report.h"
#include "sandbox/child/request.h"
#include "sandbox/child/rootfs.h"
#include "sandbox/child/session.h"
#include "sandbox/child/syscalls.h"
#include "sandbox/child/template_root.h"
#include "sandbox/child/trees.h"

namespace paddock::sandbox::child {
namespace {

constexpr int kSocket = 0;  // to the parent

// A user namespace that shows the host's id 0 as the jail's outer ids, kept for the next jail.
struct IdMap {
  uint32_t uid = 0, gid = 0;
  UniqueFd user_namespace;
  int error = 0;  // why there is none
};

// Nothing inherited stays: descriptors, environment, signal settings, terminal.
void ForgetTheCaller() {
  syscall(SYS_close_range, 3u, ~0u, 0u);
  clearenv();
  setsid();
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  struct sigaction reap {};
  reap.sa_handler = SIG_IGN;  // builders and jails that end are reaped by the kernel
  reap.sa_flags = SA_NOCLDWAIT;
  sigaction(SIGCHLD, &reap, nullptr);
  signal(SIGPIPE, SIG_IGN);
  if (chdir("/") < 0) _exit(125);
}

void PrepareIdMap(const Request& request, int proc, IdMap* map) {
  if (!request.header.id_mapped) return;
  if (map->user_namespace && map->uid == request.header.outer_uid && map->gid == request.header.outer_gid) return;
  map->uid = request.header.outer_uid;
  map->gid = request.header.outer_gid;
  // One line for both maps: a workspace that wants this belongs to root, whose ids are alike.
  map->user_namespace = MakeNamespace(proc, CLONE_NEWUSER, "user", "0 " + std::to_string(map->uid) + " 1");
  map->error = map->user_namespace ? 0 : errno;
}

// One jail, from its plan to its end. Most of it runs in pid 1, and does not return; the rest in the builder: a process
// of its own, or the launcher itself where it is for one program.
void BuildJail(Request request, const LauncherWorld& world, const IdMap& map, int launcher_life, int launcher_end, bool sibling) {
  SetStatusSocket(request.status.get());
  const Plan plan = ReadPlan(&request);
  if (request.header.id_mapped && !map.user_namespace) Die(Stage::kTrees, map.error, "user namespace for the id map: 0 " + std::to_string(map.uid) + " 1");
  JoinGroups(&request);
  Trees trees = OpenTrees(plan, map.user_namespace.get());
  if (!BecomeInit(plan, world, sibling)) return;
  if (!sibling) close(kSocket);  // the launcher's own, as is the end of its life line
  close(launcher_end);
  TakeIds(plan);
  LeaveSession(plan);
  RaiseLoopback(plan);
  UniqueFd names = PlaceMounts(plan, &trees);
  const int copier = StartCopier(plan, &trees, request);
  trees = {};
  DropPrivileges(plan);
  RunInit(plan, std::move(request), UniqueFd(launcher_life), std::move(names), copier);
}

int Main(bool shared) {
  ForgetTheCaller();
  SetStatusSocket(kSocket);
  const LauncherWorld world = MakeWorld(shared);
  // Also when it is stopped, and can't see its socket's end. After the changes of identity, which clear it (prctl(2)).
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) Die(Stage::kLauncher, errno, "PR_SET_PDEATHSIG");
  StageDone(Stage::kLauncher);
  StatusMessage ready;
  ready.kind = MessageKind::kLauncherReady;
  Send(ready);

  int life[2];  // the write end stays in this process alone: when it goes, every jail goes
  if (pipe2(life, O_CLOEXEC) < 0) Die(Stage::kLauncher, errno, "pipe");
  IdMap map;
  for (;;) {
    Request request;
    Received received = ReceiveRequest(kSocket, &request);
    if (received == Received::kHangup) return 0;
    if (received == Received::kBad) continue;
    PrepareIdMap(request, world.proc.get(), &map);
    // The builder joins the jail's control groups, where the launcher must not be.
    if (!shared && request.groups.empty()) {
      BuildJail(std::move(request), world, map, life[0], life[1], false);
      SetStatusSocket(kSocket);
      continue;
    }
    clone_args fork{};
    fork.exit_signal = SIGCHLD;
    int pid = Clone3(&fork);
    if (pid == 0) {
      close(kSocket);
      close(life[1]);
      BuildJail(std::move(request), world, map, life[0], -1, true);
      _exit(0);
    }
    if (pid < 0) {
      // Told over this jail's own status socket.
      SetStatusSocket(request.status.get());
      StatusMessage failed;
      failed.stage = Stage::kRequest;
      failed.error = errno;
      Send(failed);
      SetStatusSocket(kSocket);
    }
  }
}

}  // namespace
}  // namespace paddock::sandbox::child

int main(int argc, char** argv) {
  using namespace paddock::sandbox;
  return child::Main(!(argc == 2 && std::string_view(argv[1]) == kOwnRootsOnly));
}
