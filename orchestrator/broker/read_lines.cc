#include "orchestrator/broker/read_lines.h"

#include <sys/random.h>

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

uint64_t RandomSeed() {
  uint64_t seed = 0x9E3779B97F4A7C15u;
  (void)!::getrandom(&seed, sizeof seed, GRND_NONBLOCK);
  return seed;
}

std::array<uint8_t, 16> HashOf(std::string_view bytes) {
  std::string hex = Sha256Hex(bytes);
  std::array<uint8_t, 16> out;
  auto digit = [&](size_t i) { return hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10; };
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<uint8_t>(digit(2 * i) * 16 + digit(2 * i + 1));
  return out;
}

void AddRanges(const std::string& path, const std::vector<int64_t>& lines, std::vector<subagents::ReadRange>* out) {
  const size_t before = out->size();
  for (int64_t line : lines) {
    if (out->size() > before && out->back().line_end + 1 == line) out->back().line_end = line;
    else out->push_back({path, line, line});
  }
}

}  // namespace

std::string PathKey(std::string_view text) {
  while (text.starts_with("./")) text.remove_prefix(2);
  auto bytes = PathFromText(text);
  return bytes ? *std::move(bytes) : std::string();
}

bool ReadLine::Matches(std::string_view line) const {
  if (cut ? line.size() < length : line.size() != length) return false;
  return HashOf(line.substr(0, length)) == hash;
}

size_t ReadLines::KeyHash::operator()(uint64_t key) const {
  uint64_t x = key ^ seed;  // splitmix64
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

ReadLines::ReadLines(ReadLinesBounds bounds) : bounds_(bounds), lines_(16, KeyHash{RandomSeed()}) {}

void ReadLines::Add(const agentcore::SeenExcerpt& excerpt) {
  std::string key = PathKey(excerpt.path);
  if (key.empty() || excerpt.line_start < 1 || excerpt.cut.size() != excerpt.lines.size()) return;
  auto path = paths_.find(key);
  if (path == paths_.end()) {
    if (path_bytes_ + key.size() + 64 > bounds_.max_path_bytes) {
      overflowed_ = true;
      return;
    }
    path_bytes_ += key.size() + 64;
    path = paths_.emplace(std::move(key), paths_.size()).first;
  }
  for (size_t i = 0; i < excerpt.lines.size(); ++i) {
    uint64_t number = static_cast<uint64_t>(excerpt.line_start) + i;
    if (number >> kLineBits) return;
    uint64_t line_key = (path->second << kLineBits) | number;
    ReadLine line{HashOf(excerpt.lines[i]), static_cast<uint32_t>(excerpt.lines[i].size()), excerpt.cut[i], 0};
    if (i < excerpt.redacted.size() && !excerpt.redacted[i].empty()) {
      if (shown_bytes_ + excerpt.redacted[i].size() + 64 > bounds_.max_shown_bytes) {
        overflowed_ = true;
        return;
      }
      shown_bytes_ += excerpt.redacted[i].size() + 64;
      shown_.push_back(excerpt.redacted[i]);
      line.shown = static_cast<uint32_t>(shown_.size());
    }
    auto known = lines_.find(line_key);
    if (known != lines_.end()) {
      // The newest counts, but a beginning doesn't take the place of a whole line.
      if (!line.cut || known->second.cut) known->second = line;
    } else if (lines_.size() < bounds_.max_lines) {
      lines_.emplace(line_key, line);
    } else {
      overflowed_ = true;
      return;
    }
  }
}

const ReadLine* ReadLines::Find(std::string_view path, int64_t line) const {
  auto range = Range(path, line, line);
  return range.empty() ? nullptr : range[0];
}

std::vector<const ReadLine*> ReadLines::Range(std::string_view path, int64_t first, int64_t last) const {
  std::vector<const ReadLine*> out;
  auto known = paths_.find(PathKey(path));
  if (known == paths_.end() || first < 1 || last < first || static_cast<uint64_t>(last) >> kLineBits) return out;
  for (int64_t line = first; line <= last; ++line) {
    auto found = lines_.find((known->second << kLineBits) | static_cast<uint64_t>(line));
    if (found == lines_.end()) return {};
    out.push_back(&found->second);
  }
  return out;
}

bool ReadLines::Covers(std::string_view path, int64_t first, int64_t last) const { return !Range(path, first, last).empty(); }

std::vector<std::string> ReadLines::Paths() const {
  std::vector<std::string> out;
  for (const auto& [bytes, number] : paths_) out.push_back(PathToText(bytes));
  std::sort(out.begin(), out.end());
  return out;
}

std::unordered_map<uint64_t, std::vector<int64_t>> ReadLines::LinesOf(const uint64_t* only) const {
  std::unordered_map<uint64_t, std::vector<int64_t>> by_path;
  for (const auto& [key, line] : lines_)
    if (const uint64_t path = key >> kLineBits; !only || path == *only) by_path[path].push_back(static_cast<int64_t>(key & ((uint64_t{1} << kLineBits) - 1)));
  for (auto& [path, lines] : by_path) std::sort(lines.begin(), lines.end());
  return by_path;
}

std::vector<subagents::ReadRange> ReadLines::RangesOf(std::string_view path) const {
  std::vector<subagents::ReadRange> out;
  const std::string key = PathKey(path);
  if (const auto known = paths_.find(key); known != paths_.end())
    for (const auto& [number, lines] : LinesOf(&known->second)) AddRanges(PathToText(key), lines, &out);
  return out;
}

std::vector<subagents::ReadRange> ReadLines::Ranges(size_t most, size_t* all) const {
  const auto by_path = LinesOf(nullptr);
  std::vector<std::pair<std::string, uint64_t>> paths;
  for (const auto& [bytes, number] : paths_) paths.emplace_back(PathToText(bytes), number);
  std::sort(paths.begin(), paths.end());
  std::vector<subagents::ReadRange> out;
  *all = 0;
  for (const auto& [path, number] : paths) {
    const auto lines = by_path.find(number);
    if (lines == by_path.end()) continue;
    std::vector<subagents::ReadRange> of_path;
    AddRanges(path, lines->second, &of_path);
    *all += of_path.size();
    of_path.resize(std::min(of_path.size(), most - out.size()));
    std::move(of_path.begin(), of_path.end(), std::back_inserter(out));
  }
  return out;
}

std::vector<subagents::ReadRange> ReadsOf(const ReadLines& read, const agentcore::Redactor& redactor, std::vector<std::string>* notes) {
  size_t all = 0;
  std::vector<subagents::ReadRange> reads = read.Ranges(kMaxReadRanges, &all);
  if (all > reads.size()) notes->push_back("reads has the first " + std::to_string(reads.size()) + " of " + std::to_string(all) + " ranges that were read");
  for (subagents::ReadRange& one : reads) one.path = redactor.Redact(VisibleText(one.path, Newlines::kEscape));
  return reads;
}

}  // namespace paddock::orchestrator
