// Serves one subagent cell, from its task to its result, and decides how that ended.
//
//   task →   ← next_turn   turn →   ← next_turn ...   turn (final) →   ← result
//
// The cell says nothing here that is believed without need: answers must be those of the open calls, events
// are for people, the facts of the result must agree with what was seen, and anything out of turn ends the
// cell as protocol_error. The broker never waits on a cell without a deadline, and never blocks on one that
// doesn't read. Before the last turn and before the deadline the model is asked for its report with no tools
// on offer; where the cell is silent or gone, the parent asks by itself, so that nothing is lost.
//
// `ready` and `go` are behind us when this starts; killing and reaping the jail, and how the jail says that
// it ended, are the delegation's and outrank what is said here.
#pragma once

#include <chrono>

#include "agentcore/context/conversation.h"
#include "base/deadline.h"
#include "orchestrator/broker/channel.h"
#include "orchestrator/broker/conclusion.h"
#include "orchestrator/broker/host_setup.h"
#include "subagents/frames.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

struct ServeSetup : HostSetup {
  CellLink link;
  subagents::TaskFrame task;                // kind subagent
  agentcore::ConversationSetup conversation;
  int cancel_fd = -1;                       // readable: stop
  Deadline deadline = Deadline::Never();    // of the whole ticket
  std::chrono::milliseconds wall{300'000};  // the time that the deadline was made of
  std::chrono::milliseconds result_grace{5'000};  // for the cell's result after the last turn
  int events_per_second = 500;
  int event_burst = 1'000;
  bool keep_history = false;                // hand back what a further question can go on from
};

struct ServeOutcome : Conclusion {
  subagents::Usage usage;                   // what the parent counts: all but cpu_ms and peak_rss_kb
  std::optional<agentcore::ConversationHistory> history;
  bool got_result = false;                  // the cell handed in its result: it is expected to exit 0
  // What the jail denied, and how often, also what is not listed: the delegation's to say.
  std::optional<std::vector<subagents::BlockedCall>> violations = {};
  uint64_t violation_count = 0;
  bool violation_count_is_whole = true;
};

// How long before the deadline the report is asked for: a tenth of the time, at least 2 s, at most half.
std::chrono::milliseconds WrapUpReserve(std::chrono::milliseconds wall);

ServeOutcome ServeCell(const ServeSetup& setup);

}  // namespace paddock::orchestrator
