// The one checker of a ticket; a fresh one takes its place when it dies, a few times.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/pipeline/redact.h"
#include "base/result.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {

inline constexpr int kMaxFreshCheckers = 3;  // after the first

// One checker cell. An error means that it is of no use any more.
class CitationChecker {
 public:
  virtual ~CitationChecker() = default;
  virtual Result<subagents::RangeFrame> Ask(const subagents::CiteFrame& cite) = 0;
};
using StartChecker = std::function<Result<std::unique_ptr<CitationChecker>>()>;

class CheckerSlot {
 public:
  // Borrowed. `start` is called at the first question, and again when a checker has died; `notes` is told of that.
  CheckerSlot(const StartChecker& start, const agentcore::Redactor& redactor, std::vector<std::string>* notes) : start_(start), redactor_(redactor), notes_(notes) {}

  // nullopt when no checker could answer. `path` is path text, as a model gives it.
  std::optional<subagents::RangeFrame> Ask(const std::string& path, int64_t first, int64_t last);

 private:
  bool StartOne();
  void Note(const std::string& note);

  const StartChecker& start_;
  const agentcore::Redactor& redactor_;
  std::vector<std::string>* notes_;
  std::unique_ptr<CitationChecker> checker_;
  int started_ = 0;
  int64_t next_ = 1;
};

}  // namespace paddock::orchestrator
