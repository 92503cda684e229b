// ClaimsOfWeakened: what keeps secrets, made weaker over several lines.
#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSpots = 4;
constexpr size_t kMostLinesBack = 60;  // to the function that holds a line

constexpr char kConstantTime[] =
    R"(\b(ConstantTimeCompare|ConstantTimeEq\w*|compare_digest|constant_time_compare|constant_time_eq\w*|timingSafeEqual|timingsafe_[bm]cmp|CRYPTO_memcmp|sodium_memcmp|secure_compare|fixed_length_secure_compare|hash_equals|FixedTimeEquals|MessageDigest\.isEqual|hmac\.Equal)\s*\()";
constexpr char kCompares[] = R"([!=]==?|\.equals\s*\(|\b(strn?cmp|memcmp|bytes\.Equal)\s*\()";

// Numbers that can be foretold.
constexpr struct {
  const char *languages, *call;
} kForetold[] = {
    {"Go", R"(\brand\.(?:Int|Intn|IntN|Int31n?|Int63n?|Uint32|Uint64|Float64|Perm|N)\((?:[^,()]|\([^()]*\))*\))"},
    {"JavaScript|TypeScript", R"(\bMath\.random\(\))"},
    {"Python", R"((?:^|[^\w.])random\.(?:random|randint|randrange|choices?|sample|getrandbits|uniform|shuffle)\()"},
    {"Java|Kotlin|Scala|Groovy", R"(\bnew\s+Random\(|\bMath\.random\(\)|\bThreadLocalRandom\b)"},
    {"PHP", R"((?:^|[^\w>:$])(?:mt_rand|rand|uniqid|lcg_value)\()"},
    {"C|C\\+\\+", R"((?:^|[^\w.>])(?:rand|random|drand48|lrand48)\(\s*\))"},
};
constexpr char kMakesSecret[] = R"((?i)token|secret|passw(or)?d|api_?key|session_?(id|key)|nonce|salt|csrf|(gen|generate|new|make|create|random)_?\w*key)";
constexpr char kMakesNone[] = R"((?i)tokeni[sz]|(next|read|parse|scan|lex|peek|skip|count|test|fake|mock|sample)_?\w*token|tokens?_?(count|type|stream|list|kind)|test|bench)";
// The rule on single lines has these.
constexpr char kNamedOnTheLine[] = R"((?i)(token|secret|passw(or)?d|api_?key|session|nonce|salt|csrf)\w*\s*:?=)";

class Weakened {
 public:
  explicit Weakened(const FileDiff& file) : file_(file), language_(LanguageOf(file.path)) {}

  std::vector<ReviewClaim> Take() {
    for (const auto& hunk : file_.hunks) {
      Comparison(hunk);
      Numbers(hunk);
      Verifier(hunk);
    }
    if (!numbers_.empty()) claims_.push_back({"A secret from random numbers that can be foretold: " + file_.path, Severity::kMedium, "By its name the function makes one; such numbers are not for secrets.", Confidence::kMedium, std::move(numbers_)});
    return std::move(claims_);
  }

 private:
  bool IsCode(const DiffLine& line, const char* pattern) const {
    const auto at = MatchAt(line.text, pattern);
    return at && !IsCommentLine(file_.path, line.text) && !InTextOrComment(language_, line.text, *at);
  }

  // More lines of the file compare in constant time than before, or as many.
  bool ComparesAsOften() {
    if (!more_added_) {
      int64_t more = 0;
      for (const auto& hunk : file_.hunks)
        for (const auto& line : hunk.lines)
          if (line.sign != ' ' && IsCode(line, kConstantTime)) more += line.sign == '+' ? 1 : -1;
      more_added_ = more >= 0;
    }
    return *more_added_;
  }

  void Comparison(const Hunk& hunk) {
    const auto old = std::find_if(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign == '-' && IsCode(line, kConstantTime); });
    if (old == hunk.lines.end() || !file_.whole || !claims_.empty() || ComparesAsOften()) return;
    const Words words = WordsOf(old->text);
    const auto now = std::find_if(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) {
      const Words here = WordsOf(line.text);
      return line.sign == '+' && IsCode(line, kCompares) && std::any_of(here.begin(), here.end(), [&](const auto& word) { return words.contains(word); });
    });
    if (now == hunk.lines.end()) return;
    claims_.push_back({"A comparison in constant time was replaced by one that stops at the first difference: " + file_.path, Severity::kMedium,
                       "How long it takes says how much of a secret was right. It was `" + std::string(TruncateUtf8(Trim(old->text), 160)) + "` (line " + std::to_string(old->old_line) + " before the change).", Confidence::kHigh, {{file_.path, now->new_line, now->text, ""}}});
  }

  // The function that holds lines[index], as far as the hunk shows; "" for none.
  std::string FunctionOf(const Hunk& hunk, size_t index) const {
    size_t indent = Indent(hunk.lines[index].text);
    for (size_t i = index; i-- > 0 && index - i <= kMostLinesBack;) {
      const std::string& text = hunk.lines[i].text;
      if (hunk.lines[i].sign == '-' || Trim(text).empty() || Indent(text) >= indent) continue;
      indent = Indent(text);
      if (const auto defined = DefinedOn(file_.path, text); defined && defined->kind == "function") return defined->name;
    }
    return "";
  }

  void Numbers(const Hunk& hunk) {
    for (const auto& row : kForetold) {
      if (!MatchesWhole(language_, row.languages)) continue;
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const DiffLine& line = hunk.lines[i];
        if (line.sign != '+' || !IsCode(line, row.call) || MatchesPart(line.text, kNamedOnTheLine) || numbers_.size() >= kMaxSpots) continue;
        const std::string function = FunctionOf(hunk, i);
        if (MatchesPart(function, kMakesSecret) && !MatchesPart(function, kMakesNone)) numbers_.push_back({file_.path, line.new_line, line.text, ""});
      }
    }
  }

  // Java's, over two lines.
  void Verifier(const Hunk& hunk) {
    if (!MatchesWhole(language_, "Java|Kotlin|Scala|Groovy")) return;
    for (size_t i = 0; i + 1 < hunk.lines.size(); ++i) {
      const DiffLine& next = hunk.lines[i + 1];
      if (hunk.lines[i].sign != '+' || next.sign != '+' || !MatchesPart(hunk.lines[i].text, R"(\bverify\s*\([^)]*\bSSLSession\s+\w+\s*\)\s*\{\s*$)") || !MatchesPart(next.text, R"(^\s*return\s+true\s*;)")) continue;
      claims_.push_back({"TLS certificates are not checked: " + file_.path, Severity::kHigh, "Anybody on the way can read and change what is sent.", Confidence::kHigh, {{file_.path, hunk.lines[i].new_line, hunk.lines[i].text, ""}}});
    }
  }

  const FileDiff& file_;
  std::string language_;
  std::optional<bool> more_added_;
  std::vector<ReviewSpot> numbers_;
  std::vector<ReviewClaim> claims_;
};

}  // namespace

std::vector<ReviewClaim> ClaimsOfWeakened(const std::vector<FileDiff>& files) {
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    if (LanguageOf(file.path).empty() || IsTestPath(file.path) || IsProsePath(file.path) || IsMadePath(file.path)) continue;
    for (auto& claim : Weakened(file).Take()) claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
