#include "subagents/cell/copy_workspace.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "subagents/cell/tree_copy.h"

namespace paddock::subagents {
namespace {

constexpr int kNoCopy = 125;
constexpr size_t kMaxPath = 4096;

void Say(const std::string& what, std::string path) {
  path.resize(std::min(path.size(), kMaxPath));
  std::replace(path.begin(), path.end(), '\n', '?');
  const std::string line = what + " " + path + "\n";
  (void)!write(kCopyReportFd, line.data(), line.size());
}

}  // namespace

void CopyWorkspace(int argc, char** argv) {
  if (argc != 3) _exit(kNoCopy);
  signal(SIGXFSZ, SIG_IGN);  // a file larger than the limit is left out, not the end
  const TreeCopyResult copy = CopyTree(argv[1], argv[2]);
  if (copy.left_out) Say("left_out " + std::to_string(copy.left_out) + " " + std::to_string(copy.first_why), copy.first_left_out);
  if (copy.shows_host) Say("shows_host", copy.error_path);
  else if (copy.error) Say("copy " + std::to_string(copy.error), copy.error_path);
  _exit(copy.error ? kNoCopy : 0);
}

}  // namespace paddock::subagents
