#include "subagents/playbook/review_range.h"

#include <re2/re2.h>

#include <algorithm>

namespace paddock::subagents {
namespace {

#define REVISION R"([A-Za-z0-9_][A-Za-z0-9_./@-]*(?:[~^]\d*)*)"

bool Find(std::string_view text, const RE2& pattern, std::string* first, std::string* second = nullptr) {
  re2::StringPiece piece(text.data(), text.size());
  return second != nullptr ? RE2::PartialMatch(piece, pattern, first, second) : RE2::PartialMatch(piece, pattern, first);
}

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '-')) text.pop_back();
  return text;
}

}  // namespace

ReviewRange ReadReviewRange(std::string_view goal) {
  using Kind = ReviewRange::Kind;
  static const RE2 kTwo(R"((?:^|[\s`'"(])(HEAD(?:[~^]\d*)*|[A-Za-z0-9_][A-Za-z0-9_/@-]*(?:\.[A-Za-z0-9_/@-]+)*(?:[~^]\d*)*)\.\.\.?()" REVISION R"())");
  static const RE2 kOpen(R"((?:^|[\s`'"(])(HEAD(?:[~^]\d*)*|[A-Za-z0-9_][A-Za-z0-9_/@-]*(?:\.[A-Za-z0-9_/@-]+)*(?:[~^]\d*)*)\.\.(?:$|[\s`'")]))");
  static const RE2 kSince(R"re((?i)(?:\bsince|\bafter)\s+(?:the\s+)?(?:commit\s+|tag\s+)?[`'"]?((?:HEAD(?:[~^]\d*)+|v?\d+\.[\w.]+|[0-9a-f]{7,40})))re");
  static const RE2 kLastSome(R"((?i)\blast\s+(\d{1,4}|two|three|four|five|ten)\s+commits?\b)");
  static const RE2 kCommit(R"re((?i)\bcommit\s+[`'"]?([0-9a-f]{7,40}|HEAD(?:[~^]\d*)*)\b)re");
  static const RE2 kHash(R"re((?:^|[\s`'"(])([0-9a-f]{7,40})(?:$|[\s`'").,:;]))re");
  static const RE2 kOnlyHash(R"re(^\s*[`'"]?([0-9a-f]{7,40})[`'"]?\s*$)re");  // seven digits are a hash, too, where nothing else is said
  static const RE2 kHead(R"(\b(HEAD(?:[~^]\d*)*))");
  static const RE2 kLast(R"((?i)\b(last|latest|newest|head)\s+commit\b)");
  static const RE2 kTree(R"((?i)\b(working[ -]tree|uncommitted|unstaged|staged|local changes|my changes|worktree|(?:is|was|are|has|have)(?:n't| not)\s+(?:yet\s+)?(?:been\s+)?committed|not\s+(?:yet\s+)?committed)\b)");
  std::string first, second;
  if (Find(goal, kTwo, &first, &second)) return {Kind::kRange, first, Trimmed(second), first + ".." + Trimmed(second)};
  if (Find(goal, kOpen, &first)) return {Kind::kRange, first, "HEAD", first + "..HEAD"};
  if (Find(goal, kSince, &first)) return {Kind::kRange, first, "HEAD", first + "..HEAD"};
  if (Find(goal, kLastSome, &first)) {
    std::transform(first.begin(), first.end(), first.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const auto& [word, number] : {std::pair("two", "2"), {"three", "3"}, {"four", "4"}, {"five", "5"}, {"ten", "10"}})
      if (first == word) first = number;
    return {Kind::kRange, "HEAD~" + first, "HEAD", "HEAD~" + first + "..HEAD"};
  }
  if (Find(goal, kCommit, &first)) return {Kind::kCommit, "", first, "commit " + first};
  if (Find(goal, kHash, &first) && RE2::PartialMatch(first, R"(\d)") && RE2::PartialMatch(first, "[a-f]")) return {Kind::kCommit, "", first, "commit " + first};
  if (Find(goal, kOnlyHash, &first)) return {Kind::kCommit, "", first, "commit " + first};
  if (Find(goal, kLast, &first)) return {Kind::kCommit, "", "HEAD", "the last commit"};
  if (Find(goal, kTree, &first)) return {Kind::kWorkingTree, "HEAD", "", "the working tree against HEAD"};
  if (Find(goal, kHead, &first)) return {Kind::kCommit, "", first, "commit " + first};
  return {};
}

ReviewRange GuessReviewRange(std::string_view goal) {
  static const RE2 kWord(R"re((?i)^\s*(?:please\s+)?(?:(?:review|check|judge|look\s+at)\s+)?(?:the\s+)?(?:(?:commit|tag|branch|revision|rev|ref)\s+)?[`'"]?()re" REVISION R"re()[`'"]?[.!?]?\s*$)re");
  static const RE2 kPlain(R"((?i)(re)?view(s|ed|er)?|look|check|audit|judge|help|go|please|everything|all|it|this|that|these|code|(the\s)?(work|changes?|diffs?|patch(es)?)|commits?|security|bugs?|errors?|tests?|quality|now|here|me|branch|tag|revision)");
  std::string word;
  if (!Find(goal, kWord, &word)) return {};
  word = Trimmed(word);
  if (word.empty() || RE2::FullMatch(word, kPlain)) return {};
  ReviewRange range{ReviewRange::Kind::kCommit, "", word, "commit " + word, "", true};
  return range;
}

}  // namespace paddock::subagents
