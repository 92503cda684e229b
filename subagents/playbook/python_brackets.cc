#include "subagents/playbook/python_brackets.h"

#include <utility>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr const char* kGlob = "*.py";
constexpr int64_t kMatches = 700, kContext = 10, kLines = 100;
constexpr size_t kReadOn = 24, kNameBytes = 1500;

bool StaysOpen(const std::vector<std::string>& lines) {
  bool open = false;
  for (const auto& line : lines) open = MatchesPart(line, R"(^\s*from\s.*\bimport\s*\([^)]*$)") || (open && line.find(')') == std::string::npos);
  return open;
}

}  // namespace

void PythonBrackets::Ask(const ImportIndex& index, CallQueue* queue) {
  std::string names;
  for (const auto& folder : index.python_packages())
    if (const std::string name(BaseName(folder)); MatchesWhole(name, R"(\w+)") && names.size() < kNameBytes) names += "|" + name;
  if (names.empty() || std::exchange(asked_, true)) return;
  queue->Add("search_text", Json{{"pattern", R"(^\s*from\s+(\.+|\.*([\w.]+\.)?()" + names.substr(1) + R"())\s+import\s*\([^)#]*(#.*)?$)"}, {"glob", kGlob}, {"context", kContext}, {"limit", kMatches}});
}

std::vector<agentcore::Artifact> PythonBrackets::Take(const agentcore::CallOutcome& outcome, CallQueue* queue) {
  const Json& arguments = outcome.call.arguments;
  std::vector<agentcore::Artifact> out;
  const bool answer = outcome.call.tool == "search_text" && arguments.value("glob", "") == kGlob, more = outcome.call.tool == "read_file" && read_on_.contains(arguments.value("path", ""));
  if (!answer && !more) return out;
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.facts.is_object() && answer && artifact.facts.value("truncated", Json(false)) == Json(true)) not_searched_.insert(".");
    if (artifact.kind != "excerpt") continue;
    out.push_back(artifact);
    if (more || !StaysOpen(artifact.lines)) continue;
    if (read_on_.insert(artifact.path).second && read_on_.size() > kReadOn) not_searched_.insert(artifact.path);
    else queue->ReadFrom(artifact.path, artifact.line_start + static_cast<int64_t>(artifact.lines.size()), kLines);
  }
  return out;
}

}  // namespace paddock::subagents
