#include "subagents/playbook/sentences.h"

#include "base/text.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kLeast = 40;  // less is hardly a sentence that says something

// Does a sentence end with this byte? Not behind "e.g." or "v1." and not before a small letter.
bool EndsAt(std::string_view text, size_t at) {
  if (std::string_view(".!?").find(text[at]) == std::string_view::npos || at + 2 >= text.size() || text[at + 1] != ' ') return false;
  if (text[at + 2] >= 'a' && text[at + 2] <= 'z') return false;
  return !MatchesPart(text.substr(0, at + 1), R"((?i)\b(e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|mr|dr|st|inc)\.$|\b[A-Z]\.$)");
}

}  // namespace

std::vector<std::string> SentencesOf(std::string_view text) {
  std::vector<std::string> out;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!EndsAt(text, at)) continue;
    out.emplace_back(text.substr(begin, at + 1 - begin));
    begin = at + 2;
  }
  if (begin < text.size()) out.emplace_back(text.substr(begin));
  return out;
}

std::string WholeSentences(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  for (size_t at = bytes; at-- > kLeast;)
    if (EndsAt(text, at)) return std::string(text.substr(0, at + 1));
  std::string out(TruncateUtf8(text, bytes));
  if (const size_t space = out.rfind(' '); space != std::string::npos && space > bytes / 3) out.resize(space);
  return out + " …";
}

}  // namespace paddock::subagents
