#include "orchestrator/delegation/quote_finder.h"

#include <algorithm>

namespace paddock::orchestrator {
namespace {

constexpr int64_t kLinesAtOnce = 2000;

}  // namespace

std::optional<std::vector<int64_t>> QuoteFinder::Find(const std::string& path, const std::vector<std::vector<std::string>>& quotes) {
  const std::string key = PathKey(path);
  if (key != path_) {
    path_ = key;
    held_.clear();
    sound_ = Load(path);
  }
  if (!sound_) return std::nullopt;
  std::vector<int64_t> places;
  for (const Lines& range : held_)
    for (const auto& quote : quotes)
      for (size_t at : PlacesOf(quote, range.lines)) places.push_back(range.first + static_cast<int64_t>(at));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

bool QuoteFinder::Load(const std::string& path) {
  ranges_ = bytes_ = 0;
  if (read_.overflowed()) return false;  // it may have been read elsewhere too
  for (const subagents::ReadRange& range : read_.RangesOf(path)) {
    Lines lines{range.line_start, {}};
    for (int64_t first = range.line_start; first <= range.line_end; first += kLinesAtOnce)
      if (!LoadRange(path, first, std::min(first + kLinesAtOnce - 1, range.line_end), &lines)) return false;
    held_.push_back(std::move(lines));
  }
  return true;
}

bool QuoteFinder::LoadRange(const std::string& path, int64_t first, int64_t last, Lines* into) {
  if (++ranges_ > bounds_.max_ranges) return false;
  const auto range = ask_(path, first, last);
  if (!range) return false;
  if (range->status == "too_long" && last > first) {
    const int64_t middle = first + (last - first) / 2;
    return LoadRange(path, first, middle, into) && LoadRange(path, middle + 1, last, into);
  }
  if (range->status != "ok") return false;
  bytes_ += range->bytes.size();
  total_bytes_ += range->bytes.size();
  if (bytes_ > bounds_.max_bytes || total_bytes_ > bounds_.max_total_bytes) return false;
  auto seen = SeenRangeOf(*range, path, first, last, read_, redactor_);
  if (!seen || !seen->same) return false;
  std::move(seen->lines.begin(), seen->lines.end(), std::back_inserter(into->lines));
  return true;
}

}  // namespace paddock::orchestrator
