// Finds any of some hundred short words in one pass over a text, whatever their case (Aho and Corasick, 1975).
//
// The pass costs one table look-up a byte, so it is what decides whether anything dearer is done at all.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

class KeywordScan {
 public:
  // `words`: non-empty, lower case where they have letters; at most 60 different bytes among them.
  explicit KeywordScan(const std::vector<std::string_view>& words);

  struct Hit {
    size_t begin = 0;   // offset of the word in the text
    uint16_t word = 0;  // which one
  };
  // All occurrences, in the order of their ends.
  std::vector<Hit> Find(std::string_view text) const;

 private:
  static constexpr size_t kClasses = 64;  // bytes that stand in no word share class 0
  static constexpr uint16_t kAccepts = 0x8000;

  std::array<uint8_t, 256> class_of_{};
  std::vector<uint16_t> next_;                  // [state * kClasses + class] → state, with kAccepts where words end
  std::vector<std::vector<uint16_t>> words_at_;  // of a state: the words that end there
  std::vector<uint16_t> length_;
};

}  // namespace paddock::agentcore
