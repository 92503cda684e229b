#include "agentcore/context/conversation.h"

#include <algorithm>

#include "agentcore/pipeline/render.h"
#include "agentcore/pipeline/wrap.h"
#include "base/child_process.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxText = 1u << 20;
constexpr size_t kMaxToolName = 200;
constexpr size_t kMaxArguments = 256u << 10;

ToolResult CellLost() {
  return ToolFailure(ToolStatus::kFailed, "the cell ended before it answered this call",
                     "report what was found so far");
}

constexpr size_t kWrapBytes = 512;    // of a rendered result, besides what it holds
constexpr size_t kMessageBytes = 64;  // what a message or a call costs besides its text

size_t BytesOf(const std::vector<CallOutcome>& outcomes) {
  size_t bytes = 0;
  for (const CallOutcome& outcome : outcomes)
    bytes += kMessageBytes + (outcome.text.empty() ? ResultBytes(outcome.result) : outcome.text.size());
  return bytes;
}

size_t BytesOf(const TranscriptTurn& turn) {
  size_t bytes = kMessageBytes + turn.notice.size() + BytesOf(turn.shown) + turn.answer.text.size();
  for (const ToolCall& call : turn.answer.calls) bytes += kMessageBytes + call.tool.size() + DumpJson(call.arguments).size();
  for (const ReasoningItem& one : turn.answer.reasoning) bytes += kMessageBytes + DumpJson(one.item).size();
  return bytes;
}

size_t BytesOf(const ConversationSetup& setup) {
  size_t bytes = setup.system.size() + setup.goal.size() + setup.context.size() + 3 * kMessageBytes;
  auto add = [&](const ToolSpec& tool) { bytes += kMessageBytes + tool.description.size() + DumpJson(tool.parameters).size(); };
  for (const ToolSpec& tool : setup.tools) add(tool);
  add(setup.report);
  return bytes;
}

}  // namespace

TicketConversation::TicketConversation(ConversationSetup setup, Model* model, ConversationHost* host)
    : setup_(std::move(setup)), redactor_(OrCommonKinds(setup_.redactor)), model_(model), host_(host) {
  if (model_->is_language_model()) setup_.system += kUntrustedNote;
  setup_.goal = redactor_.Redact(setup_.goal, &tally_);
  setup_.context = redactor_.Redact(setup_.context, &tally_);
  past_bytes_ = BytesOf(setup_);
}

void TicketConversation::StartWrapUp(WrapUp reason) {
  if (wrap_up_ == WrapUp::kNone) wrap_up_ = reason;
}

void TicketConversation::End(ConversationEnd end, Error error) {
  end_ = end;
  error_ = std::move(error);
  sent_.clear();
}

Result<CellTurn> TicketConversation::Next(std::vector<CallReply> answers, const Deadline& turn_deadline,
                                          const Deadline& report_deadline) {
  TRY(Take(std::move(answers)));
  return Ask(turn_deadline, report_deadline);
}

void TicketConversation::ReportWithoutCell(WrapUp reason, const Deadline& report_deadline) {
  if (end_ != ConversationEnd::kOpen) return;
  StartWrapUp(reason);
  if (!sent_.empty()) {
    for (size_t index : sent_) latest_[index].result = CellLost();
    sent_.clear();
    RenderRefusals();
    host_->OnOutcomes(latest_, {});
  }
  Ask(report_deadline, report_deadline);  // wrapping up: no call can come of it
}

Status TicketConversation::Take(std::vector<CallReply> answers) {
  if (end_ != ConversationEnd::kOpen) return {};
  if (answers.size() != sent_.size())
    return Fail(ErrorKind::kProtocol, "the cell answered " + std::to_string(answers.size()) + " calls where " +
                                          std::to_string(sent_.size()) + " were open");
  for (size_t i = 0; i < answers.size(); ++i)
    if (answers[i].id != latest_[sent_[i]].call.id)
      return Fail(ErrorKind::kProtocol, "answer " + std::to_string(i + 1) + " is not for " + latest_[sent_[i]].call.id);
  if (latest_.empty()) return {};
  std::vector<SeenExcerpt> seen;
  size_t room = std::min(setup_.max_turn_bytes, host_->RoomForResults(past_bytes_));
  for (size_t i = 0; i < answers.size(); ++i) {
    size_t raw_bytes = ResultBytes(answers[i].result);
    size_t may_show = host_->ChargeOutput(raw_bytes);
    CleanBounds bounds = setup_.bounds;
    bounds.max_bytes = std::min(bounds.max_bytes, room - std::min(room, kWrapBytes));
    if (may_show < raw_bytes) {
      bounds.max_bytes = std::min(bounds.max_bytes, may_show);
      StartWrapUp(WrapUp::kBudget);
    }
    CleanedResult cleaned = CleanResult(std::move(answers[i].result), bounds, redactor_, &tally_);
    CallOutcome& outcome = latest_[sent_[i]];
    outcome.result = std::move(cleaned.result);
    outcome.text = RenderUntrusted(outcome.result, outcome.call.tool);
    room -= std::min(room, outcome.text.size());
    for (SeenExcerpt& excerpt : cleaned.seen) seen.push_back(std::move(excerpt));
  }
  sent_.clear();
  RenderRefusals();
  host_->OnOutcomes(latest_, seen);
  return {};
}

