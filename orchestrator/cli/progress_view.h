// Progress on stderr. On a terminal what goes on now is one line that is rewritten, and what is to be read again stays above
// it; elsewhere all of it is plain lines.
#pragma once

#include <string>

#include "orchestrator/broker/broker.h"

namespace paddock::orchestrator {

class ProgressView {
 public:
  // `fd` is borrowed. `max_turns` for "turn 3/12".
  ProgressView(int fd, int64_t max_turns);
  void Show(const Progress& progress);
  void Say(const std::string& text);   // a step: "checking citations". Rewritten by the next
  void Now(const std::string& text);   // the same, on a terminal only: nothing that a log should have
  void Keep(const std::string& text);  // stays, whole, wrapped at the terminal's width
  void Last(const std::string& text);  // stays on one line, whatever its length: it is there to be copied
  void Done();                         // takes the terminal's line away

 private:
  void Write(std::string_view text, int wait_ms);
  void PutLines(const std::string& lines);
  int fd_;
  bool terminal_;
  bool deaf_ = false;    // it took nothing the last time
  size_t width_ = 80;
  int64_t max_turns_;
  std::string now_;      // the line that is rewritten
};

}  // namespace paddock::orchestrator
