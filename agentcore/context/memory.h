// What is left of turns that a model is not shown any more, in three layers: a digest of each turn that is not long ago, and of older
// ones the facts that were found, the questions that are open, and what was done and need not be done again.
//
// All of it comes from the model and the repository, so it is shown wrapped, as material.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::agentcore {

// What a model was asked to write down of older turns (compaction.h).
struct Notes {
  std::vector<std::string> facts;
  std::vector<std::string> open_questions;
  std::vector<std::string> done;
};
inline auto Fields(FieldsOf<Notes>) {
  return std::make_tuple(Required("facts", &Notes::facts, "what the turns confirmed, one fact each, with path and line numbers where there are any").MaxLength(64),
                         Optional("open_questions", &Notes::open_questions, "what is still to be found out").MaxLength(32),
                         Optional("done", &Notes::done, "what was looked at or tried and need not be again, also in vain").MaxLength(64));
}

struct TurnDigest {
  int turn = 1;
  std::string text;  // visible text
};
// What was said and called in `turn`, and how each call ended: `results` are those of its calls.
TurnDigest DigestOf(const TranscriptTurn& turn, const std::vector<CallOutcome>& results);
// Only what was called: of a turn that nobody summed up.
std::string CallsOf(const TurnDigest& digest);

class Memory {
 public:
  // `max_tokens` of facts, questions and deeds together; the oldest give way, and that is said.
  explicit Memory(int64_t max_tokens) : max_tokens_(max_tokens) {}

  void AddDigest(TurnDigest digest) { digests_.push_back(std::move(digest)); }
  // Digests of turns up to `turn`, taken out, oldest first.
  std::vector<TurnDigest> TakeDigests(int turn);
  // Facts are added to those that there are, never replaced: a summary can't lose one. Open questions are the new ones.
  void Add(Notes notes);
  // What can be kept where no model summed them up.
  void AddDone(const std::vector<TurnDigest>& digests);

  const Notes& notes() const { return notes_; }
  bool empty() const { return notes_.facts.empty() && notes_.open_questions.empty() && notes_.done.empty() && digests_.empty(); }
  // As a model is shown it: wrapped, with a heading. Empty for an empty memory.
  std::string Text() const;

 private:
  void Bound();

  int64_t max_tokens_;
  Notes notes_;
  std::deque<TurnDigest> digests_;
  int64_t forgotten_ = 0;
};

}  // namespace paddock::agentcore
