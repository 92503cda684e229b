#include "subagents/playbook/review_checks.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNamed = 8, kMaxSpots = 8, kMaxBody = 12;

using Words = std::set<std::string>;

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}
size_t Indent(std::string_view text) { return std::min(text.find_first_not_of(" \t"), text.size()); }
bool IsWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'; }

// The names in a text, but for keywords and what stands in quotes.
Words WordsOf(std::string_view text) {
  static const Words kNone = {"if",   "elif", "else", "unless", "not", "and",  "or",     "is",     "in",         "None",      "null",   "nil",   "nullptr", "NULL",  "self",  "this",
                              "true", "false", "True", "False",  "len", "size", "length", "typeof", "instanceof", "undefined", "return", "raise", "throw",   "new",   "then",  "let",
                              "err",  "error", "assert", "const", "var", "static_assert", "count", "sizeof", "std", "int", "end", "do", "isinstance"};
  Words out;
  char open = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (open != 0 || c == '"' || c == '\'' || c == '`') {
      if (open == 0) open = c;
      else if (c == '\\') ++i;
      else if (c == open) open = 0;
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (end == i) ++end;
    else if (std::string word(text.substr(i, end - i)); !(word[0] >= '0' && word[0] <= '9') && !kNone.contains(word)) out.insert(std::move(word));
    i = end;
  }
  return out;
}

bool Share(const Words& a, const Words& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& word) { return b.contains(word); });
}

// Does what a guard does in the end keep the rest from being run?
constexpr char kEnds[] =
    R"((^|[\s;{(:])(raise|throw|panic|panic!|abort|die|croak|confess|bail!|unreachable!|exit|_exit|goto\s+\w*(?i:err|fail|bad|out|clean|done|invalid)\w*)([\s(;]|$))"
    R"(|\b(sys\.exit|os\._exit|os\.Exit|process\.exit|System\.exit|ctx\.(fail|abort)|log\.(Fatal|Panic)\w*|\w+\.Fatal\w*)\s*\()"
    R"(|\breturn\b.*(\b(err|Err\w*|\w*(Error|Exception|Invalid|Failure|FAILED|FAILURE|ERROR|INVALID)\w*|errors\.\w+|fmt\.Errorf|E[A-Z]{3,})\b|std::unexpected|\bFail\())"
    R"(|\breturn\s+\(?(-\s*[1-9A-Z]\w*|NULL|nullptr|false|FALSE|None|Err\(.*)\s*\)?\s*(;|\}|$)|\breturn\s+\(?(next|callback|cb|done|reject|abort|res\.(status|sendStatus)|HttpResponse\w+|redirect\w*)\s*\(|\b(reject|next)\s*\(\s*(new\s+\w*Error|err\b))";
// What may stand before that end.
constexpr char kSaysOnly[] =
    R"re(^\s*(\}|\)|[\])}]*[,;]?\s*$|["'f].*|(f?printf|puts|perror|print|echo|\w*(?i:log|warn|error|message)\w*(\.\w+)*)\s*[(!"'].*|console\.\w+\(.*|(std::)?cerr\b.*|\w*errno\s*=.*|end;?|fi;?)\s*$)re";
// A condition of the kind that guards: against nothing, below or above a bound, by a right.
constexpr char kGuarding[] =
    R"(\b(NULL|nullptr|nil|None|null|undefined)\b|if\s*\(?\s*!\w|\bnot\s+\w|[<>]=?\s*0\b|[<>]=?\s*[\w.>()-]*(?i:max|min|size|len|limit|count|cap|end)|\berr\b|(?i:auth|permission|allowed|admin|valid|verif|token|signature|escape|sanit))";
