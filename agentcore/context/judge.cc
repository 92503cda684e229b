// What a model said: cleaned, put right where that is safe, checked, and sorted into what the cell is to run and what is answered here.
#include <algorithm>

#include "agentcore/context/conversation.h"
#include "agentcore/model/arguments.h"
#include "agentcore/model/intent.h"
#include "agentcore/model/text_calls.h"
#include "agentcore/pipeline/render.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxText = 1u << 20;
constexpr size_t kMaxToolName = 200;
constexpr size_t kMaxArguments = 256u << 10;
constexpr size_t kMaxSchemas = 6u << 10;  // bytes of schemas in a word to the model
constexpr size_t kMaxFault = 2'000;       // bytes of what is wrong with arguments
constexpr int kMaxEmptyAnswers = 3;

}  // namespace

// Whole, before anything is cut: half a key is not recognised.
ModelTurn TicketConversation::Cleaned(ModelTurn answer, size_t* dropped) {
  answer.text = HeadAndTail(redactor_.Redact(VisibleText(answer.text, Newlines::kKeep)), kMaxText);
  *dropped = answer.calls.size() - std::min(answer.calls.size(), kMaxCallsPerTurn);
  answer.calls.resize(answer.calls.size() - *dropped);
  for (size_t i = 0; i < answer.calls.size(); ++i) {
    ToolCall& call = answer.calls[i];
    call.id = "call-" + std::to_string(turns_before_ + turn_) + "-" + std::to_string(i + 1);
    // Longer than that it is no name, and may have been cut where half a key is.
    call.tool = call.tool.size() > kMaxToolName ? "(too long)" : std::string(TruncateUtf8(Shown(call.tool), 64));
    if (call.tool.empty()) call.tool = "(none)";
    call.arguments = redactor_.RedactKnown(call.arguments);  // a server may say a key back, and the cell gets these
  }
  return answer;
}

// Calls that were written into the text instead. Of an answer that was cut off none is taken.
void TicketConversation::TakeCallsFromText(ModelTurn* answer, std::vector<std::string>* mended, std::string* misunderstood) const {
  std::vector<std::string_view> shown;
  for (const TranscriptTurn& turn : past_.turns())
    for (const CallOutcome& outcome : turn.shown) shown.push_back(outcome.text);
  for (const CallOutcome& outcome : latest_) shown.push_back(outcome.text);
  if (!memory_text_.empty()) shown.push_back(memory_text_);
  TextCalls found = FindTextCalls(answer->text, setup_.tools, shown);
  *misunderstood = std::move(found.not_understood);
  if (found.calls.empty()) return;
  for (const ToolCall& call : found.calls)
    if (shown_calls_.Holds(call)) {
      *misunderstood = "your text holds a call of \"" + call.tool + "\" that was not run: its words stand in what you were shown, and may be a quotation";
      return;
    }
  answer->text = std::move(found.text);
  answer->calls = std::move(found.calls);
  mended->push_back(answer->calls.size() == 1 ? "a call was taken out of the text" : std::to_string(answer->calls.size()) + " calls were taken out of the text");
}

// Puts the answer into the transcript, with what was shown before it.
void TicketConversation::Remember(ModelTurn answer, bool wrap_up, const std::vector<std::string>& mended) {
  // The texts are what later questions are made of; the rest was for this one.
  for (CallOutcome& outcome : latest_) {
    outcome.result.artifacts.clear();
    outcome.result.output.clear();
    if (!model_->is_language_model()) outcome.text.clear();
  }
  said_ = answer.text;
  past_.Add({turns_before_ + turn_, wrap_up, std::move(notice_), std::move(latest_), std::move(answer)});
  notice_.clear();
  latest_.clear();
  latest_size_ = {};
  host_->OnTurn(past_.turns().back(), mended);
}

