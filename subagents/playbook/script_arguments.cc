#include "subagents/playbook/script_arguments.h"

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

bool NeedsArguments(const RepoView& view, const std::string& path) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr) return false;
  bool in_function = false, needs = false;
  for (const auto& [number, line] : *lines) {
    const std::string& text = line.text;
    if (MatchesPart(text, R"(^\s*#)")) continue;
    if (MatchesPart(text, R"(\$\{[1-9]:?\?|\$#["']?\s+-(?:lt|ne)\s+[1-9]|\$#["']?\s+-eq\s+0|\bsys\.argv\[1\]|\$ARGV\[0\])")) return true;
    if (MatchesPart(text, R"(^(?:function\s+)?[\w-]+\s*\(\)|^function\s)")) in_function = !MatchesPart(text, R"(\}\s*$)");
    else if (text.starts_with("}")) in_function = false;
    if (in_function) continue;
    // One that looks whether there are any does without.
    if (MatchesPart(text, R"(\$[#@*]|\bshift\b|\bgetopts?\b|\bcase\b|\[.*\$\{?1|\btest\b.*\$\{?1|\$\{1:?[-+=])")) return false;
    needs = needs || MatchesPart(text, R"(\$[1-9]\b|\$\{[1-9]\})");
  }
  return needs && (path.ends_with(".sh") || MatchesPart(lines->begin()->second.text, R"(^#!.*sh\b)"));
}

}  // namespace paddock::subagents
