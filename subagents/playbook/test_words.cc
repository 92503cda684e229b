#include "subagents/playbook/test_words.h"

#include <re2/re2.h>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {
namespace {

// Modules of the languages themselves, and what tests are written with: a name behind them is theirs.
constexpr struct {
  const char *languages, *receivers;
} kOthers[] = {
    {"Python", "os|sys|re|io|json|time|shutil|tempfile|logging|threading|subprocess|itertools|functools|collections|datetime|random|math|socket|struct|pathlib|contextlib|asyncio|warnings|inspect|textwrap|pickle|csv|hashlib|base64|urllib|http|ssl|sqlite3|unittest|pytest|mock|monkeypatch|mocker|capsys|caplog|tmp_path|tmpdir|np|numpy|pd|plt"},
    {"Go", "t|b|tb|f|os|io|fmt|http|httptest|context|strings|bytes|time|json|url|sync|atomic|errors|sort|strconv|regexp|filepath|path|rand|net|log|tls|ioutil|bufio|math|reflect|runtime|testing|unicode|utf8|template|exec|hex|base64|binary|big|slices|maps|cmp|assert|require|wg"},
    {"JavaScript|TypeScript", "console|Object|Array|Math|JSON|Promise|Number|String|Symbol|Date|Reflect|Buffer|process|fs|path|os|assert|expect|t|test|it|jest|vi|sinon|chai|should|cy|window|document"},
    {"Java|Kotlin|Scala|Groovy", "System|System\\.out|System\\.err|Assert|Assertions|Arrays|Objects|Collections|Collectors|Files|Paths|Path|Thread|String|Integer|Long|Double|Boolean|Math|Mockito|List|Map|Set|Optional|Stream|Pattern|LocalDate|Instant|Duration"},
    {"Rust", "std|fs|io|env|mem|thread|process|String|Vec|Box|Arc|Rc|Some|Path|PathBuf"},
    {"Ruby", "File|Dir|FileUtils|Time|Kernel|Process|JSON|YAML|ENV|Tempfile"},
    {"C|C\\+\\+|C header", "std"},
};

bool IsOther(std::string_view receiver, std::string_view path) {
  const std::string language = LanguageOf(path);
  const std::string_view first = receiver.substr(0, receiver.find_first_of(".:-?"));
  for (const auto& row : kOthers)
    if (MatchesWhole(language, row.languages) && (MatchesWhole(receiver, row.receivers) || MatchesWhole(first, row.receivers))) return true;
  return false;
}

// "os.path." → "os.path", with its dot: what stands right before a word.
std::string ReceiverBefore(std::string_view text) { return FirstGroup(text.substr(text.size() > 200 ? text.size() - 200 : 0), R"(([\w$]+(?:\(\))?(?:(?:\?\.|\.|->|::)[\w$]+(?:\(\))?)*)(?:\?\.|\.|->|::)$)").value_or(""); }

// Languages in which a call needs no brackets.
bool CallsBare(std::string_view language) { return MatchesWhole(language, "Ruby|Perl|Elixir|Haskell|OCaml|Shell|Lua|Scala|Nim|F#|Crystal|Julia|Clojure|Emacs Lisp|Lisp|Scheme|Racket|Tcl"); }

bool IsUsed(std::string_view language, std::string_view before, std::string_view after, bool dotted) {
  // A variable, or an argument of that name. "==" compares.
  if (MatchesPart(after, R"(^\s*(:=|=[^=>~]|=$|\+=))")) return false;
  if (MatchesWhole(language, "Go|JavaScript|TypeScript") && MatchesPart(after, R"(^\s*:([^:=]|$))") && MatchesPart(before, R"((^|[{,])\s*$)")) return false;
  if (dotted || CallsBare(language) || MatchesPart(after, R"(^\s*(\(|!\(|::|<[\w:<>, *&]*>\s*\())")) return true;
  if (MatchesPart(before, R"((^|[^\w])(return|await|new|yield|import|use|using|require)\s+$)") || MatchesPart(before, R"(^\s*(from\s+\S+\s+import|import|use|using)\s)")) return true;
  if (MatchesPart(before, R"([(,=&|\[{!<>?:@]\s*$)") && MatchesPart(after, R"(^\s*([),;\]}&|<>.?:]|$))")) return true;
  return MatchesPart(before, R"(^\s*$)") && MatchesPart(after, R"(^,?\s*$)");  // one of a list
}

}  // namespace

std::vector<TestWord> WordsOfTest(std::string_view path, std::string_view line) {
  const std::string language = LanguageOf(path);
  static const RE2 kWord(R"(([A-Za-z_$~][\w$]*[?!]?))");
  // Names of the test itself, which use nothing: "TEST(Oven, Heat) {".
  const size_t from = MatchesPart(line, R"(^\s*[A-Z_]*(TEST|TEST_CASE|SCENARIO|SUITE)[A-Z_]*\s*\()") ? std::min(line.size(), line.find(')')) : 0;
  const auto defined = DefinedOn(path, line);
  std::vector<TestWord> out;
  re2::StringPiece rest(line.data(), line.size()), found;
  while (RE2::FindAndConsume(&rest, kWord, &found)) {
    const auto at = static_cast<size_t>(found.data() - line.data());
    const std::string_view before = line.substr(0, at), after(rest.data(), rest.size());
    TestWord word{std::string(found), false, false, "", false};
    word.in_code = at >= from && !language.empty() && !IsCommentLine(path, line) && !InTextOrComment(language, line, at);
    word.dotted = MatchesPart(before, R"((\.|->|::)$)");
    if (word.dotted) word.receiver = ReceiverBefore(before);
    // "oven.heat = 3" calls the method "heat=".
    if (language == "Ruby" && word.dotted && MatchesPart(after, R"(^\s*=[^=~>])")) word.word += "=", word.is_used = true;
    else word.is_used = IsUsed(language, before, after, word.dotted) && !(defined && defined->kind == "function" && defined->name == word.word && !word.dotted);
    out.push_back(std::move(word));
  }
  return out;
}

bool CanName(const TestWord& word, const PublicFunction& function, std::string_view path) {
  if (!word.in_code || !word.is_used) return false;
  if (!word.dotted) return !(function.is_method && function.language == LanguageOf(path));
  const std::string_view first = std::string_view(word.receiver).substr(0, word.receiver.find_first_of(".:-?"));
  // The project's own module may be called as one of the language's is.
  return TestedStem(function.path) == first || BaseName(FolderName(function.path)) == first || !IsOther(word.receiver, path);
}

}  // namespace paddock::subagents
