// A hostile tool result on its way to the model: bounded, visible, and what counts as read is what was shown.
//
// Two bytes: the bound; one: the bound of a line; then a ToolResult as JSON.
#include "agentcore/pipeline/clean.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

namespace {

bool VisibleButNewlines(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return fuzz::IsVisible(text);
}

// Lines, entries, paths, facts and output: what the bound is for.
size_t Weight(const ToolResult& result) {
  size_t bytes = result.output.size();
  for (const Artifact& artifact : result.artifacts) {
    bytes += artifact.path.size() + DumpJson(artifact.facts).size();
    for (const std::string& line : artifact.lines) bytes += line.size();
    for (const std::string& entry : artifact.entries) bytes += entry.size();
  }
  return bytes;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  CleanBounds bounds;
  bounds.max_bytes = input.Number(0, 20'000);
  bounds.max_line_bytes = 16 * input.Byte();
  auto json = ParseJson(input.Rest());
  if (!json) return 0;
  auto raw = FromJson<ToolResult>(*json);
  if (!raw) return 0;
  static const Redactor redactor;
  const CleanedResult clean = CleanResult(*raw, bounds, redactor, nullptr);
  const ToolResult& result = clean.result;

  // The note about what was left out comes on top; an artifact cut in two names its path twice.
  constexpr size_t kNote = 200;
  size_t longest_path = 0;
  for (const Artifact& artifact : result.artifacts) longest_path = std::max(longest_path, artifact.path.size());
  REQUIRE(Weight(result) <= bounds.max_bytes + kNote + longest_path, std::to_string(Weight(result)) + " bytes, at most " + std::to_string(bounds.max_bytes));
  REQUIRE(result.success == raw->success, "success");
  REQUIRE(VisibleButNewlines(result.output) && VisibleButNewlines(result.error) && VisibleButNewlines(result.recovery_hint), result.output);
  REQUIRE(result.error.size() <= 4096 && result.summary.size() <= 1024 && fuzz::IsVisible(result.summary), result.summary);
  for (const std::string& action : result.next_actions) REQUIRE(fuzz::IsVisible(action) && action.size() <= 512, action);
  size_t excerpt = 0;
  for (const Artifact& artifact : result.artifacts) {
    REQUIRE(fuzz::IsVisible(artifact.path) && fuzz::IsVisible(artifact.kind), artifact.path);
    for (const std::string& entry : artifact.entries) REQUIRE(fuzz::IsVisible(entry), entry);
    for (const std::string& line : artifact.lines) REQUIRE(VisibleButNewlines(line) && line.find('\n') == line.npos, line);
    if (artifact.line_start == 0) continue;
    // Read is what was shown.
    REQUIRE(excerpt < clean.seen.size(), "an excerpt that nobody read");
    const SeenExcerpt& seen = clean.seen[excerpt++];
    REQUIRE((seen.path == artifact.path || artifact.path.find("[redacted ") != std::string::npos) && seen.line_start == artifact.line_start, seen.path);
    REQUIRE(seen.lines.size() == artifact.lines.size() && seen.cut.size() == seen.lines.size(), seen.path);
    REQUIRE(seen.redacted.empty() || seen.redacted.size() == seen.lines.size(), seen.path);
    for (size_t i = 0; i < seen.lines.size(); ++i) {
      const bool redacted = !seen.redacted.empty() && !seen.redacted[i].empty();
      REQUIRE((redacted ? seen.redacted[i] : CleanLine(seen.lines[i])) == artifact.lines[i], artifact.lines[i]);
    }
    for (int64_t number : artifact.cut)
      REQUIRE(number >= artifact.line_start && number < artifact.line_start + static_cast<int64_t>(artifact.lines.size()), "a cut line that is not shown");
  }
  REQUIRE(excerpt == clean.seen.size(), "lines that were read but not shown");
  // What a model is shown can be printed, and reads the same.
  const std::string text = DumpJson(ToJson(result));
  REQUIRE(ParseJson(text, fuzz::kWide) == ToJson(result), text);
  return 0;
}
