// A workbench: the main agent's tools and no loop. Calls come one by one and run side by side, each in a thread of its
// own; an answer is handed in when its call is done. The parent sends a call that changes something only by itself.
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

#include "subagents/cell/bound_answers.h"
#include "subagents/cell/cell.h"
#include "subagents/cell/offered_tools.h"

namespace paddock::subagents {
namespace {

class Workbench {
 public:
  Workbench(Channel* channel, OfferedTools* tools, std::chrono::milliseconds timeout) : channel_(channel), tools_(tools), timeout_(timeout) {}
  ~Workbench() {
    for (Seat& seat : seats_) seat.Leave();
  }

  // kProtocol where no more may be open.
  Status Start(agentcore::ToolCall call) {
    for (Seat& seat : seats_) {
      if (seat.busy.exchange(true)) continue;
      seat.Leave();
      try {
        seat.thread = std::thread([this, &seat, call] {
          Run(call, [&seat] { seat.busy = false; });
        });
      } catch (const std::system_error&) {  // no more processes: here, while the others wait
        Run(call, [&seat] { seat.busy = false; });
      }
      return {};
    }
    return Fail(ErrorKind::kProtocol, "more than " + std::to_string(kMaxOpenCalls) + " calls at a time");
  }

 private:
  struct Seat {
    std::atomic<bool> busy = false;
    std::thread thread;
    void Leave() {
      if (thread.joinable()) thread.join();
    }
  };

  template <class Freed>
  void Run(const agentcore::ToolCall& call, const Freed& freed) {
    std::vector<CallAnswer> answer{{call.id, tools_->Run(call, Deadline::After(timeout_))}};
    BoundAnswers(&answer, {});
    const std::string frame = EncodeFrame("answer", answer[0]);
    answer.clear();
    // Before it is handed in: the parent may send the next at once.
    freed();
    std::lock_guard lock(sending_);
    (void)channel_->Send(frame);  // a parent that is gone is noticed by Receive
  }

  Channel* const channel_;
  OfferedTools* const tools_;
  const std::chrono::milliseconds timeout_;
  std::mutex sending_;
  std::array<Seat, kMaxOpenCalls> seats_;
};

}  // namespace

Status RunWorkbench(Channel* channel, const TaskFrame& task, const CellOptions& options) {
  UniqueFd root = TRY(OpenWorkspace(options.workspace));
  OfferedTools tools(options.tools(), task, root.get());
  TRY(tools.Prepare(task));
  Workbench workbench(channel, &tools, CallTimeout(task));
  for (;;) {
    RawFrame raw = TRY(channel->Receive());
    if (raw.type != "call") return Fail(ErrorKind::kProtocol, "expected call, got another frame");
    TRY(workbench.Start(TRY(BodyOf<CallFrame>(raw)).call));
  }
}

}  // namespace paddock::subagents
