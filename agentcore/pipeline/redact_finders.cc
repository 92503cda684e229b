#include "agentcore/pipeline/redact_finders.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "agentcore/pipeline/keyword_scan.h"
#include "agentcore/pipeline/redact_assignment.h"
#include "agentcore/pipeline/redact_rules.h"
#include "agentcore/pipeline/secret_shape.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kBefore = 160;       // of a line, what a pattern sees before its word
constexpr size_t kAfter = 4096;       // and after it
constexpr size_t kNear = 2048;        // for patterns over several lines
constexpr size_t kMaxDecoded = 6144;  // bytes of one word of base64 that are looked at
constexpr size_t kLeastBase64 = 24;
constexpr size_t kJudged = 256;       // of a token, to tell whether it is one
constexpr int kMaxGroups = 3;
constexpr int kMaxInOne = 16;  // prefixes in one word (sk-sk-sk-...); with more, all of it goes, unjudged

bool IsAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool IsOf(Alphabet alphabet, char c) {
  switch (alphabet) {
    case Alphabet::kHex: return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    case Alphabet::kAlnum: return IsAlnum(c);
    case Alphabet::kUpper: return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    case Alphabet::kWord: return IsAlnum(c) || c == '_' || c == '-';
    case Alphabet::kDotted: return IsAlnum(c) || c == '_' || c == '-' || c == '.';
    case Alphabet::kBase64: return IsAlnum(c) || c == '+' || c == '/' || c == '=' || c == '_' || c == '-';
  }
  return false;
}

// Whether a word begins at `at`: also behind an escape (\n, %3D, \u0026) and what sets a terminal's colour.
bool WordBegins(std::string_view text, size_t at) {
  if (at == 0 || !(IsAlnum(text[at - 1]) || text[at - 1] == '_')) return true;
  std::string_view before = text.substr(at < 16 ? 0 : at - 16, std::min<size_t>(at, 16));
  auto from_end = [&](size_t n) { return n <= before.size() ? before[before.size() - n] : '\0'; };
  if (from_end(2) == '\\' && (from_end(1) == 'n' || from_end(1) == 't' || from_end(1) == 'r')) return true;
  if (from_end(3) == '%' && IsOf(Alphabet::kHex, from_end(2)) && IsOf(Alphabet::kHex, from_end(1))) return true;
  if (from_end(4) == '\\' && from_end(3) == 'x') return true;
  if (from_end(6) == '\\' && from_end(5) == 'u') return true;
  if (from_end(1) != 'm') return false;
  size_t i = before.size() - 1;
  while (i > 0 && ((before[i - 1] >= '0' && before[i - 1] <= '9') || before[i - 1] == ';')) --i;
  return i > 0 && before[i - 1] == '[';
}

