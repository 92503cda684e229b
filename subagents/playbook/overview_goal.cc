#include "subagents/playbook/overview_goal.h"

#include <re2/re2.h>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostRead = 4000;  // what is longer asks for more

// Words of any question: they ask for nothing by themselves.
constexpr char kAsking[] =
    "a|about|all|also|am|an|and|any|anything|are|as|at|be|briefly|by|can|come|could|d|did|do|does|doing|each|everything|explain|find|first|for|from|general|get|give|given|good|has|have|help|here|how|i|in|inside|into|is|it|its|"
    "just|know|learn|let|like|ll|look|looking|m|me|mean|more|my|need|needs|newcomer|now|of|on|one|or|our|out|part|parts|please|quick|quickly|re|read|s|see|short|shortly|should|show|some|t|tell|that|the|their|them|there|these|they|"
    "thing|this|those|to|understand|up|us|use|used|uses|using|ve|was|way|we|what|where|which|who|with|would|you|your|if|kind|sort|short|high|level|look|whole|contains?|holds?";

// What the overview tells.
constexpr char kTold[] =
    "app|application|begin|begins|build|building|builds|built|ci|code|codebase|command|commands|compile|compiled|compiles|conventions?|depend|dependencies|dependency|depends|describe|description|"
    "directory|entrance|entry|explore|exploration|folder|formatters?|framework|gist|install|installed|introduction|investigate|language|languages|libraries|library|licen[cs]ed?|licen[cs]es|linters?|main|map|mapping|"
    "orientation|overview|package|point|points|program|programming|project|purpose|repo|repository|require|required|requirements|requires|run|software|source|start|starting|starts|started|structure|suite|summary|summari[sz]e|test|"
    "tested|testing|tests|tool|toolchain|tools|tour|written";

// Files and changes by themselves are other questions than these.
constexpr char kTogether[] = R"(\b(?:(?:largest|biggest|most (?:often )?changed|entry|main|source|build|test) files?|changed most(?: often)?|list (?:of )?(?:the |its |all )*(?:languages|dependencies|entry points))\b)";

// A wish that something be done, not told.
constexpr char kOrder[] = R"(^\W*(?:please |now |can you |could you |just |let's )*(?:build|compile|test|run|install|start)(?: and (?:build|test|run|install|start))? (?:it|this|that|the|all|everything|my|our|your)\b)";

}  // namespace

bool IsOfOverview(std::string_view goal, const std::vector<std::string>& names) {
  const auto lower = [](std::string text) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 32);
    return text;
  };
  std::string text = lower(std::string(goal.substr(0, kMostRead)));
  if (MatchesPart(text, kOrder) || goal.size() > kMostRead) return false;
  for (const auto& name : names)
    if (name.size() > 1) RE2::GlobalReplace(&text, R"((^|[^\w-]))" + RE2::QuoteMeta(lower(name)) + R"(([^\w-]|$))", R"(\1 \2)");
  RE2::GlobalReplace(&text, kTogether, " ");
  // Whatever is no word of these asks for something else: a name, a verb, another language.
  re2::StringPiece rest(text);
  std::string word;
  static const RE2 kWord(R"(([\w\x80-\x{10FFFF}.`'/-]*[\w\x80-\x{10FFFF}][\w\x80-\x{10FFFF}.`'/-]*))");
  while (RE2::FindAndConsume(&rest, kWord, &word)) {
    while (!word.empty() && std::string_view(".`'-/").find(word.back()) != std::string_view::npos) word.pop_back();
    if (word.size() > 200 || (!MatchesWhole(word, kAsking) && !MatchesWhole(word, kTold) && !MatchesWhole(word, R"(\d+|\w+'(s|re|ve|d|ll|m|t))"))) return false;
  }
  return true;
}

}  // namespace paddock::subagents
