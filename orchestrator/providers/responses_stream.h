// One answer of OpenAI's Responses API, put together from its events.
//
// Items are told apart by output_index. What an event says whole (…done, output_item.done) outranks the pieces before it; the last event
// has everything once more, and is read where the pieces were left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "orchestrator/providers/answer_stream.h"

namespace paddock::orchestrator {

class ResponsesStream : public AnswerStream {
 public:
  Result<Took> Take(const Json& event) override;
  Status TakeWhole(const Json& body) override;
  const Json* FaultIn(const Json& event) const override;

 private:
  Result<bool> TakePiece(const Json& piece, std::string* to);
  // The call of an event's output_index; made when it is the first of it.
  Result<AnswerCall*> CallOf(int64_t output_index);
  Result<bool> BeginItem(int64_t output_index, const Json& item);
  Result<bool> EndItem(int64_t output_index, const Json& item);
  Status TakeContent(const Json& message);
  Result<bool> TakeArguments(int64_t output_index, const Json& event, bool whole);
  Status TakeResponse(const Json& response);

  std::map<int64_t, size_t> calls_;      // output_index: place in answer_.calls
  std::map<int64_t, size_t> heard_;      // output_index: bytes of text that came in pieces
};

}  // namespace paddock::orchestrator
