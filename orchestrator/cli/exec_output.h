// What a run of the main agent shows while it goes on: events as lines of JSON on standard output, or progress for people
// on standard error. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "base/deadline.h"
#include "orchestrator/agent/exec_events.h"
#include "orchestrator/cli/progress_view.h"

namespace paddock::orchestrator {

class ExecOutput {
 public:
  // `cancel_fd` is borrowed. A reader that is slow is waited for until somebody wants us to stop or the deadline, and then
  // a moment longer; `on_lost` is told once when standard output is gone.
  ExecOutput(bool json, int64_t max_turns, int cancel_fd, const Deadline& deadline, std::function<void()> on_lost);

  void Show(const ExecEvent& event);
  void ShowRecord(const std::string& folder);  // to people
  void Done();
  // Something could not be written.
  bool lost() const { return lost_; }

 private:
  void Print(const std::string& line);
  void Tell(const ExecEvent& event);
  bool WaitWritable();
  std::string NameOfChild(const std::string& id) const;

  const bool json_;
  const int64_t max_turns_;
  const int cancel_fd_;
  const Deadline deadline_;
  const std::function<void()> on_lost_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  ProgressView view_;
  int64_t turn_ = 0, calls_ = 0;
  std::string words_;  // of a turn without calls: its answer, unless another turn follows
  std::map<std::string, std::string> children_;  // "explorer#1", by their ids
  std::map<std::string, int> numbers_;           // the last one, by the definition's name
  std::atomic<bool> lost_ = false;
};

}  // namespace paddock::orchestrator
