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

}  // namespace paddock::orchestrator
