// What is taken and what is asked. What the model says is judged in judge.cc, room in its window is made in room.cc.
#include "agentcore/context/conversation.h"

#include <algorithm>

#include "agentcore/context/token_estimate.h"
#include "agentcore/pipeline/render.h"
#include "agentcore/pipeline/wrap.h"
#include "base/child_process.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kWrapBytes = 512;       // of a rendered result, besides what it holds
constexpr int64_t kLineTokens = 4;       // of a rendered line, besides what it holds: its number
constexpr int kTurnsForReflection = 3;   // with fewer left, the report is asked for at once

ToolResult CellLost() {
  return ToolFailure(ToolStatus::kFailed, "the cell ended before it answered this call", "report what was found so far");
}

int64_t EstimatedTokens(const ToolResult& result) {
  int64_t tokens = EstimateTokens(result.output);
  for (const Artifact& artifact : result.artifacts) {
    for (const std::string& line : artifact.lines) tokens += EstimateTokens(line) + kLineTokens;
    for (const std::string& entry : artifact.entries) tokens += EstimateTokens(entry) + 1;
  }
  return tokens;
}

const char* WhyText(WrapUp reason) {
  switch (reason) {
    case WrapUp::kNone: return "";
    case WrapUp::kTurns: return "the last turn is for the report";
    case WrapUp::kDeadline: return "the time is nearly up";
    case WrapUp::kBudget: return "the budget is nearly used up";
    case WrapUp::kCellLost: return "the cell is lost";
    case WrapUp::kNoProgress: return "there is no progress";
    case WrapUp::kWindow: return "the model's window is full";
  }
  return "?";
}

}  // namespace

TicketConversation::TicketConversation(ConversationSetup setup, Model* model, ConversationHost* host)
    : setup_(std::move(setup)), redactor_(OrCommonKinds(setup_.redactor)), model_(model), host_(host),
      window_(model->is_language_model() ? model->context_window() : 0), memory_(window_.memory_share()), shown_calls_(setup_.tools) {
  if (model_->is_language_model()) setup_.system += kUntrustedNote;
  setup_.goal = redactor_.Redact(setup_.goal, &tally_);
  setup_.context = redactor_.Redact(setup_.context, &tally_);
  if (model_->is_language_model())  // a goal may be another model's, and come from a file
    for (const std::string* text : {&setup_.goal, &setup_.context}) shown_calls_.Add(*text);
  first_max_turns_ = setup_.max_turns;
  if (setup_.earlier && model_->is_language_model()) GoOnFrom(*setup_.earlier);
  for (const std::string* text : {&setup_.system, &setup_.goal, &setup_.context}) fixed_ += SizeOf(*text), fixed_.bytes += 64;
  for (const ToolSpec& tool : setup_.tools) fixed_ += SizeOf(tool);
  fixed_ += SizeOf(setup_.report);
}

void TicketConversation::Enter(Phase phase, const std::string& reason) {
  phase_ = phase;
  host_->OnPhase(phase, reason);
}

void TicketConversation::StartWrapUp(WrapUp reason) { WrapUpNow(reason, WhyText(reason)); }

void TicketConversation::WrapUpNow(WrapUp reason, const std::string& why) {
  if (wrap_up_ != WrapUp::kNone) return;
  wrap_up_ = reason;
  Enter(Phase::kFinish, why);
}

void TicketConversation::End(ConversationEnd end, Error error) {
  end_ = end;
  error_ = std::move(error);
  sent_.clear();
  Enter(Phase::kFinish, end == ConversationEnd::kReport ? "the report is there" : end == ConversationEnd::kAnswer ? "the answer is there" : error_.message);
}

Result<CellTurn> TicketConversation::Next(std::vector<CallReply> answers, const Deadline& turn_deadline, const Deadline& report_deadline) {
  TRY(Take(std::move(answers)));
  return Ask(turn_deadline, report_deadline);
}

void TicketConversation::ReportWithoutCell(WrapUp reason, const Deadline& report_deadline) {
  if (ended()) return;
  StartWrapUp(reason);
  if (!sent_.empty()) {
    for (size_t index : sent_) latest_[index].result = CellLost();
    sent_.clear();
    RenderRefusals();
    latest_size_ = SizeOf(latest_);
    host_->OnOutcomes(latest_, {});
  }
  Ask(report_deadline, report_deadline);  // wrapping up: no call can come of it
}

