// Progress on stderr: one line that is rewritten on a terminal, plain lines elsewhere.
#pragma once

#include <string>

#include "orchestrator/broker/broker.h"

namespace paddock::orchestrator {

class ProgressView {
 public:
  // `fd` is borrowed. `max_turns` for "turn 3/12".
  ProgressView(int fd, int64_t max_turns);
  void Show(const Progress& progress);
  void Say(const std::string& text);  // a step that is no turn: "checking citations"
  void Last(const std::string& text);  // a line that stays
  void Done();                        // takes the terminal's line away

 private:
  void Put(std::string text);
  void Write(const std::string& text);
  int fd_;
  bool terminal_;
  size_t width_ = 80;
  int64_t max_turns_;
};

}  // namespace paddock::orchestrator
