#include "orchestrator/report/exec_text.h"

#include "base/text.h"
#include "orchestrator/providers/price.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {
namespace {

std::string Visible(const std::string& text) { return VisibleText(text, Newlines::kEscape); }
std::string Count(int64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

std::string AnswerText(const ExecResult& result) {
  std::string out = VisibleText(result.answer, Newlines::kKeep);
  if (!out.empty() && !out.ends_with("\n")) out += "\n";
  for (const auto& finding : result.findings) {
    out += "\n- " + Visible(finding.title) + " [" + NameOf(finding.severity) + "]\n";
    if (!finding.detail.empty()) out += "  " + Visible(finding.detail) + "\n";
    for (const auto& evidence : finding.evidence)
      out += "  " + Visible(evidence.path) + ":" + std::to_string(evidence.line_start) + "-" + std::to_string(evidence.line_end) + "  " + NameOf(evidence.verification) +
             (evidence.note.empty() ? "" : ": " + Visible(evidence.note)) + "\n";
    if (finding.evidence.empty()) out += "  no evidence given\n";
  }
  if (!result.next_actions.empty()) out += "\nNext:\n";
  for (const std::string& action : result.next_actions) out += "- " + Visible(action) + "\n";
  return out;
}

std::string SummaryLine(const ExecResult& result) {
  const subagents::Usage& used = result.usage_total;
  std::string line = std::string(NameOf(result.status)) + ": " + Count(used.turns.value_or(0), "turn") + ", " + Count(used.tool_calls.value_or(0), "call");
  if (!result.children.empty()) line += ", " + Count(static_cast<int64_t>(result.children.size()), "subagent");
  const int64_t tokens = used.input_tokens.value_or(0) + used.output_tokens.value_or(0);
  if (tokens > 0) line += ", " + Count(tokens, "token");
  if (used.cost_nanos) line += ", " + DollarsText(*used.cost_nanos);
  if (result.citations > 0) line += ", " + std::to_string(result.citations_verified) + " of " + Count(result.citations, "citation") + " verified";
  return line + ", " + Seconds(used.wall_ms.value_or(0));
}

}  // namespace paddock::orchestrator
