#include "orchestrator/delegation/leg.h"

#include <time.h>

#include "orchestrator/delegation/end_cell.h"
#include "orchestrator/delegation/playbook_model.h"
#include "orchestrator/delegation/subagent_conversation.h"
#include "subagents/report_tool.h"

namespace paddock::orchestrator {
namespace {

int64_t RealtimeNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

ServeSetup ServeSetupOf(const LegSetup& leg, StartedCell* cell, agentcore::Model* model) {
  const Investigation& in = *leg.in;
  ServeSetup setup;
  setup.link = LinkTo(cell);
  setup.task.kind = subagents::CellKind::kSubagent;
  setup.task.tools = in.tools;
  setup.task.hide = in.profile.filesystem.hide;
  setup.task.processor_ms = cell->processor_ms;
  // A playbook knows no shape but its own.
  setup.data_schema = in.model ? in.ticket.response_schema : Json(nullptr);
  setup.conversation = SubagentConversation(in.definition, in.tools);
  setup.conversation.report = subagents::ReportTool({.data = setup.data_schema, .needs_run = leg.may_ask_to_run});
  setup.conversation.goal = in.ticket.goal;
  setup.conversation.context = leg.context;
  setup.conversation.redactor = leg.redactor;
  setup.conversation.max_turns = static_cast<int>(in.ticket.budget.turns - leg.ledger->Get(Limit::kTurns).used);
  if (in.earlier) setup.conversation.earlier = std::shared_ptr<const agentcore::ConversationHistory>(in.earlier, &in.earlier->history);
  setup.keep_history = in.keep;
  setup.model = model;
  setup.ledger = leg.ledger;
  setup.read_lines = leg.read_lines;
  setup.events = in.events;
  setup.pool = in.pool;
  setup.watcher = in.watcher;
  setup.cancel_fd = in.cancel_fd;
  setup.deadline = leg.deadline;
  setup.wall = leg.wall;
  return setup;
}

}  // namespace

CellStarter::Wanted CellWanted(const sandbox::Profile& profile, const Investigation& in, const HiddenPaths& hidden, std::chrono::milliseconds wall, int cancel_fd) {
  return {&profile, &in.workspace, wall.count() + 5000, cancel_fd, &hidden.paths};
}

std::expected<Leg, StartFailure> PerformLeg(const LegSetup& setup) {
  const Investigation& in = *setup.in;
  agentcore::Model* model = in.model;
  std::unique_ptr<PlaybookModel> playbook;
  if (!model) {
    auto started = PlaybookModel::Start(in.starter, in.sealed_profile, in.definition.name, in.pool, in.cancel_fd, setup.deadline);
    if (!started) return std::unexpected(std::move(started).error());
    playbook = *std::move(started);
    model = playbook.get();
  }
  Leg leg;
  auto hidden = FindHiddenPaths(in.starter, in.profile, in.workspace, in.pool, in.cancel_fd, setup.deadline);
  if (!hidden) return std::unexpected(std::move(hidden).error());
  leg.hidden = *std::move(hidden);
  NoteUnmatched(in.asked_hidden, &leg.hidden);
  leg.start_ns = RealtimeNs();
  auto cell = in.starter->Start(CellWanted(*setup.profile, in, leg.hidden, setup.wall, in.cancel_fd), setup.deadline);
  if (!cell) return std::unexpected(std::move(cell).error());
  in.events->Record("receipt", ToJson(cell->receipt));
  leg.served = ServeCell(ServeSetupOf(setup, &*cell, model));
  EndCell(&*cell, &leg.served);
  leg.receipt = std::move(cell->receipt);
  in.events->Record("jail_ended", ToJson(leg.served.ending));
  return leg;
}

}  // namespace paddock::orchestrator
