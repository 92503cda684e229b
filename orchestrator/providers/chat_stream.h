// One answer of a chat completions server, put together from its chunks.
//
// Servers in use differ: no ids, index 0 for all parallel calls, arguments as an object, a whole call in one chunk,
// the usage chunk missing, `[DONE]` missing. Calls count whenever any were gathered, whatever finish_reason says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/providers/answer_stream.h"

namespace paddock::orchestrator {

class ChatStream : public AnswerStream {
 public:
  // After a finish_reason only usage may follow.
  Result<Took> Take(const Json& chunk) override;
  Status TakeWhole(const Json& body) override;

 private:
  // Beside each call of the answer.
  struct Seen {
    std::string id;
    int64_t index = -1;  // as the server numbers it; -1: not at all
    size_t looked_at = SIZE_MAX;  // length of the arguments when last asked whether they are whole
    bool whole = false;
  };
  Result<bool> TakeDelta(const Json& delta);
  Result<bool> TakeText(const Json& content, std::string* to);
  Result<bool> TakeThought(const Json& thought, const char* key);
  Result<bool> TakeCalls(const Json& calls);
  Result<AnswerCall*> CallFor(const Json& part, const std::string& id, const std::string& name);
  bool IsWhole(size_t call);
  void TakeUsage(const Json& usage);

  std::vector<Seen> seen_;
};

}  // namespace paddock::orchestrator