constexpr char kAnyCheck[] = R"((?i)\b(if|elif|unless|\w*assert\w*|require\w*|check\w*|ensure\w*|\w*valid\w*|verify\w*|guard|catch|except|switch|case|match|when|while|min|max|clamp\w*)\b|\?|\|\||&&)";
constexpr char kAssert[] =
    R"(^\s*(?:(?:\w+::)*(?:static_assert|_Static_assert|assert|assert_\w+|debug_assert\w*!|assert\w*!|ensure!)|[A-Z_]*(?:ASSERT|DCHECK|CHECK|VERIFY|BUG_ON)[A-Z_]*|(?:console|invariant|Preconditions|Objects|Debug|Contract)\.(?:assert|check\w+|require\w+|Assert|Requires)|assert\.\w+|invariant)\s*[( ])";
constexpr char kOnlySome[] =
    R"re(^\s*(?:@(?:\w+\.)*(?i:\w*(?:login|perm|permissions?|auth|authenticated|authentication|admin|roles?|scopes?|token|csrf|staff|superuser|jwt|session)_required|requires?_?(?:\w+_)?(?:auth\w*|login|perm\w*|roles?|admin|scopes?|token|csrf)|authenticated|authori[sz]ed?|csrf_protect|user_passes_test|permission_classes|PreAuthorize|PostAuthorize|PreFilter|Secured|RolesAllowed|DenyAll|UseGuards)\b|\[(?:Authorize|ValidateAntiForgeryToken)\b))re";
constexpr char kOneLineGuard[] = R"(^\s*(?:raise|return|throw|die|croak|exit|abort)\b.*\s(?:if|unless)\s+(.+)$|^\s*(\[{1,2} .+ \]{1,2}|test .+|\w[^|]*)\s*\|\|\s*(?:exit|return|die|raise|abort|throw)\b)";

struct Guard {
  std::string condition;  // of an assert, what it asserts
  std::string key;        // the same for the same check however it is laid out
  size_t last = 0;        // of its lines
  bool only_ends = false; // all that it does is to fail
  bool is_if = false, is_right = false;
};

class FileChecks {
 public:
  FileChecks(const FileDiff& file, const std::set<std::string>& standing, const Words& defined) : file_(file), standing_(standing), defined_(defined) {
    language_ = LanguageOf(file.path);
    indents_ = MatchesWhole(language_, "Python|Cython|Nim");
  }

  // What is checked by lines[index] and those after it of the same sign, or nothing.
  std::optional<Guard> GuardAt(const Hunk& hunk, size_t index) const {
    const auto& lines = hunk.lines;
    const std::string& text = lines[index].text;
    if (IsCommentLine(file_.path, text) || Trim(text).empty()) return std::nullopt;
    Guard guard;
    guard.last = index;
    if (MatchesPart(text, kOnlySome)) {
      guard.is_right = guard.only_ends = true;
      guard.condition = Trim(text);
      guard.key = Key(guard.condition);
      return guard;
    }
    if (MatchesPart(text, kAssert) && !DefinedOn(file_.path, text).has_value()) {
      guard.only_ends = true;
      guard.condition = Trim(text);
      guard.key = Key(guard.condition.substr(0, TopLevelComma(guard.condition)));
      return guard;
    }
    if (MatchesWhole(language_, "Ruby|Perl|Shell")) {
      if (auto condition = FirstGroup(text, kOneLineGuard)) {
        guard.only_ends = guard.is_if = true;
        guard.condition = Trim(text);
        guard.key = Key(text);
        return guard;
      }
    }
    if (!MatchesPart(text, R"(^\s*(\}\s*)?(el(se\s*)?)?(if|unless|guard)\b)") || MatchesPart(text, R"(^\s*if\s+__name__)")) return std::nullopt;
    guard.is_if = true;
    // The condition, over several lines where its brackets are open or nothing begins the body yet.
    std::string rest;
    bool found = Split(text, &guard.condition, &rest);
    std::string all = text;
    while (!found && guard.last + 1 < lines.size() && lines[guard.last + 1].sign == lines[index].sign && guard.last - index < 6) {
      all += " " + std::string(Trim(lines[++guard.last].text));
      found = Split(all, &guard.condition, &rest);
    }
    if (!found) return std::nullopt;
    guard.key = Key(guard.condition);
    std::vector<std::string> body;
    if (std::string_view one = Trim(rest); one.size() > 1 && !IsCommentLine(file_.path, one) && !one.starts_with("#")) body.emplace_back(one);
    const size_t indent = Indent(text);
    for (size_t i = guard.last + 1; i < lines.size() && lines[i].sign == lines[index].sign && i - guard.last <= kMaxBody; ++i) {
      const std::string_view each = Trim(lines[i].text);
      if (each.empty() || IsCommentLine(file_.path, each)) continue;
      if (Indent(lines[i].text) <= indent && each != "{") {
        if (each.starts_with("}") || each == "end" || each == "fi" || each == ")") guard.last = i;
        break;
      }
      if (each != "{") body.emplace_back(each);
      guard.last = i;
    }
    guard.only_ends = OnlyEnds(body);
    return guard;
  }

