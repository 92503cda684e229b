// Calls in a model's text: only tools on offer with objects for arguments; none when more follows, when the text is quoted as
// untrusted, or when it stands in what the model was shown.
#include "agentcore/model/intent.h"
#include "agentcore/model/text_calls.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const std::vector<ToolSpec> offered = {
      {"read_file", "", *ParseJson(R"({"type":"object","properties":{"path":{"type":"string"},"first_line":{"type":"integer"}}})")}, {"list_files", "", Json::object()}};
  AnnouncesCall(text);
  const TextCalls found = FindTextCalls(text, offered);
  REQUIRE(found.calls.size() <= kMaxTextCalls && found.text.size() <= text.size(), found.text);
  for (const ToolCall& call : found.calls) {
    REQUIRE(call.tool == "read_file" || call.tool == "list_files" || call.tool == "report", call.tool);
    REQUIRE(call.arguments.is_object() && call.fault.empty() && call.id.empty(), call.tool);
    REQUIRE(ParseJson(DumpJson(call.arguments), fuzz::kWide).has_value(), call.tool);
  }
  REQUIRE(!found.calls.empty() || found.text == text, found.text);
  REQUIRE(found.not_understood.size() <= 1500 && fuzz::IsVisible(found.not_understood), found.not_understood);
  if (found.calls.empty()) return 0;
  const std::string_view shown[] = {text};
  REQUIRE(FindTextCalls(text, offered, shown).calls.empty(), "a quotation was taken");
  REQUIRE(FindTextCalls(text + "\nand so on.", offered).calls.empty(), "taken though more follows");
  REQUIRE(FindTextCalls("<untrusted_content id=\"0123\">\n" + text, offered).calls.empty() || text.find("</untrusted_content id=\"0123\">") != text.npos, "taken from a quoted mark");
  REQUIRE(FindTextCalls("For example:\n" + text, offered).calls.empty() || found.text.find('\n') != std::string::npos || !found.text.empty(), "taken from an example");
  return 0;
}
