#include "subagents/playbook/traces/compared.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

namespace paddock::subagents {
namespace {

constexpr size_t kMaxWord = 60, kMaxWords = 8, kMaxLine = 1'000, kAlike = 4;

bool IsOfWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == ':'; }

std::string_view WordAround(std::string_view text, size_t at) {
  size_t first = std::min(at, text.size()), last = first;
  while (first > 0 && IsOfWord(text[first - 1])) --first;
  while (last < text.size() && IsOfWord(text[last])) ++last;
  return text.substr(first, last - first);
}

// Enough letters to be looked for; signs at its ends are left out.
std::string Telling(std::string_view word) {
  static const RE2 letters(R"([A-Za-z]{4})");
  while (!word.empty() && (word.back() == ':' || word.back() == '-')) word.remove_suffix(1);
  while (!word.empty() && (word.front() == ':' || word.front() == '-')) word.remove_prefix(1);
  return word.size() <= kMaxWord && RE2::PartialMatch(re2::StringPiece(word.data(), word.size()), letters) ? std::string(word) : "";
}

size_t CommonBegin(std::string_view a, std::string_view b) { return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin()); }

// Two lines of a diff may have nothing to do with each other.
bool BeginOrEndAlike(std::string_view a, std::string_view b) {
  const size_t least = std::min(a.size(), b.size());
  return least >= kAlike && (a.substr(0, kAlike) == b.substr(0, kAlike) || a.ends_with(b.substr(b.size() - kAlike)));
}

}  // namespace

std::vector<std::string> DifferingWords(std::string_view a, std::string_view b) {
  if (a == b) return {};
  const size_t at = CommonBegin(a, b);
  const std::string_view first = WordAround(a, at), second = WordAround(b, at);
  std::string_view both = first.substr(0, CommonBegin(first, second));
  while (!both.empty() && both.back() != ':' && both.back() != '-' && both.back() != '_') both.remove_suffix(1);
  std::vector<std::string> words;
  for (const std::string_view word : {both, first, second})
    if (std::string one = Telling(word); !one.empty() && std::find(words.begin(), words.end(), one) == words.end()) words.push_back(std::move(one));
  return words;
}

namespace {

std::vector<std::string> WordsCompared(std::string_view line, std::string_view behind) {
  const re2::StringPiece text(line.data(), line.size()), next(behind.data(), behind.size());
  static const RE2 equal(R"(.*\bexpected '(.*)' to (?:\w+ )?equal '(.*)'\s*)"), signs(R"re(.*?(?:Error: |assert |diff: |^\s*)(?:'(.*)' ?[!=]==? ?'(.*)'|"(.*)" ?[!=]==? ?"(.*)").*)re");
  std::string a, b, c, d;
  if (RE2::FullMatch(text, equal, &a, &b)) return DifferingWords(a, b);
  if (RE2::FullMatch(text, signs, &a, &b, &c, &d)) return a.empty() && b.empty() ? DifferingWords(c, d) : DifferingWords(a, b);
  static const RE2 minus(R"(\s*(?:E\s+)?-\s*([^-\s].*))"), plus(R"(\s*(?:E\s+)?\+\s*([^+\s].*))");
  static const RE2 wanted(R"((?i)\W*expected(?: value)?\s*[:=]\s*(\S.*))"), got(R"((?i)\W*(?:actual|got|received|found)(?: value)?\s*[:=]\s*(\S.*))");
  for (const auto& [one, other] : {std::pair(&minus, &plus), std::pair(&plus, &minus)})
    if (RE2::FullMatch(text, *one, &a) && RE2::FullMatch(next, *other, &b)) return BeginOrEndAlike(a, b) ? DifferingWords(a, b) : std::vector<std::string>();
  for (const auto& [one, other] : {std::pair(&wanted, &got), std::pair(&got, &wanted)})
    if (RE2::FullMatch(text, *one, &a) && RE2::FullMatch(next, *other, &b)) return DifferingWords(a, b);
  return {};
}

}  // namespace

void AddWordsCompared(std::string_view line, std::string_view behind, std::vector<std::string>* words) {
  if (words->size() >= kMaxWords) return;
  for (std::string& word : WordsCompared(line, behind.substr(0, kMaxLine)))
    if (words->size() < kMaxWords && std::find(words->begin(), words->end(), word) == words->end()) words->push_back(std::move(word));
}

}  // namespace paddock::subagents
