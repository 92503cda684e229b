// A child's part of its parent's budget: taken in one step before the child starts, settled in one step when it has ended. So
// the budget of a whole tree is the root's: what is reserved in any ledger below was reserved in the root's first.
//
// Turns and time are the child's own; what is held back for the parent's report is never given away.
#pragma once

#include "orchestrator/broker/ledger.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

class BudgetShare {
 public:
  // One `part`th of what is left of tokens, calls, output and money, at most what `most` says. Outlived by the ledger.
  BudgetShare(Ledger* ledger, int part, const subagents::Budget& most = {});

  // The limits that were taken, put into `budget`.
  void ApplyTo(subagents::Budget* budget) const;
  // Is there enough for a child to do anything at all?
  bool usable() const;
  // Is it what a small question takes? With less, a child had better wait for what its siblings give back.
  bool ample() const;
  // What is not known of its cost counts as all that was taken. Once; without it nothing was used.
  void Settle(const subagents::Usage& used);

 private:
  Ledger* ledger_;
  Ledger::Reservation tokens_, calls_, output_, money_;
  bool money_bounded_;
};

}  // namespace paddock::orchestrator
