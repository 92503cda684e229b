// The act: one task ticket in, one result ticket out, whatever happens.
//
//   record → playbook cell (where one drives) → subagent cell: jail, receipt, loop → jail ended and reaped →
//   (a run that it asked for, where the user allows it → a fresh cell with its log →)
//   evidence checked by a checker cell → result ticket, recorded
//
// The status is set here and nowhere else: how the jail says that it ended outranks what the cell says, and
// a report without a proper end of its cell is never "completed".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/frame_pipe.h"
#include "orchestrator/broker/broker.h"
#include "orchestrator/delegation/cell_starter.h"
#include "orchestrator/delegation/kept_conversation.h"
#include "orchestrator/delegation/needs_run.h"
#include "orchestrator/session/event_sink.h"
#include "sandbox/workspace.h"
#include "subagents/definition.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// Large frames that all cells of this process may make it hold at a time.
inline constexpr int kLargeFrames = 2;

struct Investigation {
  subagents::TaskTicket ticket;       // id set by the parent
  subagents::Definition definition;
  sandbox::Profile profile;           // the subagent's
  sandbox::Profile sealed_profile;    // the playbook's
  sandbox::Workspace workspace;
  std::vector<std::string> tools;     // what is left of the definition's after the ticket's
  agentcore::Model* model = nullptr;  // null: the playbook of the definition's name
  const agentcore::Redactor* redactor = nullptr;  // borrowed; null: secrets of the common kinds. One that knows the caller's keys is better
  std::shared_ptr<const KeptConversation> earlier = nullptr;  // the ticket's goal is a further question to it; needs a language model
  bool keep = false;                                          // hand the conversation back
  std::vector<std::string> asked_hidden = {};  // of profile's patterns those that a person asked for
  RunPolicy runs;                     // what a subagent asks for is run only where this allows it
  // All borrowed:
  CellStarter* starter = nullptr;
  EventSink* events = nullptr;
  FramePool* pool = nullptr;
  Watcher watcher;
  int cancel_fd = -1;
};

// Never fails: every failure is a ticket. `kept`, which may be null, gets the conversation where that was asked for and there is one.
subagents::ResultTicket Investigate(const Investigation& investigation, std::shared_ptr<const KeptConversation>* kept = nullptr);

}  // namespace paddock::orchestrator
