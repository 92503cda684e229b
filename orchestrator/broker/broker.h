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
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/context/conversation.h"
#include "base/deadline.h"
#include "base/frame_pipe.h"
#include "orchestrator/broker/channel.h"
#include "orchestrator/broker/ledger.h"
#include "orchestrator/broker/read_lines.h"
#include "orchestrator/session/event_sink.h"
#include "subagents/frames.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// A line for people who watch; texts are fit for a terminal.
struct Progress {
  enum class Kind { kAsking, kTurn, kCall, kToolStarted, kToolFinished, kWrapUp };
  Kind kind = Kind::kTurn;
  int turn = 0;
  std::string tool;
  std::string subject;  // path or pattern; why, for kWrapUp
  int64_t ms = 0;       // kToolFinished: by the cell's word
};
using Watcher = std::function<void(const Progress&)>;

struct ServeSetup {
  CellLink link;
  subagents::TaskFrame task;                // kind subagent
  agentcore::ConversationSetup conversation;
  agentcore::Model* model = nullptr;        // all pointers are borrowed for the call
  Ledger* ledger = nullptr;
  ReadLines* read_lines = nullptr;
  EventSink* events = nullptr;
  FramePool* pool = nullptr;
  Watcher watcher;                          // may be empty
  int cancel_fd = -1;                       // readable: stop
  Deadline deadline = Deadline::Never();    // of the whole ticket
  std::chrono::milliseconds wall{300'000};  // the time that the deadline was made of
  std::chrono::milliseconds result_grace{5'000};  // for the cell's result after the last turn
  int events_per_second = 500;
  int event_burst = 1'000;
};

struct ServeOutcome {
  subagents::TicketStatus status = subagents::TicketStatus::kCrashed;
  subagents::Ending ending;
  std::optional<subagents::Report> report;  // there whenever the model gave one, whatever the status
  subagents::Usage usage;                   // what the parent counts: all but cpu_ms and peak_rss_kb
  std::vector<std::string> notes;
  std::string redacted;                     // "2 secrets were redacted (2 password)"; empty when none was
  bool got_result = false;                  // the cell handed in its result: it is expected to exit 0
};

// How long before the deadline the report is asked for: a tenth of the time, at least 2 s, at most half.
std::chrono::milliseconds WrapUpReserve(std::chrono::milliseconds wall);

ServeOutcome ServeCell(const ServeSetup& setup);

}  // namespace paddock::orchestrator
