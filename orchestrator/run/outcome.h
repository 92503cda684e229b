// How a run ended, as data: the ending with its exit status, and the report that `paddock run --json` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "sandbox/receipt.h"

namespace paddock::orchestrator {

inline constexpr char kRunSchema[] = "paddock/run/1";

enum class RunEndingKind {
  kExit,            // the program: code
  kSignal,          // the program was killed: code is the signal
  kTimeout,         // which: wall or cpu
  kOutOfMemory,
  kExecError,       // it could not be started: errno
  kSetupError,      // there was no jail, or not the one that the profile requires: stage, errno; nothing ran
  kViolationLimit,  // more calls were denied than the profile lets pass
  kCancelled,       // paddock was told to stop: code is the signal
  kOutputError,     // paddock could not write the program's output: errno
  kJailLost,        // launcher or pid 1 were killed by somebody else
};
inline auto EnumNames(FieldsOf<RunEndingKind>) {
  return std::array{EnumName{RunEndingKind::kExit, "exit"},
                    EnumName{RunEndingKind::kSignal, "signal"},
                    EnumName{RunEndingKind::kTimeout, "timeout"},
                    EnumName{RunEndingKind::kOutOfMemory, "out_of_memory"},
                    EnumName{RunEndingKind::kExecError, "exec_error"},
                    EnumName{RunEndingKind::kSetupError, "setup_error"},
                    EnumName{RunEndingKind::kViolationLimit, "violation_limit"},
                    EnumName{RunEndingKind::kCancelled, "cancelled"},
                    EnumName{RunEndingKind::kOutputError, "output_error"},
                    EnumName{RunEndingKind::kJailLost, "jail_lost"}};
}

enum class TimeLimit { kWall, kCpu };
inline auto EnumNames(FieldsOf<TimeLimit>) { return std::array{EnumName{TimeLimit::kWall, "wall"}, EnumName{TimeLimit::kCpu, "cpu"}}; }

struct RunEnding {
  RunEndingKind kind = RunEndingKind::kSetupError;
  std::optional<int64_t> code;
  std::optional<std::string> signal;
  std::optional<TimeLimit> which;
  std::optional<std::string> stage;
  std::optional<int64_t> error;
  std::optional<std::string> error_name;
  std::string detail, hint;
};
inline auto Fields(FieldsOf<RunEnding>) {
  return std::make_tuple(
      Required("kind", &RunEnding::kind, "what ended it"),
      Required("code", &RunEnding::code, "exit status of the program, or number of the signal"),
      Required("signal", &RunEnding::signal, "name of the signal, such as SIGSEGV"),
      Required("which", &RunEnding::which, "of a timeout: the wall clock, or processor time"),
      Required("stage", &RunEnding::stage, "of a set-up error: where"),
      Required("errno", &RunEnding::error, "the number of the error, on this machine"),
      Required("errno_name", &RunEnding::error_name, "its name, such as ENOENT"),
      Required("detail", &RunEnding::detail, "in words; may be empty"),
      Required("hint", &RunEnding::hint, "what to do about it; may be empty"));
}

struct RunOutput {
  std::string text;
  bool truncated = false;
  uint64_t bytes = 0;
};
inline auto Fields(FieldsOf<RunOutput>) {
  return std::make_tuple(
      Required("text", &RunOutput::text, "the bytes; one that is not UTF-8 is the code point U+10FF00 + byte"),
      Required("truncated", &RunOutput::truncated, "not all of it is in text"),
      Required("bytes", &RunOutput::bytes, "how many there were"));
}

struct RunUsage {
  int64_t wall_ms = 0;
  std::optional<int64_t> cpu_ms, peak_memory;
  uint64_t output = 0, output_dropped = 0;
};
inline auto Fields(FieldsOf<RunUsage>) {
  return std::make_tuple(
      Required("wall_ms", &RunUsage::wall_ms, "from the program's start to its end"),
      Required("cpu_ms", &RunUsage::cpu_ms, "processor time of all processes"),
      Required("peak_memory", &RunUsage::peak_memory, "bytes: of all processes together where a control group counts, else of the largest one"),
      Required("output", &RunUsage::output, "bytes on standard output and error; not those of a terminal"),
      Required("output_dropped", &RunUsage::output_dropped, "of these, bytes beyond the limit, which went nowhere"));
}

struct StageLatency {
  std::string stage;
  int64_t us = 0;
};
inline auto Fields(FieldsOf<StageLatency>) {
  return std::make_tuple(Required("stage", &StageLatency::stage, "of setting up; go is the last: receipt read and compared; total is all of it"),
                         Required("us", &StageLatency::us, "microseconds"));
}

struct BoundLimit {
  std::string limit, value, by;
};
inline auto Fields(FieldsOf<BoundLimit>) {
  return std::make_tuple(Required("limit", &BoundLimit::limit, "name in the profile"), Required("value", &BoundLimit::value, "what it is"),
                         Required("by", &BoundLimit::by, "what holds it: a control group, a limit of each process, paddock's own clock"));
}

// Calls that were denied; the same ones are one, counted.
struct DeniedCall {
  std::string call, name;
  std::vector<uint64_t> arguments;
  std::optional<std::string> path;  // or socket address
  int64_t process = 0;
  std::string process_name;
  int64_t error = 0;
  std::string error_name;
  std::string rule;
  std::optional<std::string> allow;
  std::string grant;  // the group or call that `allow` adds; not printed by itself
  bool usual = false;
  int64_t count = 1;
};
inline auto Fields(FieldsOf<DeniedCall>) {
  return std::make_tuple(
      Required("call", &DeniedCall::call, "with its arguments, such as socket(AF_VSOCK, SOCK_STREAM, 0)"),
      Required("name", &DeniedCall::name, "of the system call"),
      Required("arguments", &DeniedCall::arguments, "as numbers"),
      Required("path", &DeniedCall::path, "path or socket address that it named, as path text"),
      Required("process", &DeniedCall::process, "the first process that made it: its number in the jail"),
      Required("process_name", &DeniedCall::process_name, "its name"),
      Required("errno", &DeniedCall::error, "what the process was told"),
      Required("errno_name", &DeniedCall::error_name, "the name of that"),
      Required("rule", &DeniedCall::rule, "what denied it"),
      Required("allow", &DeniedCall::allow, "what would allow it, in a profile; null: nothing can"),
      Required("usual", &DeniedCall::usual, "libc asks for it in passing and goes on without; people are not told"),
      Required("count", &DeniedCall::count, "how often"));
}

// What a profile says that allows `more` beside what it allows now: a list stands in the place of the one that is extended.
std::string AllowText(const std::vector<std::string>& allowed, const std::vector<std::string>& more);

struct RunReport {
  std::string schema = kRunSchema;
  std::vector<std::string> command;
  std::string profile;
  RunEnding ending;
  int64_t exit_status = 0;
  std::optional<RunOutput> out, err;
  std::string last_output;  // of an output that is kept, the last bytes after those of `out`; not printed
  RunUsage usage;
  std::vector<StageLatency> stages;
  std::vector<BoundLimit> limits;
  std::vector<DeniedCall> violations;
  std::vector<std::string> allowed;  // syscalls.allow of the profile; not printed by itself
  uint64_t violation_count = 0;
  std::vector<std::string> notes;
  std::optional<std::string> plan_digest;
  std::optional<sandbox::Receipt> receipt;
};
inline auto Fields(FieldsOf<RunReport>) {
  return std::make_tuple(
      Required("schema", &RunReport::schema, "paddock/run/1"),
      Required("command", &RunReport::command, "program and arguments, as wire text like the output"),
      Required("profile", &RunReport::profile, "name of the profile"),
      Required("ending", &RunReport::ending, "how it ended"),
      Required("exit_status", &RunReport::exit_status, "of paddock"),
      Required("stdout", &RunReport::out, "null where nothing ran"),
      Required("stderr", &RunReport::err, "null where nothing ran"),
      Required("usage", &RunReport::usage, "what it used"),
      Required("stages", &RunReport::stages, "how long each stage of setting up took"),
      Required("limits", &RunReport::limits, "which limits there were, and what held them"),
      Required("violations", &RunReport::violations, "calls that were denied and reported, in the order of the first of each"),
      Required("violation_count", &RunReport::violation_count, "how many, also those that are not listed"),
      Required("notes", &RunReport::notes, "what else is to be known"),
      Required("plan_digest", &RunReport::plan_digest, "sha256 of the plan; null where there was none"),
      Required("receipt", &RunReport::receipt, "what was seen to be in force; null where nothing was"));
}

inline constexpr int kExitRunTimeout = 124;     // as timeout(1)
inline constexpr int kExitRunPaddock = 125;     // paddock itself failed, bad usage included; nothing ran, or its output was lost
inline constexpr int kExitRunNotStarted = 126;  // the program is there and can't be started
inline constexpr int kExitRunMissing = 127;     // it is not there

// What `paddock run` exits with.
int RunExitStatus(const RunEnding& ending);

// Endings with what their kind needs. `number` is a signal.
RunEnding PlainEnding(RunEndingKind kind, std::string detail, std::string hint = {});
RunEnding ExitEnding(int code);
RunEnding SignalEnding(RunEndingKind kind, int number);
RunEnding ErrnoEnding(RunEndingKind kind, int err, std::string detail, std::string hint = {});
RunEnding SetupEnding(std::string stage, const Error& error);

// The published schema: orchestrator/schema/run.schema.json.
std::string PublishedRunSchema();

}  // namespace paddock::orchestrator