CellTurn TicketConversation::Ask(const Deadline& turn_deadline, const Deadline& report_deadline) {
  while (end_ == ConversationEnd::kOpen) {
    if (turn_ >= setup_.max_turns) {
      StartWrapUp(WrapUp::kTurns);
      End(ConversationEnd::kNoReport, {ErrorKind::kLimit, "all " + std::to_string(setup_.max_turns) + " turns were used without a report", "allow more turns", 0});
      break;
    }
    if (turn_ + 1 >= setup_.max_turns && !repairing_) StartWrapUp(WrapUp::kTurns);
    bool wrap_up = wrap_up_ != WrapUp::kNone || repairing_;

    ModelRequest request;
    request.system = setup_.system;
    request.goal = setup_.goal;
    request.context = setup_.context;
    if (!wrap_up) request.tools = setup_.tools;
    request.report = setup_.report;
    RenderRefusals();
    request.past = transcript_;
    request.latest = latest_;
    request.turn = turn_ + 1;
    request.max_turns = setup_.max_turns;
    request.wrap_up = wrap_up;
    request.notice = notice_;
    if (!wrap_up) request.abandon_fd = setup_.abandon_fd;  // a report is worth having without a cell too

    auto admitted = host_->AdmitTurn(wrap_up, past_bytes_ + BytesOf(latest_) + notice_.size());
    if (!admitted) {
      if (!wrap_up) {  // the allowance for the report is still there
        StartWrapUp(WrapUp::kBudget);
        continue;
      }
      StartWrapUp(WrapUp::kBudget);
      End(ConversationEnd::kNoReport, admitted.error());
      break;
    }
    request.max_output_tokens = *admitted;
    ++turn_;
    const Deadline& deadline = wrap_up ? report_deadline : turn_deadline;
    Result<ModelTurn> answer = model_->Next(request, deadline);
    host_->SettleTurn(answer ? answer->usage : model_->TakeLostUsage());
    if (!answer) {
      if (request.abandon_fd >= 0 && EndedByPidfd(request.abandon_fd, Deadline::After({}))) return CellTurn{};  // the caller sees it too
      if (answer.error().kind == ErrorKind::kTimeout && deadline.passed() && !wrap_up && !report_deadline.passed()) {
        StartWrapUp(WrapUp::kDeadline);
        continue;
      }
      End(ConversationEnd::kModelError, answer.error());
      break;
    }
    if (Judge(*std::move(answer), wrap_up)) {
      CellTurn turn;
      for (size_t index : sent_) turn.calls.push_back(latest_[index].call);
      return turn;
    }
  }
  return CellTurn{{}, true};
}

// Takes the model's answer. True when there are calls for the cell.
bool TicketConversation::Judge(ModelTurn answer, bool wrap_up) {
  // Whole, before anything is cut: half a key is not recognised.
  answer.text = HeadAndTail(redactor_.Redact(VisibleText(answer.text, Newlines::kKeep)), kMaxText);
  size_t dropped = answer.calls.size() - std::min(answer.calls.size(), kMaxCallsPerTurn);
  std::optional<ToolCall> report;
  answer.calls.resize(answer.calls.size() - dropped);
  for (size_t i = 0; i < answer.calls.size(); ++i) {
    ToolCall& call = answer.calls[i];
    call.id = "call-" + std::to_string(turn_) + "-" + std::to_string(i + 1);
    // Longer than that it is no name, and may have been cut where half a key is.
    call.tool = call.tool.size() > kMaxToolName ? "(too long)" : std::string(TruncateUtf8(Shown(call.tool), 64));
    if (call.tool.empty()) call.tool = "(none)";
    call.arguments = redactor_.RedactKnown(call.arguments);  // a server may say a key back, and the cell gets these
    if (call.tool == kReportTool && !report) report = call;
  }
  // The texts are what later questions are made of; the rest was for this one.
  for (CallOutcome& outcome : latest_) {
    outcome.result.artifacts.clear();
    outcome.result.output.clear();
    if (!model_->is_language_model()) outcome.text.clear();
  }
  transcript_.push_back({turn_, wrap_up, std::move(notice_), std::move(latest_), answer});
  past_bytes_ += BytesOf(transcript_.back());
  notice_.clear();
  latest_.clear();
  host_->OnTurn(transcript_.back());

  if (report) {
    JudgeReport(*report);
    return false;
  }
  if (answer.finish == Finish::kRefused && answer.calls.empty()) {
    End(ConversationEnd::kRefused, {ErrorKind::kDenied, answer.text.empty() ? "the model would not answer" : "the model would not answer: " + answer.text.substr(0, 512), "", 0});
    return false;
  }
  if (wrap_up) {
    for (ToolCall& call : answer.calls) {
      if (!call.arguments.is_object()) call.arguments = Json::object();
      latest_.push_back({std::move(call), ToolFailure(ToolStatus::kDenied, "only the tool report is on offer now", "call report with what was found so far", {"call report"})});
    }
    Nudge("The report is wanted now. Call the tool report, and no other.", "the model gave no report when only the report was on offer");
    return false;
  }
  if (answer.calls.empty()) {
    Nudge((answer.finish == Finish::kLength ? "Your last answer was cut off at its limit of tokens: say less. " : "Your last answer held no tool call. ") +
              std::string("Call a tool, or call report to finish. Tools: ") + OfferedNames(),
          "the model answered with text and without a tool call, again after it was told so");
    return false;
  }
  nudged_ = false;
  SortCalls(std::move(answer.calls));
  if (dropped > 0)
    notice_ = "Only the first " + std::to_string(kMaxCallsPerTurn) + " calls of a turn are taken; " + std::to_string(dropped) + " were not run.";
  return !sent_.empty();
}

