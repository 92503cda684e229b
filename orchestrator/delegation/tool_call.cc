#include "orchestrator/delegation/tool_call.h"

#include "agentcore/tools/tool.h"
#include "orchestrator/broker/broker.h"
#include "orchestrator/delegation/blocked_calls.h"
#include "orchestrator/delegation/end_cell.h"
#include "orchestrator/delegation/hidden_paths.h"
#include "orchestrator/delegation/tool_needs.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;

constexpr auto kStartSpan = std::chrono::seconds(10);

// Makes the call, keeps what came of it as a model would be shown it, and is done.
class OneCall : public agentcore::Model {
 public:
  OneCall(std::string tool, Json arguments) : tool_(std::move(tool)), arguments_(std::move(arguments)) {}

  std::string name() const override { return "one call"; }
  bool is_language_model() const override { return false; }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest& request, const Deadline&) override {
    agentcore::ModelTurn turn;
    if (!request.latest.empty()) result_ = request.latest.front().result;
    if (request.turn == 1 && !request.wrap_up) turn.calls.push_back({"", tool_, arguments_});
    else turn.calls.push_back({"", agentcore::kReportTool, Json{{"summary", "the call was made"}}});
    return turn;
  }
  std::optional<agentcore::ToolResult> TakeResult() { return std::move(result_); }

 private:
  const std::string tool_;
  const Json arguments_;
  std::optional<agentcore::ToolResult> result_;
};

// A single call has no record: what came of it is printed whole.
class NoRecord : public EventSink {
  void Record(const std::string&, Json) override {}
};

ServeOutcome Serve(const ToolCallOrder& order, StartedCell* cell, OneCall* model, const Deadline& deadline) {
  const milliseconds wall(order.wall_ms);
  ServeSetup setup;
  setup.link = LinkTo(cell);
  setup.task.kind = subagents::CellKind::kSubagent;
  setup.task.tools = {order.tool};
  setup.task.hide = order.profile.filesystem.hide;
  setup.task.processor_ms = cell->processor_ms;
  // The tool ends by itself, with what it has, before anybody else's clock runs out.
  const auto left = std::chrono::duration_cast<milliseconds>(*deadline.left()) - WrapUpReserve(wall);
  setup.task.tool_timeout_ms = std::max<int64_t>(1, left.count() / 10 * 9);
  const auto registry = agentcore::ReadOnlyTools();
  if (const agentcore::Tool* tool = registry.Find(order.tool)) setup.conversation.tools = {tool->spec()};
  setup.conversation.redactor = order.redactor;
  setup.conversation.max_turns = 4;  // the call, the report, and room to spare: the last one is only for reports
  Ledger ledger{subagents::Budget{}};
  ReadLines read_lines;
  NoRecord events;
  setup.model = model;
  setup.ledger = &ledger;
  setup.read_lines = &read_lines;
  setup.events = &events;
  setup.pool = order.pool;
  setup.cancel_fd = order.cancel_fd;
  setup.deadline = deadline;
  setup.wall = wall;
  return ServeCell(setup);
}

}  // namespace

subagents::ToolCallReport CallTool(const ToolCallOrder& order) {
  const Deadline deadline = Deadline::After(milliseconds(order.wall_ms));
  subagents::ToolCallReport out;
  out.tool = order.tool;
  out.arguments = order.arguments;
  auto not_started = [&](const StartFailure& failure) {
    out.status = failure.kind == "cancelled" ? subagents::TicketStatus::kCancelled : subagents::TicketStatus::kFailedToStart;
    out.ending = EndingOf(failure);
    if (failure.receipt) out.receipt = ToJson(*failure.receipt);
    return out;
  };
  auto hidden = FindHiddenPaths(order.starter, order.profile, order.workspace, order.pool, order.cancel_fd, deadline);
  if (!hidden) return not_started(hidden.error());
  const sandbox::Profile profile = NarrowedTo({order.tool}, order.profile);
  CellStarter::Wanted wanted{&profile, &order.workspace, order.wall_ms + 5000, order.cancel_fd, &hidden->paths};
  auto cell = order.starter->Start(wanted, Deadline::After(kStartSpan).Earlier(deadline));
  if (!cell) return not_started(cell.error());
  out.receipt = ToJson(cell->receipt);
  out.notes = cell->receipt.notes;
  for (std::string& note : hidden->notes) out.notes.push_back(std::move(note));
  OneCall model(order.tool, order.arguments);
  ServeOutcome served = Serve(order, &*cell, &model, deadline);
  EndCell(&*cell, &served);
  out.status = served.status;
  out.ending = std::move(served.ending);
  out.usage = served.usage;
  if (std::string note = BlockedCallsNote(served.violations.value_or(std::vector<subagents::BlockedCall>{}), served.violation_count, served.violation_count_is_whole); !note.empty())
    out.notes.push_back(std::move(note));
  if (!served.redacted.empty()) out.notes.push_back(served.redacted + " before anybody saw the text");
  // Of a cell that never answered, the model was told so in the tool's place: that is the ending's to say.
  if (served.usage.tool_calls.value_or(0) > 0) out.result = model.TakeResult();
  return out;
}

}  // namespace paddock::orchestrator
