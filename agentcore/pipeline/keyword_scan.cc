#include "agentcore/pipeline/keyword_scan.h"

#include <algorithm>
#include <deque>

namespace paddock::agentcore {

KeywordScan::KeywordScan(const std::vector<std::string_view>& words) {
  uint8_t classes = 1;
  for (std::string_view word : words)
    for (char c : word)
      if (uint8_t& known = class_of_[static_cast<uint8_t>(c)]; known == 0) known = classes++;
  for (int c = 'A'; c <= 'Z'; ++c) class_of_[static_cast<size_t>(c)] = class_of_[static_cast<size_t>(c | 0x20)];

  // The tree of the words; 0 is its root, and "no such child" too.
  auto add_state = [&] {
    next_.resize(next_.size() + kClasses, 0);
    words_at_.emplace_back();
    return static_cast<uint16_t>(words_at_.size() - 1);
  };
  add_state();
  for (size_t i = 0; i < words.size(); ++i) {
    uint16_t state = 0;
    for (char c : words[i]) {
      size_t edge = state * kClasses + class_of_[static_cast<uint8_t>(c)];
      if (next_[edge] == 0) {
        uint16_t made = add_state();  // moves next_
        next_[edge] = made;
      }
      state = next_[edge];
    }
    words_at_[state].push_back(static_cast<uint16_t>(i));
    length_.push_back(static_cast<uint16_t>(words[i].size()));
  }

  // Breadth first: where a state has no child, it goes where its longest proper suffix goes.
  std::vector<uint16_t> suffix(words_at_.size(), 0);
  std::deque<uint16_t> queue;
  for (size_t c = 0; c < kClasses; ++c)
    if (next_[c] != 0) queue.push_back(next_[c]);
  while (!queue.empty()) {
    uint16_t state = queue.front();
    queue.pop_front();
    for (size_t c = 0; c < kClasses; ++c) {
      uint16_t& edge = next_[state * kClasses + c];
      uint16_t fallback = next_[suffix[state] * kClasses + c];
      if (edge == 0) {
        edge = fallback;
        continue;
      }
      suffix[edge] = fallback;
      const auto& more = words_at_[fallback];
      words_at_[edge].insert(words_at_[edge].end(), more.begin(), more.end());
      queue.push_back(edge);
    }
  }
  for (uint16_t& state : next_)
    if (!words_at_[state].empty()) state |= kAccepts;
}

std::vector<KeywordScan::Hit> KeywordScan::Find(std::string_view text) const {
  std::vector<Hit> hits;
  size_t state = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    uint16_t next = next_[state * kClasses + class_of_[static_cast<uint8_t>(text[i])]];
    state = next & ~kAccepts;
    if (next & kAccepts)
      for (uint16_t word : words_at_[state]) hits.push_back({i + 1 - length_[word], word});
  }
  return hits;
}

}  // namespace paddock::agentcore
