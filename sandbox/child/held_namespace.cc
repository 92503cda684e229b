#include "sandbox/child/held_namespace.h"

#include <signal.h>

#include <cerrno>

#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

bool WriteFile(int dir, const std::string& path, const std::string& text) {
  UniqueFd fd(openat(dir, path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

UniqueFd MakeNamespace(int proc, uint64_t flag, const char* name, const std::string& id_map) {
  int hold[2];
  if (pipe2(hold, O_CLOEXEC) < 0) return {};
  UniqueFd hold_read(hold[0]), hold_write(hold[1]);
  clone_args args{};
  args.flags = flag;
  args.exit_signal = SIGCHLD;
  int pid = Clone3(&args);
  if (pid < 0) return {};
  if (pid == 0) {
    hold_write.reset();
    char byte;
    (void)!read(hold_read.get(), &byte, 1);  // until the launcher has the descriptor, or is gone
    _exit(0);
  }
  const std::string folder = std::to_string(pid);
  UniqueFd result(openat(proc, (folder + "/ns/" + name).c_str(), O_RDONLY | O_CLOEXEC));
  if (result && !id_map.empty() &&
      !(WriteFile(proc, folder + "/uid_map", id_map) && WriteFile(proc, folder + "/gid_map", id_map))) {
    int err = errno;
    result.reset();
    errno = err;
  }
  return result;
}

}  // namespace paddock::sandbox::child
