#include "subagents/playbook/class_parts.h"

#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

std::optional<bool> PartBegunIn(std::string_view line) {
  const auto part = FirstGroup(line, R"(^\s*(public|private|protected|signals|Q_SIGNALS)(?:\s+\w+)?\s*:(?:[^:]|$))");
  if (!part) return std::nullopt;
  return *part != "private" && *part != "protected";
}

void ClassParts::Take(std::string_view line) {
  const size_t indent = IndentOf(line);
  if (indent == std::string_view::npos || MatchesPart(line, R"(^\s*#)") || IsCommentLine(path_, line)) return;
  const auto part = PartBegunIn(line);
  // A part's name may stand as deep as its class does.
  while (!open_.empty() && (open_.back().indent > indent || (open_.back().indent == indent && !part))) open_.pop_back();
  if (part) {
    if (!open_.empty()) open_.back().hides = !*part;
    return;
  }
  const auto defined = DefinedOn(path_, line);
  if (defined && defined->kind == "type" && MatchesPart(line, kClassParts)) open_.push_back({indent, defined->name, MatchesPart(line, R"(^\s*(?:template\s*<.*>\s*)?class\b)")});
}

bool ClassParts::Hides() const {
  return std::any_of(open_.begin(), open_.end(), [](const Scope& scope) { return scope.hides; });
}

std::string ClassBefore(std::string_view line, const std::string& name) {
  const size_t at = line.find("::" + name);
  return at == std::string_view::npos ? "" : FirstGroup(line.substr(0, at), R"((\w+)(?:<[^()]*>)?$)").value_or("");
}

}  // namespace paddock::subagents
