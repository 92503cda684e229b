#include "subagents/playbook/fields.h"

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/word_roles.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kMostLines = 400;  // of a structure
constexpr char kC[] = "C|C\\+\\+|C header";

// The line that opens a structure; capture 1: its name.
std::optional<std::string> OpenedOn(const std::string& language, std::string_view text) {
  if (language == "Go") return FirstGroup(text, R"(^(?:type)?\s+(\w+)(?:\[.*\])?\s+struct\s*\{\s*(?://.*)?$)");
  if (language == "Rust") return FirstGroup(text, R"(^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|union)\s+(\w+)[^;({]*\{\s*(?://.*)?$)");
  return FirstGroup(text, R"(^\s*(?:typedef\s+)?(?:static\s+)?(?:struct|union)\b\s*(\w*)\s*\{?\s*(?:/[/*].*)?$)");
}

}  // namespace

bool LooksLikeField(std::string_view path, std::string_view text, std::string_view name) {
  const std::string language = LanguageOf(path);
  const size_t at = NameAt(text, name), indent = IndentOf(text);
  if (at == std::string_view::npos || indent == 0) return false;
  const std::string_view before = text.substr(0, at), after = text.substr(at + name.size());
  if (language == "Go") return MatchesWhole(before, R"(\s+(?:\w+,\s*)*)") && MatchesPart(after, R"(^(?:,\s*\w+)*\s+(?:func\(|map\[|chan\b|struct\s*\{|[*\[\]<-]*\w[\w.]*(?:\[.*\])?\s*(?:`.*)?(?://.*)?$))");
  if (language == "Rust") return MatchesWhole(before, R"(\s+(?:pub(?:\([^)]*\))?\s+)?)") && MatchesPart(after, R"(^\s*:\s*[A-Za-z&*(\[<'].*,\s*(?://.*)?$)");
  if (!MatchesWhole(language, kC)) return false;
  if (MatchesWhole(before, R"(\s+[A-Za-z_][\w\s:<>*&]*\(\s*\*\s*)")) return MatchesPart(after, R"(^\s*\)\s*\(.*;)");
  return MatchesWhole(before, R"(\s+[A-Za-z_][\w\s:<>,*&]*[\s*&>])") && !MatchesPart(before, R"(^\s*(return|goto|else|case|delete|typedef|using)\b)") && MatchesPart(after, R"(^\s*(?:\[[^\]]*\]\s*)*(?::\s*\d+\s*)?[;,])");
}

std::optional<std::string> StructureAround(std::string_view path, const SeenLines& lines, int64_t number) {
  const std::string language = LanguageOf(path);
  const size_t indent = IndentOf(lines.at(number).text);
  for (int64_t n = number - 1; n > number - kMostLines && lines.contains(n); --n) {
    const std::string& text = lines.at(n).text;
    if (IndentOf(text) == std::string_view::npos || IndentOf(text) >= indent || text.starts_with("#")) continue;
    if (MatchesPart(text, R"(^\s*\{\s*$)") && lines.contains(n - 1)) return OpenedOn(language, lines.at(n - 1).text);
    return text.find('{') == std::string::npos ? std::nullopt : OpenedOn(language, text);
  }
  return std::nullopt;
}

}  // namespace paddock::subagents
