// A language model behind a server that speaks one of the protocols. One question is one streamed request, asked again
// where that can help and nothing was used of it yet.
//
//   asked again    408, 409, 429, 5xx (x-should-retry outranks that), not reachable, a stream that was cut off, garbled
//                  or silent; after 1 s doubling to 30 s with jitter, or what Retry-After says, if the time allows it
//   not            quota used up, conversation too long, key refused, anything else that the server will not have
//
// All requests to one server with one key go through one gate (gate.h), which does the waiting. A field that the server refuses is left
// out from then on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "agentcore/pipeline/redact.h"
#include "orchestrator/providers/context_window.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/gate.h"
#include "orchestrator/providers/http.h"
#include "orchestrator/providers/model_attempt.h"
#include "orchestrator/providers/protocol.h"
#include "orchestrator/providers/provider_model.h"

namespace paddock::orchestrator {

struct ServerModelSetup {
  Endpoint endpoint;
  std::unique_ptr<HttpTransport> transport;
  std::shared_ptr<Gate> gate = {};  // null: one of its own, by the endpoint's settings
  RetryPolicy retry = {};
  bool waits = true;                // false: nothing is waited for before it is asked again (a replayed run)
  int cancel_fd = -1;  // readable: stop; borrowed
  // Told when a question is asked again, with why and after how long; may be empty.
  std::function<void(const std::string&)> on_retry = {};
};

class ServerModel : public ProviderModel {
 public:
  explicit ServerModel(ServerModelSetup setup);

  std::string name() const override { return setup_.endpoint.settings.model; }
  bool is_language_model() const override { return true; }
  int64_t max_answer_tokens() const override { return setup_.endpoint.settings.max_output_tokens; }
  // By the settings, what is known of the model, what its server says (asked once, here), else 32,768.
  int64_t context_window() const override { return window().tokens; }
  std::optional<int64_t> CostNanos(int64_t input_tokens, int64_t output_tokens) const override;
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest& request, const Deadline& deadline) override;
  agentcore::ModelUsage TakeLostUsage() override { return std::exchange(lost_, {}); }
  std::vector<std::string> notes() const override;

  FaultKind last_fault() const override { return last_fault_; }
  void set_on_failed_attempt(std::function<bool(int, const std::string&)> told) override { on_failed_attempt_ = std::move(told); }
  // Of the last answer: from the request to its first word, milliseconds; -1 when there was none.
  int64_t first_word_ms() const { return first_word_ms_; }
  bool usage_was_said() const { return usage_was_said_; }
  const ContextWindow& window() const;

 private:
  bool LeaveOut(const ModelAttempt& attempt);
  void SayHeld(const Deadline& deadline) const;
  std::string Who() const { return setup_.endpoint.url + " " + name(); }

  void Price(agentcore::ModelUsage* usage) const;

  ServerModelSetup setup_;
  std::function<bool(int, const std::string&)> on_failed_attempt_;
  agentcore::Redactor redactor_;  // knows the key
  std::unique_ptr<Protocol> protocol_;
  mutable std::optional<ContextWindow> window_;
  agentcore::ModelUsage lost_;
  int asked_again_ = 0;
  bool estimated_ = false;
  bool was_sent_ = false;
  FaultKind last_fault_ = FaultKind::kNone;
  int64_t first_word_ms_ = -1;
  bool usage_was_said_ = false;
};

}  // namespace paddock::orchestrator
