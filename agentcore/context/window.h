// How much of a model's context window a question may fill, in tokens: 70 % of it. The rest is for the answer, and for the error of
// the estimate.
#pragma once

#include <algorithm>
#include <cstdint>

#include "agentcore/context/token_estimate.h"

namespace paddock::agentcore {

class ContextWindow {
 public:
  // 0: the model has no bound, or nobody knows of one. Then everything fits.
  explicit ContextWindow(int64_t tokens) : tokens_(std::max<int64_t>(tokens, 0)) {}

  bool bounded() const { return tokens_ > 0; }
  int64_t tokens() const { return tokens_; }
  int64_t budget() const { return tokens_ / 10 * 7; }
  // From here on people are warned.
  int64_t warning() const { return budget() / 10 * 8; }
  // What is aimed at when old results are left out: so that it is not every turn that the beginning of a question changes, which a
  // server's cache would lose.
  int64_t low() const { return tokens_ / 2; }
  // Of the results of one turn: three turns stay whole.
  int64_t turn_share() const { return budget() / 4; }
  int64_t memory_share() const { return budget() / 6; }
  // Of old turns that a model is asked to sum up at a time.
  int64_t notes_share() const { return budget() / 2; }

  // An estimate as this model's server would count it.
  int64_t Corrected(int64_t estimated) const { return rate_.Corrected(estimated); }
  // Our estimates, from the server's count.
  int64_t Estimated(int64_t corrected) const { return static_cast<int64_t>(static_cast<double>(corrected) / rate_.rate()); }
  void Learn(int64_t estimated, int64_t said) { rate_.Learn(estimated, said); }

 private:
  int64_t tokens_;
  TokenRate rate_;
};

}  // namespace paddock::agentcore
