// One answer of a model, put together from the events of a stream or read whole: what each protocol has a reader for.
//
// Servers in use differ from what is written down, so readers take what is unmistakable and pass over what they do not know. A call of an
// answer that was cut off, or with arguments that are no JSON, carries a fault and is never run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agentcore/model/model.h"
#include "base/result.h"

namespace paddock::orchestrator {

inline constexpr size_t kMaxAnswerCalls = 128;

struct AnswerCall {
  std::string name;
  std::string arguments;  // JSON text, in pieces put together; blank: none
};

// What the model has said so far.
struct Answer {
  std::string text, refusal;
  bool reasoned = false;  // it thought, whether or not that is kept
  std::vector<AnswerCall> calls;
  std::vector<agentcore::ReasoningItem> reasoning;
  agentcore::ModelUsage usage;
  bool has_usage = false;
  std::optional<agentcore::Finish> finish;
  size_t bytes = 0;  // of all of it

  // Before anything of `bytes` bytes is kept. kLimit past 4 MiB in all.
  Status Count(size_t bytes);
  bool empty() const { return text.empty() && refusal.empty() && calls.empty() && reasoning.empty() && !reasoned; }
};

class AnswerStream {
 public:
  enum class Took {
    kNothing,
    kProgress,  // the model said something
    kEnd,       // and it was the last event
  };
  virtual ~AnswerStream() = default;

  // One event of the stream. kProtocol when it is none, kLimit when the answer grows past its bounds.
  virtual Result<Took> Take(const Json& event) = 0;
  // Body of an answer that was not streamed.
  virtual Status TakeWhole(const Json& body) = 0;
  // What in `event` says that the server failed; null when nothing does. Borrowed from `event`.
  virtual const Json* FaultIn(const Json& event) const;

  const Answer& answer() const { return answer_; }
  bool finished() const { return answer_.finish.has_value(); }
  // What the model said. Call it once, when the stream ended as it should.
  agentcore::ModelTurn Turn();

 protected:
  // A call more. kLimit past kMaxAnswerCalls.
  Result<AnswerCall*> AddCall();

  Answer answer_;
};

}  // namespace paddock::orchestrator
