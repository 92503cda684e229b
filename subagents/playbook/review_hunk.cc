#include "subagents/playbook/review_hunk.h"

#include <algorithm>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostNear = 2;  // lines on either side

}  // namespace

std::vector<MaskedLine> MaskOfHunk(const std::string& language, const Hunk& hunk) {
  SeenLines lines;
  std::vector<MaskedLine> out(hunk.lines.size());
  // Numbered here: what a diff says of them may be anything.
  const int64_t first = std::max<int64_t>(1, hunk.new_start);
  for (const auto& line : hunk.lines)
    if (line.sign != '-') lines[first + static_cast<int64_t>(lines.size())].text = line.text;
  auto masks = MaskOfLanguage(language, lines);
  auto mask = masks.begin();
  for (size_t i = 0; i < hunk.lines.size(); ++i)
    if (hunk.lines[i].sign != '-') out[i] = std::move(mask++->second);
  return out;
}

StandingLines::StandingLines(const FileDiff& file, const Hunk& hunk) : file_(file), hunk_(hunk) {
  for (size_t i = 0; i < hunk.lines.size(); ++i)
    if (hunk.lines[i].sign != '-' && Trim(hunk.lines[i].text).size() >= 2) lines_.push_back(i);
}

// Those behind it first, the nearest first.
std::vector<size_t> StandingLines::Near(size_t index) const {
  std::vector<size_t> out;
  const auto next = std::lower_bound(lines_.begin(), lines_.end(), index);
  for (auto it = next; it != lines_.end() && out.size() < kMostNear; ++it) out.push_back(*it);
  const size_t behind = out.size();
  for (auto it = next; it != lines_.begin() && out.size() < behind + kMostNear;) out.push_back(*--it);
  return out;
}

int64_t StandingLines::LineAt(size_t index) const {
  const auto near = Near(index);
  return near.empty() ? 0 : hunk_.lines[near.front()].new_line;
}

ReviewSpot StandingLines::At(size_t index) const {
  ReviewSpot out{file_.path, 0, "", "", {}};
  for (size_t i : Near(index)) {
    const DiffLine& line = hunk_.lines[i];
    if (out.line == 0) out.line = line.new_line, out.text = line.text;
    else out.instead.push_back({file_.path, line.new_line, line.text, "", {}});
  }
  return out;
}

RemovedCode::RemovedCode(const FileDiff& file, const Hunk& hunk) : hunk_(hunk), defined_(hunk.lines.size()), next_defined_(hunk.lines.size(), SIZE_MAX) {
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    const DiffLine& line = hunk.lines[i];
    if (Trim(line.text).empty()) continue;
    if (line.sign != '+') defined_[i] = DefinedOn(file.path, line.text);
    if (!IsCommentLine(file.path, line.text)) TakeLine(line, i);
  }
  for (size_t i = hunk.lines.size(), next = SIZE_MAX; i-- > 0;) {
    if (hunk.lines[i].sign != '-') next = SIZE_MAX;
    else if (defined_[i]) next = i;
    next_defined_[i] = next;
  }
}

void RemovedCode::TakeLine(const DiffLine& line, size_t index) {
  const std::string_view text = line.text;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    Use& use = uses_[word];
    if (use.seen == index + 1) continue;  // where it stands first says what the line does with it
    use.seen = index + 1;
    if (line.sign != '-') use.stands = true;
    else if (use.made == SIZE_MAX && (defined_[index].has_value() || MatchesPart(text.substr(end), R"(^\s*(,[\w\s,]+|:\s*[\w\[\], |.]+)?(:=|=[^=]))"))) use.made = index;
  }
}

bool RemovedCode::IsMadeBefore(size_t index, const std::string& word) const {
  const auto use = uses_.find(word);
  return use != uses_.end() && use->second.made < index;
}
bool RemovedCode::Stands(const std::string& word) const {
  const auto use = uses_.find(word);
  return use != uses_.end() && use->second.stands;
}

bool RemovedCode::IsMadeAnew(const std::string& word) const {
  const auto [known, fresh] = made_anew_.emplace(word, false);
  if (fresh)
    known->second = std::any_of(hunk_.lines.begin(), hunk_.lines.end(), [&](const auto& line) {
      const size_t at = line.sign == '-' ? std::string::npos : line.text.find(word);
      return at != std::string::npos && MatchesPart(std::string_view(line.text).substr(at + word.size()), R"(^\s*:?=[^=])");
    });
  return known->second;
}

}  // namespace paddock::subagents
