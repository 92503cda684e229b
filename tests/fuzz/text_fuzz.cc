// Bytes as text: each of the four alphabets keeps its promise for any bytes. Paths of callers never lead out.
#include "agentcore/pipeline/clean.h"
#include "agentcore/tools/text_encoding.h"
#include "agentcore/tools/workspace_path.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

void TryWire(const std::string& bytes) {
  const std::string wire = WireFromBytes(bytes);
  REQUIRE(IsValidUtf8(wire) && BytesFromWire(wire) == bytes, bytes);
  auto json = ParseJson(DumpJson(Json(wire)), fuzz::kWide);
  REQUIRE(json && json->is_string() && BytesFromWire(json->get<std::string>()) == bytes, bytes);
}

void TryPath(const std::string& bytes) {
  const std::string text = PathToText(bytes);
  REQUIRE(fuzz::IsVisible(text), bytes);
  auto back = PathFromText(text);
  if (bytes.find('\0') == bytes.npos) REQUIRE(back && *back == bytes, text);
  else REQUIRE(!back, text);
  // The bytes as a caller's path.
  auto read = PathFromText(bytes);
  if (!read) return fuzz::RequireGood(read.error());
  REQUIRE(read->find('\0') == read->npos && PathFromText(PathToText(*read)) == *read, bytes);
  auto inside = agentcore::WorkspacePath(bytes);
  if (!inside) return;
  REQUIRE(!inside->empty() && inside->front() != '/' && inside->back() != '/' && inside->find("//") == inside->npos, *inside);
  const std::string framed = "/" + *inside + "/";
  REQUIRE(framed.find("/../") == framed.npos && (*inside == "." || framed.find("/./") == framed.npos), *inside);
  REQUIRE(agentcore::WorkspacePath(PathToText(*inside)) == *inside, *inside);
}

void TryVisible(const std::string& bytes) {
  const std::string one_line = VisibleText(bytes, Newlines::kEscape);
  REQUIRE(fuzz::IsVisible(one_line) && VisibleText(one_line, Newlines::kEscape) == one_line, bytes);
  std::string kept = VisibleText(bytes, Newlines::kKeep);
  REQUIRE(VisibleText(kept, Newlines::kKeep) == kept && kept.size() <= 6 * bytes.size(), bytes);
  std::replace_if(kept.begin(), kept.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  REQUIRE(fuzz::IsVisible(kept), bytes);
  std::string line = agentcore::CleanLine(bytes);
  REQUIRE(agentcore::CleanLine(line) == line && line.find('\n') == line.npos, bytes);
  if (fuzz::IsVisible(bytes)) REQUIRE(one_line == bytes && line == bytes, bytes);
}

void TryTruncate(const std::string& bytes, size_t most) {
  const std::string_view cut = TruncateUtf8(bytes, most);
  REQUIRE(cut.size() <= most && std::string_view(bytes).starts_with(cut), bytes);
  if (bytes.size() <= most) REQUIRE(cut == bytes, bytes);
  if (IsValidUtf8(bytes)) REQUIRE(IsValidUtf8(cut) && cut.size() + 40 > std::min(most, bytes.size()), bytes);
  const std::string both = agentcore::HeadAndTail(bytes, most);
  REQUIRE(both.size() <= most || both == bytes, both);
  if (IsValidUtf8(bytes)) REQUIRE(IsValidUtf8(both), both);
  // What was visible stays so when it is cut.
  if (!fuzz::IsVisible(bytes)) return;
  REQUIRE(fuzz::IsVisible(cut), cut);
  std::string both_lines = both;
  std::replace(both_lines.begin(), both_lines.end(), '\n', ' ');
  REQUIRE(fuzz::IsVisible(both_lines), both_lines);
}

void TryEncodings(const std::string& bytes) {
  const auto content = agentcore::DetectContent(std::string_view(bytes).substr(0, agentcore::kSampleBytes));
  REQUIRE(!content.binary || !content.kind.empty(), bytes);
  for (bool big : {false, true}) REQUIRE(IsValidUtf8(agentcore::Utf8FromUtf16(bytes, big)), bytes);
  using enum agentcore::TextEncoding;
  for (auto encoding : {kUtf8, kUtf8Bom, kUtf16Le, kUtf16Be, kLatin1, kUnknown8Bit})
    for (bool first : {false, true}) {
      REQUIRE(agentcore::NewlineBytes(bytes, encoding) <= bytes.size(), bytes);
      const std::string shown = agentcore::ShownLine(bytes, encoding, first);
      REQUIRE(shown.size() <= 2 * bytes.size() + 3, bytes);
    }
  if (!bytes.empty() && agentcore::CutsCharacter(bytes)) REQUIRE(!IsValidUtf8(bytes), bytes);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const size_t most = input.Byte() * (input.Byte() % 4 + 1);
  const std::string bytes = input.Rest();
  TryWire(bytes);
  TryPath(bytes);
  TryVisible(bytes);
  TryTruncate(bytes, most);
  TryEncodings(bytes);
  return 0;
}
