#include "orchestrator/run/outcome.h"

#include <signal.h>
#include <string.h>

#include <algorithm>

namespace paddock::orchestrator {

int RunExitStatus(const RunEnding& ending) {
  const int code = static_cast<int>(ending.code.value_or(0));
  switch (ending.kind) {
    case RunEndingKind::kExit: return code;
    case RunEndingKind::kSignal:
    case RunEndingKind::kCancelled: return 128 + code;
    case RunEndingKind::kTimeout: return kExitRunTimeout;
    case RunEndingKind::kOutOfMemory:
    case RunEndingKind::kViolationLimit: return 128 + SIGKILL;
    case RunEndingKind::kExecError: return ending.error == ENOENT ? kExitRunMissing : kExitRunNotStarted;
    case RunEndingKind::kSetupError:
    case RunEndingKind::kOutputError:
    case RunEndingKind::kJailLost: return kExitRunPaddock;
  }
  return kExitRunPaddock;
}

std::string AllowText(const std::vector<std::string>& allowed, const std::vector<std::string>& more) {
  std::vector<std::string> all = allowed;
  for (const std::string& one : more)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  return "\"syscalls\": " + DumpJson(Json{{"allow", all}});
}

RunEnding PlainEnding(RunEndingKind kind, std::string detail, std::string hint) {
  RunEnding ending;
  ending.kind = kind;
  ending.detail = std::move(detail);
  ending.hint = std::move(hint);
  return ending;
}

RunEnding ExitEnding(int code) {
  RunEnding ending = PlainEnding(RunEndingKind::kExit, "");
  ending.code = code;
  return ending;
}

RunEnding SignalEnding(RunEndingKind kind, int number) {
  RunEnding ending = PlainEnding(kind, "");
  ending.code = number;
  const char* name = sigabbrev_np(number);
  ending.signal = name ? std::string("SIG") + name : "signal " + std::to_string(number);  // real-time ones have no name
  return ending;
}

RunEnding ErrnoEnding(RunEndingKind kind, int err, std::string detail, std::string hint) {
  RunEnding ending = PlainEnding(kind, std::move(detail), std::move(hint));
  ending.error = err;
  ending.error_name = ErrnoName(err);
  return ending;
}

RunEnding SetupEnding(std::string stage, const Error& error) {
  RunEnding ending = error.sys_errno ? ErrnoEnding(RunEndingKind::kSetupError, error.sys_errno, error.message, error.hint)
                                     : PlainEnding(RunEndingKind::kSetupError, error.message, error.hint);
  ending.stage = std::move(stage);
  return ending;
}

std::string PublishedRunSchema() {
  Json out = Json::object();
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["title"] = "paddock run";
  out["description"] = "What `paddock run --json` prints: one command in a jail, how it ended, what it used and what it was denied.";
  const Json schema = SchemaOf<RunReport>();
  for (auto it = schema.begin(); it != schema.end(); ++it) out[it.key()] = it.value();
  out["properties"]["schema"]["const"] = kRunSchema;
  return PrettyJson(out) + "\n";
}

}  // namespace paddock::orchestrator
