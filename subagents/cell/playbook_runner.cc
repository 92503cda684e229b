// A playbook stands where a model would: model_request in, model_turn out, until the pipe is closed.
#include "base/text.h"
#include "subagents/cell/cell.h"

namespace paddock::subagents {

Status RunPlaybook(Channel* channel, const TaskFrame& task, const CellOptions& options) {
  std::unique_ptr<Playbook> playbook = options.playbook ? options.playbook(task.playbook) : nullptr;
  if (!playbook)
    return Fail(ErrorKind::kProtocol, "unknown playbook: " + VisibleText(TruncateUtf8(task.playbook, 64), Newlines::kEscape));
  for (;;) {
    RawFrame raw = TRY(channel->Receive());
    if (raw.type != "model_request") return Fail(ErrorKind::kProtocol, "expected model_request, got another frame");
    ModelRequestFrame request = TRY(BodyOf<ModelRequestFrame>(raw));
    ModelTurnFrame answer{playbook->Next(request)};
    // The parent gives the real ids; a frame's call needs one all the same.
    for (size_t i = 0; i < answer.turn.calls.size(); ++i) answer.turn.calls[i].id = "call-" + std::to_string(i + 1);
    TRY(channel->Send(EncodeFrame("model_turn", answer)));
  }
}

}  // namespace paddock::subagents
