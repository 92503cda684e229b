#include "subagents/playbook/change_kinds.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxLines = 12, kMaxTokens = 400, kFew = 8;
constexpr char kQualifier[] = "const|constexpr|static|inline|final|readonly|volatile|register|noexcept|restrict|let|var|public|private|protected|override|explicit|export";
// Writes for people to read, and ends what goes on: its words are a message's.
constexpr char kLogs[] = R"(^\s*(?:console\.\w+|print|printf|println!?|e?print(?:ln)?!|puts|(?:\w+\.)*(?:log|logger|logging)(?:\.\w+)*|std::(?:cerr|clog)|fmt\.Print\w*|System\.(?:out|err)\.\w+|LOG\w*)\s*(?:\(|<<)|^\s*fprintf\s*\(\s*stderr\s*,)";
constexpr char kMessage[] = R"(^\s*(?:throw\s|raise\s|panic\(|panic!\(|return\s+(?:fmt\.Errorf|errors\.New)\(|(?:die|croak)\b))";
constexpr char kCondition[] = R"(^(?:if|elif|while|for|unless|when|case|until|&&|\|\||\?|return)$)";

using Tokens = std::vector<std::string>;

// One more than kMaxTokens where there are more.
Tokens TokensOf(const std::vector<std::string>& lines) {
  static const RE2 token(R"re(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_$][\w$]*|\d[\w.]*|[=!<>]=+|&&|\|\||<<|>>|\+\+|--|->|=>|::|[-+*/%&|^]=|\S))re");
  Tokens tokens;
  for (const std::string& line : lines) {
    re2::StringPiece rest(line);
    for (std::string one; tokens.size() <= kMaxTokens && RE2::Consume(&rest, token, &one);) tokens.push_back(std::move(one));
  }
  return tokens;
}

bool IsWordToken(const std::string& token) { return MatchesWhole(token, R"([A-Za-z_$][\w$]*)") && !MatchesWhole(token, "true|false|True|False|nil|null|None|NULL|not|and|or|is|in|undefined|typeof"); }

// Without what does nothing; nothing where there is more of it than is compared.
std::optional<Tokens> DoingOf(const std::vector<std::string>& lines) {
  std::vector<std::string> doing;
  for (const std::string& line : lines)
    if (!MatchesPart(line, kLogs)) doing.push_back(MatchesPart(line, kMessage) ? std::string("throw") : line);
  Tokens tokens = TokensOf(doing);
  if (tokens.size() > kMaxTokens) return std::nullopt;
  std::erase_if(tokens, [](const std::string& token) { return MatchesWhole(token, kQualifier); });
  // "n++" is "n += 1".
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] == "++" || tokens[i] == "--") tokens[i] += "=", tokens[i].erase(0, 1), tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(i) + 1, "1");
  for (std::string& token : tokens)
    if (token.front() == '"' || (token.front() == '\'' && token.size() > 3)) token = "\"\"";
  return tokens;
}

}  // namespace

ChangeKind KindOfChange(const std::vector<std::string>& removed, const std::vector<std::string>& added) {
  const auto all_before = DoingOf(removed), all_after = DoingOf(added);
  if (!all_before || !all_after) return ChangeKind::kPlain;
  const Tokens &before = *all_before, &after = *all_after;
  if (before == after) return ChangeKind::kIdle;
  if (before.empty() || after.empty() || removed.size() > kMaxLines || added.size() > kMaxLines) return ChangeKind::kPlain;
  Tokens sorted = before, others = after;
  std::sort(sorted.begin(), sorted.end());
  std::sort(others.begin(), others.end());
  // Lines that were moved are another thing than arguments.
  if (sorted == others) return removed.size() <= 2 ? ChangeKind::kTelling : ChangeKind::kPlain;
  size_t first = 0, last = 0;
  const size_t least = std::min(before.size(), after.size());
  while (first < least && before[first] == after[first]) ++first;
  while (last < least - first && before[before.size() - 1 - last] == after[after.size() - 1 - last]) ++last;
  const Tokens gone(before.begin() + static_cast<ptrdiff_t>(first), before.end() - static_cast<ptrdiff_t>(last)), come(after.begin() + static_cast<ptrdiff_t>(first), after.end() - static_cast<ptrdiff_t>(last));
  if (first + last == 0 || gone.size() > kFew || come.size() > kFew) return ChangeKind::kPlain;
  const bool no_words = std::none_of(gone.begin(), gone.end(), IsWordToken) && std::none_of(come.begin(), come.end(), IsWordToken);
  const bool condition = std::any_of(before.begin(), before.end(), [](const std::string& token) { return MatchesWhole(token, kCondition); }) && std::any_of(after.begin(), after.end(), [](const std::string& token) { return MatchesWhole(token, kCondition); });
  return no_words || condition ? ChangeKind::kTelling : ChangeKind::kPlain;
}

}  // namespace paddock::subagents
