// What control groups bind. Where this machine lets us make none, that is asserted: rlimits bind.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>

#include "base/frame_pipe.h"
#include "tests/jail/limits_harness.h"

namespace paddock::sandbox::limits {
namespace {

TEST_F(LimitsOnThisMachine, BindOrSayThatRlimitsDo) {
  LimitGroup group = Make({kMemory, 8, 1'000'000});
  ASSERT_EQ(group.bindings().size(), 3u);
  // A machine that was made for it says what must bind, "cgroup v2" say.
  const char* expected = getenv("PADDOCK_TEST_BINDS");
  for (const Binding& one : group.bindings()) {
    RecordProperty(one.limit, one.by);
    if (expected) {
      EXPECT_EQ(one.by, expected) << one.limit;
    }
  }
  EXPECT_EQ(Binds(group, "memory"), Has(&Place::memory));
  EXPECT_EQ(Binds(group, "processes"), Has(&Place::processes));
  EXPECT_EQ(Binds(group, "cpu"), Has(&Place::cpu));
  const auto join = group.JoinDescriptors();
  ASSERT_TRUE(join);
  EXPECT_EQ(join->size(), places_.all.size());
  for (const UniqueFd& fd : *join) EXPECT_EQ(fcntl(fd.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_FALSE(group.Holds(getpid()));
  EXPECT_TRUE(group.Remove());
}

TEST_F(LimitsOnThisMachine, AChildThatJoinsIsHeldAndAllThatItStarts) {
  LimitGroup group = Make({kMemory, 8, 1'000'000});
  auto ready = MakePipe(), end = MakePipe();
  ASSERT_TRUE(ready && end);
  ChildProcess child = InGroup(group, [&] {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      const pid_t self = getpid();
      (void)!write(ready->write.get(), &self, sizeof self);
      end->write.reset();
      char byte;
      (void)!read(end->read.get(), &byte, 1);
      _exit(0);
    }
    end->write.reset();
    waitpid(grandchild, nullptr, 0);
    return 0;
  });
  pid_t grandchild = 0;
  ASSERT_EQ(read(ready->read.get(), &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  EXPECT_EQ(group.Holds(child.pid()), !places_.all.empty());
  EXPECT_EQ(group.Holds(grandchild), !places_.all.empty());
  EXPECT_EQ(group.Read().processes, Has(&Place::processes) ? std::optional<uint64_t>(2) : std::nullopt);
  end->write.reset();
  EXPECT_EQ(StatusOf(std::move(child)), 0);
}

TEST_F(LimitsOnThisMachine, AHogIsKilledAndItIsKnownWhy) {
  LimitGroup group = Make({kMemory, std::nullopt, std::nullopt});
  const int status = StatusOf(InGroup(group, Hog));
  if (!Has(&Place::memory)) {
    EXPECT_FALSE(Binds(group, "memory"));
    EXPECT_EQ(status, 0) << "an rlimit of the launcher's would stop it, which this test doesn't set";
    EXPECT_EQ(group.OomKills(), 0u);
    return;
  }
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_GE(group.OomKills(), 1u);
  if (const auto peak = group.Read().peak_memory_bytes) {
    EXPECT_GT(*peak, kMemory / 2);
    EXPECT_LE(*peak, kMemory);
  }
  EXPECT_TRUE(group.Remove());
}

TEST_F(LimitsOnThisMachine, MemoryOfManyProcessesAddsUp) {
  LimitGroup group = Make({kMemory, std::nullopt, std::nullopt});
  // Four of 20 MiB each, none of which is too large by itself, at one time.
  auto hold = MakePipe();
  ASSERT_TRUE(hold);
  std::vector<ChildProcess> children;
  for (int i = 0; i < 4; ++i)
    children.push_back(InGroup(group, [&] {
      hold->write.reset();
      constexpr size_t kSize = 20u << 20;
      char* memory = static_cast<char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      for (size_t j = 0; j < kSize; j += 4096) memory[j] = 1;
      char byte;
      (void)!read(hold->read.get(), &byte, 1);
      return 0;
    }));
  int killed = 0;
  if (Has(&Place::memory)) {
    std::vector<pollfd> ends;
    for (const ChildProcess& child : children) ends.push_back({child.pidfd(), POLLIN, 0});
    ASSERT_GT(poll(ends.data(), ends.size(), 60'000), 0) << "one is killed while all of them hold on";
  }
  hold->write.reset();
  for (ChildProcess& child : children) killed += WIFSIGNALED(StatusOf(std::move(child)));
  EXPECT_EQ(killed > 0, Has(&Place::memory));
  EXPECT_EQ(group.OomKills() > 0, Has(&Place::memory));
}

TEST_F(LimitsOnThisMachine, AnotherSigkillIsNoLackOfMemory) {
  LimitGroup group = Make({kMemory, std::nullopt, std::nullopt});
  const int status = StatusOf(InGroup(group, [] { return raise(SIGKILL); }));
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(group.OomKills(), 0u);
}

TEST_F(LimitsOnThisMachine, TooManyProcessesAreEagain) {
  LimitGroup group = Make({std::nullopt, 6, std::nullopt});
  if (!Binds(group, "processes")) return;
  const int status = StatusOf(InGroup(group, [] {
    auto end = MakePipe();  // that ends with this process, and they with it
    int made = 0;
    for (; made < 20; ++made) {
      const pid_t pid = fork();
      if (pid < 0) return errno == EAGAIN ? made : 98;
      if (pid > 0) continue;
      end->write.reset();
      char byte;
      (void)!read(end->read.get(), &byte, 1);
      _exit(0);
    }
    return made;
  }));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5) << "itself and five more";
  EXPECT_TRUE(group.Remove()) << "the last of them may still be ending";
}

// Uses this much processor time.
int Burn(std::chrono::milliseconds span) {
  timespec now{};
  do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  while (std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) < span);
  return 0;
}

TEST_F(LimitsOnThisMachine, ProcessorTimeOfAllIsCountedOfThoseThatEndedToo) {
  LimitGroup group = Make({std::nullopt, std::nullopt, 70'000});
  for (int i = 0; i < 2; ++i) EXPECT_EQ(StatusOf(InGroup(group, [] { return Burn(std::chrono::milliseconds(60)); })), 0);
  EXPECT_EQ(group.CpuPassed(70'000), Binds(group, "cpu")) << "each used less";
  EXPECT_FALSE(group.CpuPassed(60'000'000));
  EXPECT_EQ(group.Read().cpu_us.has_value(), Has(&Place::cpu));
}

}  // namespace
}  // namespace paddock::sandbox::limits
