// Makes the results of a turn fit one frame: its bytes, its number of JSON values, and the bounds of the field
// tables. A tool that gives too much costs the end of its own result, said in words, and never the cell.
#pragma once

#include <cstddef>
#include <vector>

#include "subagents/frames.h"

namespace paddock::subagents {

struct AnswerBounds {
  size_t max_bytes = kMaxFrameBytes - (64u << 10);   // of all answers as JSON; the rest is for the frame
  size_t max_values = kMaxFrameValues - 1000;
};

// Results larger than their even share are cut when the whole doesn't fit: artifacts lose lines and entries
// from their end, `status` becomes partial and `output` says what was left out.
void BoundAnswers(std::vector<CallAnswer>* answers, const AnswerBounds& bounds);

}  // namespace paddock::subagents
