#include "orchestrator/providers/http_pool.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace paddock::orchestrator {
namespace {

// In paddock-http's place a program that waits for the end of its input, and, like it, ends with the thread that started it.
class Pool : public testing::Test {
 protected:
  Pool() : program_(folder_ + "/waits") {
    std::ofstream(program_) << "#!/bin/sh\nexec setpriv --pdeathsig KILL cat\n";
    chmod(program_.c_str(), 0755);
  }
  ~Pool() override { std::filesystem::remove_all(folder_); }
  static std::string MakeFolder() {
    std::string folder = testing::TempDir() + "pool-XXXXXX";
    return mkdtemp(folder.data());
  }
  const std::string folder_ = MakeFolder();
  const std::string program_;
  HttpPool pool_{program_, {{"PATH", "/usr/bin:/bin"}}};
};

TEST_F(Pool, GivesWhatIsIdleAgain) {
  auto one = pool_.Take(), other = pool_.Take();
  ASSERT_TRUE(one && other);
  const pid_t first = (*one)->process.pid();
  EXPECT_NE(first, (*other)->process.pid()) << "one exchange at a time in each";
  pool_.GiveBack(*std::move(one));
  auto again = pool_.Take();
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->process.pid(), first);
}

TEST_F(Pool, KeepsEight) {
  std::vector<std::unique_ptr<RunningHttp>> taken;
  std::set<pid_t> before, after;
  for (int i = 0; i < 12; ++i) {
    auto one = pool_.Take();
    ASSERT_TRUE(one);
    before.insert((*one)->process.pid());
    taken.push_back(*std::move(one));
  }
  for (auto& one : taken) pool_.GiveBack(std::move(one));
  taken.clear();
  for (int i = 0; i < 12; ++i) {
    auto one = pool_.Take();
    ASSERT_TRUE(one);
    after.insert((*one)->process.pid());
    taken.push_back(*std::move(one));
  }
  std::erase_if(after, [&](pid_t pid) { return before.count(pid) == 0; });
  EXPECT_EQ(after.size(), 8u);
}

TEST_F(Pool, DoesNotKeepOneThatHasEnded) {
  auto one = pool_.Take();
  ASSERT_TRUE(one);
  const pid_t first = (*one)->process.pid();
  ASSERT_TRUE((*one)->process.Signal(SIGKILL));
  ASSERT_TRUE(EndedByPidfd((*one)->process.pidfd(), Deadline::After(std::chrono::seconds(10))));
  pool_.GiveBack(*std::move(one));
  auto next = pool_.Take();
  ASSERT_TRUE(next);
  EXPECT_NE((*next)->process.pid(), first);
}

TEST_F(Pool, DoesNotKeepOneThatSaysMoreThanItWasAsked) {
  std::ofstream(program_) << "#!/bin/sh\necho surplus >&0\nexec cat\n";
  auto one = pool_.Take();
  ASSERT_TRUE(one);
  const pid_t first = (*one)->process.pid();
  ASSERT_TRUE((*one)->reader->Next(Deadline::After(std::chrono::seconds(10))));
  pool_.GiveBack(*std::move(one));
  auto kept = pool_.Take();
  ASSERT_TRUE(kept);
  EXPECT_EQ((*kept)->process.pid(), first) << "what it said was taken";
  auto fresh = pool_.Take();
  ASSERT_TRUE(fresh);
  pollfd said{(*fresh)->socket.get(), POLLIN, 0};
  ASSERT_EQ(poll(&said, 1, 10'000), 1);
  const pid_t chatty = (*fresh)->process.pid();
  pool_.GiveBack(*std::move(fresh));
  auto next = pool_.Take();
  ASSERT_TRUE(next);
  EXPECT_NE((*next)->process.pid(), chatty);
}

TEST_F(Pool, WhatAThreadTookOutlivesIt) {
  std::unique_ptr<RunningHttp> taken;
  std::thread([&] {
    auto one = pool_.Take();
    if (!one) return;
    taken = *std::move(one);
    // Until it has asked for the signal.
    const std::string path = "/proc/" + std::to_string(taken->process.pid()) + "/comm";
    for (std::string name; name != "cat";) std::getline(std::ifstream(path) >> std::ws, name);
  }).join();
  ASSERT_TRUE(taken);
  EXPECT_FALSE(EndedByPidfd(taken->process.pidfd(), Deadline::After(std::chrono::milliseconds(100))));
}

TEST_F(Pool, SaysWhyNothingCanBeStarted) {
  HttpPool none("/nowhere/paddock-http", {});
  auto one = none.Take();
  ASSERT_FALSE(one);
  EXPECT_NE(one.error().message.find("/nowhere/paddock-http"), std::string::npos);
}

TEST(SharedHttpPool, IsOneForEachServerAndKey) {
  const auto pool = SharedHttpPool("http://a/v1", "k", "/p", {});
  EXPECT_EQ(SharedHttpPool("http://a/v1", "k", "/p", {}), pool);
  EXPECT_NE(SharedHttpPool("http://b/v1", "k", "/p", {}), pool);
  EXPECT_NE(SharedHttpPool("http://a/v1", "other", "/p", {}), pool);
}

}  // namespace
}  // namespace paddock::orchestrator
