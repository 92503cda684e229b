#include "tests/long/held.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace paddock {
namespace {

namespace fs = std::filesystem;

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> found;
  std::error_code ended;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", ended)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child; children >> child;) found.push_back(child);
  }
  return found;
}

std::string NameOf(pid_t pid) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
  return name;
}

long NumberIn(const std::string& path, const std::string& field) {
  std::ifstream file(path);
  long number = 0;
  for (std::string word; file >> word;)
    if (word == field && file >> number) return number;
  return 0;
}

long PssKb(pid_t pid) { return NumberIn("/proc/" + std::to_string(pid) + "/smaps_rollup", "Pss:"); }

size_t OwnGroups(const fs::path& folder, int depth) {
  size_t count = 0;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone)) {
    if (!entry.is_directory(gone)) continue;
    count += entry.path().filename().string().starts_with("paddock-" + std::to_string(getpid()) + "-") ? 1 : 0;
    if (depth > 0) count += OwnGroups(entry.path(), depth - 1);
  }
  return count;
}

}  // namespace

std::string MakeFolder() {
  std::string folder = fs::temp_directory_path() / "paddock-many-XXXXXX";
  if (!mkdtemp(folder.data())) Must<void>(FailErrno("mkdtemp"));
  fs::create_directories(folder + "/repo/src");
  fs::create_directories(folder + "/state");
  std::ofstream(folder + "/repo/README.md") << "# Thing\n\nA thing that does one thing.\n";
  for (int i = 0; i < 40; ++i) std::ofstream(folder + "/repo/src/part" + std::to_string(i) + ".c") << "int part" << i << "(void);\n";
  return folder;
}

long StatusKb(const std::string& field) { return NumberIn("/proc/self/status", field); }

Held Look() {
  Held held;
  held.rss_kb = StatusKb("VmRSS:");
  held.descriptors = static_cast<size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
  held.children = ChildrenOf(getpid()).size();
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) ++held.mounts;
  held.groups = OwnGroups("/sys/fs/cgroup", 4);
  return held;
}

void LookAtCells(CellSizes* sizes) {
  size_t count = 0;
  for (pid_t launcher : ChildrenOf(getpid())) {
    if (NameOf(launcher) != "paddock-jail") continue;
    for (pid_t init : ChildrenOf(launcher))
      for (pid_t cell : ChildrenOf(init)) {
        if (NameOf(cell) != "cell") continue;
        ++count;
        sizes->largest_kb = std::max(sizes->largest_kb, PssKb(cell) + PssKb(init));
      }
  }
  sizes->most = std::max(sizes->most, count);
}

}  // namespace paddock
