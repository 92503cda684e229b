// ClaimsOfAllocations: memory in C that is used without a look at whether there is any.
#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSpots = 6, kLinesAfter = 12, kTimesInLine = 16;
constexpr char kAllocated[] = R"(^\s*(?:[\w:]+[\s*]+)*\**(\w+)\s*=\s*(?:static_cast<[^>]*>\s*\(\s*|\([\w\s*]+\)\s*)?(?:m|c|re)alloc\s*\()";

enum class PointerUse { kNone, kAskedFor, kUsed };

// What a piece of code does first with a pointer: ask whether it is one, or use it.
PointerUse FirstUse(std::string_view text, std::string_view name) {
  size_t times = 0;
  for (size_t at = text.find(name); at != std::string_view::npos && times < kTimesInLine; at = text.find(name, at + 1), ++times) {
    const std::string_view before = text.substr(0, at), after = text.substr(at + name.size());
    if ((!before.empty() && IsNameByte(before.back())) || (!after.empty() && IsNameByte(after.front()))) continue;
    if (MatchesPart(before, R"(\b(?:if|while|assert\w*|\w*ASSERT\w*|CHECK\w*|VERIFY|return)\b[^;]*$|!\s*$)") || MatchesPart(after, R"(^\s*(?:==|!=|\?|&&|\|\|))")) return PointerUse::kAskedFor;
    if (MatchesPart(after, R"(^\s*(?:\[|->))") || MatchesPart(before, R"((?:^|[;{}(=,])\s*\*\s*$|\b(?:mem(?:cpy|move|set)|str(?:n?cpy|n?cat)|v?s?n?printf)\s*\(\s*$)")) return PointerUse::kUsed;
  }
  return PointerUse::kNone;
}

// Is the pointer used behind its allocation, in the rest of the line or those after it, before any of them asks whether it is one?
bool UsedUnchecked(const FileDiff& file, const Hunk& hunk, size_t index, std::string_view name) {
  const std::string_view line = hunk.lines[index].text;
  if (const PointerUse use = FirstUse(line.substr(std::min(line.find(';'), line.size())), name); use != PointerUse::kNone) return use == PointerUse::kUsed;
  for (size_t i = index + 1, seen = 0; i < hunk.lines.size() && seen < kLinesAfter; ++i) {
    const std::string_view text = hunk.lines[i].text;
    if (hunk.lines[i].sign == '-' || IsCommentLine(file.path, text)) continue;
    if (text.starts_with("}")) return false;
    ++seen;
    if (const PointerUse use = FirstUse(text, name); use != PointerUse::kNone) return use == PointerUse::kUsed;
  }
  return false;
}

}  // namespace

std::vector<ReviewClaim> ClaimsOfAllocations(const std::vector<FileDiff>& files) {
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    if (!MatchesWhole(LanguageOf(file.path), "C|C\\+\\+|C header|Objective-C.*") || IsTestPath(file.path) || IsMadePath(file.path)) continue;
    ReviewClaim claim{"What was allocated is used without a check: " + file.path, Severity::kMedium, "", Confidence::kMedium, {}};
    for (const auto& hunk : file.hunks)
      for (size_t i = 0; i < hunk.lines.size() && claim.spots.size() < kMaxSpots; ++i) {
        const DiffLine& line = hunk.lines[i];
        if (line.sign != '+' || IsCommentLine(file.path, line.text)) continue;
        const auto name = FirstGroup(line.text, kAllocated);
        if (!name || InTextOrComment(ReviewLanguage(file.path), line.text, MatchAt(line.text, R"((?:m|c|re)alloc\s*\()").value_or(0)) || !UsedUnchecked(file, hunk, i, *name)) continue;
        claim.detail += (claim.detail.empty() ? "`" : ", `") + *name + "` (line " + std::to_string(line.new_line) + ")";
        if (MatchesPart(line.text, R"(\bmalloc\s*\([^;]*\b[a-z_]\w*\s*\*\s*(?:sizeof|[a-z_])|\bmalloc\s*\([^;]*\bsizeof\b[^;*]*\*\s*[a-z_])")) claim.detail += ", of a product that may overflow";
        claim.spots.push_back({file.path, line.new_line, line.text, ""});
      }
    if (claim.spots.empty()) continue;
    claim.detail += ". Where there is no memory it is null, and the next lines use it.";
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
