#include "orchestrator/report/ticket_text.h"

#include "base/text.h"
#include "orchestrator/providers/price.h"
#include "orchestrator/report/findings_text.h"

namespace paddock::orchestrator {
namespace {

using subagents::ResultTicket;
using subagents::TicketStatus;

std::string Visible(std::string_view text) { return VisibleText(text, Newlines::kEscape); }

void AddHead(std::string* out, const ResultTicket& ticket, const TextStyle& style, bool replayed) {
  *out += Visible(ticket.subagent) + ": " + NameOf(ticket.status);
  if (ticket.usage.wall_ms) *out += " in " + Seconds(*ticket.usage.wall_ms);
  if (ticket.usage.turns) *out += ", " + Count(*ticket.usage.turns, "turn");
  if (ticket.usage.tool_calls) *out += ", " + Count(*ticket.usage.tool_calls, "tool call");
  if (ticket.usage.cost_nanos) *out += ", " + DollarsText(*ticket.usage.cost_nanos) + (replayed ? " as recorded" : "");
  *out += ticket.language_model ? ", model " + Visible(ticket.model) : ", no language model (" + Visible(ticket.model) + ")";
  *out += "\n";
  if (ticket.status != TicketStatus::kCompleted && !ticket.ending.detail.empty()) AddParagraph(out, "why: " + ticket.ending.detail, "  ", style.width);
  if (ticket.status != TicketStatus::kCompleted && !ticket.ending.hint.empty()) AddParagraph(out, "do: " + ticket.ending.hint, "  ", style.width);
  *out += "\n";
}

void AddRuns(std::string* out, const ResultTicket& ticket, const TextStyle& style) {
  for (const subagents::DoneRun& run : ticket.runs) {
    const std::string how = run.ending == "exit" ? "exit status " + std::to_string(run.exit_status) : run.ending;
    AddParagraph(out, "`" + run.command + "` in profile " + run.profile + ": " + how + " in " + Seconds(run.wall_ms), "ran: ", style.width);
  }
  if (ticket.needs_run) {
    AddParagraph(out, "`" + ticket.needs_run->command + "`", "wants to have run: ", style.width);
    AddParagraph(out, ticket.needs_run->why, "  why: ", style.width);
  }
  if (ticket.needs_run || !ticket.runs.empty()) *out += "\n";
}

}  // namespace

std::string TicketText(const ResultTicket& ticket, const TextStyle& style, bool replayed) {
  std::string out;
  AddHead(&out, ticket, style, replayed);
  if (!ticket.summary.empty()) {
    AddParagraph(&out, ticket.summary, "", style.width);
    out += "\n";
  }
  AddFindings(&out, ticket.findings, style);
  AddRuns(&out, ticket, style);
  AddNextActions(&out, ticket.next_actions, style);
  AddCitations(&out, ticket.findings, ticket.citations, ticket.citations_verified, style);
  for (const std::string& note : ticket.notes) AddParagraph(&out, note, "note: ", style.width);
  return out;
}

}  // namespace paddock::orchestrator
