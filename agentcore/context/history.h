// What a conversation leaves to one that goes on from it: everything that the model was shown and said, so that the next question
// begins with the same bytes (a server's cache knows them). Of language models only; the parent's, and never a cell's.
#pragma once

#include <string>
#include <vector>

#include "agentcore/context/memory.h"
#include "agentcore/model/model.h"

namespace paddock::agentcore {

struct ConversationHistory {
  std::string goal, context;        // of the very first question, as it was shown
  int max_turns = 1;                // as the first question said
  int turn = 0;                     // number of the last one
  std::vector<TranscriptTurn> turns;
  std::vector<CallOutcome> latest;  // one for each call of the last turn, with the text that the model is shown
  Memory memory{0};                 // of turns that are not shown any more

  // Of the texts of results that the host accounts for.
  size_t shown_bytes() const {
    size_t bytes = 0;
    for (const TranscriptTurn& one : turns)
      for (const CallOutcome& outcome : one.shown) bytes += outcome.text.size();
    for (const CallOutcome& outcome : latest) bytes += outcome.text.size();
    return bytes;
  }
  // Of all of it, roughly.
  size_t bytes() const;
};

}  // namespace paddock::agentcore
