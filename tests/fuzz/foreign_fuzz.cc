// A file of another tool: whatever it holds, what comes out fits the table of its frame, is visible, and only narrows.
#include "subagents/foreign/read_foreign.h"
#include "subagents/foreign/tool_names.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::subagents;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  constexpr DefinitionFormat kFormats[] = {DefinitionFormat::kAny, DefinitionFormat::kClaude, DefinitionFormat::kGemini, DefinitionFormat::kOpencode, DefinitionFormat::kCodex, DefinitionFormat::kPaddock};
  const DefinitionFormat format = kFormats[input.Byte() % 6];
  const std::string bytes = input.Rest();
  const ForeignDefinition one = ReadForeign(bytes, "agents/a.md", format);
  fuzz::RequireRoundTrip(one);
  if (bytes.size() <= kMaxForeignBytes) REQUIRE(BytesFromWire(one.text) == bytes, one.text);
  REQUIRE(one.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == one.name.npos, one.name);
  for (const DefinitionFault& fault : one.faults) REQUIRE(!fault.message.empty() && fuzz::IsVisible(fault.message), fault.message);
  for (const Loss& loss : one.losses) REQUIRE(fuzz::IsVisible(loss.what) && fuzz::IsVisible(loss.why), loss.what);
  if (!one.faults.empty()) return 0;
  REQUIRE(!one.purpose.empty() && VisibleText(one.purpose, Newlines::kEscape) == one.purpose, one.purpose);
  REQUIRE(!one.prompt.empty() && VisibleText(one.prompt, Newlines::kKeep) == one.prompt, one.prompt);
  REQUIRE(!one.tools.empty(), one.name);
  if (one.format != DefinitionFormat::kPaddock)
    for (const std::string& tool : one.tools) REQUIRE(std::find(AllTools().begin(), AllTools().end(), tool) != AllTools().end(), tool);
  return 0;
}
