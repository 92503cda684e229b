#include "orchestrator/providers/fallback_model.h"

#include <algorithm>

#include "base/child_process.h"

namespace paddock::orchestrator {

using agentcore::ModelRequest;
using agentcore::ModelTurn;

namespace {

constexpr int kAttemptsBeforeAnother = 2;

bool StaysSo(FaultKind fault) { return fault == FaultKind::kKey || fault == FaultKind::kQuota || fault == FaultKind::kNoModel; }

}  // namespace

FallbackModel::FallbackModel(FallbackSetup setup) : setup_(std::move(setup)), answers_(setup_.chain.size()) {
  if (setup_.replays) return;
  for (size_t i = 0; i < setup_.chain.size(); ++i)
    setup_.chain[i].model->set_on_failed_attempt([this, i](int attempts, const std::string& why) {
      Breaker& breaker = *setup_.chain[i].breaker;
      breaker.AttemptFailed(why);
      return !HasAnother(i) || (attempts < kAttemptsBeforeAnother && breaker.closed());
    });
}

bool FallbackModel::HasAnother(size_t from) const {
  return std::any_of(setup_.chain.begin() + static_cast<ptrdiff_t>(from) + 1, setup_.chain.end(), [](const auto& member) { return member.breaker->MayBeAsked(); });
}

int64_t FallbackModel::context_window() const {
  int64_t smallest = 0;
  for (const auto& member : setup_.chain)
    if (const int64_t window = member.model->context_window(); window > 0) smallest = smallest > 0 ? std::min(smallest, window) : window;
  return smallest;
}

std::optional<int64_t> FallbackModel::CostNanos(int64_t input_tokens, int64_t output_tokens) const {
  int64_t largest = 0;
  for (const auto& member : setup_.chain) {
    const auto cost = member.model->CostNanos(input_tokens, output_tokens);
    if (!cost) return std::nullopt;
    largest = std::max(largest, *cost);
  }
  return largest;
}

// Could the one after `from` do better?
bool FallbackModel::MayGoOn(size_t from, const Error& error, const ModelRequest& request, const Deadline& deadline) const {
  if (error.kind == ErrorKind::kCancelled || deadline.passed()) return false;
  if (request.abandon_fd >= 0 && EndedByPidfd(request.abandon_fd, Deadline::After({}))) return false;
  switch (setup_.chain[from].model->last_fault()) {
    case FaultKind::kServer: case FaultKind::kOverloaded: case FaultKind::kUnreachable: case FaultKind::kKey: case FaultKind::kQuota: case FaultKind::kNoModel: return true;
    case FaultKind::kTooLong:
      for (size_t i = from + 1; i < setup_.chain.size(); ++i)
        if (setup_.chain[i].model->context_window() > setup_.chain[from].model->context_window()) return true;
      return false;
    case FaultKind::kNotRecorded: return setup_.replays;
    case FaultKind::kNone: case FaultKind::kOther: return false;
  }
  return false;
}

void FallbackModel::Turn(size_t to, const std::string& why) {
  if (to == current_) return;
  if (setup_.on_switch) setup_.on_switch({setup_.chain[current_].name, setup_.chain[to].name, why});
  current_ = to;
}

Result<ModelTurn> FallbackModel::Next(const ModelRequest& request, const Deadline& deadline) {
  std::string why;     // the ones before are not it
  std::string unlike;  // what the record has instead
  std::optional<Error> last;
  int64_t too_long_for = 0;
  for (size_t i = 0; i < setup_.chain.size(); ++i) {
    auto& member = setup_.chain[i];
    const auto passed_over = [&](const std::string& because) { why += (why.empty() ? "" : "; ") + member.name + ": " + because; };
    if (too_long_for > 0 && member.model->context_window() <= too_long_for) {
      passed_over("its window is no larger");
      continue;
    }
    if (!setup_.replays && !member.breaker->Admit()) {
      passed_over(member.breaker->WhyNot());
      continue;
    }
    const std::string turned = why.empty() ? "it can be asked again" : why;
    if (!setup_.replays) Turn(i, turned);
    auto turn = member.model->Next(request, deadline);
    if (setup_.replays && member.model->last_fault() != FaultKind::kNotRecorded) Turn(i, turned);
    if (turn) {
      member.breaker->Succeeded();
      ++answers_[i];
      turn->usage += TakeLostUsage();
      return turn;
    }
    lost_ += member.model->TakeLostUsage();
    const FaultKind fault = member.model->last_fault();
    const bool goes_on = MayGoOn(i, turn.error(), request, deadline);
    if (goes_on && fault != FaultKind::kTooLong) member.breaker->GivenUp(turn.error().message, StaysSo(fault));
    else member.breaker->NothingLearned();
    if (!goes_on) return turn;
    if (fault == FaultKind::kTooLong) too_long_for = std::max<int64_t>(member.model->context_window(), 1);
    if (fault == FaultKind::kNotRecorded) {
      passed_over("it was not asked this then");
      unlike += (unlike.empty() ? "" : "; ") + member.name + ": " + turn.error().message;
    } else {
      passed_over(turn.error().message);
    }
    last = turn.error();
  }
  // The last one's own hint; all others are in the text.
  if (!unlike.empty()) why = unlike;
  const ErrorKind kind = last ? last->kind : ErrorKind::kClosed;
  return Fail(kind, "none of the models could be asked: " + why, last ? last->hint : "try again later; paddock models test tells when they work");
}

std::vector<std::string> FallbackModel::notes() const {
  std::vector<std::string> notes;
  std::string who;
  for (size_t i = 0; i < answers_.size(); ++i)
    if (answers_[i] > 0) who += (who.empty() ? "" : ", ") + setup_.chain[i].name + " (" + setup_.chain[i].model->name() + "): " + std::to_string(answers_[i]);
  const bool others = std::any_of(answers_.begin() + 1, answers_.end(), [](int count) { return count > 0; });
  if (others) notes.push_back("not only the model that was asked for answered; answers by model: " + who);
  for (const auto& member : setup_.chain)
    for (std::string& note : member.model->notes()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace paddock::orchestrator
