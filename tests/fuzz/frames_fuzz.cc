// One line of a cell, of the parent or of paddock-http: whatever it is, it is a frame that prints as it was read, or an error.
#include "orchestrator/providers/http/frames.h"
#include "subagents/frames.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

template <class Frame>
void Try(const char* type, const subagents::RawFrame& raw, bool any) {
  if (!any && raw.type != type) return;
  auto frame = FromJson<Frame>(raw.body);
  if (!frame) return fuzz::RequireGood(frame.error());
  fuzz::RequireRoundTrip(*frame);
  const std::string line = subagents::EncodeFrame(type, *frame);
  REQUIRE(line.find('\n') == line.npos, line);
  auto again = subagents::DecodeFrame(line);
  // What fills in what was left out may be the value too many.
  if (!again) return REQUIRE(again.error().kind == ErrorKind::kLimit, again.error().message);
  REQUIRE(again->type == type, line);
  REQUIRE(again->body == ToJson(*frame), line);
}

void TryAll(const subagents::RawFrame& raw, bool any) {
  Try<subagents::ReadyFrame>("ready", raw, any);
  Try<subagents::GoFrame>("go", raw, any);
  Try<subagents::TaskFrame>("task", raw, any);
  Try<subagents::NextTurnFrame>("next_turn", raw, any);
  Try<subagents::TurnFrame>("turn", raw, any);
  Try<subagents::WrapUpFrame>("wrap_up", raw, any);
  Try<subagents::EventFrame>("event", raw, any);
  Try<subagents::ResultFrame>("result", raw, any);
  Try<subagents::CiteFrame>("cite", raw, any);
  Try<subagents::RangeFrame>("range", raw, any);
  Try<subagents::HiddenFrame>("hidden", raw, any);
  Try<subagents::ModelRequestFrame>("model_request", raw, any);
  Try<subagents::ModelTurnFrame>("model_turn", raw, any);
  Try<subagents::FaultFrame>("fault", raw, any);
  Try<orchestrator::HttpRequestFrame>("request", raw, any);
  Try<orchestrator::HttpHeadFrame>("head", raw, any);
  Try<orchestrator::HttpDataFrame>("data", raw, any);
  Try<orchestrator::HttpEndFrame>("end", raw, any);
  Try<orchestrator::HttpFailedFrame>("failed", raw, any);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  auto raw = subagents::DecodeFrame(line);
  if (!raw) {
    fuzz::RequireGood(raw.error());
    REQUIRE(raw.error().kind == ErrorKind::kProtocol || raw.error().kind == ErrorKind::kLimit, raw.error().message);
    return 0;
  }
  REQUIRE(!raw->type.empty() && raw->type.size() <= 32, raw->type);
  REQUIRE(raw->body.is_object() && !raw->body.contains("type"), DumpJson(raw->body));
  TryAll(*raw, false);
  TryAll(*raw, true);  // a frame that lies about its type
  return 0;
}
