#include "orchestrator/providers/http_pool.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace paddock::orchestrator {
namespace {

const Deadline kSoon = Deadline::After(std::chrono::seconds(60));

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
  auto one = pool_.Take(kSoon), other = pool_.Take(kSoon);
  ASSERT_TRUE(one && other);
  const pid_t first = (*one)->process.pid();
  EXPECT_NE(first, (*other)->process.pid()) << "one exchange at a time in each";
  pool_.GiveBack(*std::move(one), true);
  auto again = pool_.Take(kSoon);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->process.pid(), first);
}

struct Taken {
  std::vector<std::unique_ptr<RunningHttp>> all;
  std::set<pid_t> pids;
  Taken(HttpPool* pool, int count) {
    for (int i = 0; i < count; ++i) {
      auto one = pool->Take(kSoon);
      if (!one) return;
      pids.insert((*one)->process.pid());
      all.push_back(*std::move(one));
    }
  }
  size_t Again(const std::set<pid_t>& known) const {
    return static_cast<size_t>(std::count_if(pids.begin(), pids.end(), [&](pid_t pid) { return known.contains(pid); }));
  }
};

TEST_F(Pool, KeepsEightWhenNoneIsInUse) {
  Taken first(&pool_, 12);
  for (auto& one : first.all) pool_.GiveBack(std::move(one), true);
  const Taken second(&pool_, 12);
  ASSERT_EQ(second.pids.size(), 12u);
  EXPECT_EQ(second.Again(first.pids), 8u);
}

TEST_F(Pool, KeepsAsManyAsAreInUse) {
  Taken first(&pool_, 24);
  ASSERT_EQ(first.all.size(), 24u);
  for (size_t i = 0; i < 12; ++i) pool_.GiveBack(std::move(first.all[i]), true);
  EXPECT_EQ(Taken(&pool_, 12).Again(first.pids), 12u) << "many ask by turns: none was started anew";
}

TEST_F(Pool, DoesNotKeepOneInMidExchange) {
  auto one = pool_.Take(kSoon);
  ASSERT_TRUE(one);
  const pid_t first = (*one)->process.pid();
  pool_.GiveBack(*std::move(one), false);
  auto next = pool_.Take(kSoon);
  ASSERT_TRUE(next);
  EXPECT_NE((*next)->process.pid(), first);
}

TEST_F(Pool, DoesNotKeepOneThatHasEnded) {
  auto one = pool_.Take(kSoon);
  ASSERT_TRUE(one);
  const pid_t first = (*one)->process.pid();
  ASSERT_TRUE((*one)->process.Signal(SIGKILL));
  ASSERT_TRUE(EndedByPidfd((*one)->process.pidfd(), Deadline::After(std::chrono::seconds(10))));
  pool_.GiveBack(*std::move(one), true);
  auto next = pool_.Take(kSoon);
  ASSERT_TRUE(next);
  EXPECT_NE((*next)->process.pid(), first);
}

TEST_F(Pool, DoesNotKeepOneThatSaysMoreThanItWasAsked) {
  std::ofstream(program_) << "#!/bin/sh\necho surplus >&0\nexec cat\n";
  auto one = pool_.Take(kSoon);
  ASSERT_TRUE(one);
  const pid_t first = (*one)->process.pid();
  ASSERT_TRUE((*one)->reader->Next(Deadline::After(std::chrono::seconds(10))));
  pool_.GiveBack(*std::move(one), true);
  auto kept = pool_.Take(kSoon);
  ASSERT_TRUE(kept);
  EXPECT_EQ((*kept)->process.pid(), first) << "what it said was taken";
  auto fresh = pool_.Take(kSoon);
  ASSERT_TRUE(fresh);
  pollfd said{(*fresh)->socket.get(), POLLIN, 0};
  ASSERT_EQ(poll(&said, 1, 10'000), 1);
  const pid_t chatty = (*fresh)->process.pid();
  pool_.GiveBack(*std::move(fresh), true);
  auto next = pool_.Take(kSoon);
  ASSERT_TRUE(next);
  EXPECT_NE((*next)->process.pid(), chatty);
}

TEST_F(Pool, WhatAThreadTookOutlivesIt) {
  std::unique_ptr<RunningHttp> taken;
  std::thread([&] {
    auto one = pool_.Take(kSoon);
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
  auto one = none.Take(kSoon);
  ASSERT_FALSE(one);
  EXPECT_NE(one.error().message.find("/nowhere/paddock-http"), std::string::npos);
}

TEST_F(Pool, ServesAllWhoWait) {
  std::vector<std::thread> threads;
  std::atomic<int> served = 0;
  for (int i = 0; i < 32; ++i)
    threads.emplace_back([&] {
      auto one = pool_.Take(kSoon);
      if (!one) return;
      ++served;
      pool_.GiveBack(*std::move(one), true);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(served, 32);
}

TEST_F(Pool, IsNotWaitedForWhenTheTimeIsUp) {
  auto one = pool_.Take(Deadline::After({}));
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().kind, ErrorKind::kTimeout);
  EXPECT_TRUE(pool_.Take(kSoon)) << "and the next one has its turn";
}

TEST(SharedHttpPool, IsOneForEachServerAndKey) {
  const auto pool = SharedHttpPool("http://a/v1", "k", "/p", {});
  EXPECT_EQ(SharedHttpPool("http://a/v1", "k", "/p", {}), pool);
  EXPECT_NE(SharedHttpPool("http://b/v1", "k", "/p", {}), pool);
  EXPECT_NE(SharedHttpPool("http://a/v1", "other", "/p", {}), pool);
}

}  // namespace
}  // namespace paddock::orchestrator
