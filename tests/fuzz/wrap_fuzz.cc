// A stranger's text between marks: it can't close its own mark or speak as somebody else, and stays as it is otherwise.
//
// A line: the source; a line: the path; then the text.
#include "agentcore/pipeline/wrap.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const std::string source = input.Line(), path = input.Line();
  const std::string text = VisibleText(input.Rest(), Newlines::kKeep);
  const std::string broken = BreakMarks(text);
  REQUIRE(BreakMarks(broken) == broken && IsValidUtf8(broken), broken);
  REQUIRE(broken.size() <= 5 * text.size(), broken);
  if (text.find_first_of("<[") == text.npos && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; })) REQUIRE(broken == text, broken);
  const std::string lower = fuzz::Lower(broken);
  for (const char* mark : {"<untrusted_content", "</untrusted_content", "<|im_end|>", "<|im_start|>"}) REQUIRE(lower.find(mark) == lower.npos, broken);
  const std::string wrapped = Wrap(text, source, path);
  const size_t first = wrapped.find('\n'), last = wrapped.rfind('\n');
  REQUIRE(wrapped.starts_with("<untrusted_content id=\"") && first < last, wrapped);
  const std::string head = wrapped.substr(0, first), tail = wrapped.substr(last + 1);
  REQUIRE(fuzz::IsVisible(head) && head.ends_with(">") && std::count(head.begin(), head.end(), '<') == 1 && std::count(head.begin(), head.end(), '>') == 1, head);
  REQUIRE(std::count(head.begin(), head.end(), '"') == (path.empty() ? 4 : 6), head);
  const std::string id = head.substr(head.find('"') + 1, 16);
  REQUIRE(tail == "</untrusted_content id=\"" + id + "\">", tail);
  const std::string body = wrapped.substr(first + 1, last - first);
  REQUIRE(body == broken || body == broken + "\n", body);
  return 0;
}
