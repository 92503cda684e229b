// The run that a subagent asked for: the command is carried out in a jail for builds, as `paddock run` would, where the user allows
// that, and what it wrote goes to a second leg. The subagent never runs anything itself.
//
// Who allows it is the user, by a flag or config.json: no file of a repository, no definition, no ticket.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "agentcore/pipeline/redact.h"
#include "base/deadline.h"
#include "orchestrator/broker/host_setup.h"
#include "sandbox/limits/place.h"
#include "sandbox/profile.h"
#include "sandbox/workspace.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

inline constexpr int kMaxRuns = 2;                  // of one ticket
inline constexpr int64_t kDefaultRunSeconds = 600;  // of one run
inline constexpr char kRunProfile[] = "build";

struct RunPolicy {
  bool allowed = false;
  std::chrono::seconds most{kDefaultRunSeconds};  // of one run; not out of the ticket's time
  sandbox::Profile profile;                       // kRunProfile
  sandbox::limits::Places places;                 // found when the process began
  std::string programs_folder;
  uint32_t jail_uid = 0;
  Deadline by = Deadline::Never();  // of everything, the legs after the run included
};

// What a run works with; all pointers are borrowed.
struct RunSetup {
  const RunPolicy* policy = nullptr;
  const sandbox::Workspace* workspace = nullptr;
  const std::vector<std::string>* hide = nullptr;  // what the subagent may not see, its run may not either
  const agentcore::Redactor* redactor = nullptr;
  const agentcore::Model* model = nullptr;         // that is to read the log; null: a playbook
  EventSink* events = nullptr;
  Watcher watcher;
  int cancel_fd = -1;
};

struct AskedRun {
  subagents::DoneRun done;
  std::string log;                   // clean, redacted, bounded
  bool cancelled = false;
  std::optional<Error> not_started;  // there was no jail, and nothing ran
};

// Empty: it may be run. Else why not: what a person was shown must be what runs.
std::string WhyNotToRun(const subagents::NeedsRun& asked);
// As people, tickets and records see it.
subagents::NeedsRun ShownRun(const subagents::NeedsRun& asked, const agentcore::Redactor& redactor);

AskedRun PerformRun(const subagents::NeedsRun& asked, const RunSetup& setup);

// The context of the leg after `run`: the ticket's own, what a language model had found, and the log. Of a stranger's words
// everything is marked as such for a language model.
std::string ContextAfter(const std::string& own, const subagents::Report& before, const AskedRun& run, const agentcore::Model* model);

}  // namespace paddock::orchestrator
