// JSON of a user, a model or a file as each kind of ticket: it prints as it was read, or is refused with a reason.
#include "agentcore/model/scripted.h"
#include "subagents/report.h"
#include "subagents/ticket.h"
#include "subagents/tool_call.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto json = ParseJson(text);
  if (!json) {
    fuzz::RequireGood(json.error());
    return 0;
  }
  fuzz::ReadAs<subagents::TaskTicket>(*json);
  fuzz::ReadAs<subagents::ResultTicket>(*json);
  fuzz::ReadAs<subagents::Report>(*json);
  fuzz::ReadAs<subagents::ToolCallReport>(*json);
  fuzz::ReadAs<agentcore::ToolResult>(*json);
  if (auto script = agentcore::ParseScript(text, "script.json")) fuzz::RequireRoundTrip(*script);
  else fuzz::RequireGood(script.error());
  return 0;
}
