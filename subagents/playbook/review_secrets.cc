#include "subagents/playbook/review_secrets.h"

#include <re2/re2.h>

#include <algorithm>

#include "agentcore/pipeline/redact.h"
#include "agentcore/pipeline/redact_rules.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostPieces = 8;  // lines of one text
constexpr size_t kLeastShown = 3;  // bytes, to tell a line by them

// The line with the strings that stand side by side, or are added to each other, as one.
std::string Joined(const Hunk& hunk, size_t index) {
  static const RE2 kJoint(R"re(([^"'`(=,\s])["'`]\s*(?:\+|\.\.?|&|\\)?\s*[a-z]?["'`]([^"'`),;\s]))re"), kBracket(R"re(([=:]\s*)\(\s*(["'`]))re");
  std::string out = hunk.lines[index].text;
  if (out.find_first_of("\"'`") == std::string::npos) return out;
  for (size_t i = index + 1; i < hunk.lines.size() && i < index + kMostPieces && MatchesPart(out, R"re(["'`]\s*[+.&\\]{0,2}\s*$)re"); ++i) {
    if (hunk.lines[i].sign == '-' || !MatchesPart(hunk.lines[i].text, R"re(^\s*[+.&]{0,2}\s*[a-z]?["'`])re")) break;
    out += std::string(" ").append(Trim(hunk.lines[i].text));
  }
  // Twice: of pieces of one byte every second joint is passed over.
  for (int i = 0; i < 2; ++i) RE2::GlobalReplace(&out, kJoint, R"(\1\2)");
  RE2::Replace(&out, kBracket, R"(\1\2)");
  return out;
}

// The beginning of a line that it has in common with `hidden`, in which nothing of a secret stands, and with it what only says of which
// kind the secret is.
std::string Shown(std::string_view line, std::string_view hidden) {
  size_t end = static_cast<size_t>(std::mismatch(line.begin(), line.end(), hidden.begin(), hidden.end()).first - line.begin());
  const std::string rest = Lower(line.substr(end, 40));
  size_t kind = 0;
  for (const auto& rule : agentcore::PrefixRules())
    if (rest.starts_with(rule.prefix)) kind = std::max(kind, std::string_view(rule.prefix).size());
  end += kind;
  while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return Trim(line.substr(0, end)).size() < kLeastShown ? "-" : std::string(line.substr(0, end));
}

}  // namespace

std::optional<AddedSecret> SecretIn(const Hunk& hunk, size_t index, std::span<const ReviewRule* const> rules, bool quiet) {
  static const agentcore::Redactor kRedactor;
  const std::string& line = hunk.lines[index].text;
  const std::string joined = Joined(hunk, index);
  for (const std::string& text : joined == line ? std::vector<std::string>{line} : std::vector<std::string>{line, joined}) {
    const std::string hidden = kRedactor.Redact(text);
    for (const ReviewRule* rule : rules)
      if ((!quiet || rule->in_tests) && MatchesPart(hidden, rule->line) && (rule->unless == nullptr || !MatchesPart(hidden, rule->unless))) return AddedSecret{rule, Shown(line, FirstGroup(hidden, rule->line).value_or(""))};
  }
  return std::nullopt;
}

}  // namespace paddock::subagents
