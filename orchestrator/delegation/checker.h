// The checker: a fresh cell with the same view as the subagent's, for questions of the parent.
#pragma once

#include <memory>

#include "orchestrator/broker/channel.h"
#include "orchestrator/delegation/cell_starter.h"
#include "orchestrator/delegation/evidence.h"

namespace paddock::orchestrator {

class Checker : public CitationChecker {
 public:
  // `starter`, `pool` are borrowed; `wanted` as for the subagent.
  static Result<std::unique_ptr<CitationChecker>> Start(CellStarter* starter, const CellStarter::Wanted& wanted, FramePool* pool);

  // An error (kTimeout, kClosed, kProtocol, kCancelled) means that this checker is of no use any more.
  Result<subagents::RangeFrame> Ask(const subagents::CiteFrame& cite) override;

 private:
  Checker(StartedCell cell, FramePool* pool, int cancel_fd);
  StartedCell cell_;
  CellChannel channel_;
};

}  // namespace paddock::orchestrator
