#include "orchestrator/report/tool_text.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Artifact;
using agentcore::ToolResult;
using subagents::ToolCallReport;

bool Holds(const std::vector<int64_t>& numbers, int64_t one) { return std::find(numbers.begin(), numbers.end(), one) != numbers.end(); }

// "   12 | text"; ":" instead of "|" for a line that matched a search. Rows and hunks have no numbers.
void AddLines(std::string* out, const Artifact& artifact) {
  *out += VisibleText(artifact.path, Newlines::kEscape) + "\n";
  if (artifact.kind != "excerpt") {
    for (const std::string& line : artifact.lines) *out += VisibleText(line, Newlines::kKeep) + "\n";
    *out += "\n";
    return;
  }
  int64_t number = artifact.line_start;
  for (const std::string& line : artifact.lines) {
    char head[32];
    std::snprintf(head, sizeof head, "%6lld %c ", static_cast<long long>(number), Holds(artifact.matches, number) ? ':' : '|');
    *out += head + VisibleText(line, Newlines::kKeep) + (Holds(artifact.cut, number) ? " [cut]" : "") + "\n";
    ++number;
  }
  *out += "\n";
}

// Entries of a search are the paths of the lines that follow: said once.
void AddEntries(std::string* out, const Artifact& artifact) {
  for (const std::string& entry : artifact.entries) *out += VisibleText(entry, Newlines::kEscape) + "\n";
  if (!artifact.entries.empty()) *out += "\n";
}

void AddResult(std::string* out, const ToolResult& result, const TextStyle& style) {
  const bool has_lines = std::any_of(result.artifacts.begin(), result.artifacts.end(), [](const Artifact& one) { return !one.lines.empty(); });
  for (const Artifact& artifact : result.artifacts) {
    if (!artifact.lines.empty()) AddLines(out, artifact);
    else if (!has_lines) AddEntries(out, artifact);
  }
  if (!result.output.empty()) AddParagraph(out, result.output, "", style.width);
  if (!result.error.empty()) AddParagraph(out, result.error, "why: ", style.width);
  if (!result.recovery_hint.empty()) AddParagraph(out, result.recovery_hint, "do: ", style.width);
  for (const std::string& action : result.next_actions) AddParagraph(out, action, "next: ", style.width);
}

}  // namespace

std::string ToolCallText(const ToolCallReport& report, const TextStyle& style) {
  const bool finished = report.status == subagents::TicketStatus::kCompleted && report.result;
  std::string out = VisibleText(report.tool, Newlines::kEscape) + ": " + (finished ? NameOf(report.result->status) : NameOf(report.status));
  if (report.usage.wall_ms) out += " in " + Seconds(*report.usage.wall_ms);
  out += "\n";
  if (!finished) {
    if (!report.ending.detail.empty()) AddParagraph(&out, report.ending.detail, "why: ", style.width);
    if (!report.ending.hint.empty()) AddParagraph(&out, report.ending.hint, "do: ", style.width);
  }
  out += "\n";
  if (report.result) AddResult(&out, *report.result, style);
  for (const std::string& note : report.notes) AddParagraph(&out, note, "note: ", style.width);
  return out;
}

std::string UseOf(const std::string& description) {
  std::string_view text = description;
  if (text.starts_with("Use: ")) text.remove_prefix(5);
  text = text.substr(0, text.find('\n'));
  return std::string(text.substr(0, text.find(". ")));
}

}  // namespace paddock::orchestrator