void TicketConversation::Nudge(const std::string& text, const std::string& failure) {
  if (nudged_) return End(ConversationEnd::kStuck, {ErrorKind::kProtocol, failure, "", 0});
  nudged_ = true;
  notice_ = text;
}

void TicketConversation::JudgeReport(const ToolCall& call) {
  Status accepted = call.fault.empty() ? host_->CheckReport(call.arguments) : Status(Fail(ErrorKind::kInvalid, call.fault));
  if (accepted) {
    report_ = call.arguments;
    return End(ConversationEnd::kReport, {});
  }
  std::string why = Shown(accepted.error().message);
  if (repairing_) return End(ConversationEnd::kBadReport, {ErrorKind::kInvalid, "the report was refused twice: " + why, accepted.error().hint, 0});
  repairing_ = true;
  notice_ = "Your report was not accepted: " + why + ". Call report again, with this mended.";
  ToolCall shown = call;
  if (!shown.arguments.is_object()) shown.arguments = Json::object();
  latest_.push_back({std::move(shown), ToolFailure(ToolStatus::kInvalidArguments, why, "call report again, with this mended", {"call report"})});
}

// Splits calls into those for the cell and those that are answered here.
void TicketConversation::SortCalls(std::vector<ToolCall> calls) {
  size_t admitted = host_->AdmitCalls(calls.size());
  if (admitted < calls.size()) StartWrapUp(WrapUp::kBudget);
  for (size_t i = 0; i < calls.size(); ++i) {
    std::string refusal = i < admitted ? Refusal(calls[i]) : "the budget of tool calls is used up";
    if (!calls[i].arguments.is_object()) calls[i].arguments = Json::object();
    ToolResult result;
    if (refusal.empty()) sent_.push_back(latest_.size());
    else
      result = ToolFailure(i < admitted ? ToolStatus::kInvalidArguments : ToolStatus::kDenied, refusal,
                           i < admitted ? "call one of: " + OfferedNames() : "call report with what was found so far");
    latest_.push_back({std::move(calls[i]), std::move(result)});
  }
  if (!sent_.empty()) return;
  RenderRefusals();
  host_->OnOutcomes(latest_, {});
}

// Why a call is not sent to the cell; empty when it is.
std::string TicketConversation::Refusal(const ToolCall& call) const {
  if (!call.fault.empty()) return Shown(call.fault);
  std::vector<std::string> names;
  for (const ToolSpec& tool : setup_.tools) names.push_back(tool.name);
  if (std::find(names.begin(), names.end(), call.tool) == names.end()) {
    std::string hint = NearestHint(call.tool, names);
    return "there is no tool \"" + call.tool + "\" on offer" + (hint.empty() ? "" : ", " + hint);
  }
  if (!call.arguments.is_object()) return "the arguments of " + call.tool + " must be an object";
  if (DumpJson(call.arguments).size() > kMaxArguments) return "the arguments of " + call.tool + " are too long";
  return "";
}

// Something that a model or a cell said, within words of our own.
std::string TicketConversation::Shown(const std::string& text) const { return redactor_.Redact(VisibleText(text, Newlines::kEscape)); }

// What was answered here and not by the cell is the parent's own word: not wrapped.
void TicketConversation::RenderRefusals() {
  for (size_t i = 0; i < latest_.size(); ++i)
    if (latest_[i].text.empty() && std::find(sent_.begin(), sent_.end(), i) == sent_.end()) latest_[i].text = RenderResult(latest_[i].result);
}

std::string TicketConversation::OfferedNames() const {
  std::string names;
  for (const ToolSpec& tool : setup_.tools) names += tool.name + ", ";
  return names + kReportTool;
}

}  // namespace paddock::agentcore
