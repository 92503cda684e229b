// One cell of an investigation from its start to its end: jail, receipt, conversation, jail ended and reaped. A ticket has one leg,
// and one more for each run that it asked for (needs_run.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "orchestrator/delegation/hidden_paths.h"
#include "orchestrator/delegation/investigation.h"

namespace paddock::orchestrator {

// What is this leg's own; all pointers are borrowed.
struct LegSetup {
  const Investigation* in = nullptr;
  const sandbox::Profile* profile = nullptr;  // the subagent's, with the programs of its tools
  const agentcore::Redactor* redactor = nullptr;
  Ledger* ledger = nullptr;         // of the ticket
  ReadLines* read_lines = nullptr;  // of the ticket
  std::string context;
  bool may_ask_to_run = false;
  std::chrono::milliseconds wall{0};     // what is left of the ticket's time
  Deadline deadline = Deadline::Never();  // the end of it
};

struct Leg {
  ServeOutcome served;  // status and ending by the jail's word
  sandbox::Receipt receipt;
  HiddenPaths hidden;
  int64_t start_ns = 0;  // since 1970: just before the jail
};

// Starts the playbook's cell, where one drives, and the subagent's.
std::expected<Leg, StartFailure> PerformLeg(const LegSetup& setup);

// What the evidence check's cell has in common with the subagent's. Borrows from all.
CellStarter::Wanted CellWanted(const sandbox::Profile& profile, const Investigation& in, const HiddenPaths& hidden, std::chrono::milliseconds wall, int cancel_fd);

}  // namespace paddock::orchestrator
