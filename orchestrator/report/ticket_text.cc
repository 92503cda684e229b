#include "orchestrator/report/ticket_text.h"

#include "base/text.h"
#include "orchestrator/providers/price.h"

namespace paddock::orchestrator {
namespace {

using subagents::Evidence;
using subagents::Finding;
using subagents::ResultTicket;
using subagents::TicketStatus;
using subagents::Verification;

constexpr size_t kMaxQuoteLines = 3;

struct Mark {
  const char* sign;
  const char* word;
  const char* color;
};
Mark MarkOf(Verification verification) {
  switch (verification) {
    case Verification::kVerified: return {"✓", "ok", "\x1b[32m"};
    case Verification::kContradicted: return {"✗", "NO", "\x1b[31m"};
    case Verification::kChanged: return {"~", "~~", "\x1b[33m"};
    case Verification::kUnknown: return {"?", "??", "\x1b[33m"};
  }
  return {"?", "??", ""};
}

class Writer {
 public:
  explicit Writer(const TextStyle& style) : style_(style) {}

  std::string Write(const ResultTicket& ticket) {
    Head(ticket);
    if (!ticket.summary.empty()) {
      Paragraph(ticket.summary, "");
      out_ += "\n";
    }
    for (const Finding& finding : ticket.findings) OneFinding(finding);
    if (!ticket.next_actions.empty()) {
      out_ += "Next:\n";
      for (const std::string& action : ticket.next_actions) Paragraph(action, "  - ");
      out_ += "\n";
    }
    Foot(ticket);
    return std::move(out_);
  }

 private:
  void Head(const ResultTicket& ticket) {
    out_ += Visible(ticket.subagent) + ": " + NameOf(ticket.status);
    if (ticket.usage.wall_ms) out_ += " in " + Seconds(*ticket.usage.wall_ms);
    if (ticket.usage.turns) out_ += ", " + std::to_string(*ticket.usage.turns) + " turns";
    if (ticket.usage.tool_calls) out_ += ", " + std::to_string(*ticket.usage.tool_calls) + " tool calls";
    if (ticket.usage.cost_nanos) out_ += ", " + DollarsText(*ticket.usage.cost_nanos);
    out_ += ticket.language_model ? ", model " + Visible(ticket.model) : ", no language model (" + Visible(ticket.model) + ")";
    out_ += "\n";
    if (ticket.status != TicketStatus::kCompleted && !ticket.ending.detail.empty()) Paragraph("why: " + ticket.ending.detail, "  ");
    if (ticket.status != TicketStatus::kCompleted && !ticket.ending.hint.empty()) Paragraph("do: " + ticket.ending.hint, "  ");
    out_ += "\n";
  }

  void OneFinding(const Finding& finding) {
    Paragraph(finding.title, "");
    if (!finding.detail.empty()) Paragraph(finding.detail, "    ");
    for (const Evidence& evidence : finding.evidence) {
      out_ += "  " + Marked(evidence.verification) + " " + Visible(evidence.path) + ":" + std::to_string(evidence.line_start);
      if (evidence.line_end != evidence.line_start) out_ += "-" + std::to_string(evidence.line_end);
      if (evidence.verification != Verification::kVerified)
        out_ += std::string("  ") + NameOf(evidence.verification) + (evidence.note.empty() ? "" : ": " + Visible(evidence.note));
      out_ += "\n";
      Quote(evidence.quote);
    }
    if (finding.evidence.empty()) out_ += "  " + Marked(Verification::kUnknown) + " no evidence given\n";
    out_ += "\n";
  }

  void Quote(const std::string& quote) {
    std::string_view rest = quote;
    for (size_t line = 0; line < kMaxQuoteLines && !rest.empty(); ++line) {
      size_t end = rest.find('\n');
      std::string text = TabsAsSpaces(VisibleText(rest.substr(0, end), Newlines::kKeep));
      if (text.size() > style_.width - 8) text = std::string(TruncateUtf8(text, style_.width - 11)) + "...";
      out_ += "      | " + text + "\n";
      rest = end == rest.npos ? "" : rest.substr(end + 1);
    }
  }

  void Foot(const ResultTicket& ticket) {
    if (ticket.citations > 0) {
      out_ += std::to_string(ticket.citations_verified) + " of " + std::to_string(ticket.citations) +
              " citations hold: opened again in a fresh jail and verified.\n";
      int64_t contradicted = 0;
      for (const auto& finding : ticket.findings)
        for (const auto& evidence : finding.evidence) contradicted += evidence.verification == Verification::kContradicted;
      if (contradicted > 0) out_ += std::to_string(contradicted) + (contradicted == 1 ? " is contradicted" : " are contradicted") + ": what it quotes is not there.\n";
    }
    for (const std::string& note : ticket.notes) Paragraph(note, "note: ");
  }

  std::string Marked(Verification verification) const {
    Mark mark = MarkOf(verification);
    std::string text = style_.unicode ? mark.sign : mark.word;
    return style_.color ? mark.color + text + "\x1b[0m" : text;
  }

  static std::string TabsAsSpaces(const std::string& text) {
    std::string out;
    for (char c : text) out += c == '\t' ? "    " : std::string(1, c);
    return out;
  }

  static std::string Visible(std::string_view text) { return VisibleText(text, Newlines::kEscape); }

  void Paragraph(std::string_view text, std::string_view lead) { AddParagraph(&out_, text, lead, style_.width); }

  const TextStyle& style_;
  std::string out_;
};

}  // namespace

std::string TicketText(const subagents::ResultTicket& ticket, const TextStyle& style) { return Writer(style).Write(ticket); }

}  // namespace paddock::orchestrator
