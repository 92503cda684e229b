#include "orchestrator/providers/server_model.h"

#include <algorithm>

#include "base/child_process.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ModelRequest;
using agentcore::ModelTurn;
using agentcore::ModelUsage;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kMaxLeftOut = 4;

std::string Seconds(milliseconds span) {
  const int64_t ms = span.count();
  return ms < 10'000 && ms % 1000 ? std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) + " s" : std::to_string(ms / 1000) + " s";
}

}  // namespace

ServerModel::ServerModel(ServerModelSetup setup) : setup_(std::move(setup)), redactor_({{"api-key", setup_.endpoint.key}}), protocol_(MakeProtocol(setup_.endpoint.settings.protocol)) {
  if (!setup_.gate) setup_.gate = std::make_shared<Gate>(setup_.waits ? GateOf(setup_.endpoint.settings) : GateSettings{});
}

std::vector<std::string> ServerModel::notes() const {
  std::vector<std::string> notes;
  if (was_sent_) notes.push_back("what was shown of the repository went to " + name() + " at " + setup_.endpoint.url);
  if (asked_again_ > 0) notes.push_back("the model's server was asked again " + std::to_string(asked_again_) + (asked_again_ == 1 ? " time" : " times") + " after a failure");
  if (estimated_) notes.push_back("the model's server did not always say how many tokens were used: the count is partly an estimate (4 bytes a token)");
  if (window_ && window_->from == WindowSource::kAssumed)
    notes.push_back("how much " + name() + " can take at a time is not known: " + std::to_string(window_->tokens) + " tokens were assumed; context_window in config.json says it");
  return notes;
}

const ContextWindow& ServerModel::window() const {
  if (!window_) window_ = FindWindow(setup_.endpoint, *protocol_, setup_.transport.get(), setup_.cancel_fd);
  return *window_;
}

std::optional<int64_t> ServerModel::CostNanos(int64_t input_tokens, int64_t output_tokens) const {
  const auto& price = setup_.endpoint.settings.price;
  return price ? std::optional(MostCostNanos(*price, input_tokens, output_tokens)) : std::nullopt;
}

void ServerModel::Price(ModelUsage* usage) const {
  if (const auto& price = setup_.endpoint.settings.price) usage->cost_nanos = orchestrator::CostNanos(*price, *usage);
}

Result<ModelTurn> ServerModel::Next(const ModelRequest& request, const Deadline& deadline) {
  ModelRequest bounded = request;
  const int64_t own = max_answer_tokens();
  bounded.max_output_tokens = request.max_output_tokens > 0 ? std::min(request.max_output_tokens, own) : own;
  const HttpWait wait{deadline, setup_.cancel_fd, request.abandon_fd};
  first_word_ms_ = -1;
  last_fault_ = FaultKind::kNone;
  SayHeld(deadline);
  Deadline::Clock::time_point not_before{};
  int left_out = 0;
  for (int attempt = 1;; ++attempt) {
    std::string body = DumpJson(protocol_->Body(bounded, setup_.endpoint.settings, Who()));
    const size_t request_bytes = body.size();
    auto pass = setup_.gate->Enter(wait, not_before, setup_.on_retry);
    if (!pass) {
      last_fault_ = pass.error().kind == ErrorKind::kTimeout && !deadline.passed() ? FaultKind::kOverloaded : FaultKind::kOther;
      return std::unexpected(pass.error());
    }
    ModelAttempt result({&setup_.endpoint, protocol_.get(), &redactor_, setup_.transport.get(), &*pass, wait});
    result.Run(std::move(body));
    was_sent_ |= result.was_sent && !setup_.transport->replays();
    if (result.turn) {
      first_word_ms_ = result.first_word_ms;
      usage_was_said_ = result.usage_was_said;
      estimated_ |= !result.usage_was_said;
      if (!result.turn->reasoning.empty()) result.turn->reasoned_by = Who();
      Price(&result.turn->usage);
      result.turn->usage += TakeLostUsage();
      return *std::move(result.turn);
    }
    last_fault_ = result.fault;
    result.error.message = redactor_.Redact(result.error.message);
    if (result.began || result.given_up) {
      ModelUsage lost{static_cast<int64_t>(request_bytes / kEstimatedBytesPerToken), static_cast<int64_t>(result.answer_bytes / kEstimatedBytesPerToken), true};
      Price(&lost);
      lost_ += lost;
      estimated_ = true;
    }
    std::optional<milliseconds> held;
    if (result.fault == FaultKind::kOverloaded && setup_.waits) held = pass->Overloaded(result.retry_after, setup_.retry);
    pass->Leave();
    if (request.abandon_fd >= 0 && EndedByPidfd(request.abandon_fd, Deadline::After({}))) return std::unexpected(result.error);
    if (left_out < kMaxLeftOut && LeaveOut(result)) {
      ++left_out;
      --attempt;
      continue;
    }
    if (!result.retryable || deadline.passed()) return std::unexpected(result.error);
    const bool again = !on_failed_attempt_ || on_failed_attempt_(attempt, result.error.message);
    if (!again || attempt >= setup_.retry.attempts) {
      if (attempt > 1) result.error.message += " (asked " + std::to_string(attempt) + " times)";
      return std::unexpected(result.error);
    }
    const milliseconds pause = held ? *held : result.retry_after ? *result.retry_after : PauseBefore(setup_.retry, attempt + 1);
    if (auto left = deadline.left(); left && pause >= *left) {
      result.error.message += result.retry_after ? "; it asks to wait " + Seconds(*result.retry_after) + ", longer than the time that is left" : "; no time is left to ask again";
      return std::unexpected(result.error);
    }
    ++asked_again_;
    if (setup_.on_retry) setup_.on_retry(result.error.message + "; again in " + Seconds(pause));
    if (setup_.waits) not_before = Deadline::Clock::now() + pause;
  }
}

// Others of this process may have been told to wait; whoever watches should know.
void ServerModel::SayHeld(const Deadline& deadline) const {
  const milliseconds held = setup_.gate->Held();
  if (held < seconds(1) || !setup_.on_retry) return;
  if (auto left = deadline.left(); !left || held < *left) setup_.on_retry("the model's server takes no requests for now; asked in " + Seconds(held));
}

// A server that will not have a field is asked without it. True when there is something to leave out.
bool ServerModel::LeaveOut(const ModelAttempt& attempt) { return (attempt.status == 400 || attempt.status == 422) && protocol_->LeaveOut(attempt.refusal); }

}  // namespace paddock::orchestrator
