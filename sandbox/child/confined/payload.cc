#include "sandbox/child/confined/payload.h"

#include <signal.h>
#include <sys/prctl.h>

#include <cerrno>

#include "sandbox/child/confined/descriptors.h"
#include "sandbox/child/confined/filter.h"
#include "sandbox/child/confined/landlock.h"
#include "sandbox/child/confined/limits.h"
#include "sandbox/child/confined/terminal.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Everything is in force; the parent looks, and says go or kills the jail.
void WaitForGo(int go, int landlock_witness) {
  StatusMessage held;
  held.kind = MessageKind::kHeld;
  held.landlock_witness = landlock_witness;
  // A call that no profile can grant; with these arguments it would do nothing (add_key(2)).
  if (syscall(SYS_add_key, nullptr, nullptr, nullptr, 0, 0) < 0 && errno != EFAULT) held.seccomp_witness = errno;
  Send(held);
  char byte;
  if (read(go, &byte, 1) != 1) _exit(125);
}

}  // namespace

void RunPayload(const Plan& plan, const Request& request, int go, int terminal, int to_init) {
  const std::vector<char*> argv = Pointers(plan.argv);
  const std::vector<char*> environment = Pointers(plan.environment);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);  // the launcher ignores it, and exec would hand that on (signal(7))

  // An ordinary parent may look at a held process only while it is dumpable; nothing else runs here yet.
  if (plan.hold) prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  PlaceDescriptors(plan, request.passed);
  if (terminal >= 0) TakeTerminal(plan, terminal);
  else if (setsid() < 0) Die(Stage::kPayload, errno, "setsid");
  // A folder of a private copy is there when the copy is.
  if (plan.copier.empty() && chdir(plan.working_folder.c_str()) < 0) Die(Stage::kPayload, errno, plan.working_folder);
  if (plan.landlock) RestrictPaths(plan);
  // In each root, readable for all, and in no Landlock rule.
  const UniqueFd witness(plan.hold ? open("/witness", O_RDONLY | O_CLOEXEC) : -1);
  const int landlock_witness = witness || !plan.hold ? 0 : errno;
  ListenerHelper helper;
  if (plan.notify && !plan.filter.empty()) helper = StartListenerHelper(to_init);
  SetLimits(plan);  // after Landlock, which opens a descriptor a rule
  if (!plan.filter.empty()) InstallFilter(plan, helper);  // last: it must only allow what follows
  if (plan.hold) WaitForGo(go, landlock_witness);
  if (!plan.copier.empty() && chdir(plan.working_folder.c_str()) < 0) Die(Stage::kPayload, errno, plan.working_folder);
  environ = const_cast<char**>(environment.data());  // for its PATH
  if (plan.marked_start) syscall(SYS_execveat, kStartMark, plan.program.c_str(), argv.data(), environment.data(), 0);
  else execvpe(plan.program.c_str(), argv.data(), environment.data());
  int error = errno;
  // execve(2) says ENOENT of a script whose interpreter is missing, too.
  if (error == ENOENT && plan.program.find('/') != std::string::npos && access(plan.program.c_str(), F_OK) == 0) error = ELIBBAD;
  Die(Stage::kExec, error, plan.program);
}

void RunCopier(const Plan& plan, const Request& request) {
  constexpr char kProgram[] = "/cell";
  const std::vector<char*> argv = Pointers(plan.copier);
  char* const no_environment[] = {nullptr};
  signal(SIGPIPE, SIG_DFL);
  if (syscall(SYS_close_range, 0u, static_cast<unsigned>(kHighDescriptor - 1), 0u) < 0 || dup2(request.passed.back().get(), kCopierFd) < 0)
    Die(Stage::kDescriptors, errno, "copier");
  if (plan.landlock) RestrictPaths(plan);
  SetLimits(plan);
  // Its denials have no listener, and are ENOSYS (seccomp(2)).
  Plan unreported;
  unreported.filter = plan.filter;
  if (!plan.filter.empty()) InstallFilter(unreported, {});
  char byte;
  if (read(request.go.get(), &byte, 1) != 1) _exit(125);
  execve(kProgram, argv.data(), no_environment);
  Die(Stage::kExec, errno, "copier");
}

}  // namespace paddock::sandbox::child
