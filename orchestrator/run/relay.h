// Bytes between the caller's descriptors and the pipes of a jail, just as they are.
//
// A relay waits for one descriptor at a time: wait() says which and for what, Step() is called when poll(2) says that
// it is ready, and never blocks. One thread. SIGPIPE must be ignored by the process.
#pragma once

#include <poll.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "orchestrator/run/own_description.h"

namespace paddock::orchestrator {

// How many bytes of output go out, of all relays that share it. What is beyond is read and dropped, so that the
// program goes on as if somebody had taken it.
struct OutputBudget {
  uint64_t left = std::numeric_limits<uint64_t>::max();
  uint64_t dropped = 0;
};

// From a jail to a descriptor of the caller's, or to memory.
class OutputRelay {
 public:
  // `from` does not block; `budget` is borrowed. Without `to`, at most `keep` bytes are kept: the first ones.
  OutputRelay(UniqueFd from, std::optional<OutputSink> to, OutputBudget* budget, uint64_t keep = 0);
  // As many of the last bytes are kept as well, of what `keep` has no room for.
  void KeepTail(uint64_t bytes) { keep_tail_ = bytes; }

  bool done() const { return !from_ && pending_.empty(); }
  pollfd wait() const;
  // An error is the sink's: a full disk. A sink that nobody reads is none: the jail's pipe is closed, so that the
  // program gets SIGPIPE as it would have without a relay.
  Status Step();
  // What has not gone out is given up.
  void GiveUp();

  uint64_t total() const { return total_; }           // that the program wrote and a relay read
  const std::string& kept() const { return kept_; }
  std::string_view tail() const { return std::string_view(tail_).substr(tail_.size() - std::min<size_t>(tail_.size(), keep_tail_)); }
  bool truncated() const { return truncated_; }       // not all of it was kept, or went out

 private:
  void KeepLast(const char* bytes, size_t size);

  UniqueFd from_;
  std::optional<OutputSink> to_;
  OutputBudget* budget_;
  uint64_t keep_, keep_tail_ = 0, total_ = 0;
  bool truncated_ = false;
  std::string pending_, kept_, tail_;
};

// From a descriptor of the caller's to a jail.
class InputRelay {
 public:
  // `to` does not block. `probe` is the other end of that pipe, held for regular files alone: how much is unread in
  // it says how much of the file was used.
  InputRelay(InputSource from, UniqueFd to, UniqueFd probe = {});

  bool done() const { return !to_; }
  pollfd wait() const;
  void Step();
  // Of a terminal or a stream: it was read to its end.
  bool source_ended() const { return source_ended_; }
  // After the jail's end: a regular file gets the position behind what the program took.
  void SetBack();

 private:
  InputSource from_;
  UniqueFd to_, probe_;
  std::string pending_;
  uint64_t written_ = 0;
  bool source_ended_ = false;
};

}  // namespace paddock::orchestrator
