// ClaimsOfUnreached: a return that was put before what is done, so that nothing of it is.
#include <string>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_hunk.h"

namespace paddock::subagents {
namespace {

constexpr char kReturns[] = R"(^\s*return(\s+(None|null|nil|undefined|true|false|True|False|-?\d+))?\s*;?\s*$)";
// Ends a block or begins another part of it, is no statement, or is reached from elsewhere.
constexpr char kNotBehind[] = R"(^\s*([})\]#@/*\-]|<|(else|elif|elsif|except|finally|rescue|ensure|catch|end|endif|fi|esac|done|case|default|when|in|def|class|func|function|fn|fun|sub|public|private|protected|static|export)\b|\w+\s*:\s*$|;;|"""|'''))";
// What holds the line behind it, brackets or no brackets.
constexpr char kHolds[] = R"((\)|\belse|\bdo|\bthen|[:,(=&|?+\\]|->|=>)\s*$)";

bool IsCode(const Hunk& hunk, const std::vector<MaskedLine>& masks, size_t index) {
  const size_t at = hunk.lines[index].text.find_first_not_of(" \t");
  return hunk.lines[index].sign != '-' && at != std::string::npos && masks[index].bytes[at] == kCodeByte;
}

// The next line of code in this direction, or the hunk's size.
size_t NextCode(const Hunk& hunk, const std::vector<MaskedLine>& masks, size_t index, int step) {
  for (index += static_cast<size_t>(step); index < hunk.lines.size(); index += static_cast<size_t>(step))
    if (IsCode(hunk, masks, index)) return index;
  return hunk.lines.size();
}

// Does the line behind it, which no longer is reached, lie as deep?
bool CutsOff(const Hunk& hunk, const std::vector<MaskedLine>& masks, size_t index, size_t* behind) {
  if (!MatchesPart(hunk.lines[index].text, kReturns) || !IsCode(hunk, masks, index)) return false;
  const size_t before = NextCode(hunk, masks, index, -1);
  *behind = NextCode(hunk, masks, index, 1);
  if (before == hunk.lines.size() || *behind == hunk.lines.size()) return false;
  const std::string &holder = hunk.lines[before].text, &next = hunk.lines[*behind].text;
  const size_t depth = Indent(hunk.lines[index].text);
  return depth > 0 && Indent(next) == depth && !MatchesPart(next, kNotBehind) && (Indent(holder) < depth || !MatchesPart(holder, kHolds));
}

}  // namespace

std::vector<ReviewClaim> ClaimsOfUnreached(const std::vector<FileDiff>& files) {
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    const std::string language = LanguageOf(file.path);
    if (language.empty() || IsMadePath(file.path)) continue;
    ReviewClaim claim{std::string(IsTestPath(file.path) ? "A test returns before what it checks: " : "A return was put before code, which is no longer run: ") + file.path, Severity::kMedium, "The line behind the cited `return` is as deep, so that nothing leads to it any more.", Confidence::kMedium, {}};
    for (const auto& hunk : file.hunks) {
      const auto masks = MaskOfHunk(language, hunk);
      size_t behind = 0;
      for (size_t i = 0; i < hunk.lines.size() && claim.spots.empty(); ++i)
        if (hunk.lines[i].sign == '+' && CutsOff(hunk, masks, i, &behind) && hunk.lines[behind].sign == ' ') claim.spots = {{file.path, hunk.lines[i].new_line, hunk.lines[i].text, ""}, {file.path, hunk.lines[behind].new_line, hunk.lines[behind].text, ""}};
    }
    if (!claim.spots.empty()) claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
