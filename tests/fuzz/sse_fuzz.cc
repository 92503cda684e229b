// A model server's stream: cut anywhere it gives the same events and, put together, the same answer, within bounds.
//
// One byte: how it is cut; two: the largest event; then the stream.
#include <vector>

#include "orchestrator/providers/protocol.h"
#include "orchestrator/providers/server_fault.h"
#include "orchestrator/providers/sse.h"
#include "orchestrator/providers/wire_json.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using orchestrator::AnswerStream;
using orchestrator::ModelProtocol;
using orchestrator::SseEvent;
using orchestrator::SseReader;

namespace {

struct Taken {
  std::vector<SseEvent> events;
  bool failed = false;
};

Taken Read(std::string_view stream, size_t step, size_t max_event) {
  SseReader reader(max_event);
  Taken taken;
  const auto pop = [&] {
    while (auto event = reader.Pop()) {
      REQUIRE(event->data.size() <= max_event && event->event.size() <= max_event, event->data);
      taken.events.push_back(*std::move(event));
    }
  };
  while (!stream.empty() && !taken.failed) {
    if (auto fed = reader.Feed(stream.substr(0, step)); !fed) {
      REQUIRE(fed.error().kind == ErrorKind::kLimit, fed.error().message);
      taken.failed = true;
    }
    stream.remove_prefix(std::min(step, stream.size()));
    pop();
  }
  if (!taken.failed) reader.Finish();
  pop();
  return taken;
}

// What the answer is, as one text.
std::string Answer(const std::vector<SseEvent>& events, ModelProtocol protocol) {
  const auto stream = orchestrator::MakeProtocol(protocol)->NewStream();
  std::string said;
  size_t bytes = 0;
  for (const SseEvent& event : events) {
    auto chunk = orchestrator::ParseChunk(event.data);
    if (!chunk) {
      REQUIRE(chunk.error().kind == ErrorKind::kProtocol, chunk.error().message);
      fuzz::RequireGood(chunk.error());
      continue;
    }
    const auto fault = orchestrator::FaultInStream(*chunk);
    fuzz::RequireGood(fault.error, 600);
    auto took = stream->Take(*chunk);
    if (!took) {
      fuzz::RequireGood(took.error());
      return said + "!" + took.error().message;
    }
    REQUIRE(stream->answer().bytes >= bytes, "the count of bytes went back");
    bytes = stream->answer().bytes;
    said += *took == AnswerStream::Took::kProgress ? "p" : *took == AnswerStream::Took::kEnd ? "e" : "n";
  }
  REQUIRE(bytes <= 4u << 20, "more than an answer may have");
  const bool finished = stream->finished(), empty = stream->answer().empty();
  const agentcore::ModelTurn turn = stream->Turn();
  REQUIRE(IsValidUtf8(turn.text), turn.text);
  REQUIRE(!empty || turn.calls.empty(), "an empty answer with calls");
  REQUIRE(turn.calls.size() <= 128 && turn.usage.input_tokens >= 0 && turn.usage.output_tokens >= 0, "bounds of a turn");
  for (const agentcore::ToolCall& call : turn.calls) {
    REQUIRE(call.tool.size() <= 256 && IsValidUtf8(call.tool), call.tool);
    REQUIRE(call.fault.empty() || call.arguments == Json::object(), "arguments of a call that must not be run");
    REQUIRE(turn.finish != agentcore::Finish::kLength || !call.fault.empty(), "a call of an answer that was cut off");
    REQUIRE(fuzz::IsVisible(call.fault) && call.fault.size() < 4096, call.fault);
  }
  return said + (finished ? "f" : "") + DumpJson(ToJson(turn));
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const size_t step = 1 + input.Byte(), max_event = input.Number(1, 65'536);
  const std::string stream = input.Rest();
  const Taken whole = Read(stream, stream.size() + 1, max_event);
  std::vector<std::string> answers;
  constexpr ModelProtocol kProtocols[] = {ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages};
  for (ModelProtocol protocol : kProtocols) answers.push_back(Answer(whole.events, protocol));
  for (size_t pieces : {step, size_t{1}}) {
    if (pieces == 1 && stream.size() > 4000) continue;
    const Taken cut = Read(stream, pieces, max_event);
    REQUIRE(cut.failed == whole.failed && cut.events.size() == whole.events.size(), "in pieces of " + std::to_string(pieces));
    for (size_t i = 0; i < cut.events.size(); ++i)
      REQUIRE(cut.events[i].event == whole.events[i].event && cut.events[i].data == whole.events[i].data, cut.events[i].data);
  }
  for (size_t i = 0; i < answers.size(); ++i) REQUIRE(Answer(whole.events, kProtocols[i]) == answers[i], "another answer the second time");
  return 0;
}
