// One answer of Anthropic's Messages API, put together from its events. Blocks are told apart by their index; events and blocks that
// nobody knows are passed over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "orchestrator/providers/answer_stream.h"

namespace paddock::orchestrator {

class MessagesStream : public AnswerStream {
 public:
  Result<Took> Take(const Json& event) override;
  Status TakeWhole(const Json& body) override;

 private:
  // Where a block's pieces go.
  struct Block {
    std::optional<size_t> call;       // in answer_.calls
    std::optional<size_t> reasoning;  // in answer_.reasoning
  };
  Result<bool> BeginBlock(int64_t index, const Json& block);
  Result<bool> TakeDelta(int64_t index, const Json& delta);
  Result<bool> TakeReasoning(Block* block, const Json& piece, const char* key);
  void TakeUsage(const Json& usage);
  void TakeStop(const Json& from);

  std::map<int64_t, Block> blocks_;
};

}  // namespace paddock::orchestrator
