// Data of one event, and a body that was not streamed, in each protocol: valid JSON is read as it is, and mends of invalid text stay strict.
#include "orchestrator/providers/protocol.h"
#include "orchestrator/providers/wire_json.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::orchestrator;

namespace {

void Read(const Protocol& protocol, const Json& chunk, std::string_view text) {
  const auto whole = protocol.NewStream();
  if (const Json* fault = whole->FaultIn(chunk)) fuzz::RequireGood(FaultInStream(*fault).error, 600);
  if (auto took = whole->TakeWhole(chunk); !took) {
    fuzz::RequireGood(took.error());
  } else {
    REQUIRE(whole->finished(), text);
    const auto turn = whole->Turn();
    REQUIRE(IsValidUtf8(turn.text) && turn.calls.size() <= kMaxAnswerCalls, turn.text);
    for (const auto& call : turn.calls) REQUIRE(IsValidUtf8(call.tool) && fuzz::IsVisible(call.fault), call.tool);
    for (const auto& one : turn.reasoning) REQUIRE(one.before_call <= turn.calls.size() && IsValidUtf8(DumpJson(one.item)), text);
  }
  // A stream of one chunk may come twice: what is counted only grows.
  const auto twice = protocol.NewStream();
  size_t bytes = 0;
  for (int i = 0; i < 3; ++i) {
    if (!twice->Take(chunk)) break;
    REQUIRE(twice->answer().bytes >= bytes, text);
    bytes = twice->answer().bytes;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto chunk = ParseChunk(text);
  if (auto strict = ParseJson(text)) REQUIRE(chunk && *chunk == *strict, text);
  if (!chunk) {
    fuzz::RequireGood(chunk.error());
    return 0;
  }
  REQUIRE(ParseJson(DumpJson(*chunk), fuzz::kWide) == *chunk, text);
  for (ModelProtocol protocol : {ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages}) Read(*MakeProtocol(protocol), *chunk, text);
  return 0;
}
