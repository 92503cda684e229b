#include "orchestrator/report/exec_text.h"

#include "base/text.h"
#include "orchestrator/providers/price.h"
#include "orchestrator/report/findings_text.h"

namespace paddock::orchestrator {

namespace {

constexpr size_t kMaxBehind = 600;  // bytes of a text

// What is behind the handles that the answer names: strangers' words, which the main agent never saw.
void AddTexts(std::string* out, const ExecResult& result, const TextStyle& style) {
  std::string texts;
  for (const QuarantinedText& one : result.texts) {
    if (!Names(result.answer, one.handle)) continue;
    texts += "\n" + one.handle + ":\n";
    AddWords(&texts, std::string(TruncateUtf8(VisibleText(one.text, Newlines::kKeep), kMaxBehind)), "", style.width);
  }
  if (!texts.empty()) *out += "Behind the handles (the repository's and its subagents' words, not the agent's):\n" + texts + "\n";
}

}  // namespace

std::string AnswerText(const ExecResult& result, const TextStyle& style) {
  std::string more;
  AddTexts(&more, result, style);
  AddFindings(&more, result.findings, style);
  AddNextActions(&more, result.next_actions, style);
  AddCitations(&more, result.findings, result.citations, result.citations_verified, style);
  if (more.ends_with("\n\n")) more.pop_back();
  std::string out;
  // Where nothing of paddock's own stands beside it, a program gets it as it is.
  const bool laid_out = style.terminal || !more.empty();
  if (laid_out) AddMarkdown(&out, result.answer, style.width - kMargin.size());
  else out = VisibleText(result.answer, Newlines::kKeep);
  if (!out.empty() && !out.ends_with("\n")) out += "\n";
  if (laid_out) out = WithMargin(out);
  return out.empty() || more.empty() ? out + more : out + "\n" + more;
}

std::string SummaryLine(const ExecResult& result, bool replayed) {
  const subagents::Usage& used = result.usage_total;
  std::string line = std::string(NameOf(result.status)) + ": " + (result.steps.empty() ? "" : Count(static_cast<int64_t>(result.steps.size()), "step") + ", ") + Count(used.turns.value_or(0), "turn") + ", " + Count(used.tool_calls.value_or(0), "call");
  if (!result.children.empty()) line += ", " + Count(static_cast<int64_t>(result.children.size()), "subagent");
  const int64_t tokens = used.input_tokens.value_or(0) + used.output_tokens.value_or(0);
  if (tokens > 0) line += ", " + Count(tokens, "token");
  if (used.cost_nanos) line += ", " + DollarsText(*used.cost_nanos) + (replayed ? " as recorded" : "");
  if (result.citations > 0) line += ", " + VerifiedText(result.citations_verified, result.citations);
  return line + ", " + Seconds(used.wall_ms.value_or(0));
}

}  // namespace paddock::orchestrator
