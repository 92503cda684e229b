// ClaimsOfBounds: comparisons that now hold for other values.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNamed = 8;

// A line, and its operators of comparison with where they are. In the mask each of them is "<", and no "<" that stands alone is
// anything else: lines of the same mask have as many operators.
struct Compared {
  std::string_view text;
  std::string mask;
  std::vector<std::pair<size_t, std::string_view>> operators;
};

Compared Compare(std::string_view line) {
  Compared out{Trim(line), {}, {}};
  for (size_t i = 0; i < out.text.size();) {
    size_t end = i;
    while (end < out.text.size() && std::string_view("<>=!-").find(out.text[end]) != std::string_view::npos) ++end;
    const std::string_view sign = out.text.substr(i, end - i);
    if (sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=" || sign == "===" || sign == "!==") {
      out.operators.emplace_back(i, sign);
      out.mask += '<';
      i = end;
    } else {
      out.mask += out.text.substr(i, std::max<size_t>(1, end - i));
      i = std::max(end, i + 1);
    }
  }
  return out;
}

// "x != nil" has no border: there is a value, or there is none.
bool IsOfNothing(std::string_view line, const std::pair<size_t, std::string_view>& sign) {
  if (!sign.second.starts_with("==") && !sign.second.starts_with("!=")) return false;
  return MatchesPart(line.substr(sign.first), R"(^[=!]=+\s*(nil|null|None|NULL|nullptr|undefined)\b)") || MatchesPart(line.substr(0, sign.first), R"(\b(nil|null|None|NULL|nullptr|undefined)\s*$)");
}

// The added lines of a block by their masks, each given once: to the first removed line before it of its mask.
class AddedLines {
 public:
  AddedLines(const Hunk& hunk, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      if (hunk.lines[i].sign == '+')
        if (Compared line = Compare(hunk.lines[i].text); !line.operators.empty()) by_mask_[line.mask].lines.emplace_back(i, std::move(line));
  }
  // Of the removed lines' masks, in the lines' order. Null where there is none.
  const std::pair<size_t, Compared>* TakeBehind(size_t index, const std::string& mask) {
    const auto found = by_mask_.find(mask);
    if (found == by_mask_.end()) return nullptr;
    auto& [lines, next] = found->second;
    while (next < lines.size() && lines[next].first < index) ++next;
    return next < lines.size() ? &lines[next++] : nullptr;
  }

 private:
  struct OfMask {
    std::vector<std::pair<size_t, Compared>> lines;
    size_t next = 0;
  };
  std::map<std::string, OfMask> by_mask_;
};

class FileBounds {
 public:
  explicit FileBounds(const FileDiff& file) : file_(file), language_(ReviewLanguage(file.path)) {}

  std::optional<ReviewClaim> Take() {
    for (const auto& hunk : file_.hunks)
      for (size_t begin = 0; begin < hunk.lines.size();) {
        size_t end = begin;
        while (end < hunk.lines.size() && hunk.lines[end].sign != ' ') ++end;
        TakeBlock(hunk, begin, end);
        begin = end + 1;
      }
    if (count_ == 0) return std::nullopt;
    claim_.title = (count_ == 1 ? "A bound was changed: " : std::to_string(count_) + " bounds were changed: ") + file_.path;
    claim_.detail += " Nothing else in the line is different: is the value at the border meant to be treated otherwise?";
    return std::move(claim_);
  }

 private:
  // Lines that were removed or added, with none between them that stays.
  void TakeBlock(const Hunk& hunk, size_t begin, size_t end) {
    AddedLines added(hunk, begin, end);
    for (size_t i = begin; i < end; ++i) {
      if (hunk.lines[i].sign != '-' || IsCommentLine(file_.path, hunk.lines[i].text)) continue;
      const Compared before = Compare(hunk.lines[i].text);
      if (before.operators.empty()) continue;
      if (const auto* after = added.TakeBehind(i, before.mask)) Add(before, hunk.lines[after->first], after->second);
    }
  }

  void Add(const Compared& before, const DiffLine& line, const Compared& after) {
    // That "===" became "==" is said beside a change of the border, and is none by itself.
    std::string became;
    bool border = false;
    for (size_t i = 0; i < std::min(before.operators.size(), after.operators.size()); ++i) {
      const auto [was, is] = std::pair(before.operators[i].second, after.operators[i].second);
      if (was == is) continue;
      border = border || (was.substr(0, 2) != is.substr(0, 2) && !InTextOrComment(language_, after.text, after.operators[i].first) && !IsOfNothing(after.text, after.operators[i]));
      became += std::string(became.empty() ? "`" : " and `") + std::string(was) + "` became `" + std::string(is) + "`";
    }
    if (!border) return;
    if (++count_ <= kMaxNamed) {
      claim_.detail += std::string(count_ == 1 ? "" : " ") + became + " in `" + std::string(TruncateUtf8(after.text, 160)) + "` (line " + std::to_string(line.new_line) + ").";
      claim_.spots.push_back({file_.path, line.new_line, line.text, "", {}});
    }
  }

  const FileDiff& file_;
  const std::string language_;
  ReviewClaim claim_{"", Severity::kMedium, "", Confidence::kMedium, {}};
  size_t count_ = 0;
};

}  // namespace

std::vector<ReviewClaim> ClaimsOfBounds(const std::vector<FileDiff>& files) {
  std::vector<ReviewClaim> claims;
  for (const auto& file : files)
    if (IsOwnSource(file.path) && file.status != "removed")
      if (auto claim = FileBounds(file).Take()) claims.push_back(*std::move(claim));
  return claims;
}

}  // namespace paddock::subagents
