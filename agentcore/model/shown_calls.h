// What a model was shown that could be a call: so that a call that it writes into its text is not taken where it only repeats a file.
//
// Of each text are kept the surroundings of every name of a tool, as letters and digits alone, after escapes and entities were taken
// back: however a file spells a call, splits its lines or marks them, and though its text was left out of the conversation since. Kept as
// long as the conversation; a call whose name and values stand near each other there is taken for a quotation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::agentcore {

class ShownCalls {
 public:
  // Names of the tools on offer; `report` is known without being named.
  explicit ShownCalls(const std::vector<ToolSpec>& tools);

  // A text that the model is shown and that is nobody's who is trusted. Linear.
  void Add(std::string_view text);
  // Could `call` be a quotation? Of `report` when its summary, a finding's title or a next action was shown; of others when all values were.
  // Always, once there was more than can be kept (1 MiB).
  bool Holds(const ToolCall& call) const;

 private:
  struct Place {
    bool report = false;   // its name stood there as in a call
    std::string letters;
  };
  std::vector<std::string> names_;  // letters alone
  std::vector<Place> places_;
  size_t bytes_ = 0;
  bool overflowed_ = false;
};

}  // namespace paddock::agentcore
