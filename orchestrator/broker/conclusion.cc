#include "orchestrator/broker/conclusion.h"

#include "base/text.h"
#include "orchestrator/providers/price.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ConversationEnd;
using agentcore::WrapUp;
using subagents::TicketStatus;

// Why the model was asked for its report before it offered one.
const char* WhyEarly(WrapUp reason) {
  switch (reason) {
    case WrapUp::kNone: return "";
    case WrapUp::kTurns: return "the last turn that was allowed is for the report";
    case WrapUp::kDeadline: return "the time was nearly up, so the report was asked for";
    case WrapUp::kBudget: return "the budget was nearly used up, so the report was asked for";
    case WrapUp::kCellLost: return "the cell was lost, so the report was asked for";
    case WrapUp::kNoProgress: return "there was no progress, so the report was asked for";
    case WrapUp::kWindow: return "the conversation filled the model's window, so the report was asked for";
  }
  return "?";
}
// Where a model got nowhere. No wording of the goal changes what a playbook or a script does.
const char* WhatElse(const agentcore::Model& model) {
  if (model.is_language_model()) return "try another model, or a clearer goal";
  return model.name() == "playbook" ? "the playbook itself failed, which is a bug of paddock: please tell its authors; a language model (--model) may do better" : "give the script what it lacks";
}

const char* HowToAllowMore(WrapUp reason, const agentcore::Model& model) {
  switch (reason) {
    case WrapUp::kTurns: return "if more is to be found, allow more turns (--max-turns)";
    case WrapUp::kDeadline: return "if more is to be found, allow more time (--timeout)";
    case WrapUp::kBudget: return "if more is to be found, allow a larger budget (of money: --max-cost)";
    case WrapUp::kNoProgress: return WhatElse(model);
    case WrapUp::kWindow: return "ask for less at once, or use a model with a larger window";
    default: return "";
  }
}

TicketStatus StatusOfModelError(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kCancelled: return TicketStatus::kCancelled;
    case ErrorKind::kTimeout: return TicketStatus::kTimeout;
    // The model's side says no, and would say so again.
    case ErrorKind::kDenied: case ErrorKind::kInvalid: case ErrorKind::kNotFound: case ErrorKind::kLimit: return TicketStatus::kRefused;
    default: return TicketStatus::kCrashed;
  }
}

// What was said until then is handed back, as what it is.
std::string LastWords(const agentcore::TicketConversation& conversation, const agentcore::Redactor& redactor) {
  const auto turns = conversation.transcript();
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn)
    if (!turn->answer.text.empty()) return ShownText(turn->answer.text, redactor);
  return "";
}

TicketStatus FromWrapUp(WrapUp wrap_up, TicketStatus by_itself) {
  switch (wrap_up) {
    case WrapUp::kNone: return by_itself;
    case WrapUp::kTurns: return TicketStatus::kTurnLimit;
    case WrapUp::kDeadline: return TicketStatus::kTimeout;
    case WrapUp::kBudget: return TicketStatus::kBudget;
    case WrapUp::kCellLost: return TicketStatus::kCrashed;
    case WrapUp::kNoProgress: return TicketStatus::kStuck;
    case WrapUp::kWindow: return TicketStatus::kBudget;
  }
  return TicketStatus::kCrashed;
}

}  // namespace

std::string ShownText(std::string_view text, const agentcore::Redactor& redactor, size_t max) {
  return std::string(TruncateUtf8(redactor.Redact(VisibleText(text, Newlines::kEscape)), max));
}

