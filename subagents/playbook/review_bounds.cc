// ClaimsOfBounds: comparisons that now hold for other values.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNamed = 8;

// The line with each operator of comparison as one sign, and where the operators are.
std::string Masked(std::string_view text, std::vector<std::pair<size_t, std::string>>* operators) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && std::string_view("<>=!-").find(text[end]) != std::string_view::npos) ++end;
    const std::string_view sign = text.substr(i, end - i);
    if (sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=" || sign == "===" || sign == "!==") {
      operators->emplace_back(i, sign.size() == 3 ? std::string(sign.substr(0, 2)) : std::string(sign));
      out += '\x01';
      i = end;
    } else {
      out += text.substr(i, std::max<size_t>(1, end - i));
      i = std::max(end, i + 1);
    }
  }
  return out;
}

}  // namespace

std::vector<ReviewClaim> ClaimsOfBounds(const std::vector<FileDiff>& files) {
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    if (!IsOwnSource(file.path) || file.status == "removed") continue;
    ReviewClaim claim{"", Severity::kLow, "", Confidence::kMedium, {}};
    size_t count = 0;
    for (const auto& hunk : file.hunks) {
      std::set<size_t> taken;
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        if (hunk.lines[i].sign != '-' || IsCommentLine(file.path, hunk.lines[i].text)) continue;
        std::vector<std::pair<size_t, std::string>> before;
        const std::string mask = Masked(Trim(hunk.lines[i].text), &before);
        for (size_t j = i + 1; !before.empty() && j < hunk.lines.size() && hunk.lines[j].sign != ' '; ++j) {
          if (hunk.lines[j].sign != '+' || taken.contains(j)) continue;
          const std::string_view now = Trim(hunk.lines[j].text);
          std::vector<std::pair<size_t, std::string>> after;
          if (Masked(now, &after) != mask) continue;
          taken.insert(j);
          const auto other = std::mismatch(before.begin(), before.end(), after.begin(), [](const auto& a, const auto& b) { return a.second == b.second; });
          if (other.first == before.end() || InTextOrComment(ReviewLanguage(file.path), now, other.second->first)) break;
          ++count;
          if (count <= kMaxNamed) {
            claim.detail += std::string(count == 1 ? "" : " ") + "`" + other.first->second + "` became `" + other.second->second + "` in `" + std::string(TruncateUtf8(now, 160)) + "` (line " + std::to_string(hunk.lines[j].new_line) + ").";
            claim.spots.push_back({file.path, hunk.lines[j].new_line, hunk.lines[j].text, "", {}});
          }
          if (MatchesPart(now, R"(\b(if|elif|while|for|unless|until|assert\w*|return)\b|&&|\|\||\?)")) claim.severity = Severity::kMedium;
          break;
        }
      }
    }
    if (count == 0) continue;
    claim.title = (count == 1 ? "A bound was changed: " : std::to_string(count) + " bounds were changed: ") + file.path;
    claim.detail += " Nothing else in the line is different: is the value at the border meant to be treated otherwise?";
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
