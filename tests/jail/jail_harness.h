// A jail for tests: profile read-only around a program of the test's, on a folder of the test's own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/frame_pipe.h"
#include "sandbox/jail.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile_json.h"
#include "sandbox/receipt.h"

namespace paddock::sandbox {

inline Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }

// The folder of the test programs, and so of paddock-jail and paddock-cell.
inline std::string BinFolder() { return std::filesystem::canonical("/proc/self/exe").parent_path(); }

// A fresh folder that goes with the object.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "paddock-test-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The program's descriptors: 0-2 the null device, 3 to it, 4 from it, 5 the second filter.
struct Cell {
  Jail jail;
  UniqueFd to, from;
};

class JailTest : public testing::Test {
 protected:
  void SetUp() override {
    auto profile = ShippedProfile("read-only");
    ASSERT_TRUE(profile) << profile.error().message;
    profile_ = *profile;
    UniqueFd file(open((folder_.path() + "/file").c_str(), O_CREAT | O_WRONLY, 0644));
    ASSERT_EQ(write(file.get(), "hello\n", 6), 6);
    auto workspace = ResolveWorkspace(folder_.path(), {});
    ASSERT_TRUE(workspace) << workspace.error().message;
    workspace_ = *workspace;
  }

  Launcher& launcher() {
    if (!launcher_) {
      auto started = Launcher::Start(launcher_path_);
      EXPECT_TRUE(started) << started.error().message;
      launcher_ = *std::move(started);
    }
    return *launcher_;
  }

  BuiltPlan Build(const std::string& program, std::vector<std::string> argv) {
    PlanRequest request;
    request.profile = &profile_;
    request.workspace = &workspace_;
    request.program = BinFolder() + "/" + program;
    request.argv = std::move(argv);
    request.descriptors = {0, 1, 2, 3, 4, 5};
    auto built = BuildPlan(request, ThisCaller());
    EXPECT_TRUE(built) << built.error().message;
    return *std::move(built);
  }

  Result<Cell> Start(const BuiltPlan& built, UniqueFd extra = {}) {
    Pipe in = TRY(MakePipe()), out = TRY(MakePipe());
    std::vector<UniqueFd> passed;
    for (int i = 0; i < 3; ++i) passed.emplace_back(open("/dev/null", O_RDWR | O_CLOEXEC));
    passed.push_back(std::move(in.read));
    passed.push_back(std::move(out.write));
    passed.push_back(TRY(SealedMemfd("second-filter", built.second_filter)));
    if (extra) passed.push_back(std::move(extra));
    Jail jail = TRY(launcher().StartJail(built.plan, std::move(passed), Soon()));
    TRY(jail.WaitStarted(Soon()));
    return Cell{std::move(jail), std::move(in.write), std::move(out.read)};
  }

  // Why a cell does not come to say ready.
  Error WhyNoCell(const BuiltPlan& built) {
    auto cell = Start(built);
    if (!cell) return cell.error();
    FrameReader reader(cell->from.get(), 4096);
    auto line = reader.Next(Soon());
    if (line) return Error{ErrorKind::kInternal, "it started: " + *line, "", 0};
    JailEnd end = cell->jail.Stop();
    if (end.kind == EndKind::kSetupError) return SetupError(end.stage, end.code, end.detail);
    return Error{ErrorKind::kInternal, "no setup error, but end " + std::to_string(static_cast<int>(end.kind)), "", 0};
  }

  TestFolder folder_;
  Profile profile_;
  Workspace workspace_;
  std::string launcher_path_ = BinFolder() + "/paddock-jail";
  std::unique_ptr<Launcher> launcher_;
};

}  // namespace paddock::sandbox