Conclusion ConcludeConversation(const agentcore::TicketConversation& conversation, BrokerHost* host, const HostSetup& setup, const agentcore::Redactor& redactor,
                                const std::optional<Break>& broken, std::vector<std::string> notes) {
  Conclusion out;
  const auto shown = [&](const std::string& text) { return ShownText(text, redactor); };
  ConversationEnd end = conversation.end();
  out.report = host->TakeReport();
  if (end == ConversationEnd::kAnswer) out.report.emplace().summary = conversation.answer();  // which claims nothing that could be checked
  const Error& error = conversation.error();
  std::string why = shown(error.message);
  out.ending.kind = "finished";
  if (end == ConversationEnd::kReport || end == ConversationEnd::kAnswer) {
    out.status = FromWrapUp(conversation.wrap_up(), out.report->complete ? TicketStatus::kCompleted : TicketStatus::kPartial);
    if (out.status == TicketStatus::kPartial) out.ending.detail = host->data_fault().empty() ? "the report says that some of the goal is open" : "the report's data did not fit the caller's schema";
    if (conversation.wrap_up() != WrapUp::kNone) {
      out.ending.detail = WhyEarly(conversation.wrap_up());
      if (conversation.wrap_up() == WrapUp::kNoProgress) out.ending.detail += std::string(": ") + agentcore::NoProgressText(conversation.no_progress());
      out.ending.hint = HowToAllowMore(conversation.wrap_up(), *setup.model);
    }
  } else if (end == ConversationEnd::kNoReport) {
    out.status = FromWrapUp(conversation.wrap_up(), TicketStatus::kTurnLimit);
    out.ending.detail = why;
    out.ending.hint = shown(error.hint);
  } else if (end == ConversationEnd::kRefused) {
    out.status = TicketStatus::kRefused;
    out.ending.detail = why;
    out.ending.hint = "ask for something else, or another model";
  } else if (end == ConversationEnd::kStuck || end == ConversationEnd::kBadReport) {
    out.status = FromWrapUp(conversation.wrap_up(), out.report ? TicketStatus::kPartial : TicketStatus::kStuck);
    out.ending.detail = why;
    out.ending.hint = out.status == TicketStatus::kTimeout ? "allow more time" : WhatElse(*setup.model);
  } else if (end == ConversationEnd::kModelError) {
    out.ending = {"model_error", error.sys_errno, why, shown(error.hint)};
    out.status = StatusOfModelError(error.kind);
    if (error.kind == ErrorKind::kCancelled) out.ending.kind = "cancelled";
    if (error.kind == ErrorKind::kTimeout) out.ending.kind = "timeout";
  }
  if (broken) {  // how the cell ended outranks how the conversation did
    if (end != ConversationEnd::kOpen && !out.report && !why.empty()) notes.push_back("no report: " + why);
    // A model that was stopped or failed is why the cell was left without a next turn.
    out.status = broken->status;
    out.ending = {broken->kind, 0, broken->detail, broken->hint};
  }
  if (out.report && !host->data_fault().empty()) notes.push_back("data is null, since what the report gave did not fit the caller's schema: " + shown(host->data_fault()));
  if (conversation.no_progress() != agentcore::NoProgress::kNone && conversation.wrap_up() != WrapUp::kNoProgress)
    notes.push_back(std::string("on the way there was no progress (") + agentcore::NoProgressText(conversation.no_progress()) + "), and the model was told so");
  if (!out.report && setup.model->is_language_model())
    if (std::string words = LastWords(conversation, redactor); !words.empty()) notes.push_back("there is no report; the model's last words were: " + words);
  out.redacted = conversation.redactions().Sentence();
  if (!out.redacted.empty()) notes.push_back(out.redacted + (conversation.redactions().total() == 1 ? " before the model saw it" : " before the model saw them"));
  if (setup.read_lines->overflowed()) notes.push_back("more lines were read than are kept for the evidence check");
  if (const auto tokens = setup.ledger->Get(Limit::kTokens); tokens.past() > 0)
    notes.push_back(std::to_string(tokens.past()) + " tokens were spent beyond the budget of " + std::to_string(tokens.limit) + " by the model's server");
  if (const auto money = setup.ledger->Get(Limit::kMoney); money.past() > 0)
    notes.push_back(DollarsText(money.past()) + " were spent beyond the budget of " + DollarsText(money.limit) + " by the model's server");
  out.notes = std::move(notes);
  for (std::string& note : host->OddNotes()) out.notes.push_back(std::move(note));
  return out;
}

}  // namespace paddock::orchestrator
