#include "orchestrator/report/ticket_text.h"

#include <algorithm>

#include "base/text.h"
#include "orchestrator/providers/price.h"
#include "orchestrator/report/findings_text.h"

namespace paddock::orchestrator {
namespace {

using subagents::ResultTicket;
using subagents::TicketStatus;

constexpr int kShownLines = 8;  // of what a run wrote

std::string Visible(std::string_view text) { return VisibleText(text, Newlines::kEscape); }

void AddHead(std::string* out, const ResultTicket& ticket, const TextStyle& style, bool replayed) {
  std::string line = Visible(ticket.subagent) + ": " + NameOf(ticket.status);
  if (ticket.usage.wall_ms) line += " in " + Seconds(*ticket.usage.wall_ms);
  int64_t runs_ms = 0;  // which are not in the ticket's own time
  for (const subagents::DoneRun& run : ticket.runs) runs_ms += run.wall_ms;
  if (!ticket.runs.empty()) line += " and " + Seconds(runs_ms) + " of " + Count(static_cast<int64_t>(ticket.runs.size()), "run");
  if (ticket.usage.turns) line += ", " + Count(*ticket.usage.turns, "turn");
  if (ticket.usage.tool_calls) line += ", " + Count(*ticket.usage.tool_calls, "tool call");
  if (ticket.usage.cost_nanos) line += ", " + DollarsText(*ticket.usage.cost_nanos) + (replayed ? " as recorded" : "");
  line += ticket.language_model ? ", model " + Visible(ticket.model) : ", no language model (" + Visible(ticket.model) + ")";
  AddParagraph(out, line, "", style.width);
  if (ticket.status != TicketStatus::kCompleted && !ticket.ending.detail.empty()) AddParagraph(out, "why: " + ticket.ending.detail, "  ", style.width);
  if (ticket.status != TicketStatus::kCompleted && !ticket.ending.hint.empty()) AddParagraph(out, "do: " + ticket.ending.hint, "  ", style.width);
  *out += "\n";
}

std::string WithoutTabs(std::string_view line) {
  std::string out;
  for (char c : line) out += c == '\t' ? std::string("  ") : std::string(1, c);
  return out;
}

// What a person looks at first, to see whether it was understood.
void AddLastLines(std::string* out, std::string_view text, const TextStyle& style) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  size_t begin = text.size();
  for (int lines = 0; begin > 0; --begin)
    if (text[begin - 1] == '\n' && ++lines == kShownLines) break;
  for (text.remove_prefix(begin); !text.empty();) {
    const size_t end = std::min(text.find('\n'), text.size());
    *out += "      | " + std::string(TruncateColumns(VisibleText(WithoutTabs(text.substr(0, end)), Newlines::kEscape), style.width > 20 ? style.width - 8 : 80)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void AddRuns(std::string* out, const ResultTicket& ticket, const TextStyle& style) {
  for (const subagents::DoneRun& run : ticket.runs) {
    const std::string how = run.ending == "exit" ? "exit status " + std::to_string(run.exit_status) : run.ending;
    AddParagraph(out, "ran in profile " + run.profile + ": " + how + " in " + Seconds(run.wall_ms), "", style.width);
    AddWords(out, "`" + Visible(run.command) + "`", "", style.width);
    AddLastLines(out, run.output_tail, style);
  }
  if (ticket.needs_run) {
    *out += "wants to have run:\n";
    AddWords(out, "`" + Visible(ticket.needs_run->command) + "`", "", style.width);
    AddWords(out, "why: " + ticket.needs_run->why, "", style.width);
  }
  if (ticket.needs_run || !ticket.runs.empty()) *out += "\n";
}

// With what it named, which the note about them leaves out: a person may see it.
void AddViolations(std::string* out, const ResultTicket& ticket, const TextStyle& style) {
  if (!ticket.violations || ticket.violations->empty()) return;
  constexpr size_t kShown = 8;
  for (size_t i = 0; i < std::min(kShown, ticket.violations->size()); ++i) {
    const subagents::BlockedCall& one = (*ticket.violations)[i];
    std::string line = one.call;
    if (one.path) line += " of " + PathInLine(*one.path, 200);
    line += ": " + one.error_name;
    if (one.count > 1) line += ", " + std::to_string(one.count) + " times";
    AddParagraph(out, line, "denied: ", style.width);
  }
  if (ticket.violations->size() > kShown) *out += "  and " + std::to_string(ticket.violations->size() - kShown) + " more: see --json\n";
  *out += "\n";
}

}  // namespace

std::string TicketText(const ResultTicket& ticket, const TextStyle& style, bool replayed, bool with_data) {
  std::string out;
  AddHead(&out, ticket, style, replayed);
  if (!ticket.summary.empty()) {
    AddWords(&out, ticket.summary, "", style.width);
    out += "\n";
  }
  AddFindings(&out, ticket.findings, style);
  if (with_data && !ticket.data.is_null()) out += "data:\n" + PrettyJson(ticket.data) + "\n\n";
  AddRuns(&out, ticket, style);
  AddNextActions(&out, ticket.next_actions, style);
  AddViolations(&out, ticket, style);
  AddCitations(&out, ticket.findings, ticket.citations, ticket.citations_verified, style);
  if (ticket.citations == 0 && !(ticket.summary.empty() && ticket.findings.empty())) out += "No citations: nothing of this was checked.\n";
  for (const std::string& note : ticket.notes) AddParagraph(&out, note, "note: ", style.width);
  return out;
}

}  // namespace paddock::orchestrator
