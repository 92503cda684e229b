#include "orchestrator/delegation/playbook_model.h"

#include "base/text.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {

PlaybookModel::PlaybookModel(StartedCell cell, FramePool* pool, int cancel_fd)
    : cell_(std::move(cell)),
      channel_({cell_.to.get(), cell_.from.get(), cell_.jail.end_fd()}, cancel_fd, subagents::kMaxResultBytes, pool) {}

std::expected<std::unique_ptr<PlaybookModel>, StartFailure> PlaybookModel::Start(CellStarter* starter, const sandbox::Profile& sealed,
                                                                              const std::string& playbook, FramePool* pool, int cancel_fd,
                                                                              const Deadline& deadline) {
  CellStarter::Wanted wanted;
  wanted.profile = &sealed;
  wanted.cancel_fd = cancel_fd;
  auto cell = starter->Start(wanted, deadline);
  if (!cell) return std::unexpected(std::move(cell).error());
  std::unique_ptr<PlaybookModel> model(new PlaybookModel(*std::move(cell), pool, cancel_fd));
  subagents::TaskFrame task;
  task.kind = subagents::CellKind::kPlaybook;
  task.playbook = playbook;
  model->channel_.Send(subagents::EncodeFrame("task", task));
  return model;
}

Result<agentcore::ModelTurn> PlaybookModel::Next(const agentcore::ModelRequest& request, const Deadline& deadline) {
  subagents::ModelRequestFrame frame{request.goal, request.context, request.latest, request.turn, request.max_turns, request.wrap_up};
  const Json& parameters = request.report.parameters;
  frame.may_ask_to_run = parameters.contains("properties") && parameters["properties"].contains("needs_run");
  channel_.Send(subagents::EncodeFrame("model_request", frame));
  ++unanswered_;
  // What it still says to a question that was given up is no answer to this one.
  while (unanswered_ > 1) TRY(Answer(deadline));
  return Answer(deadline);
}

Result<agentcore::ModelTurn> PlaybookModel::Answer(const Deadline& deadline) {
  auto arrival = channel_.Wait(deadline);
  switch (arrival.event) {
    case CellChannel::Event::kFrame:
      break;
    case CellChannel::Event::kTimeout:
      return Fail(ErrorKind::kTimeout, "the playbook did not answer in time");
    case CellChannel::Event::kCancelled:
      return Fail(ErrorKind::kCancelled, "told to stop");
    case CellChannel::Event::kEnded:
    case CellChannel::Event::kClosed: {
      auto ending = EndingOf(cell_.jail.Stop(), {"exit", 0, "it ended", ""});
      return Fail(ErrorKind::kClosed, "the playbook's cell: " + ending.detail);
    }
    case CellChannel::Event::kBroken:
      return Fail(ErrorKind::kProtocol, "the playbook's cell: " + arrival.text);
  }
  auto raw = TRY(subagents::DecodeFrame(arrival.text));
  channel_.Done();
  --unanswered_;
  if (raw.type == "fault") {
    auto fault = TRY(FromJson<subagents::FaultFrame>(raw.body));
    return Fail(ErrorKind::kProtocol, "the playbook gave up: " + VisibleText(fault.message, Newlines::kEscape));
  }
  if (raw.type != "model_turn") return Fail(ErrorKind::kProtocol, "the playbook's cell sent another frame than model_turn");
  return TRY(FromJson<subagents::ModelTurnFrame>(raw.body)).turn;
}

}  // namespace paddock::orchestrator
