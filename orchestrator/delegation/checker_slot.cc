#include "orchestrator/delegation/checker_slot.h"

#include "base/text.h"
#include "orchestrator/broker/read_lines.h"

namespace paddock::orchestrator {

std::optional<subagents::RangeFrame> CheckerSlot::Ask(const std::string& path, int64_t first, int64_t last) {
  if (!checker_ && !StartOne()) return std::nullopt;
  const std::string name = PathToText(PathKey(path));
  auto range = checker_->Ask({next_++, name, first, last});
  if (range && range->n == next_ - 1) return *std::move(range);
  Note("a checker broke at " + name + ": " + (range ? "it answered another question" : range.error().message));
  checker_.reset();
  return std::nullopt;
}

bool CheckerSlot::StartOne() {
  if (started_ > kMaxFreshCheckers) return false;
  ++started_;
  auto checker = start_();
  if (!checker || !*checker) {
    Note("a checker did not start: " + (checker ? std::string("none was given") : checker.error().message));
    return false;
  }
  checker_ = *std::move(checker);
  return true;
}

void CheckerSlot::Note(const std::string& note) {
  notes_->push_back(std::string(TruncateUtf8(redactor_.Redact(VisibleText(note, Newlines::kEscape)), 1024)));
}

}  // namespace paddock::orchestrator
