// Data of one event, and a body that was not streamed: valid JSON is read as it is, and mends of invalid text stay strict.
#include "orchestrator/providers/chat_stream.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using orchestrator::ChatStream;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto chunk = orchestrator::ParseChunk(text);
  if (auto strict = ParseJson(text)) REQUIRE(chunk && *chunk == *strict, text);
  if (!chunk) {
    fuzz::RequireGood(chunk.error());
    return 0;
  }
  REQUIRE(ParseJson(DumpJson(*chunk), fuzz::kWide) == *chunk, text);
  ChatStream stream;
  if (auto whole = stream.TakeWhole(*chunk); !whole) {
    fuzz::RequireGood(whole.error());
    return 0;
  }
  REQUIRE(stream.finished(), text);
  const auto turn = stream.Turn();
  REQUIRE(IsValidUtf8(turn.text) && turn.calls.size() <= 128, turn.text);
  for (const auto& call : turn.calls) REQUIRE(IsValidUtf8(call.tool) && fuzz::IsVisible(call.fault), call.tool);
  // A stream of one chunk may come twice: what is counted only grows.
  ChatStream twice;
  size_t bytes = 0;
  for (int i = 0; i < 3; ++i) {
    if (!twice.Take(*chunk)) break;
    REQUIRE(twice.bytes() >= bytes, text);
    bytes = twice.bytes();
  }
  return 0;
}
