// A hostile .gitignore: the cost of matching is bounded, plain patterns act as a slow and simple matcher says.
//
// A line: the path; then the rules.
#include "agentcore/tools/gitignore.h"
#include "agentcore/tools/glob.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

namespace {

// Bytes, `?`, `*` and `\x`; nothing else. By trying everything.
bool Slow(std::string_view pattern, std::string_view text, bool path) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (size_t i = 0;; ++i) {
      if (Slow(pattern.substr(1), text.substr(i), path)) return true;
      if (i == text.size() || (path && text[i] == '/')) return false;
    }
  }
  if (text.empty()) return false;
  if (pattern[0] == '?') return (!path || text[0] != '/') && Slow(pattern.substr(1), text.substr(1), path);
  if (pattern[0] == '\\') pattern.remove_prefix(1);
  return !pattern.empty() && pattern[0] == text[0] && Slow(pattern.substr(1), text.substr(1), path);
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (char c : text) (out += '\\') += c;
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const std::string path = input.Line();
  const std::string text = input.Rest();
  const std::string line = text.substr(0, text.find('\n'));

  const bool plain = line.find('[') == line.npos && line.find("**") == line.npos && std::count(line.begin(), line.end(), '*') <= 3;
  for (GlobMode mode : {GlobMode::kName, GlobMode::kPath}) {
    const Glob glob(line, mode);
    GlobCost cost;
    const bool match = glob.Match(path, &cost);
    REQUIRE(cost.steps <= (path.size() + 1) * (2 * line.size() + 2), std::to_string(cost.steps) + " steps");
    if (plain && glob.well_formed() && path.size() < 500) REQUIRE(match == Slow(line, path, mode == GlobMode::kPath), line);
    GlobCost free;
    REQUIRE(Glob(Escaped(path), mode).Match(path, &free), path);
  }

  const IgnoreRules rules(text, 1000);
  REQUIRE(rules.size() <= 1000, "more rules than allowed");
  for (bool folder : {false, true}) {
    GlobCost cost;
    const IgnoreVerdict verdict = rules.Check(path, folder, &cost);
    REQUIRE(cost.steps <= (path.size() + 1) * (2 * text.size() + 2) + rules.size(), std::to_string(cost.steps) + " steps");
    if (rules.size() == 0) REQUIRE(verdict == IgnoreVerdict::kNoRule, text);
    // A last rule that names the path decides.
    if (path.empty() || path.front() == '/' || path.back() == '/' || path.back() == '\r' || path.find('\0') != path.npos || rules.truncated()) continue;
    GlobCost other;
    const std::string own = "/" + Escaped(path);
    REQUIRE(IgnoreRules(text + "\n" + own, 2000).Check(path, folder, &other) == IgnoreVerdict::kIgnored, path);
    REQUIRE(IgnoreRules(text + "\n!" + own, 2000).Check(path, folder, &other) == IgnoreVerdict::kKept, path);
  }
  return 0;
}