bool TicketConversation::Judge(ModelTurn raw, Question question) {
  size_t dropped = 0;
  std::vector<std::string> mended;
  std::string misunderstood;
  if (raw.calls.empty() && raw.finish == Finish::kStop && model_->is_language_model()) TakeCallsFromText(&raw, &mended, &misunderstood);
  const bool blank = IsBlank(raw.text);  // before what is invisible is made visible
  ModelTurn answer = Cleaned(std::move(raw), &dropped);
  const bool refused = answer.finish == Finish::kRefused && answer.calls.empty();
  if (answer.calls.empty() && !refused && blank) {
    // What says nothing is not kept: some servers refuse an empty message. What was shown is shown again.
    host_->OnTurn({turns_before_ + turn_, question == Question::kReport, notice_, {}, answer}, {});
    if (++empty_answers_ >= kMaxEmptyAnswers)
      return End(ConversationEnd::kStuck, {ErrorKind::kProtocol, "the model answered with nothing, " + std::to_string(kMaxEmptyAnswers) + " times", "", 0}), false;
    notice_ = std::string(answer.finish == Finish::kLength ? "Your last answer was cut off at its limit of tokens before it said anything: think less. " : "Your last answer was empty. ") +
              "Call a tool, or call report to finish. Tools: " + OfferedNames();
    if (!question_.empty() && past_.turns().back().turn <= turns_before_) notice_ = question_ + "\n\n" + notice_;  // nothing has answered it yet
    return false;
  }
  empty_answers_ = 0;

  std::vector<Refusal> refusals;
  for (ToolCall& call : answer.calls) refusals.push_back(Check(&call, &mended));
  const std::vector<ToolCall> calls = answer.calls;
  const auto report = std::find_if(calls.begin(), calls.end(), [](const ToolCall& call) { return call.tool == kReportTool; });
  if (report != calls.end() && calls.size() > 1)
    mended.push_back(calls.size() == 2 ? "a call beside the report was not run" : std::to_string(calls.size() - 1) + " calls beside the report were not run");
  const Finish finish = answer.finish;
  const std::string text = answer.text;
  Remember(std::move(answer), question == Question::kReport, mended);

  if (report != calls.end()) {
    JudgeReport(*report);
    return false;
  }
  if (refused) {
    End(ConversationEnd::kRefused, {ErrorKind::kDenied, IsBlank(text) ? "the model would not answer" : "the model would not answer: " + std::string(TruncateUtf8(text, 512)), "", 0});
    return false;
  }
  switch (question) {
    case Question::kReport:
      if (calls.empty() && setup_.text_is_final) return Answer(text), false;
      RefuseAll(calls, "only the tool report is on offer now", "call report with what was found so far");
      Nudge("The report is wanted now. Call the tool report, and no other.", "the model gave no report when only the report was on offer");
      return false;
    case Question::kReflection:
      reflect_ = false;
      RefuseAll(calls, "not run: words were asked for, not a call", "say what you will change, then call");
      notice_ = "Go on, as you said.";
      return false;
    case Question::kWork: break;
  }
  if (calls.empty()) {
    JudgeWords(text, finish, misunderstood);
    return false;
  }
  nudged_ = false;
  SortCalls(calls, std::move(refusals));
  if (dropped > 0)
    notice_ = "Only the first " + std::to_string(kMaxCallsPerTurn) + " calls of a turn are taken; " + std::to_string(dropped) + " were not run." + (notice_.empty() ? "" : "\n" + notice_);
  return !sent_.empty();
}

void TicketConversation::Answer(const std::string& text) {
  answer_ = text;
  End(ConversationEnd::kAnswer, {});
}

// An answer without a call: an answer indeed, or an announcement of one, or a call that was not understood.
void TicketConversation::JudgeWords(const std::string& text, Finish finish, const std::string& misunderstood) {
  Observe();  // words alone can go round in circles too
  if (wrap_up_ != WrapUp::kNone || reflect_) return;
  const bool announced = AnnouncesCall(text);
  // What was not understood and comes again is words after all; what is announced twice is not done.
  if (setup_.text_is_final && !announced && (nudged_ || (misunderstood.empty() && finish != Finish::kLength))) return Answer(text);
  std::string why = finish == Finish::kLength ? "Your last answer was cut off at its limit of tokens: say less."
                    : announced               ? "You said what you would do, but your answer held no tool call: nothing was done."
                                              : "Your last answer held no tool call.";
  if (!misunderstood.empty()) why = "Your last answer held no tool call that was understood (" + Shown(misunderstood) + "). Call tools by the means that you were given for it, with a JSON object that fits their schema:" + OfferedSchemas();
  Nudge(why + " Call a tool, or call report to finish. Tools: " + OfferedNames(), announced ? "the model said twice what it would do, and did nothing" : "the model answered with text and without a tool call, again after it was told so");
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

void TicketConversation::RefuseAll(std::vector<ToolCall> calls, const std::string& why, const std::string& hint) {
  for (ToolCall& call : calls) {
    if (!call.arguments.is_object()) call.arguments = Json::object();
    latest_.push_back({std::move(call), ToolFailure(ToolStatus::kDenied, why, hint, {"call report"})});
  }
}

// Splits calls into those for the cell and those that are answered here.
void TicketConversation::SortCalls(std::vector<ToolCall> calls, std::vector<Refusal> refusals) {
  size_t admitted = host_->AdmitCalls(calls.size());
  if (admitted < calls.size()) StartWrapUp(WrapUp::kBudget);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (i >= admitted) refusals[i] = {"the budget of tool calls is used up", "call report with what was found so far", ToolStatus::kDenied};
    if (!calls[i].arguments.is_object()) calls[i].arguments = Json::object();
    ToolResult result;
    if (refusals[i].why.empty()) sent_.push_back(latest_.size());
    else result = ToolFailure(refusals[i].status, refusals[i].why, refusals[i].hint);
    latest_.push_back({std::move(calls[i]), std::move(result)});
  }
  if (!sent_.empty()) return;
  RenderRefusals();
  latest_size_ = SizeOf(latest_);
  host_->OnOutcomes(latest_, {});
  Observe();
}

