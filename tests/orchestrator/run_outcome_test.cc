#include "orchestrator/run/outcome.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "orchestrator/run/run_text.h"

namespace paddock::orchestrator {
namespace {

RunEnding Timeout(TimeLimit which) {
  RunEnding ending;
  ending.kind = RunEndingKind::kTimeout;
  ending.which = which;
  return ending;
}

RunEnding Of(RunEndingKind kind) {
  RunEnding ending;
  ending.kind = kind;
  return ending;
}

TEST(RunOutcome, HasTheExitStatusThatScriptsKnow) {
  const struct {
    RunEnding ending;
    int status;
  } cases[] = {
      {ExitEnding(0), 0},
      {ExitEnding(7), 7},
      {ExitEnding(255), 255},
      {SignalEnding(RunEndingKind::kSignal, SIGSEGV), 139},
      {SignalEnding(RunEndingKind::kSignal, SIGKILL), 137},
      {SignalEnding(RunEndingKind::kSignal, SIGRTMIN + 3), 128 + SIGRTMIN + 3},
      {SignalEnding(RunEndingKind::kCancelled, SIGTERM), 143},
      {Timeout(TimeLimit::kWall), 124},
      {Timeout(TimeLimit::kCpu), 124},
      {Of(RunEndingKind::kOutOfMemory), 137},
      {Of(RunEndingKind::kViolationLimit), 137},
      {ErrnoEnding(RunEndingKind::kExecError, ENOENT, ""), 127},
      {ErrnoEnding(RunEndingKind::kExecError, EACCES, ""), 126},
      {ErrnoEnding(RunEndingKind::kExecError, EISDIR, ""), 126},
      {ErrnoEnding(RunEndingKind::kExecError, ENOEXEC, ""), 126},
      {ErrnoEnding(RunEndingKind::kExecError, ELIBBAD, ""), 126},
      {SetupEnding("trees", Error{ErrorKind::kSystem, "no", "", ENOENT}), 125},
      {ErrnoEnding(RunEndingKind::kOutputError, ENOSPC, ""), 125},
      {Of(RunEndingKind::kJailLost), 125},
  };
  for (const auto& one : cases) EXPECT_EQ(RunExitStatus(one.ending), one.status) << DumpJson(ToJson(one.ending));
}

TEST(RunOutcome, NamesSignalsAndErrors) {
  EXPECT_EQ(SignalEnding(RunEndingKind::kSignal, SIGSEGV).signal, "SIGSEGV");
  EXPECT_EQ(SignalEnding(RunEndingKind::kSignal, SIGRTMIN).signal, "signal " + std::to_string(SIGRTMIN));
  const Json json = ToJson(SetupEnding("trees", Error{ErrorKind::kSystem, "no such folder", "make it", ENOENT}));
  EXPECT_EQ(json["kind"], "setup_error");
  EXPECT_EQ(json["stage"], "trees");
  EXPECT_EQ(json["errno"], ENOENT);
  EXPECT_EQ(json["errno_name"], "ENOENT");
  EXPECT_EQ(json["hint"], "make it");
  EXPECT_TRUE(json["code"].is_null());
}

RunReport Report(RunEnding ending) {
  RunReport report;
  report.command = {"make", "all"};
  report.profile = "build";
  report.ending = std::move(ending);
  report.limits = {{"wall", "30m", "paddock's clock"}, {"output", "64M", "paddock"}, {"memory", "4G", "cgroup v1"}};
  return report;
}

RunReport Dropped(RunReport report, uint64_t bytes) {
  report.usage.output_dropped = bytes;
  return report;
}

DeniedCall Denied(std::string call, std::optional<std::string> allow, int64_t count = 1) {
  DeniedCall denied;
  denied.call = std::move(call);
  denied.rule = "profile build";
  denied.grant = allow.value_or("");
  denied.allow = std::move(allow);
  denied.count = count;
  return denied;
}

TEST(RunText, IsEmptyWhenAllIsWell) {
  EXPECT_EQ(RunText(Report(ExitEnding(0))), "");
  EXPECT_EQ(RunText(Report(ExitEnding(3))), "");
  EXPECT_EQ(RunText(Report(SignalEnding(RunEndingKind::kSignal, SIGSEGV))), "");
}

TEST(RunText, SaysThatPathsAreHiddenWhereItMayBeWhy) {
  RunReport report = Report(ExitEnding(0));
  report.receipt.emplace().hidden = 2;
  EXPECT_EQ(RunText(report), "");
  report.ending = ExitEnding(3);
  report.exit_status = 3;
  EXPECT_EQ(RunText(report), "paddock: 2 paths are hidden, as the profile asks\n");
}

TEST(RunText, HasALineForEachFault) {
  RunReport report = Report(SetupEnding("usage", Error{ErrorKind::kInvalid, "a.json:1: one", "write it", 0}));
  report.notes = {"a.json:2: two\x1b", "a.json:3: three"};
  EXPECT_EQ(RunText(report), "paddock: a.json:1: one; write it\npaddock: a.json:2: two\\u{1B}\npaddock: a.json:3: three\n");
}

TEST(RunText, SaysWhatEndedIt) {
  EXPECT_EQ(RunText(Report(Timeout(TimeLimit::kWall))), "paddock: ended: its time of 30m is up\n");
  EXPECT_EQ(RunText(Report(Of(RunEndingKind::kOutOfMemory))), "paddock: ended: out of memory, limit of 4G\n");
  EXPECT_EQ(RunText(Report(SetupEnding("plan", Error{ErrorKind::kInvalid, "no such profile", "choose one", 0}))),
            "paddock: no such profile; choose one\n");
  EXPECT_EQ(RunText(Report(ErrnoEnding(RunEndingKind::kExecError, ENOENT, "make: not found"))), "paddock: make: not found\n");
  EXPECT_EQ(RunText(Dropped(Report(ExitEnding(0)), 1000)), "paddock: 1000 bytes of output were dropped, limit of 64M; \"limits\": {\"output\": ...} in a profile sets it\n");
}

TEST(RunText, SaysWhatWasDeniedAndWhatWouldAllowIt) {
  RunReport report = Report(ExitEnding(1));
  report.allowed = {"@build-tools"};
  report.violations = {Denied("ptrace(PTRACE_TRACEME)", "@debug", 2)};
  report.violation_count = 2;
  EXPECT_EQ(RunText(report),
            "paddock: denied 2 calls: ptrace(PTRACE_TRACEME) (2 times), by profile build; \"syscalls\": {\"allow\":[\"@build-tools\",\"@debug\"]} in a profile of your own would allow it\n");
  report.violations = {Denied("mount()", std::nullopt)};
  report.violation_count = 1;
  EXPECT_EQ(RunText(report), "paddock: denied 1 call: mount(), by profile build; no profile can allow it\n");
  report.violations = {Denied("a()", "x"), Denied("b()", std::nullopt), Denied("c()", "x"), Denied("d()", "x"), Denied("e()", "y")};
  report.violation_count = 5;
  EXPECT_EQ(RunText(report), "paddock: denied 5 calls: a(), b(), c(), and 2 others, by profile build; \"syscalls\": {\"allow\":[\"@build-tools\",\"x\",\"y\"]} in a profile of your own would allow some of it\n");
}

// A list of a profile stands in the place of the one that it extends, so a part of it would not do.
TEST(RunText, WhatWouldAllowItCanBePasted) {
  EXPECT_EQ(AllowText({"@a", "@b"}, {"@b", "c"}), R"("syscalls": {"allow":["@a","@b","c"]})");
}

TEST(RunText, HasALineForEachWarning) {
  RunReport report = Report(ExitEnding(0));
  report.notes = {"own.json:3: one", "own.json:4: two"};
  EXPECT_EQ(RunText(report), "paddock: own.json:3: one\npaddock: own.json:4: two\n");
}

TEST(RunText, IsOneHarmlessLine) {
  RunReport report = Report(ErrnoEnding(RunEndingKind::kExecError, ENOENT, "\x1b[31m\nx\x07: not found"));
  report.violations = {Denied("open()", "x\ny")};
  report.violations[0].path = std::string("/tmp/\n\x1b[2J") + std::string(100'000, 'a');
  report.violation_count = 1;
  const std::string text = RunText(Dropped(report, 5));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_LT(text.size(), 2000u);
}

TEST(PublishedRunSchema, IsThatOfTheCode) {
  const auto path = (std::filesystem::path(PADDOCK_TEST_DATA) / "../../orchestrator/schema/run.schema.json").lexically_normal();
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  EXPECT_TRUE(text.str() == PublishedRunSchema())
      << "the published schema is stale; regenerate it with:\n  cmake --build " << bin.parent_path().string() << " --target paddock-run-schema && "
      << (bin / "paddock-run-schema").string() << " " << path.string();
}

TEST(RunReport, ReadsBackAsItWasWritten) {
  RunReport report = Report(SignalEnding(RunEndingKind::kSignal, SIGSEGV));
  report.violations = {Denied("mount()", std::nullopt)};
  report.out = RunOutput{"text", true, 100};
  auto again = FromJson<RunReport>(ToJson(report));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(ToJson(*again), ToJson(report));
}

}  // namespace
}  // namespace paddock::orchestrator
