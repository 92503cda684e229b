#include "orchestrator/run/ending.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "orchestrator/run/copy_report.h"
#include "sandbox/setup_error.h"

namespace paddock::orchestrator {
namespace {

using sandbox::EndKind;

// The kernel counts whole ticks for the limit and exact times for the usage: a process that it ended for the limit may
// have used less (914 ms of 1 s were seen).
uint64_t LeastOf(uint64_t cpu_limit_us) { return cpu_limit_us - cpu_limit_us / 8 - std::min<uint64_t>(cpu_limit_us / 4, 200'000); }

std::string Shown(std::string_view text) { return VisibleText(TruncateUtf8(text, 300), Newlines::kEscape); }

RunEnding TimeoutEnding(TimeLimit which) {
  RunEnding ending = which == TimeLimit::kWall
                         ? PlainEnding(RunEndingKind::kTimeout, "its time is up", "--timeout or \"limits\": {\"wall\": ...} in a profile sets it")
                         : PlainEnding(RunEndingKind::kTimeout, "its processor time is used up", "\"limits\": {\"cpu\": ...} in a profile sets it");
  ending.which = which;
  return ending;
}

RunEnding OutOfMemoryEnding() {
  return PlainEnding(RunEndingKind::kOutOfMemory, "a process was killed because the memory limit was reached", "\"limits\": {\"memory\": ...} in a profile sets it");
}

// A program that is there and can't be run may just not be on the profile's list.
RunEnding NotStartedEnding(const EndFacts& facts, int err) {
  RunEnding ending = ExecEnding(facts.program, err);
  if (facts.listed.empty() || err != EACCES) return ending;
  std::string list;
  for (const std::string& name : facts.listed) list += (list.empty() ? "" : " ") + name;
  ending.hint = "profile " + facts.profile + " lets run only: " + Shown(list);
  return ending;
}

// The program was not let go. What the copier said counts only here: it has looked at a stranger's files.
RunEnding CopyEnding(const EndFacts& facts, const CopyReport& copy) {
  if (facts.out_of_memory) return OutOfMemoryEnding();
  if (copy.shows_host)
    return SetupEnding("workspace", Error{ErrorKind::kDenied, "the repository's " + (copy.error_path.empty() ? "folder" : Shown(copy.error_path)) + " is of a file system of the kernel's own, which shows the host", "unmount it, choose a folder without it, or leave it out with \"hide\"", 0});
  if (!copy.error)
    return SetupEnding("workspace", Error{ErrorKind::kSystem, "the private copy of the repository: its copier ended with status " + std::to_string(facts.loop.jail.code), "a limit of yours (ulimit -a) may be why, or a large or odd file, which \"hide\" leaves out", 0});
  const std::string hint = copy.error == ENOSPC ? "\"filesystem\": {\"workspace_size\": ...} in a profile sets its size" : "";
  return SetupEnding("workspace", FailErrno("the private copy of the repository, " + Shown(copy.error_path), copy.error, hint).error());
}

RunEnding SignaledEnding(const EndFacts& facts) {
  const sandbox::JailEnd& end = facts.loop.jail;
  if (end.code == SIGKILL && facts.out_of_memory) return OutOfMemoryEnding();
  if ((end.code == SIGKILL || end.code == SIGXCPU) && facts.cpu_limit_us && end.cpu_us.value_or(0) >= LeastOf(*facts.cpu_limit_us))
    return TimeoutEnding(TimeLimit::kCpu);
  RunEnding ending = SignalEnding(RunEndingKind::kSignal, end.code);
  if (end.code == SIGXFSZ) ending.hint = "it wrote a larger file than it may: \"limits\": {\"file_size\": ...} in a profile sets how large";
  return ending;
}

RunEnding KilledEnding(const LoopEnd& loop) {
  switch (loop.cause) {
    case StopCause::kWall: return TimeoutEnding(TimeLimit::kWall);
    case StopCause::kCpu: return TimeoutEnding(TimeLimit::kCpu);
    case StopCause::kCancelled: return SignalEnding(RunEndingKind::kCancelled, loop.signal);
    case StopCause::kOutput:
    case StopCause::kNone: break;
  }
  return PlainEnding(RunEndingKind::kJailLost, "the jail was ended");
}

RunEnding JailEnding(const EndFacts& facts, const CopyReport& copy) {
  const sandbox::JailEnd& end = facts.loop.jail;
  switch (end.kind) {
    case EndKind::kExited: return ExitEnding(end.code);
    case EndKind::kSignaled: return SignaledEnding(facts);
    case EndKind::kCopyFailed: return CopyEnding(facts, copy);
    case EndKind::kDeadline: return TimeoutEnding(TimeLimit::kWall);
    case EndKind::kTooManyViolations:
      return PlainEnding(RunEndingKind::kViolationLimit, "more calls were denied than the profile lets pass",
                         "\"limits\": {\"violations\": ...} in a profile sets how many");
    case EndKind::kSetupError:
      if (end.stage == sandbox::Stage::kExec) return NotStartedEnding(facts, end.code);
      return SetupEnding(sandbox::kStageNames[static_cast<size_t>(end.stage)], sandbox::SetupError(end.stage, end.code, end.detail));
    case EndKind::kLauncherDead: return LauncherDiedEnding();
    case EndKind::kLost:
      if (facts.out_of_memory) return OutOfMemoryEnding();
      return PlainEnding(RunEndingKind::kJailLost, "somebody else killed the jail's first process", "see the kernel log for the out-of-memory killer");
    case EndKind::kKilled:
    case EndKind::kRunning: break;
  }
  return KilledEnding(facts.loop);
}

std::string WhyLeftOut(int why) {
  if (why == 0) return "no file, folder or link, or too deep for a copy, with all that is below";
  if (why == EFBIG) return "larger than limits.file_size";
  if (why == EACCES || why == EPERM) return "not readable";
  return ErrnoName(why);
}

}  // namespace

RunEnding LauncherDiedEnding() {
  return PlainEnding(RunEndingKind::kJailLost, "the launcher died, and its jail with it", "run it again; if it happens again, see the kernel log");
}

RunEnding ExecEnding(const std::string& program, int err) {
  if (err == ENOENT) return ErrnoEnding(RunEndingKind::kExecError, err, Shown(program) + ": not found in the jail");
  return ErrnoEnding(RunEndingKind::kExecError, err, Shown(program) + ": can't be run: " + (err == EACCES ? "it is not executable, or a folder" : ErrnoName(err)));
}

RunEnding EndingOfRun(const EndFacts& facts, std::vector<std::string>* notes) {
  if (facts.loop.cause == StopCause::kOutput)
    return ErrnoEnding(RunEndingKind::kOutputError, facts.loop.output.sys_errno, "its output could not be written: " + facts.loop.output.message, facts.loop.output.hint);
  const CopyReport copy = ReadCopyReport(facts.copy_report);
  if (copy.left_out)
    notes->push_back(std::to_string(copy.left_out) + (copy.left_out == 1 ? " path is" : " paths are") + " not in the private copy of the repository (" +
                     (copy.left_out == 1 ? "" : "the first: ") + WhyLeftOut(copy.first_why) + "): " + NameInSentence(PathToText(copy.first_left_out)));
  return JailEnding(facts, copy);
}

}  // namespace paddock::orchestrator
