#include "orchestrator/run/ending.h"

#include <signal.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "sandbox/setup_error.h"

namespace paddock::orchestrator {
namespace {

using sandbox::EndKind;

// The kernel counts whole ticks for the limit and exact times for the usage: a process that it ended for the limit may
// have used less (914 ms of 1 s were seen).
uint64_t LeastOf(uint64_t cpu_limit_us) { return cpu_limit_us - cpu_limit_us / 8 - std::min<uint64_t>(cpu_limit_us / 4, 200'000); }

std::string Shown(std::string_view text) { return VisibleText(TruncateUtf8(text, 300), Newlines::kEscape); }

RunEnding TimeoutEnding(TimeLimit which) {
  RunEnding ending;
  ending.kind = RunEndingKind::kTimeout;
  ending.which = which;
  ending.detail = which == TimeLimit::kWall ? "its time is up" : "its processor time is used up";
  ending.hint = which == TimeLimit::kWall ? "--timeout or \"limits\": {\"wall\": ...} in a profile sets it" : "\"limits\": {\"cpu\": ...} in a profile sets it";
  return ending;
}

RunEnding OutOfMemoryEnding() {
  RunEnding ending;
  ending.kind = RunEndingKind::kOutOfMemory;
  ending.detail = "a process was killed because the memory limit was reached";
  ending.hint = "\"limits\": {\"memory\": ...} in a profile sets it";
  return ending;
}

// One line of the exec report.
struct ReportLine {
  std::string_view what, path;
  int number = 0;
};
std::optional<ReportLine> NextLine(std::string_view* report) {
  const size_t end = report->find('\n');
  if (end == report->npos) return std::nullopt;
  std::string_view line = report->substr(0, end);
  report->remove_prefix(end + 1);
  const size_t first = line.find(' '), second = first == line.npos ? line.npos : line.find(' ', first + 1);
  ReportLine out;
  if (second == line.npos) return std::nullopt;
  out.what = line.substr(0, first);
  std::from_chars(line.data() + first + 1, line.data() + second, out.number);
  out.path = line.substr(second + 1);
  return out;
}

// A program that is there and can't be run may just not be on the profile's list.
RunEnding ListedEnding(const EndFacts& facts, RunEnding ending) {
  if (facts.listed.empty() || ending.error != EACCES) return ending;
  std::string list;
  for (const std::string& name : facts.listed) list += (list.empty() ? "" : " ") + name;
  ending.hint = "profile " + facts.profile + " lets run only: " + Shown(list);
  return ending;
}

// What the cell's word says about the start; nothing: the program was started.
std::optional<RunEnding> StartEnding(const EndFacts& facts, std::vector<std::string>* notes) {
  std::string_view report = facts.copy_report;
  while (auto line = NextLine(&report)) {
    if (line->what == "left_out")
      notes->push_back(std::to_string(line->number) + " files are not in the private copy of the repository; the first is " + PathToText(line->path));
    if (line->what == "copy") {
      const std::string hint = line->number == ENOSPC ? "\"filesystem\": {\"workspace_size\": ...} in a profile sets its size" : "";
      return SetupEnding("workspace", FailErrno("the private copy of the repository, " + Shown(line->path), line->number, hint).error());
    }
  }
  return std::nullopt;
}

RunEnding KilledEnding(const LoopEnd& loop) {
  switch (loop.cause) {
    case StopCause::kWall: return TimeoutEnding(TimeLimit::kWall);
    case StopCause::kCpu: return TimeoutEnding(TimeLimit::kCpu);
    case StopCause::kCancelled: return SignalEnding(RunEndingKind::kCancelled, loop.signal);
    case StopCause::kOutput:
    case StopCause::kNone: break;
  }
  RunEnding ending;
  ending.kind = RunEndingKind::kJailLost;
  ending.detail = "the jail was ended";
  return ending;
}

RunEnding JailEnding(const EndFacts& facts, std::vector<std::string>* notes) {
  const sandbox::JailEnd& end = facts.loop.jail;
  RunEnding ending;
  switch (end.kind) {
    case EndKind::kExited:
      if (auto start = StartEnding(facts, notes)) return *start;
      return ExitEnding(end.code);
    case EndKind::kSignaled:
      if (auto start = StartEnding(facts, notes)) return *start;
      if (end.code == SIGKILL && facts.out_of_memory) return OutOfMemoryEnding();
      if ((end.code == SIGKILL || end.code == SIGXCPU) && facts.cpu_limit_us && end.cpu_us.value_or(0) >= LeastOf(*facts.cpu_limit_us))
        return TimeoutEnding(TimeLimit::kCpu);
      return SignalEnding(RunEndingKind::kSignal, end.code);
    case EndKind::kDeadline:
      return TimeoutEnding(TimeLimit::kWall);
    case EndKind::kTooManyViolations:
      ending.kind = RunEndingKind::kViolationLimit;
      ending.detail = "more calls were denied than the profile lets pass";
      ending.hint = "\"limits\": {\"violations\": ...} in a profile sets how many";
      return ending;
    case EndKind::kSetupError:
      if (end.stage == sandbox::Stage::kExec) return ListedEnding(facts, ExecEnding(facts.program, end.code));
      return SetupEnding(sandbox::kStageNames[static_cast<size_t>(end.stage)], sandbox::SetupError(end.stage, end.code, end.detail));
    case EndKind::kLauncherDead:
      ending.kind = RunEndingKind::kJailLost;
      ending.detail = "the launcher died, and its jail with it";
      ending.hint = "run it again; if it happens again, see the kernel log";
      return ending;
    case EndKind::kLost:
      if (facts.out_of_memory) return OutOfMemoryEnding();
      ending.kind = RunEndingKind::kJailLost;
      ending.detail = "somebody else killed the jail's first process";
      ending.hint = "see the kernel log for the out-of-memory killer";
      return ending;
    case EndKind::kKilled:
    case EndKind::kRunning:
      return KilledEnding(facts.loop);
  }
  return ending;
}

}  // namespace

RunEnding ExecEnding(const std::string& program, int err) {
  if (err == ENOENT) return ErrnoEnding(RunEndingKind::kExecError, err, Shown(program) + ": not found in the jail");
  return ErrnoEnding(RunEndingKind::kExecError, err, Shown(program) + ": can't be run: " + ErrnoName(err));
}

RunEnding EndingOfRun(const EndFacts& facts, std::vector<std::string>* notes) {
  if (facts.loop.cause == StopCause::kOutput)
    return ErrnoEnding(RunEndingKind::kOutputError, facts.loop.output.sys_errno, "its output could not be written: " + facts.loop.output.message, facts.loop.output.hint);
  return JailEnding(facts, notes);
}

}  // namespace paddock::orchestrator
