#include "orchestrator/report/findings_text.h"

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

using subagents::Evidence;
using subagents::Finding;
using subagents::Verification;

constexpr size_t kMaxQuoteLines = 3;
constexpr size_t kMaxNamed = 8;  // contradicted citations

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

std::string Marked(Verification verification, const TextStyle& style) {
  Mark mark = MarkOf(verification);
  std::string text = style.unicode ? mark.sign : mark.word;
  return style.color ? mark.color + text + "\x1b[0m" : text;
}

std::string TabsAsSpaces(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\t' ? "    " : std::string(1, c);
  return out;
}

std::string Visible(std::string_view text) { return VisibleText(text, Newlines::kEscape); }

// "src/main.c:3-5".
std::string PlaceOf(const Evidence& evidence, const TextStyle& style) {
  const std::string place = PathInLine(evidence.path, style.width - 28) + ":" + std::to_string(evidence.line_start);
  return evidence.line_end == evidence.line_start ? place : place + "-" + std::to_string(evidence.line_end);
}

void AddQuote(std::string* out, const std::string& quote, const TextStyle& style) {
  std::string_view rest = quote;
  for (size_t line = 0; line < kMaxQuoteLines && !rest.empty(); ++line) {
    size_t end = rest.find('\n');
    std::string text = TabsAsSpaces(VisibleText(rest.substr(0, end), Newlines::kKeep));
    if (Columns(text) > style.width - 8) text = std::string(TruncateColumns(text, style.width - 11)) + "...";
    *out += "      | " + text + "\n";
    rest = end == rest.npos ? "" : rest.substr(end + 1);
  }
}

// What is unknown may never have been opened: lines that the agent did not read are not opened for it.
std::string OpenedText(const std::vector<Finding>& findings) {
  size_t settled = 0, all = 0;
  for (const Finding& finding : findings)
    for (const Evidence& evidence : finding.evidence) ++all, settled += evidence.verification != Verification::kUnknown;
  if (settled == all) return all == 1 ? ", opened again in a fresh jail." : ", each opened again in a fresh jail.";
  if (settled == 0) return all == 1 ? ": it could not be checked." : ": none could be checked.";
  return ": " + std::to_string(settled) + (settled == 1 ? " was" : " were") + " opened again in a fresh jail, " + std::to_string(all - settled) + " could not be checked.";
}

}  // namespace

void AddFindings(std::string* out, const std::vector<Finding>& findings, const TextStyle& style) {
  for (const Finding& finding : findings) {
    const bool plain = finding.severity == subagents::Severity::kInfo;
    AddWords(out, plain ? finding.title : "[" + std::string(NameOf(finding.severity)) + "] " + finding.title, "", style.width);
    if (!finding.detail.empty()) AddWords(out, finding.detail, "    ", style.width);
    for (const Evidence& evidence : finding.evidence) {
      *out += "  " + Marked(evidence.verification, style) + " " + PlaceOf(evidence, style);
      if (evidence.verification != Verification::kVerified) *out += std::string("  ") + NameOf(evidence.verification) + (evidence.note.empty() ? "" : ": " + Visible(evidence.note));
      else if (evidence.note.starts_with("cited as ")) *out += "  (" + Visible(evidence.note) + ")";
      *out += "\n";
      AddQuote(out, evidence.quote, style);
    }
    if (finding.evidence.empty()) *out += "  " + Marked(Verification::kUnknown, style) + " no line is quoted: nothing to check\n";
    *out += "\n";
  }
}

void AddNextActions(std::string* out, const std::vector<std::string>& actions, const TextStyle& style) {
  if (actions.empty()) return;
  *out += "Next:\n";
  for (const std::string& action : actions) AddWords(out, action, "- ", style.width);
  *out += "\n";
}

// Rounded down: one that fails is never all of them.
std::string VerifiedText(int64_t verified, int64_t citations) {
  if (citations <= 0) return "no citations";
  return std::to_string(verified) + " of " + Count(citations, "citation") + " verified (" + std::to_string(verified * 100 / citations) + " %)";
}

void AddCitations(std::string* out, const std::vector<Finding>& findings, int64_t citations, int64_t verified, const TextStyle& style) {
  if (citations == 0) return;
  AddParagraph(out, VerifiedText(verified, citations) + OpenedText(findings), "", style.width);
  std::string named;
  size_t contradicted = 0;
  for (const Finding& finding : findings)
    for (const Evidence& evidence : finding.evidence)
      if (evidence.verification == Verification::kContradicted && ++contradicted <= kMaxNamed) named += (named.empty() ? "" : ", ") + PlaceOf(evidence, style);
  if (contradicted == 0) return;
  if (contradicted > kMaxNamed) named += " and " + std::to_string(contradicted - kMaxNamed) + " more";
  AddParagraph(out, std::to_string(contradicted) + (contradicted == 1 ? " is contradicted, what it quotes is not there: " : " are contradicted, what they quote is not there: ") + named, "", style.width);
}

}  // namespace paddock::orchestrator