// How much of a result may be shown: by the budget of the host in bytes, and by the window in tokens. Each of the calls that are left
// has an even share of the room; what one doesn't need is the others'.
CleanBounds TicketConversation::BoundsFor(const ToolResult& result, size_t calls_left, size_t* room_bytes, int64_t* room_tokens) const {
  CleanBounds bounds = setup_.bounds;
  bounds.max_bytes = std::min(bounds.max_bytes, *room_bytes - std::min(*room_bytes, kWrapBytes));
  if (!window_.bounded()) return bounds;
  const int64_t tokens = EstimatedTokens(result), share = *room_tokens / static_cast<int64_t>(calls_left);
  if (tokens > share) bounds.max_bytes = std::min(bounds.max_bytes, static_cast<size_t>(static_cast<double>(ResultBytes(result)) * static_cast<double>(share) / static_cast<double>(tokens)));
  return bounds;
}

Status TicketConversation::Take(std::vector<CallReply> answers) {
  if (ended()) return {};
  if (answers.size() != sent_.size())
    return Fail(ErrorKind::kProtocol, "the cell answered " + std::to_string(answers.size()) + " calls where " +
                                          std::to_string(sent_.size()) + " were open");
  for (size_t i = 0; i < answers.size(); ++i)
    if (answers[i].id != latest_[sent_[i]].call.id)
      return Fail(ErrorKind::kProtocol, "answer " + std::to_string(i + 1) + " is not for " + latest_[sent_[i]].call.id);
  if (latest_.empty() || turn_ == 0) return {};
  if (wrap_up_ == WrapUp::kNone) Enter(Phase::kObserve, std::to_string(answers.size()) + (answers.size() == 1 ? " result" : " results"));
  std::vector<SeenExcerpt> seen;
  size_t room = std::min(setup_.max_turn_bytes, host_->RoomForResults(RequestSize().bytes));
  int64_t room_tokens = window_.Estimated(window_.turn_share());
  for (size_t i = 0; i < answers.size(); ++i) {
    size_t raw_bytes = ResultBytes(answers[i].result);
    size_t may_show = host_->ChargeOutput(raw_bytes);
    CleanBounds bounds = BoundsFor(answers[i].result, answers.size() - i, &room, &room_tokens);
    if (may_show < raw_bytes) {
      bounds.max_bytes = std::min(bounds.max_bytes, may_show);
      StartWrapUp(WrapUp::kBudget);
    }
    CleanedResult cleaned = CleanResult(std::move(answers[i].result), bounds, redactor_, &tally_);
    CallOutcome& outcome = latest_[sent_[i]];
    outcome.result = std::move(cleaned.result);
    outcome.text = RenderUntrusted(outcome.result, outcome.call.tool);
    if (model_->is_language_model()) shown_calls_.Add(outcome.text);
    room -= std::min(room, outcome.text.size());
    if (window_.bounded()) room_tokens -= std::min(room_tokens, EstimateTokens(outcome.text));
    for (SeenExcerpt& excerpt : cleaned.seen) seen.push_back(std::move(excerpt));
  }
  sent_.clear();
  RenderRefusals();
  latest_size_ = SizeOf(latest_);
  host_->OnOutcomes(latest_, seen);
  Observe();
  return {};
}

// A turn has come to something: does the work get anywhere?
void TicketConversation::Observe() {
  std::vector<ToolEffect> effects;
  for (const CallOutcome& outcome : latest_) {
    const ToolSpec* tool = Offered(outcome.call.tool);
    effects.push_back(tool ? tool->effect : ToolEffect::kReads);
  }
  const NoProgress sign = progress_.Take(said_, latest_, effects);
  said_.clear();
  if (progress_.recovered()) warned_of_no_progress_ = false;
  if (sign == NoProgress::kNone || wrap_up_ != WrapUp::kNone) return;
  sign_ = sign;
  const std::string why = std::string("there is no progress: ") + NoProgressText(sign);
  const bool second = std::exchange(warned_of_no_progress_, true);
  if (second || sign == NoProgress::kMending || turn_ + kTurnsForReflection > setup_.max_turns) return WrapUpNow(WrapUp::kNoProgress, why);
  reflect_ = true;
  notice_ += (notice_.empty() ? "" : "\n") + std::string("You make no progress: ") + NoProgressText(sign) +
             ". Say now, in a few words and without a call, what you will change; or call report if there is nothing more to find. If it goes on like this, you will be asked for the report.";
}