  struct Gone {
    std::string text;
    int64_t old_line = 0;
    bool is_right = false, in_comment = false;
    ReviewSpot spot;
  };
  std::vector<Gone> Take() const {
    std::vector<Gone> out;
    for (const auto& hunk : file_.hunks) TakeHunk(hunk, &out);
    return out;
  }

  static std::string Key(std::string_view text) {
    std::string out;
    for (const char c : text)
      if (IsWord(c) || std::string_view("<>=!&|+-*/%.,[]\"'@").find(c) != std::string_view::npos) out += c == '\'' ? '"' : c;
    while (!out.empty() && (out.back() == ',' || out.back() == '.')) out.pop_back();
    return out;
  }

 private:
  // "if (a) b;" → "a" and "b;". False where the condition does not end here.
  bool Split(std::string_view text, std::string* condition, std::string* rest) const {
    const size_t at = MatchAt(text, R"(\b(if|unless|guard)\b)").value_or(0);
    size_t begin = at;
    while (begin < text.size() && IsWord(text[begin])) ++begin;
    while (begin < text.size() && text[begin] == ' ') ++begin;
    const bool bracket = begin < text.size() && text[begin] == '(' && !indents_ && !MatchesWhole(language_, "Go|Rust|Swift|Ruby|Lua|Shell|Elixir|Julia");
    int depth = 0;
    char open = 0;
    for (size_t i = begin; i < text.size(); ++i) {
      const char c = text[i];
      if (open != 0) {
        if (c == '\\') ++i;
        else if (c == open) open = 0;
        continue;
      }
      if (c == '"' || (c == '\'' && language_ != "Rust") || c == '`') open = c;
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      const bool ends = bracket ? c == ')' && depth == 0 : depth == 0 && (indents_ ? c == ':' : c == '{' || c == ';' || text.substr(i).starts_with(" then"));
      if (!ends) continue;
      *condition = Trim(text.substr(begin, i - begin + (bracket ? 1 : 0)));
      *rest = text.substr(i + 1);
      return true;
    }
    if (MatchesWhole(language_, "Ruby|Elixir|Julia|Lua") && depth == 0) {
      *condition = Trim(text.substr(begin));
      rest->clear();
      return true;
    }
    return false;
  }