// Why a call is not sent to the cell, or nothing; the call is put right where that is safe.
TicketConversation::Refusal TicketConversation::Check(ToolCall* call, std::vector<std::string>* mended) const {
  if (!call->fault.empty()) return {Shown(call->fault), "call one of: " + OfferedNames()};
  if (call->tool == kReportTool) return {};
  const ToolSpec* tool = Offered(call->tool);
  if (tool == nullptr) {
    std::vector<std::string> names;
    for (const ToolSpec& one : setup_.tools) names.push_back(one.name);
    std::string hint = NearestHint(call->tool, names);
    return {"there is no tool \"" + call->tool + "\" on offer" + (hint.empty() ? "" : ", " + hint), "call one of: " + OfferedNames()};
  }
  if (tool->parameters.is_object()) {
    CheckedArguments checked = CheckArguments(tool->parameters, std::move(call->arguments));
    call->arguments = std::move(checked.arguments);
    for (const std::string& repair : checked.repairs) mended->push_back(call->tool + ": " + repair);
    if (!checked.status) {
      const Error& error = checked.status.error();
      return {Shown(std::string(TruncateUtf8(error.message, kMaxFault))), error.hint.empty() ? "correct the field that is named and call again" : Shown(error.hint)};
    }
  }
  if (!call->arguments.is_object()) return {"the arguments of " + call->tool + " must be an object", "call one of: " + OfferedNames()};
  if (DumpJson(call->arguments).size() > kMaxArguments) return {"the arguments of " + call->tool + " are too long", "call one of: " + OfferedNames()};
  if (progress_.IsFrozen(*call)) return {"this call failed twice in the same way and is not run in this turn", "change its arguments, or do something else", ToolStatus::kDenied};
  return {};
}

const ToolSpec* TicketConversation::Offered(const std::string& name) const {
  auto found = std::find_if(setup_.tools.begin(), setup_.tools.end(), [&](const ToolSpec& tool) { return tool.name == name; });
  return found == setup_.tools.end() ? nullptr : &*found;
}

// Something that a model or a cell said, within words of our own.
std::string TicketConversation::Shown(const std::string& text) const { return redactor_.Redact(VisibleText(text, Newlines::kEscape)); }

// What was answered here and not by the cell is the parent's own word: not wrapped.
void TicketConversation::RenderRefusals() {
  bool rendered = false;
  for (size_t i = 0; i < latest_.size(); ++i) {
    if (!latest_[i].text.empty() || std::find(sent_.begin(), sent_.end(), i) != sent_.end()) continue;
    latest_[i].text = RenderResult(latest_[i].result);
    rendered = true;
  }
  if (rendered) latest_size_ = SizeOf(latest_);
}

std::string TicketConversation::OfferedNames() const {
  std::string names;
  for (const ToolSpec& tool : setup_.tools) names += tool.name + ", ";
  return names + kReportTool;
}

std::string TicketConversation::OfferedSchemas() const {
  std::string text;
  for (const ToolSpec& tool : setup_.tools) {
    std::string one = "\n" + tool.name + " " + DumpJson(tool.parameters);
    if (text.size() + one.size() <= kMaxSchemas) text += one;
  }
  return text + "\n";
}

}  // namespace paddock::agentcore
