// The turns of a conversation as a model is shown them, and how large they are.
//
// The results of a turn's calls stand in the turn after it (what was shown before it was said). Old ones can be pruned to a line
// each; turns can be taken out altogether, and then a Memory is what is left of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::agentcore {

// Of what a model is sent.
struct TextSize {
  size_t bytes = 0;
  int64_t tokens = 0;  // estimated (token_estimate.h)
  TextSize& operator+=(const TextSize& other) { return bytes += other.bytes, tokens += other.tokens, *this; }
};
TextSize SizeOf(const std::string& text);
TextSize SizeOf(const std::vector<CallOutcome>& outcomes);
TextSize SizeOf(const TranscriptTurn& turn);
TextSize SizeOf(const ToolSpec& tool);

class Transcript {
 public:
  void Add(TranscriptTurn turn);
  std::span<const TranscriptTurn> turns() const { return turns_; }
  size_t size() const { return turns_.size(); }
  TextSize total() const { return total_; }

  // The results shown in turn `index` become a line each. Gives back how many bytes that freed; small ones stay.
  size_t Prune(size_t index);
  // The first `n` turns, and the results of the last of these, which the turn after them shows.
  struct Taken {
    std::vector<TranscriptTurn> turns;
    std::vector<CallOutcome> last_results;
  };
  Taken TakeFirst(size_t n);

 private:
  std::vector<TranscriptTurn> turns_;
  std::vector<TextSize> sizes_;
  TextSize total_;
};

}  // namespace paddock::agentcore
