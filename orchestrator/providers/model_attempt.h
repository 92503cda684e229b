// One request to a model's server, and what came of it.
//
// Silence is counted on what the model says: keep-alives don't count. What a server says back of the key is taken out of every error
// here, at the door.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "agentcore/model/model.h"
#include "agentcore/pipeline/redact.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/gate.h"
#include "orchestrator/providers/http.h"
#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {

// All borrowed.
struct AttemptSetup {
  const Endpoint* endpoint = nullptr;
  const Protocol* protocol = nullptr;
  const agentcore::Redactor* redactor = nullptr;  // knows the key
  HttpTransport* transport = nullptr;
  Gate::Pass* pass = nullptr;                     // told as soon as the server answers
  HttpWait wait;                                  // to the deadline of the answer
};

class ModelAttempt {
 public:
  explicit ModelAttempt(const AttemptSetup& setup) : setup_(setup) {}
  // Once.
  void Run(std::string body);

  std::optional<agentcore::ModelTurn> turn;  // it worked
  Error error;
  FaultKind fault = FaultKind::kNone;
  bool retryable = false;
  std::optional<std::chrono::milliseconds> retry_after;
  int status = 0;              // of HTTP; 0: no answer came
  std::string refusal;         // what the server said, to look for names of fields
  bool began = false;          // a 200 came: tokens may have been spent
  bool was_sent = false;       // the request has gone out whole
  bool given_up = false;       // that, and then nobody waited for the answer: tokens may have been spent
  size_t answer_bytes = 0;
  int64_t first_word_ms = -1;  // from the request to the first word; -1: there was none
  bool usage_was_said = false;

 private:
  void FailWith(Error why, FaultKind kind);
  void FailWith(const ServerFault& fault);
  void ReadStream(HttpExchange* exchange);
  void ReadWhole(HttpExchange* exchange);
  void Refused(HttpExchange* exchange, const HttpHead& head, const HttpWait& wait);
  void DrainEnd(HttpExchange* exchange);
  void Conclude(AnswerStream* stream);
  std::string HintFor(int status) const;
  // A failure of the wait for something, in words: the model's own silence, or the deadline.
  void FailOfWait(Error error, const std::string& late, Error silent);

  AttemptSetup setup_;
  size_t request_bytes_ = 0;
  Deadline::Clock::time_point asked_at_;
};

// Where the server does not count.
inline constexpr size_t kEstimatedBytesPerToken = 4;

}  // namespace paddock::orchestrator
