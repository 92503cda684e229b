// A cell that was started, or why it was not.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "sandbox/jail.h"
#include "sandbox/receipt.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// One cell, held. Its destructor ends the jail.
struct StartedCell {
  sandbox::Jail jail;
  UniqueFd to, from;  // the frame pipes
  sandbox::Receipt receipt;
  int64_t processor_ms = 0;  // its limit of processor time
  bool warm = false;         // was built before it was asked for (warm_cells.h)
  std::vector<subagents::BlockedCall> denied = {};  // what its jail has reported so far (blocked_calls.h)
};

// Why a cell was not started, as it goes into a ticket.
struct StartFailure {
  Error error;
  std::string kind;  // of the ending (subagents/ticket.h)
  int64_t code = 0;  // exit status or signal number; where there is neither, the errno counts
  std::optional<sandbox::Receipt> receipt;
};

}  // namespace paddock::orchestrator
