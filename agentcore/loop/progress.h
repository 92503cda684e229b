// Does an agent get anywhere? Told of every turn with what came of its calls; says when the same is done over and over.
//
// Calls count as the same by tool, arguments without what makes no difference (the order of keys, "./", spaces at the ends), and result.
// The first sign is for the model to be told; another one, before it has got anywhere again, ends the work.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::agentcore {

enum class NoProgress {
  kNone,
  kRepeat,      // one call with one result, in three turns of the last six
  kCycle,       // the same two to five turns, twice over
  kNothingNew,  // six turns without a line that was not seen before
  kChant,       // the same words over and over, in one answer or in three
  kErrors,      // four turns in a row in which every call failed
  kMending,     // a test that still fails after the third change
};
// "the same call gave the same result three times": after "There is no progress: ".
const char* NoProgressText(NoProgress sign);

class ProgressDetector {
 public:
  // A turn whose calls have come to something; `effects` as long as `outcomes`. The worst sign of it.
  NoProgress Take(const std::string& text, const std::vector<CallOutcome>& outcomes, const std::vector<ToolEffect>& effects);

  // Failed twice in the same way, the last time in the turn before: not to be run in this one.
  bool IsFrozen(const ToolCall& call) const;

  // Old results were taken out of the model's sight: seeing them again is no lack of progress.
  void ForgetWhatWasSeen() { seen_.clear(); }

  // True when the agent got somewhere in ten turns since the last sign: it counts as the first again.
  bool recovered() const { return good_turns_ >= 10; }

 private:
  struct Failures {
    uint64_t how = 0;       // hash of the last failure
    int times = 0;          // in this way, in a row
    int64_t last_turn = -1;
  };
  struct Test {
    bool changed = false;  // something was changed since it failed
    int rounds = 0;        // failures after a change
  };

  bool SawNew(const ToolResult& result);
  NoProgress Errors(const std::vector<CallOutcome>& outcomes);
  NoProgress Repeats(const std::vector<uint64_t>& calls);
  NoProgress Mending(const std::vector<CallOutcome>& outcomes, const std::vector<ToolEffect>& effects);

  int64_t turn_ = 0;
  int good_turns_ = 0, stale_turns_ = 0, error_turns_ = 0;
  std::unordered_set<uint64_t> seen_;             // hashes of lines, entries and outputs
  std::deque<std::vector<uint64_t>> last_calls_;  // of the last turns: calls with their results, sorted
  std::unordered_map<uint64_t, Failures> failures_;  // by call
  std::unordered_map<uint64_t, Test> tests_;         // by call
  std::deque<uint64_t> last_texts_;
};

// A call without what makes no difference, as text.
std::string NormalCall(const ToolCall& call);

}  // namespace paddock::agentcore
