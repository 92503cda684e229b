#include "subagents/playbook/triage_letters.h"

#include <re2/re2.h>

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

std::string WithoutLetterRanges(std::string line) {
  static const RE2 kRanges(R"(\[\^?(?:\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{\w*\}|.)|[^\\\]]-[^\\\]]|[^A-Za-z\\\]])*[^\x00-\x7f\]]-[^\x00-\x7f\]](?:\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{\w*\}|.)|[^\\\]]-[^\\\]]|[^A-Za-z\\\]])*\])");
  RE2::GlobalReplace(&line, kRanges, " ");
  return line;
}

bool StandsInText(std::string_view path, std::string_view line, const char* word) {
  if (!MatchesWhole(path, R"(.*\.(js|mjs|cjs|jsx|ts|tsx|py|rb|php|go|rs|c|cc|cpp|cxx|h|hpp|java|kt|swift|cs|scala|lua))") || MatchesWhole(path, R"((.*/)?(setup\.py|conftest\.py|build\.rs))")) return false;
  static const RE2 kAddress(R"(:\\?/\\?/[^\s"'<>\\()]*[^\x00-\x7f])");
  CodeReader reader(path);
  return !RE2::PartialMatch(line, kAddress) && !MatchesPart(BareCode(&reader, line), word);
}

}  // namespace paddock::subagents
