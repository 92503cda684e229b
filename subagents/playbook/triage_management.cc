#include "subagents/playbook/triage_management.h"

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

bool IsInPluginManagement(const SeenLines& lines, int64_t line) {
  bool open = false;
  for (const auto& [number, seen] : lines) {
    if (!MatchesPart(seen.text, kPluginManagement)) continue;
    const bool closes = MatchesPart(seen.text, "</pluginManagement>");
    if (number > line) return open && closes;
    open = !closes;
  }
  return false;
}

}  // namespace paddock::subagents
