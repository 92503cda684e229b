// Nothing outlives its ticket: many runs, a tenth of them killed at pseudo-random moments, leave no process,
// mount, cgroup, temporary file, shared memory or change of the repository.
//
// 60 runs by default, PADDOCK_LEFTOVER_RUNS says another number (`./check --long`: 300).
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>

#include "base/sha256.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;

std::string WholeFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::set<std::string> CgroupsOfPaddock() {
  std::set<std::string> found;
  std::error_code ignored;
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator("/sys/fs/cgroup", options, ignored); it != fs::end(it); it.increment(ignored))
    if (it->path().filename().string().find("paddock") != std::string::npos) found.insert(it->path());
  return found;
}

// paddock-PID-START-N of a process that runs: somebody else works with paddock here.
bool IsInUse(const std::string& group) {
  int pid = 0;
  return std::sscanf(fs::path(group).filename().c_str(), "paddock-%d-", &pid) == 1 && pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
}

std::vector<std::string> NewAndUnused(const std::set<std::string>& before) {
  std::vector<std::string> found;
  for (const std::string& group : CgroupsOfPaddock())
    if (!before.contains(group) && !IsInUse(group)) found.push_back(group);
  return found;
}

std::set<std::string> EntriesOf(const std::string& folder) {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) found.insert(entry.path());
  return found;
}

class Leftovers : public FlowTest {
 protected:
  // Every path of the repository with kind, mode, time and hash.
  std::string Repository() const {
    std::string all;
    for (const std::string& name : List("repo")) {
      const fs::path path = Path("repo/" + name);
      const auto status = fs::symlink_status(path);
      all += name + " " + std::to_string(static_cast<int>(status.type())) + " " + std::to_string(static_cast<int>(status.permissions()));
      if (fs::is_regular_file(status))
        all += " " + Sha256Hex(WholeFile(path)) + " " + std::to_string(fs::last_write_time(path).time_since_epoch().count());
      all += "\n";
    }
    return all;
  }
};

TEST_F(Leftovers, AreNone) {
  const char* wanted = getenv("PADDOCK_LEFTOVER_RUNS");
  const int runs = wanted ? atoi(wanted) : 60;
  ASSERT_GT(runs, 0);
  for (int i = 0; i < 20; ++i) Write("repo/lib/part" + std::to_string(i) + ".c", "int part" + std::to_string(i) + "(void);\n");
  const std::string repository = Repository(), mounts = WholeFile("/proc/self/mountinfo");
  const auto cgroups = CgroupsOfPaddock(), shared = EntriesOf("/dev/shm");

  std::mt19937 chance(20240607);  // the same moments every time
  int killed = 0, completed = 0, lines = 0;
  for (int i = 0; i < runs; ++i) {
    if (i % 10 != 9) {
      const Outcome outcome = Perform(Investigate({}));
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      completed += outcome.status == 0;
      lines = static_cast<int>(std::count(outcome.err.begin(), outcome.err.end(), '\n'));
      continue;
    }
    PaddockRun run(Investigate({}));
    const int line = 1 + static_cast<int>(chance() % static_cast<unsigned>(lines));
    ASSERT_TRUE(run.WaitForLine("paddock: ", line)) << run.err();
    const auto launcher = ProcessesNamed(run.pid(), "paddock-jail");
    const int way = static_cast<int>(chance() % 3);
    if (way == 2 && !launcher.empty()) kill(launcher[0], SIGKILL);
    else run.Signal(way == 0 ? SIGKILL : SIGTERM);
    ++killed;
    const Outcome outcome = run.Finish();
    EXPECT_THAT(outcome.status, testing::AnyOf(0, 1, 3, 128 + SIGKILL, 128 + SIGTERM)) << outcome.err;
    EXPECT_TRUE(NothingLeft(Deadline::After(std::chrono::seconds(10)))) << "a process outlives run " << i;
  }
  std::cout << runs << " runs, " << completed << " completed, " << killed << " killed at a moment\n";
  EXPECT_EQ(killed, runs / 10);

  EXPECT_TRUE(NothingLeft());
  EXPECT_EQ(WholeFile("/proc/self/mountinfo"), mounts);
  EXPECT_THAT(NewAndUnused(cgroups), testing::IsEmpty());
  EXPECT_EQ(EntriesOf("/dev/shm"), shared);
  EXPECT_THAT(List("tmp"), testing::IsEmpty());
  EXPECT_THAT(List("home"), testing::IsEmpty());
  EXPECT_THAT(List("config"), testing::IsEmpty());
  EXPECT_EQ(Repository(), repository);
}

}  // namespace
}  // namespace paddock::flow