TicketConversation::Question TicketConversation::NextQuestion() {
  if (turn_ + 1 >= setup_.max_turns && !repairing_) StartWrapUp(WrapUp::kTurns);
  if (wrap_up_ != WrapUp::kNone || repairing_) return Question::kReport;
  return reflect_ ? Question::kReflection : Question::kWork;
}

TextSize TicketConversation::RequestSize() const {
  TextSize size = fixed_;
  size += memory_size_;
  size += past_.total();
  size += latest_size_;
  size.bytes += notice_.size();
  return size;
}

ModelRequest TicketConversation::MakeRequest(Question question) const {
  ModelRequest request;
  request.system = setup_.system;
  request.goal = setup_.goal;
  request.context = setup_.context;
  if (question == Question::kWork) request.tools = setup_.tools;
  request.report = setup_.report;
  request.memory = memory_text_;
  request.past = past_.turns();
  request.latest = latest_;
  request.turn = turns_before_ + turn_ + 1;
  request.max_turns = first_max_turns_;
  request.wrap_up = question == Question::kReport;
  request.notice = notice_;
  if (question != Question::kReport) request.abandon_fd = setup_.abandon_fd;  // a report is worth having without a cell too
  return request;
}

Result<ModelTurn> TicketConversation::AskModel(const ModelRequest& request, const TextSize& size, const Deadline& deadline) {
  ++turn_;
  Result<ModelTurn> answer = model_->Next(request, deadline);
  host_->SettleTurn(answer ? answer->usage : model_->TakeLostUsage());
  if (answer && window_.bounded() && !answer->usage.estimated) window_.Learn(size.tokens, answer->usage.input_tokens);
  return answer;
}

CellTurn TicketConversation::Ask(const Deadline& turn_deadline, const Deadline& report_deadline) {
  while (!ended()) {
    if (turn_ >= setup_.max_turns) {
      StartWrapUp(WrapUp::kTurns);
      End(ConversationEnd::kNoReport, {ErrorKind::kLimit, (setup_.max_turns == 1 ? "the only turn was" : "all " + std::to_string(setup_.max_turns) + " turns were") + " used without a report", "allow more turns", 0});
      break;
    }
    if (turn_ == 0 && window_.bounded() && fixed_.tokens > window_.budget()) {
      End(ConversationEnd::kModelError, {ErrorKind::kLimit, "the model's window of " + std::to_string(window_.tokens()) + " tokens is too small: prompt, goal and tools take about " + std::to_string(fixed_.tokens) +
                                                                " of the " + std::to_string(window_.budget()) + " that a question may have",
                                         "use a model with a larger window; if it has one, say so with context_window in config.json", 0});
      break;
    }
    RenderRefusals();
    MakeRoom(turn_deadline);
    const Question question = NextQuestion();
    const bool wrap_up = question == Question::kReport;
    if (question == Question::kWork) Enter(Phase::kPlan, turn_ == 0 ? "start" : notice_.empty() ? "results" : "told");
    if (question == Question::kReflection) Enter(Phase::kReflect, NoProgressText(sign_));
    ModelRequest request = MakeRequest(question);
    const TextSize size = RequestSize();
    auto admitted = host_->AdmitTurn(wrap_up, size.bytes);
    if (!admitted) {
      StartWrapUp(WrapUp::kBudget);
      if (!wrap_up && turn_ > 0) continue;  // the allowance for the report is still there; about nothing it is not worth its price
      End(ConversationEnd::kNoReport, admitted.error());
      break;
    }
    request.max_output_tokens = *admitted;
    const Deadline& deadline = wrap_up ? report_deadline : turn_deadline;
    Result<ModelTurn> answer = AskModel(request, size, deadline);
    if (!answer) {
      if (request.abandon_fd >= 0 && EndedByPidfd(request.abandon_fd, Deadline::After({}))) return CellTurn{};  // the caller sees it too
      if (answer.error().kind == ErrorKind::kTimeout && deadline.passed() && !wrap_up && !report_deadline.passed()) {
        StartWrapUp(WrapUp::kDeadline);
        continue;
      }
      End(ConversationEnd::kModelError, answer.error());
      break;
    }
    if (!Judge(*std::move(answer), question)) continue;
    CellTurn turn;
    for (size_t index : sent_) turn.calls.push_back(latest_[index].call);
    Enter(Phase::kAct, std::to_string(turn.calls.size()) + (turn.calls.size() == 1 ? " call" : " calls"));
    return turn;
  }
  return CellTurn{{}, true};
}

}  // namespace paddock::agentcore