  static size_t TopLevelComma(std::string_view text) {
    const size_t bracket = text.find('(');
    const int level = bracket == std::string_view::npos || bracket > text.find(' ') ? 0 : 1;
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
      if (text[i] == ')' || text[i] == ']' || text[i] == '}') --depth;
      if (text[i] == ',' && depth == level && i + 1 < text.size()) return i;
    }
    return text.size();
  }

  static bool OnlyEnds(const std::vector<std::string>& body) {
    bool ends = false;
    for (const auto& line : body) {
      if (MatchesPart(line, kEnds)) {
        ends = true;
        continue;
      }
      // What follows the end is still its own text: the arguments of the error.
      if (!ends && !MatchesPart(line, kSaysOnly)) return false;
    }
    return ends;
  }

  // Is the value that it is about made in a removed line before it, and nowhere in what stands?
  bool SubjectIsGone(const Hunk& hunk, size_t index, const Guard& guard) const {
    if (MatchesPart(guard.condition, R"(:=)")) return !MatchesPart(guard.condition, R"((?i)valid|check|verif|auth|ensure|permission|allowed|sanit)");
    Words subjects = WordsOf(guard.condition);
    for (const char* common : {"err", "error"})
      if (MatchesPart(guard.condition, common[3] == 0 ? R"(\berr\b)" : R"(\berror\b)")) subjects.insert(common);
    for (const auto& word : subjects) {
      bool made = false, stands = false;
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const std::string& text = hunk.lines[i].text;
        if (IsCommentLine(file_.path, text)) continue;
        const size_t at = text.find(word);
        if (at == std::string::npos || (at > 0 && IsWord(text[at - 1])) || (at + word.size() < text.size() && IsWord(text[at + word.size()]))) continue;
        if (hunk.lines[i].sign != '-') stands = stands || (word != "err" && word != "error");
        else if (i < index && (MatchesPart(text.substr(at + word.size()), R"(^\s*(,[\w\s,]+|:\s*[\w\[\], |.]+)?(:=|=[^=]))") || DefinedOn(file_.path, text).has_value())) made = true;
      }
      if (made && !stands && !((word == "err" || word == "error") && MadeAnew(hunk, word))) return true;
    }
    return false;
  }

  static bool MadeAnew(const Hunk& hunk, const std::string& word) {
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) {
      const size_t at = line.text.find(word);
      return line.sign != '-' && at != std::string::npos && MatchesPart(line.text.substr(at + word.size()), R"(^\s*:?=[^=])");
    });
  }

  // Another check of the same in its place.
  bool IsReplaced(const Hunk& hunk, const Guard& guard) const {
    const Words words = WordsOf(guard.condition);
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) {
      return line.sign == '+' && !IsCommentLine(file_.path, line.text) && MatchesPart(line.text, kAnyCheck) && (words.empty() || Share(words, WordsOf(line.text)));
    });
  }

  void TakeHunk(const Hunk& hunk, std::vector<Gone>* out) const {
    size_t function_indent = std::string::npos;  // of a function that is gone, in whose lines we are
    size_t removed = 0;
    bool any_check_added = false, removes_definition = false;
    for (const auto& line : hunk.lines) {
      removed += line.sign == '-' ? 1 : 0;
      any_check_added = any_check_added || (line.sign == '+' && !IsCommentLine(file_.path, line.text) && MatchesPart(line.text, kAnyCheck));
    }
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const DiffLine& line = hunk.lines[i];
      if (line.sign == '+') continue;
      const std::string_view text = Trim(line.text);
      const auto defined = DefinedOn(file_.path, line.text);
      const bool is_definition = defined && defined->kind != "variable" && defined->kind != "constant" && defined->kind != "macro" && defined->kind != "declaration";
      if (line.sign == ' ') {
        if (text.size() > 1 && function_indent != std::string::npos && (Indent(line.text) < function_indent || is_definition || (Indent(line.text) == function_indent && !MatchesPart(text, R"(^[})\]]|^end\b)")))) function_indent = std::string::npos;
        continue;
      }
      if (is_definition) {
        const bool gone = !defined_.contains(defined->name);
        removes_definition = removes_definition || gone;
        if (gone && (function_indent == std::string::npos || Indent(line.text) <= function_indent)) function_indent = Indent(line.text);
        else if (!gone) function_indent = std::string::npos;
        continue;
      }
      auto guard = GuardAt(hunk, i);
      if (!guard) continue;
      const size_t at = i;
      const bool wanted = guard->only_ends || (MatchesPart(line.text, kGuarding) && !any_check_added && !removes_definition && removed <= 15);
      if (wanted && guard->only_ends) i = std::max(i, guard->last);
      if (!wanted || function_indent != std::string::npos || standing_.contains(guard->key)) continue;
      if (guard->is_right ? RightWentWithItsFunction(hunk, at) : SubjectIsGone(hunk, at, *guard) || IsReplaced(hunk, *guard)) continue;
      if (InTextOrComment(ReviewLanguage(file_.path), line.text, line.text.find_first_not_of(" \t"))) continue;
      out->push_back({std::string(TruncateUtf8(text, 160)), line.old_line, guard->is_right, IsInComment(hunk, text), PlaceOfRemoved(file_, hunk, at)});
    }
  }

  bool RightWentWithItsFunction(const Hunk& hunk, size_t index) const {
    for (size_t i = index + 1; i < hunk.lines.size() && hunk.lines[i].sign == '-'; ++i) {
      auto defined = DefinedOn(file_.path, hunk.lines[i].text);
      if (defined) return !defined_.contains(defined->name);
    }
    return false;
  }

  bool IsInComment(const Hunk& hunk, std::string_view text) const {
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign == '+' && IsCommentLine(file_.path, line.text) && line.text.find(text) != std::string::npos; });
  }

  const FileDiff& file_;
  const std::set<std::string>& standing_;
  const Words& defined_;
  std::string language_;
  bool indents_ = false;
};

