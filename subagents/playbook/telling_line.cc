#include "subagents/playbook/telling_line.h"

#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

// How much a line says of its file: "/*" and "{" stand at the head of any.
int Tells(const std::string& path, const std::string& text) {
  if (!MatchesPart(text, R"(\w{3})")) return text.find_first_not_of(" \t") != std::string::npos ? 1 : 0;
  if (IsCommentLine(path, text) || MatchesPart(text, R"(^\s*(/?\*|<!--|"""|\'\'\')|(?i)copyright|licen[cs]e)")) return 2;
  if (MatchesPart(text, R"(^\s*(#\s*(include|pragma|ifn?def)\b|#!?\[|@|(import|from|package|using|use|require)\b))")) return 3;
  const auto defined = DefinedOn(path, text);
  return defined && defined->kind != "variable" && defined->kind != "macro" ? 5 : 4;
}

}  // namespace

std::optional<Citation> TellingLine(const RepoView& view, const std::string& path) {
  const SeenLines* lines = view.LinesOf(path);
  if (!lines) return std::nullopt;
  std::optional<Citation> best;
  int most = 0;
  for (const auto& [number, line] : *lines) {
    const int tells = line.cut ? std::min(1, Tells(path, line.text)) : Tells(path, line.text);
    if (tells <= most) continue;
    if (auto citation = view.Cite(path, number, number)) best = std::move(citation), most = tells;
  }
  return best;
}

}  // namespace paddock::subagents
