// Going on from a conversation that has ended, and what one leaves.
#include "agentcore/context/history.h"

#include <algorithm>

#include "agentcore/context/conversation.h"
#include "agentcore/context/transcript.h"
#include "agentcore/pipeline/render.h"

namespace paddock::agentcore {
namespace {

ToolResult ReportTaken() {
  ToolResult taken;
  taken.success = true;
  taken.status = ToolStatus::kOk;
  taken.summary = "your report was taken";
  return taken;
}

std::string FollowUpWords(const std::string& goal, const std::string& context, int max_turns) {
  std::string text = "There is a further question, and the work goes on. What you have seen still counts, though files may have changed since.\nGoal:\n" + goal;
  if (!context.empty()) text += "\n\nWhat is known already:\n" + context;
  return text + "\n\nYou have " + std::to_string(max_turns) + (max_turns == 1 ? " more turn" : " more turns") + ", the report included. Report about this question only.";
}

}  // namespace

size_t ConversationHistory::bytes() const {
  size_t bytes = goal.size() + context.size() + memory.Text().size() + SizeOf(latest).bytes;
  for (const TranscriptTurn& one : turns) bytes += SizeOf(one).bytes;
  return bytes;
}

// The new question is a message of its own at the end; the old one stays first.
void TicketConversation::GoOnFrom(const ConversationHistory& earlier) {
  question_ = FollowUpWords(setup_.goal, setup_.context, setup_.max_turns);
  for (const std::string* text : {&earlier.goal, &earlier.context}) shown_calls_.Add(*text);
  setup_.goal = earlier.goal;
  setup_.context = earlier.context;
  first_max_turns_ = earlier.max_turns;
  turns_before_ = earlier.turn;
  memory_ = earlier.memory;
  for (const TranscriptTurn& turn : earlier.turns) {
    for (const CallOutcome& outcome : turn.shown) shown_calls_.Add(outcome.text);
    past_.Add(turn);
  }
  for (const CallOutcome& outcome : earlier.latest) shown_calls_.Add(outcome.text);
  latest_ = earlier.latest;
  latest_size_ = SizeOf(latest_);
  notice_ = question_;
  if (!memory_.empty()) {
    ShowMemory();
    shown_calls_.Add(memory_text_);
  }
}

std::optional<ConversationHistory> TicketConversation::TakeHistory() {
  if (!model_->is_language_model() || past_.size() == 0) return std::nullopt;
  ConversationHistory out;
  out.goal = setup_.goal;
  out.context = setup_.context;
  out.max_turns = first_max_turns_;
  out.turn = turns_before_ + turn_;
  out.turns.assign(past_.turns().begin(), past_.turns().end());
  out.memory = memory_;
  // Whatever became of it, each call has a result.
  for (const ToolCall& call : out.turns.back().answer.calls) {
    const auto known = std::find_if(latest_.begin(), latest_.end(), [&](const CallOutcome& one) { return one.call.id == call.id && !one.text.empty(); });
    if (known != latest_.end()) {
      out.latest.push_back(*known);
      continue;
    }
    const bool taken = end_ == ConversationEnd::kReport && call.tool == kReportTool;
    CallOutcome outcome{call, taken ? ReportTaken() : ToolFailure(ToolStatus::kFailed, "not run: the work ended before this call was answered", "")};
    outcome.text = RenderResult(outcome.result);
    out.latest.push_back(std::move(outcome));
  }
  return out;
}

}  // namespace paddock::agentcore