// One printable text in standard or URL base64, or nothing; `word` without padding.
std::optional<std::string> DecodePrintable(std::string_view word) {
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (char c : word) {
    uint32_t digit;
    if (c >= 'A' && c <= 'Z') digit = static_cast<uint32_t>(c - 'A');
    else if (c >= 'a' && c <= 'z') digit = static_cast<uint32_t>(c - 'a' + 26);
    else if (c >= '0' && c <= '9') digit = static_cast<uint32_t>(c - '0' + 52);
    else if (c == '+' || c == '-') digit = 62;
    else if (c == '/' || c == '_') digit = 63;
    else return std::nullopt;
    bits = (bits << 6) | digit;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    unsigned char byte = static_cast<unsigned char>(bits >> have);
    if (byte >= 0x7F || (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t')) return std::nullopt;
    out += static_cast<char>(byte);
    if (out.size() >= kMaxDecoded) break;
  }
  return out;
}

bool Passes(Check check, std::string_view found) {
  switch (check) {
    case Check::kNone: return !IsPlaceholder(found.substr(1));  // what it begins with is its kind's
    case Check::kToken: return LooksRandom(found, 12);
    case Check::kPassword: return LooksLikePassword(found);
    case Check::kHidden: {
      // A plain word is a name in an example; a secret has something else in it.
      return (found.find_first_of("0123456789!@#%^*+~?=") != std::string_view::npos || Roughness(found) >= 2) && !IsPlaceholder(found);
    }
    case Check::kBase64: {
      while (found.ends_with('=')) found.remove_suffix(1);
      auto decoded = DecodePrintable(found);
      if (!decoded) return false;
      size_t colon = decoded->find(':');
      return colon != std::string::npos && decoded->size() - colon > 4 && !IsPlaceholder(std::string_view(*decoded).substr(colon + 1));
    }
  }
  return false;
}

// The three tables, compiled: one scan for all their words, and what each word calls for.
class Tables {
 public:
  Tables() : scan_(Words()) {}

  void Find(std::string_view text, const BlockOptions& options, std::vector<RedactSpan>* out) const {
    std::vector<size_t> marks, done(PatternRules().size(), 0);
    AssignmentsSeen named;
    TokensSeen tokens;
    for (const KeywordScan::Hit& hit : scan_.Find(text)) {
      const Use& use = uses_[hit.word];
      switch (use.table) {
        case Table::kPrefix: TryPrefix(text, hit.begin, PrefixRules()[use.rule], &tokens, out); break;
        case Table::kPattern: TryPattern(text, hit.begin, use.rule, &done[use.rule], out); break;
        case Table::kMark: marks.push_back(hit.begin); break;
        case Table::kName:
          if (hit.begin < named.looked) break;
          if (auto span = FindAssignment(text, hit.begin, &named)) {
            out->push_back(*span);
            named.looked = std::max(named.looked, span->end);  // all of it goes: names within it need no look
          }
          break;
      }
    }
    FindBlocks(text, marks, options, out);
  }

 private:
  enum class Table : uint8_t { kPrefix, kPattern, kMark, kName };
  struct Use {
    Table table;
    uint16_t rule;
  };
  struct TokensSeen {
    size_t taken = 0;    // prefixes before it are within a token
    size_t run_end = 0;  // of the word that was judged last
    int tried = 0;       // how often it was
  };
  struct Compiled {
    std::once_flag once;
    std::unique_ptr<RE2> re;
  };

  std::vector<std::string_view> Words() {
    std::vector<std::string_view> words;
    auto add = [&](std::string_view word, Table table, size_t rule) {
      words.push_back(word);
      uses_.push_back({table, static_cast<uint16_t>(rule)});
    };
    for (size_t i = 0; i < PrefixRules().size(); ++i) add(PrefixRules()[i].prefix, Table::kPrefix, i);
    for (size_t i = 0; i < PatternRules().size(); ++i)
      for (std::string_view word : PatternRules()[i].words) add(word, Table::kPattern, i);
    for (std::string_view word : kBlockWords) add(word, Table::kMark, 0);
    for (std::string_view word : NameWords()) add(word, Table::kName, 0);
    compiled_ = std::make_unique<Compiled[]>(PatternRules().size());
    return words;
  }

  static void TryPrefix(std::string_view text, size_t begin, const PrefixRule& rule, TokensSeen* seen, std::vector<RedactSpan>* out) {
    if (begin < seen->taken || (rule.edge == Edge::kWord && !WordBegins(text, begin))) return;
    const size_t token = begin + std::string_view(rule.prefix).size();
    auto run = [&](size_t end, size_t most) {
      while (end < text.size() && end - token < most && IsOf(rule.alphabet, text[end])) ++end;
      return end;
    };
    size_t end = run(token, kJudged);
    if (end - token < rule.least) return;
    // In the middle of base64 any prefix turns up by chance.
    auto goes_on = [&](size_t at) { return at < text.size() && (text[at] == '+' || text[at] == '/') && at + 1 < text.size() && IsAlnum(text[at + 1]); };
    if (rule.edge == Edge::kWord && rule.alphabet != Alphabet::kBase64 && ((begin > 0 && text[begin - 1] == '+') || goes_on(end))) return;
    if (rule.most != 0 && (end - token > rule.most || (end < text.size() && (IsAlnum(text[end]) || text[end] == '_')))) return;
    std::string_view found = text.substr(token, end - token);
    if (begin >= seen->run_end) seen->tried = 0, seen->run_end = end;
    if (++seen->tried > kMaxInOne) {
      seen->taken = run(end, text.size());
      out->push_back({begin, seen->taken, rule.kind, begin, true});
      return;
    }
    // What stands behind a prefix that is no word's beginning needs less.
    const bool of_many = rule.edge == Edge::kAny && CountClasses(found) >= 3 && Entropy(found) >= 3.5;
    if (rule.alphabet != Alphabet::kUpper && Roughness(found) < 2 && !IsMixedCase(found) && !of_many) return;
    // A word that is told by its edge alone must look random all over: "sk-" begins class names too.
    if (rule.edge == Edge::kWord && rule.alphabet != Alphabet::kUpper && !LooksRandom(found, 12)) return;
    if (Entropy(found) < 2.7 || IsPlaceholder(found)) return;
    end = run(end, text.size());
    while (text[end - 1] == '.' || text[end - 1] == '-') --end;
    seen->taken = end;
    out->push_back({begin, end, rule.kind, begin, true});
  }

  void TryPattern(std::string_view text, size_t at, size_t index, size_t* done, std::vector<RedactSpan>* out) const {
    if (at < *done) return;
    const PatternRule& rule = PatternRules()[index];
    size_t begin, end;
    if (rule.scope == Scope::kNearLines) {
      begin = at < kNear ? 0 : at - kNear;
      end = std::min(text.size(), at + kNear);
    } else {
      size_t from = at < kBefore ? 0 : at - kBefore;
      size_t newline = text.substr(from, at - from).rfind('\n');
      begin = newline == std::string_view::npos ? from : from + newline + 1;
      end = std::min(text.size(), at + kAfter);
      if (size_t after = text.substr(at, end - at).find('\n'); after != std::string_view::npos) end = at + after;
    }
    // A word near the end of this window gets one of its own.
    *done = rule.scope == Scope::kLine && (end == text.size() || text[end] == '\n') ? end : at + (end - at) / 2 + 1;
    const RE2& re = Regex(index);
    re2::StringPiece groups[kMaxGroups];
    const int count = std::min(re.NumberOfCapturingGroups() + 1, kMaxGroups);
    re2::StringPiece window(text.data() + begin, end - begin);
    for (size_t from = 0; from < window.size();) {
      if (!re.Match(window, from, window.size(), RE2::UNANCHORED, groups, count)) return;
      size_t match_begin = static_cast<size_t>(groups[0].data() - window.data());
      size_t next = match_begin + groups[0].size();
      for (int g = 1; g < count; ++g) {
        if (!groups[g].data() || groups[g].empty()) continue;
        std::string_view found(groups[g].data(), groups[g].size());
        if (!Passes(rule.check, found)) continue;
        size_t offset = static_cast<size_t>(groups[g].data() - text.data());
        out->push_back({offset, offset + found.size(), rule.kind, std::min(begin + match_begin, at), true});
      }
      from = std::max(from + 1, next);
    }
  }

  const RE2& Regex(size_t index) const {
    Compiled& compiled = compiled_[index];
    std::call_once(compiled.once, [&] {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_max_mem(4 << 20);
      compiled.re = std::make_unique<RE2>(PatternRules()[index].pattern, options);
    });
    return *compiled.re;
  }

  std::vector<Use> uses_;  // of each word of scan_; before scan_, which fills it
  std::unique_ptr<Compiled[]> compiled_;
  KeywordScan scan_;
};

const Tables& TheTables() {
  static const Tables tables;
  return tables;
}

}  // namespace

void FindCommonKinds(std::string_view text, const BlockOptions& options, std::vector<RedactSpan>* out) { TheTables().Find(text, options, out); }

void FindInBase64(std::string_view text, std::vector<RedactSpan>* out) {
  for (size_t i = 0; i < text.size();) {
    if (i + kLeastBase64 > text.size()) return;
    // Backwards from where the shortest word would end: most places are passed by in one step.
    size_t j = i + kLeastBase64;
    while (j > i && IsOf(Alphabet::kBase64, text[j - 1]) && text[j - 1] != '=') --j;
    if (j > i) {
      i = j;
      continue;
    }
    size_t end = i + kLeastBase64;
    while (end < text.size() && IsOf(Alphabet::kBase64, text[end]) && text[end] != '=') ++end;
    size_t begin = i;
    i = end;
    if (!DecodePrintable(text.substr(begin, 16))) continue;
    auto decoded = DecodePrintable(text.substr(begin, end - begin));
    if (!decoded) continue;
    std::vector<RedactSpan> inside;
    FindCommonKinds(*decoded, {}, &inside);
    if (inside.empty()) continue;
    while (end < text.size() && text[end] == '=') ++end;
    out->push_back({begin, end, inside[0].kind, begin, true});
  }
}

}  // namespace paddock::agentcore
