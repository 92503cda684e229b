// The record of one run: what went in, what happened, what came out. Private to its owner.
//
//   $XDG_STATE_HOME/paddock/runs/<id>/     0700 (default of XDG_STATE_HOME: ~/.local/state)
//     ticket.json                          0600
//     events.jsonl                         one event a line, each written with a single write(2)
//     result.json                          put in place by rename
//
// An event is {"n": 1, "time_ms": ..., "type": "...", "data": {...}, "prev": H, "hash": H}. Its hash is the
// SHA-256 of the line as it would be without `hash`; `prev` is the hash of the event before it (64 zeros
// before the first), so a line that is changed, left out or put in shows. A crash leaves whole lines and at
// most one torn one, which costs only itself.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "orchestrator/session/event_sink.h"

namespace paddock::orchestrator {

// Where records are kept, from XDG_STATE_HOME or HOME. kInvalid when neither is an absolute path.
Result<std::string> StateFolder();
// By time and chance: "20260131-235959-1a2b3c4d5e6f".
std::string NewRunId();

class RunRecord : public EventSink {
 public:
  // Makes the folders and the files ticket.json and events.jsonl. `id` is [a-z0-9-]{1,64} and must be new.
  // kDenied when a folder of paddock's is a symlink, somebody else's or open to others; kSystem when it
  // can't be written. A run must not start without its record.
  static Result<std::unique_ptr<RunRecord>> Create(const std::string& state_folder, const std::string& id, const Json& ticket,
                                                   size_t max_bytes = 64u << 20);

  void Record(const std::string& type, Json fields) override;
  void Flush() override;
  // Once, at the end.
  Status WriteResult(const Json& result);

  const std::string& folder() const { return folder_; }
  // What of the record is missing, for the notes of the result.
  std::vector<std::string> notes() const;

 private:
  RunRecord() = default;
  void Append(const std::string& type, const Json& fields);
  Status WriteWhole(const std::string& name, const std::string& text);

  std::string folder_;  // for messages
  UniqueFd dir_, events_;
  size_t max_bytes_ = 0;
  mutable std::mutex mutex_;
  size_t bytes_ = 0;
  int64_t next_n_ = 1;
  std::string prev_;
  bool torn_ = false;       // the file may end in half a line
  bool truncated_ = false;  // full: nothing more is taken
  int64_t lost_ = 0;
  std::string first_failure_;
};

struct ReadRecord {
  std::optional<Json> ticket, result;
  std::vector<Json> events;           // those whose own hash is right, in order
  std::vector<std::string> problems;  // torn, damaged, missing or moved lines; empty for a sound record
};
// kNotFound when there is no events.jsonl.
Result<ReadRecord> LoadRecord(const std::string& folder);

}  // namespace paddock::orchestrator
