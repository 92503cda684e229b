// One answer of a chat completions server, put together from its chunks.
//
// Servers in use differ: no ids, index 0 for all parallel calls, arguments as an object, a whole call in one chunk,
// the usage chunk missing, `[DONE]` missing. Calls count whenever any were gathered, whatever finish_reason says; but a
// call of an answer that was cut off carries a fault and is never run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/model/model.h"
#include "base/result.h"

namespace paddock::orchestrator {

class ChatStream {
 public:
  enum class Took { kNothing, kProgress };

  // One chunk. kProtocol when it is none, kLimit when the answer grows past its bounds.
  Result<Took> Take(const Json& chunk);
  // Body of an answer that was not streamed.
  Status TakeWhole(const Json& body);

  bool finished() const { return !finish_reason_.empty(); }  // a finish_reason came: only usage may follow
  bool has_usage() const { return has_usage_; }
  bool empty() const { return text_.empty() && calls_.empty() && !reasoned_; }
  size_t bytes() const { return bytes_; }  // of everything the model said, reasoning included

  // What the model said. Call it once, when the stream ended as it should.
  agentcore::ModelTurn Turn();

 private:
  struct Call {
    std::string id, name, arguments;
    size_t looked_at = SIZE_MAX;  // length of arguments when last asked whether they are whole
    bool whole = false;
  };
  Result<bool> TakeDelta(const Json& delta);
  Result<bool> TakeText(const Json& content, bool keep);
  Result<bool> TakeCalls(const Json& calls);
  static bool IsWhole(Call* call);
  Call* CallFor(const Json& part, const std::string& id, const std::string& name);
  void TakeUsage(const Json& usage);
  Status Count(size_t bytes);

  std::string text_, refusal_;
  std::vector<Call> calls_;
  std::vector<int64_t> indices_;  // of calls_, as the server numbers them
  agentcore::ModelUsage usage_;
  bool has_usage_ = false, reasoned_ = false;
  std::string finish_reason_;
  size_t bytes_ = 0;
};

// Data of an event as JSON: invalid UTF-8 and lone surrogates become U+FFFD first. kProtocol when it is none.
Result<Json> ParseChunk(std::string_view data);

}  // namespace paddock::orchestrator
