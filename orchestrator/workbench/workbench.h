// The main agent's tools: the parent's side of a workbench cell. Calls go in side by side, answers come as they finish.
//
// One thread speaks with the cell; the threads that call wait, each until its answer, the cell's end, a deadline or a wish
// to stop. What the cell says is checked as the broker checks it: a frame that is too large, too deep or none, an answer
// to a call that is not open, any frame that was not asked for, and it is ended. The calls that were open get failed
// results then, and the next call starts a fresh cell, at most kMaxFreshWorkbenches times a run. A cell that may have used
// half of its processor time is replaced between calls: what is left is shared out among later calls, and would not do.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agentcore/model/model.h"
#include "agentcore/pipeline/redact.h"
#include "orchestrator/broker/channel.h"
#include "orchestrator/delegation/blocked_calls.h"
#include "orchestrator/delegation/cell_starter.h"
#include "orchestrator/session/event_sink.h"

namespace paddock::orchestrator {

inline constexpr int kMaxFreshWorkbenches = 3;  // after the first

// All pointers are borrowed.
struct WorkbenchSetup {
  CellStarter* starter = nullptr;
  CellStarter::Wanted wanted;        // as for a subagent
  std::vector<std::string> tools;    // on offer
  EventSink* events = nullptr;
  FramePool* pool = nullptr;
  const agentcore::Redactor* redactor = nullptr;
  int cancel_fd = -1;
  std::chrono::milliseconds call_time{20'000};    // after which the cell itself ends a call
  std::chrono::milliseconds answer_grace{5'000};  // and after which a cell that did not answer is ended
};

class Workbench {
 public:
  explicit Workbench(WorkbenchSetup setup) : setup_(std::move(setup)) {}
  ~Workbench() { Stop(); }

  // The first cell, by the deadline. Its receipt is what a run rests on.
  std::expected<sandbox::Receipt, StartFailure> Start(const Deadline& deadline);
  // Thread-safe. Never fails: what went wrong is a result.
  agentcore::ToolResult Call(const agentcore::ToolCall& call, const Deadline& deadline);
  // Ends the cell; every open call gets a failed result.
  void Stop();

  // After Stop: of all cells together, where the jails said it.
  std::optional<int64_t> cpu_ms() const { return cpu_ms_; }
  // What its jails denied, in words for people and models; empty where that was nothing. After Stop.
  std::string denials_note() const { return BlockedCallsNote(violations_, violation_count_, violation_count_is_whole_); }
  std::optional<int64_t> peak_rss_kb() const { return peak_rss_kb_; }
  int lost() const { return lost_; }

 private:
  struct Open {
    bool given_up = false;  // nobody waits for it any more
    std::optional<agentcore::ToolResult> result;
  };
  enum class State { kNone, kRunning, kLost, kStopped };

  std::expected<sandbox::Receipt, StartFailure> StartCell(const Deadline& deadline);
  Status Ready(std::unique_lock<std::mutex>* lock);
  void Converse();
  void SendNew(CellChannel* channel);
  std::string TakeFrame(const std::string& line);
  void Lose(std::string why);
  void EndCell();
  void Wake();
  bool Cancelled() const;

  const WorkbenchSetup setup_;
  std::mutex starting_;                   // held while a cell is started; before mutex_
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kNone;
  std::optional<StartedCell> cell_;       // touched by its thread while that runs
  std::thread thread_;
  UniqueFd wake_, interrupts_;            // interrupts_ is readable when wake_ or the wish to stop is
  std::vector<std::string> to_send_;
  std::map<std::string, Open> open_;
  int64_t next_ = 1;
  int lost_ = 0, cells_ = 0;              // cells_: that were started
  std::string why_lost_, blame_;          // blame_: a call that got no answer in time
  bool renew_ = false;
  std::chrono::nanoseconds spent_{0};     // in calls of this cell: it can't have used more of the processor for each
  std::optional<int64_t> cpu_ms_, peak_rss_kb_;
  std::vector<subagents::BlockedCall> violations_;
  uint64_t violation_count_ = 0;
  bool violation_count_is_whole_ = true;
};

}  // namespace paddock::orchestrator
