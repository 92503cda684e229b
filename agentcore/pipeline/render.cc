#include "agentcore/pipeline/render.h"

#include <algorithm>
#include <set>

#include "agentcore/pipeline/wrap.h"

namespace paddock::agentcore {
namespace {

void AddLine(std::string* out, const char* label, const std::string& text) {
  if (!text.empty()) *out += label + text + "\n";
}

// What tools say when there is nothing to say.
bool SaysNothing(const std::string& name, const Json& value) {
  if (value.is_null() || (value.is_boolean() && !value.get<bool>()) || (value.is_number() && value == 0)) return true;
  if ((value.is_string() || value.is_array() || value.is_object()) && value.empty()) return true;
  return (name == "complete" && value == true) || (name == "encoding" && value == "utf-8");
}

void AddFacts(std::string* out, const Json& facts) {
  Json left = Json::object();
  if (facts.is_object())
    for (auto it = facts.begin(); it != facts.end(); ++it)
      if (!SaysNothing(it.key(), it.value())) left[it.key()] = it.value();
  if (!left.empty()) *out += "facts: " + DumpJson(left) + "\n";
}

bool Holds(const std::vector<int64_t>& sorted, int64_t number) { return std::binary_search(sorted.begin(), sorted.end(), number); }

// Rows, hunks: lines that are none of a file's.
void AddRows(std::string* out, const Artifact& artifact) {
  *out += artifact.kind + (artifact.path.empty() || artifact.path == "." ? "" : " " + artifact.path) + ":\n";
  for (const std::string& line : artifact.lines) *out += line + "\n";
}

void AddExcerpt(std::string* out, const Artifact& artifact) {
  const int64_t first = artifact.line_start, last = first + static_cast<int64_t>(artifact.lines.size()) - 1;
  *out += artifact.path + ":" + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "") + "\n";
  for (int64_t number = first; number <= last; ++number) {
    *out += std::to_string(number) + (Holds(artifact.matches, number) ? "> " : "| ") + artifact.lines[static_cast<size_t>(number - first)];
    if (Holds(artifact.cut, number)) *out += " [the line goes on]";
    *out += "\n";
  }
}

void AddArtifact(std::string* out, const Artifact& artifact, bool with_entries) {
  std::string text;
  if (!artifact.lines.empty() && artifact.kind == "excerpt") AddExcerpt(&text, artifact);
  else if (!artifact.lines.empty()) AddRows(&text, artifact);
  if (with_entries && !artifact.entries.empty()) {
    if (artifact.path != "." && !artifact.path.empty()) text += artifact.path + ":\n";
    for (const std::string& entry : artifact.entries) text += entry + "\n";
  }
  AddFacts(&text, artifact.facts);
  if (!text.empty()) *out += "\n" + text;
}

}  // namespace

std::string RenderResult(const ToolResult& result) {
  std::string out = NameOf(result.status);
  const bool repeated = result.output == result.summary || result.output == result.summary + ".";
  if (!result.summary.empty() && result.summary != result.error) out += ": " + result.summary;
  out += "\n";
  AddLine(&out, "error: ", result.error);
  AddLine(&out, "hint: ", result.recovery_hint);
  for (const std::string& action : result.next_actions) AddLine(&out, "next: ", action);
  if (result.retryable && !result.success) out += "the same call may work a moment later\n";
  if (!repeated) AddLine(&out, "", result.output);
  std::set<std::string_view> shown;
  for (const Artifact& artifact : result.artifacts)
    if (!artifact.lines.empty()) shown.insert(artifact.path);
  for (const Artifact& artifact : result.artifacts) {
    // A search lists the files of the lines that follow.
    const bool with_entries = !std::all_of(artifact.entries.begin(), artifact.entries.end(), [&](const std::string& entry) { return shown.contains(entry); });
    AddArtifact(&out, artifact, with_entries);
  }
  return out;
}

std::string RenderUntrusted(const ToolResult& result, const std::string& tool) {
  // The path of the one file that it is about, where there is one.
  std::string path;
  for (const Artifact& artifact : result.artifacts) {
    if (artifact.lines.empty()) continue;
    if (!path.empty() && artifact.path != path) {
      path.clear();
      break;
    }
    path = artifact.path;
  }
  return Wrap(RenderResult(result), tool, path);
}

}  // namespace paddock::agentcore