bool IsJudged(const FileDiff& file) {
  return !LanguageOf(file.path).empty() && !IsTestPath(file.path) && file.status != "removed" && !IsProsePath(file.path) && !IsMadePath(file.path);
}

}  // namespace

ReviewSpot PlaceOfRemoved(const FileDiff& file, const Hunk& hunk, size_t index) {
  std::vector<ReviewSpot> near;
  auto stands = [&](size_t i) {
    const DiffLine& line = hunk.lines[i];
    if (line.sign == '-' || Trim(line.text).size() < 2) return false;
    near.push_back({file.path, line.new_line, line.text, "", {}});
    return true;
  };
  for (size_t i = index, found = 0; i < hunk.lines.size() && found < 2; ++i) found += stands(i) ? 1 : 0;
  for (size_t i = index, found = 0; i-- > 0 && found < 2;) found += stands(i) ? 1 : 0;
  if (near.empty()) return {file.path, 0, "", "", {}};
  ReviewSpot spot = std::move(near.front());
  near.erase(near.begin());
  spot.instead = std::move(near);
  return spot;
}

std::vector<ReviewClaim> ClaimsOfRemovedChecks(const std::vector<FileDiff>& files) {
  std::set<std::string> standing;
  Words defined;
  for (const auto& file : files) {
    if (LanguageOf(file.path).empty() || IsTestPath(file.path)) continue;
    const FileChecks checks(file, standing, defined);
    for (const auto& hunk : file.hunks)
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        if (hunk.lines[i].sign != '+') continue;
        if (auto name = DefinedOn(file.path, hunk.lines[i].text)) defined.insert(name->name);
        // "err != nil" stands everywhere, and says of no other that it moved.
        if (auto guard = checks.GuardAt(hunk, i); guard && (guard->is_right || !WordsOf(guard->condition).empty())) standing.insert(guard->key);
      }
  }
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    if (!IsJudged(file)) continue;
    const auto gone = FileChecks(file, standing, defined).Take();
    if (gone.empty()) continue;
    ReviewClaim claim;
    claim.title = (gone.size() == 1 ? "A check was removed from " : std::to_string(gone.size()) + " checks were removed from ") + file.path;
    claim.severity = Severity::kMedium;
    claim.confidence = Confidence::kMedium;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (gone[i].is_right) claim.severity = Severity::kHigh;
      if (i < kMaxNamed) {
        claim.detail += (i == 0 ? "`" : "; `") + gone[i].text + "` (line " + std::to_string(gone[i].old_line) + " before the change";
        claim.detail += gone[i].in_comment ? ", now a comment)" : ")";
      }
      const auto same = [&](const ReviewSpot& spot) { return spot.line == gone[i].spot.line; };
      if (claim.spots.size() < kMaxSpots && std::none_of(claim.spots.begin(), claim.spots.end(), same)) claim.spots.push_back(gone[i].spot);
    }
    if (gone.size() > kMaxNamed) claim.detail += " and " + std::to_string(gone.size() - kMaxNamed) + " more";
    claim.detail += std::string(". No other check in the change takes ") + (gone.size() == 1 ? "its" : "their") + " place; what is cited stands " + (gone.size() == 1 ? "where it was." : "where they were.");
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
