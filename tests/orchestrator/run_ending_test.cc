#include "orchestrator/run/ending.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstring>

#include "orchestrator/run/denials.h"

namespace paddock::orchestrator {
namespace {

using sandbox::EndKind;

EndFacts Facts(EndKind kind, int code = 0, StopCause cause = StopCause::kNone) {
  EndFacts facts;
  facts.program = "./configure";
  facts.loop.jail.kind = kind;
  facts.loop.jail.code = code;
  facts.loop.cause = cause;
  return facts;
}

RunEnding Ending(const EndFacts& facts) {
  std::vector<std::string> notes;
  return EndingOfRun(facts, &notes);
}

TEST(RunEnding, IsTheProgramsOwnWhateverThisProcessWanted) {
  for (StopCause cause : {StopCause::kNone, StopCause::kWall, StopCause::kCpu, StopCause::kCancelled}) {
    EXPECT_EQ(Ending(Facts(EndKind::kExited, 3, cause)).code, 3);
    EXPECT_EQ(Ending(Facts(EndKind::kSignaled, SIGSEGV, cause)).signal, "SIGSEGV");
  }
}

TEST(RunEnding, IsThatOfThisProcessWhenItEndedTheJail) {
  EXPECT_EQ(Ending(Facts(EndKind::kKilled, 0, StopCause::kWall)).which, TimeLimit::kWall);
  EXPECT_EQ(Ending(Facts(EndKind::kKilled, 0, StopCause::kCpu)).which, TimeLimit::kCpu);
  EXPECT_EQ(Ending(Facts(EndKind::kDeadline)).which, TimeLimit::kWall);
  EndFacts cancelled = Facts(EndKind::kKilled, 0, StopCause::kCancelled);
  cancelled.loop.signal = SIGINT;
  EXPECT_EQ(RunExitStatus(Ending(cancelled)), 130);
  EXPECT_EQ(Ending(Facts(EndKind::kTooManyViolations)).kind, RunEndingKind::kViolationLimit);
  EXPECT_EQ(Ending(Facts(EndKind::kLauncherDead)).kind, RunEndingKind::kJailLost);
}

TEST(RunEnding, OfLostOutputOutranksTheProgram) {
  EndFacts facts = Facts(EndKind::kExited, 0, StopCause::kOutput);
  facts.loop.output = FailErrno("write", ENOSPC).error();
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kOutputError);
  EXPECT_EQ(Ending(facts).error_name, "ENOSPC");
}

TEST(RunEnding, TellsAKilledProcessFromOneThatRanOut) {
  EndFacts facts = Facts(EndKind::kSignaled, SIGKILL);
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kSignal);
  facts.out_of_memory = true;
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kOutOfMemory);
  facts.out_of_memory = false;
  facts.cpu_limit_us = 2'000'000;
  facts.loop.jail.cpu_us = 1'000'000;
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kSignal);
  facts.loop.jail.cpu_us = 1'828'000;
  EXPECT_EQ(Ending(facts).which, TimeLimit::kCpu);
}

TEST(RunEnding, OfAProgramThatCouldNotBeStarted) {
  EndFacts facts = Facts(EndKind::kExited, 127);
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kExit) << "the program's own 127";
  facts = Facts(EndKind::kSetupError, ENOENT);
  facts.loop.jail.stage = sandbox::Stage::kExec;
  facts.program = "./configure";
  std::vector<std::string> notes;
  RunEnding ending = EndingOfRun(facts, &notes);
  EXPECT_EQ(RunExitStatus(ending), 127);
  EXPECT_EQ(ending.detail, "./configure: not found in the jail");
  facts.loop.jail.code = EACCES;
  EXPECT_EQ(RunExitStatus(Ending(facts)), 126);
  facts = Facts(EndKind::kExited, 0);
  facts.copy_report = "left_out 2 13 a\n";
  EXPECT_EQ(EndingOfRun(facts, &notes).kind, RunEndingKind::kExit);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "2 paths are not in the private copy of the repository (the first: not readable): a");
  facts = Facts(EndKind::kCopyFailed, 125);
  facts.copy_report = "copy 28 /workspace/big file\n";
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kSetupError);
  EXPECT_NE(Ending(facts).hint.find("workspace_size"), std::string::npos);
  // Half a line, and words that are not known, say nothing of why.
  for (const char* odd : {"", "copy 28 x", "copy\n", "what 1 x\n", "\n\n", "left_out x y z\n"}) {
    facts.copy_report = odd;
    EXPECT_EQ(Ending(facts).kind, RunEndingKind::kSetupError) << odd;
    EXPECT_NE(Ending(facts).detail.find("status 125"), std::string::npos) << odd;
  }
  // It has looked at a stranger's files, and may say what it likes: a program that ran is judged by its own end.
  facts = Facts(EndKind::kExited, 3);
  facts.copy_report = "copy 28 /workspace/big file\n";
  EXPECT_EQ(Ending(facts).kind, RunEndingKind::kExit);
  facts = Facts(EndKind::kSetupError, ENOENT);
  facts.loop.jail.stage = sandbox::Stage::kExec;
  EXPECT_EQ(RunExitStatus(Ending(facts)), 127);
}

template <class Address>
std::string Bytes(const Address& address, size_t size = sizeof(Address)) {
  return std::string(reinterpret_cast<const char*>(&address), size);
}

TEST(RunDenials, NameSocketAddresses) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(80);
  inet_pton(AF_INET, "127.0.0.1", &v4.sin_addr);
  EXPECT_EQ(SocketAddressText(Bytes(v4)), "127.0.0.1:80");
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(443);
  inet_pton(AF_INET6, "::1", &v6.sin6_addr);
  EXPECT_EQ(SocketAddressText(Bytes(v6)), "[::1]:443");
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  std::strcpy(local.sun_path, "/run/docker.sock");
  EXPECT_EQ(SocketAddressText(Bytes(local)), "/run/docker.sock");
  std::memcpy(local.sun_path, "\0na\x1bme", 6);
  EXPECT_EQ(SocketAddressText(Bytes(local, 2 + 6)), "@na\\x1bme");
  EXPECT_EQ(SocketAddressText(std::string("\x28\0\1\2", 4)), "family 40");
  EXPECT_EQ(SocketAddressText(Bytes(v4, 4)), "family 2");
  EXPECT_EQ(SocketAddressText("x"), "");
}

TEST(RunDenials, AreFoldedWithACount) {
  sandbox::Profile profile;
  profile.name = "build";
  std::vector<DeniedCall> list;
  sandbox::Violation violation;
  violation.number = SYS_socket;
  violation.arguments = {40, 1, 0, 0, 0, 0};
  violation.error = EPERM;
  violation.process_name = "pro\x1bgram";
  for (int i = 0; i < 3; ++i) AddDenial(violation, profile, &list);
  violation.arguments = {38, 5, 0, 0, 0, 0};
  AddDenial(violation, profile, &list);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].count, 3);
  EXPECT_EQ(list[0].name, "socket");
  EXPECT_EQ(list[0].error_name, "EPERM");
  EXPECT_EQ(list[0].rule, "profile build");
  EXPECT_EQ(list[0].process_name, "pro\\x1bgram");
  EXPECT_FALSE(list[0].allow) << "no profile can grant AF_VSOCK";
  // One that a profile can.
  violation.number = SYS_ptrace;
  violation.arguments = {};
  AddDenial(violation, profile, &list);
  ASSERT_TRUE(list[2].allow);
  EXPECT_NE(list[2].allow->find("@debug"), std::string::npos) << *list[2].allow;
}

}  // namespace
}  // namespace paddock::orchestrator
