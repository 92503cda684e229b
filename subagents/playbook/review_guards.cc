#include "subagents/playbook/review_guards.h"

#include <algorithm>
#include <vector>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxBody = 12;

// Does what a guard does in the end keep the rest from being run?
constexpr char kEnds[] =
    R"((^|[\s;{(:])(raise|throw|panic|panic!|abort|die|croak|confess|bail!|unreachable!|exit|_exit|goto\s+\w*(?i:err|fail|bad|out|clean|done|invalid)\w*)([\s(;]|$))"
    R"(|\b(sys\.exit|os\._exit|os\.Exit|process\.exit|System\.exit|ctx\.(fail|abort)|log\.(Fatal|Panic)\w*|\w+\.Fatal\w*)\s*\()"
    R"(|\breturn\b.*(\b(err|Err\w*|\w*(Error|Exception|Invalid|Failure|FAILED|FAILURE|ERROR|INVALID)\w*|errors\.\w+|fmt\.Errorf|E[A-Z]{3,}|\w*[eE]rr(or)?(I[dD]|_?[cC]ode|_?[nN]o))\b|std::unexpected|\bFail\())"
    R"(|\breturn\s+\(?(-\s*[1-9A-Z]\w*|NULL|nullptr|false|FALSE|None|Err\(.*)\s*\)?\s*(;|\}|$)|\breturn\s+\(?(next|callback|cb|done|reject|abort|res\.(status|sendStatus)|HttpResponse\w+|redirect\w*)\s*\(|\b(reject|next)\s*\(\s*(new\s+\w*Error|err\b))";
// What may stand before that end.
constexpr char kSaysOnly[] =
    R"re(^\s*(\}|\)|[\])}]*[,;]?\s*$|["'f].*|(f?printf|puts|perror|print|echo|\w*(?i:log|warn|error|message)\w*(\.\w+)*)\s*[(!"'].*|console\.\w+\(.*|(_,\s*_\s*=\s*)?fmt\.F?[Pp]rint\w*\(.*|([\w<>]+\s+)?\w*(?i:msg|message|reason)\w*\s*:?=.*|(std::)?cerr\b.*|\w*errno\s*=.*|end;?|fi;?)\s*$)re";
constexpr char kAssert[] =
    R"(^\s*(?:(?:\w+::)*(?:static_assert|_Static_assert|assert|assert_\w+|debug_assert\w*!|assert\w*!|ensure!)|[A-Z_]*(?:ASSERT|DCHECK|CHECK|VERIFY|BUG_ON)[A-Z_]*|(?:console|invariant|Preconditions|Objects|Debug|Contract)\.(?:assert|check\w+|require\w+|Assert|Requires)|assert\.\w+|invariant)\s*[( ])";
constexpr char kOnlySome[] =
    R"re(^\s*(?:@(?:\w+\.)*(?i:\w*(?:login|perm|permissions?|auth|authenticated|authentication|admin|roles?|scopes?|token|csrf|staff|superuser|jwt|session)_required|requires?_?(?:\w+_)?(?:auth\w*|login|perm\w*|roles?|admin|scopes?|token|csrf)|authenticated|authori[sz]ed?|csrf_protect|user_passes_test|permission_classes|PreAuthorize|PostAuthorize|PreFilter|Secured|RolesAllowed|DenyAll|UseGuards)\b|\[(?:Authorize|ValidateAntiForgeryToken)\b))re";
constexpr char kOneLineGuard[] = R"(^\s*(?:raise|return|throw|die|croak|exit|abort)\b.*\s(?:if|unless)\s+(.+)$|^\s*(\[{1,2} .+ \]{1,2}|test .+|\w[^|]*)\s*\|\|\s*(?:exit|return|die|raise|abort|throw)\b)";

std::string Key(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (IsNameByte(c) || std::string_view("<>=!&|+-*/%.,[]\"'@").find(c) != std::string_view::npos) out += c == '\'' ? '"' : c;
  while (!out.empty() && (out.back() == ',' || out.back() == '.')) out.pop_back();
  return out;
}

size_t TopLevelComma(std::string_view text) {
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

bool OnlyEnds(const std::vector<std::string>& body) {
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

}  // namespace

GuardReader::GuardReader(const std::string& path) : path_(path), language_(LanguageOf(path)) { indents_ = MatchesWhole(language_, "Python|Cython|Nim"); }

std::optional<Guard> GuardReader::At(const Hunk& hunk, size_t index) const {
  const auto& lines = hunk.lines;
  const std::string& text = lines[index].text;
  if (IsCommentLine(path_, text) || Trim(text).empty()) return std::nullopt;
  Guard guard;
  guard.last = index;
  if (MatchesPart(text, kOnlySome)) {
    guard.is_right = guard.only_ends = true;
    guard.condition = Trim(text);
    guard.key = Key(guard.condition);
    return guard;
  }
  if (MatchesPart(text, kAssert) && !DefinedOn(path_, text).has_value()) {
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
  if (std::string_view one = Trim(rest); one.size() > 1 && !IsCommentLine(path_, one) && !one.starts_with("#")) body.emplace_back(one);
  const size_t indent = Indent(text);
  for (size_t i = guard.last + 1; i < lines.size() && lines[i].sign == lines[index].sign && i - guard.last <= kMaxBody; ++i) {
    const std::string_view each = Trim(lines[i].text);
    if (each.empty() || IsCommentLine(path_, each)) continue;
    if (Indent(lines[i].text) <= indent && each != "{") {
      if (each.starts_with("}") || each == "end" || each == "fi" || each == ")") guard.last = i;
      break;
    }
    if (each != "{") body.emplace_back(each);
    guard.last = i;
  }
  guard.only_ends = OnlyEnds(body);
  guard.ends = std::any_of(body.begin(), body.end(), [](const auto& line) { return MatchesPart(line, kEnds); });
  return guard;
}

// "if (a) b;" → "a" and "b;". False where the condition does not end here.
bool GuardReader::Split(std::string_view text, std::string* condition, std::string* rest) const {
  const size_t at = MatchAt(text, R"(\b(if|unless|guard)\b)").value_or(0);
  size_t begin = at;
  while (begin < text.size() && IsNameByte(text[begin])) ++begin;
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

size_t Indent(std::string_view text) { return std::min(text.find_first_not_of(" \t"), text.size()); }

size_t WordAt(std::string_view text, std::string_view word, size_t from) {
  size_t at = text.find(word, from);
  while (at != std::string_view::npos && ((at > 0 && IsNameByte(text[at - 1])) || (at + word.size() < text.size() && IsNameByte(text[at + word.size()])))) at = text.find(word, at + 1);
  return at;
}

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
    while (end < text.size() && IsNameByte(text[end])) ++end;
    if (end == i) ++end;
    else if (std::string word(text.substr(i, end - i)); !(word[0] >= '0' && word[0] <= '9') && !kNone.contains(word)) out.insert(std::move(word));
    i = end;
  }
  return out;
}

}  // namespace paddock::subagents
