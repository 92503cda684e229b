#include "subagents/cell/copy_and_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "subagents/cell/tree_copy.h"

namespace paddock::subagents {
namespace {

constexpr int kBadArguments = 125;
constexpr size_t kMaxPath = 4096;

void Say(const char* what, uint64_t number, std::string path) {
  path.resize(std::min(path.size(), kMaxPath));
  std::replace(path.begin(), path.end(), '\n', '?');
  const std::string line = std::string(what) + " " + std::to_string(number) + " " + path + "\n";
  (void)!write(kCopyReportFd, line.data(), line.size());
}

}  // namespace

void CopyAndRun(int argc, char** argv) {
  constexpr int kWords = 5;
  if (argc <= kWords || fcntl(kCopyReportFd, F_SETFD, FD_CLOEXEC) < 0) _exit(kBadArguments);
  const TreeCopyResult copy = CopyTree(argv[1], argv[2]);
  if (copy.left_out) Say("left_out", copy.left_out, copy.first_left_out);
  if (copy.error) {
    Say("copy", static_cast<uint64_t>(copy.error), copy.error_path);
    _exit(kBadArguments);
  }
  if (chdir(argv[3]) < 0) {
    Say("exec", static_cast<uint64_t>(errno), argv[3]);
    _exit(kBadArguments);
  }
  execvp(argv[4], argv + kWords);
  int error = errno;
  // execve(2) says ENOENT of a script whose interpreter is missing, too.
  if (error == ENOENT && strchr(argv[4], '/') && access(argv[4], F_OK) == 0) error = ELIBBAD;
  Say("exec", static_cast<uint64_t>(error), argv[4]);
  _exit(error == ENOENT ? 127 : 126);
}

}  // namespace paddock::subagents
