// Server-sent events as model servers send them, read within bounds (WHATWG HTML, "Server-sent events").
//
// Lines may end in LF, CRLF or CR; a byte order mark, comment lines (":", used as keep-alives), `data:` without
// a space, several data lines an event, fields that nobody knows: all as the specification has it. Invalid UTF-8 is
// passed on: the reader of the data cleans it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock::orchestrator {

struct SseEvent {
  std::string event;  // empty: "message"
  std::string data;   // lines joined by newlines
};

class SseReader {
 public:
  explicit SseReader(size_t max_event_bytes = 4u << 20) : max_event_bytes_(max_event_bytes) {}

  // Takes bytes as they arrive, cut anywhere. kLimit when an event grows past its bound; then nothing more is taken.
  Status Feed(std::string_view bytes);
  // The stream is over: what was left without its closing empty line counts as an event too, as servers in use
  // leave it out after the last one.
  void Finish();
  // The next whole event with data.
  std::optional<SseEvent> Pop();

 private:
  void EndLine();
  void EndEvent();

  size_t max_event_bytes_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool first_line_ = true;
  std::deque<SseEvent> events_;
};

}  // namespace paddock::orchestrator
