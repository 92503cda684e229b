#include "agentcore/tools/run_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace paddock::agentcore {
namespace {

using ::testing::HasSubstr;

ProgramEnd Shell(const std::string& script, Deadline deadline = Deadline::After(std::chrono::seconds(60)), size_t room = 1u << 20) {
  ProgramOrder order;
  order.file = "/bin/sh";
  order.arguments = {"-c", script};
  order.environment = {"PATH=/usr/bin:/bin", "GREETING=hello"};
  order.deadline = deadline;
  order.max_output = room;
  auto end = RunProgram(order);
  EXPECT_TRUE(end) << end.error().message;
  return end ? *std::move(end) : ProgramEnd{};
}

TEST(RunProgram, GivesOutputErrorAndStatus) {
  const ProgramEnd end = Shell("echo $GREETING; echo oops >&2; exit 3");
  EXPECT_EQ(end.output, "hello\n");
  EXPECT_EQ(end.error, "oops\n");
  EXPECT_EQ(end.exit_status, 3);
  EXPECT_FALSE(end.ended_well());
  EXPECT_EQ(Shell("kill -9 $$").signal, 9);
}

TEST(RunProgram, InputIsEmptyAndNoOtherDescriptorIsOpen) {
  EXPECT_EQ(Shell("cat; ls /proc/self/fd | tr '\\n' ' '").output, "0 1 2 3 ");  // 3: ls reads the folder
}

TEST(RunProgram, TheDeadlineEndsTheWholeGroup) {
  const auto began = std::chrono::steady_clock::now();
  const ProgramEnd end = Shell("echo early; sleep 100 & sleep 100", Deadline::After(std::chrono::milliseconds(300)));
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(end.output, "early\n");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

// Its child holds the pipes open.
TEST(RunProgram, WhatAProgramLeavesBehindIsNotWaitedFor) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(Shell("sleep 100 & echo done").ended_well());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

TEST(RunProgram, TooMuchOutputIsCutAndEndsIt) {
  const ProgramEnd end = Shell("while :; do echo 0123456789; done", Deadline::After(std::chrono::seconds(60)), 1000);
  EXPECT_TRUE(end.cut);
  EXPECT_EQ(end.output.size(), 1000u);
  EXPECT_EQ(end.signal, 9);
  const ProgramEnd loud = Shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789 >&2; i=$((i+1)); done");
  EXPECT_TRUE(loud.ended_well());  // of complaints only the beginning is kept
  EXPECT_EQ(loud.error.size(), kMaxProgramError);
}

TEST(RunProgram, SideBySide) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(8);
  for (size_t i = 0; i < outputs.size(); ++i) threads.emplace_back([&outputs, i] { outputs[i] = Shell("echo " + std::to_string(i)).output; });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], std::to_string(i) + "\n");
}

TEST(RunProgram, AProgramThatIsNotThereIsAnError) {
  ProgramOrder order;
  order.file = "/no/such/program";
  auto end = RunProgram(order);
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message, HasSubstr("/no/such/program"));
}

TEST(FindProgram, LooksOnlyInAbsoluteFoldersOfThePath) {
  EXPECT_EQ(FindProgram("no-such-program-at-all"), "");
  EXPECT_TRUE(FindProgram("sh").starts_with("/"));
}

TEST(EnvironmentWith, ReplacesAndLeavesOut) {
  ::setenv("PADDOCK_ONE", "1", 1);
  ::setenv("PADDOCK_TWO", "2", 1);
  EXPECT_THAT(EnvironmentWith({"PADDOCK_ONE=9"}, "X"), testing::AllOf(testing::Contains("PADDOCK_ONE=9"), testing::Not(testing::Contains("PADDOCK_ONE=1")), testing::Contains("PADDOCK_TWO=2")));
  EXPECT_THAT(EnvironmentWith({}, "PADDOCK_"), testing::Not(testing::Contains("PADDOCK_TWO=2")));
  ::unsetenv("PADDOCK_ONE");
  ::unsetenv("PADDOCK_TWO");
}

}  // namespace
}  // namespace paddock::agentcore
