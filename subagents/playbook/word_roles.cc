#include "subagents/playbook/word_roles.h"

#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

// Languages in which a declaration is a type and a name.
constexpr char kTypeFirst[] = "C|C\\+\\+|C header|Objective-C.*|Java|C#|Groovy|D|Vala|Dart";
constexpr char kNoType[] = R"(^(return|else|new|throw|case|delete|goto|do|in|not|and|or|await|co_await|co_return|co_yield|yield|typedef|using|instanceof|extends|implements|throws|operator|package|import|typeof|assert|is|as|out|ref)$)";

// Things of standard libraries: what is called of them is theirs.
constexpr char kStandard[] =
    R"(console|System\.(out|err|in)|Math|JSON|Object|Array|Promise|Number|Reflect|Symbol|Date|process(\.\w+)*|window|document|std(::\w+)*|os(\.\w+)*|sys(\.\w+)*|json|fmt|strings|strconv|bufio|ioutil|filepath|Arrays|Collections|Collectors|Objects|Files|Paths|Optional|Stream|StringUtils|subprocess|shutil|itertools|functools|Assert|Assertions|assert|jest|vi|sinon)";

// Strings and comments as blanks.
std::string CodeOnly(std::string_view text, std::string_view bytes) {
  std::string out(text);
  for (size_t i = 0; i < out.size() && i < bytes.size(); ++i)
    if (bytes[i] == kCommentByte) out[i] = ' ';
    else if (bytes[i] == kStringByte) out[i] = '"';
  return out;
}

std::string ReceiverOf(std::string_view before) {
  if (!MatchesPart(before, R"((\.|->|::|\?\.|!\.|#)\s*$)")) return MatchesPart(before, R"(@$)") ? "@" : "";
  if (auto chain = FirstGroup(before, R"(([A-Za-z_][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)*)(?:\.|->|::|\?\.|!\.|#)\s*$)")) {
    const size_t at = TrimEnd(before).rfind(*chain);
    const char left = at == 0 || at == std::string_view::npos ? ' ' : before[at - 1];
    return left == '.' || left == '>' || left == ')' || left == ']' ? "?" : *chain;
  }
  return "?";
}

bool IsCalled(const std::string& language, std::string_view before, std::string_view after, bool has_receiver) {
  if (MatchesPart(after, R"(^\s*(?:!\s*[(\[{]|\?\.\(|(?:::)?(?:<[^<>()]*(?:<[^<>()]*>)?[^<>()]*>)?\s*\())") && (language == "Rust" || !after.starts_with("!"))) return true;
  if (language == "Go" && MatchesPart(after, R"(^\[[\w\[\]*., ]+\]\()")) return true;
  if (language == "Shell") return MatchesPart(before, R"(^\s*$|(\$\(|[|;&!(]|\b(if|then|else|do|while|until|elif|command|exec))\s*$)") && MatchesPart(after, R"(^($|[\s;)|&]))");
  if (language == "Ruby" || language == "Crystal") return has_receiver && !before.ends_with("::") && !MatchesPart(after, R"(^\s*[.\[=]?=[^=~>])");  // "A::B" names a class
  if (MatchesWhole(language, "Lisp|Emacs Lisp|Scheme|Clojure|Racket")) return before.ends_with("(");
  if (MatchesWhole(language, "Java|JavaScript|TypeScript|PHP")) return MatchesPart(before, R"(\bnew\s+(\w+\.)*$)");
  return false;
}

// "Type name(": no statement, and nothing but types before it. " * " is a product as well, but not at the beginning of a line.
bool IsTyped(std::string_view before, bool begins_line) {
  if (!MatchesPart(before, R"(^[\s\w:<>,.?*&\[\]@~]*[\w>*&\]]\s*$)") || !MatchesPart(before, R"([\s*&>\]]$)")) return false;
  if (MatchesPart(before, R"(\s(&&|>+)\s+$)") || (!begins_line && MatchesPart(before, R"(\s[*&]\s+$)"))) return false;
  auto last = FirstGroup(before, R"((?:^|[^\w])([A-Za-z_]\w*)[\s*&>\]?]*$)");
  return last ? !MatchesPart(*last, kNoType) : MatchesPart(before, R"(>\s*$)");
}

bool DeclaresVariable(const std::string& language, std::string_view before, std::string_view after) {
  const bool typed = MatchesWhole(language, kTypeFirst);
  if (!typed && MatchesPart(before, R"(\b(const|let|var|val|auto|local|my|our|mut|global|nonlocal|lambda)\s+[\w\s,:*&{\[(]*$)") && !MatchesPart(before, R"(=[^>])")) return true;
  if (MatchesWhole(language, "JavaScript|TypeScript")) return MatchesPart(before, R"(\b(catch|function\b[\w\s]*|constructor)\s*\((?:[^()]*,\s*)?$)") || MatchesPart(after, R"(^\s*(?:,[^()]*)?\)?\s*=>)");
  if (MatchesWhole(language, "Python|Cython")) return MatchesPart(before, R"(\b(def\s+\w+\s*\((.*,)?\s*\**|lambda\b[^:]*|as\s+|for\s+(?:\w+,\s*)*)$)");
  if (language == "Go" && MatchesPart(before, R"(^\s+$)") && MatchesPart(after, R"(^\s+[\w*\[\].{}]+(\s+"+)?\s*$)")) return true;  // a field
  if (language == "Go") return MatchesPart(after, R"(^(\s*,\s*\w+)*\s*:=|^\s+(\*|\[\]|\.\.\.|map\[|func\()?[A-Za-z][\w.]*\s*[,)])") || MatchesPart(before, R"(^\s*func\s+\(\s*$)") || (MatchesPart(before, R"([(,]\s*$)") && MatchesPart(after, R"(^\s+[\w*\[])"));
  if (language == "Rust") return MatchesPart(before, R"(\bfor\s+$|\|\s*(&|mut\s+)?$)");
  if (typed) {
    const size_t from = before.find_last_of("(,;{");
    const std::string_view type = from == std::string_view::npos ? before : before.substr(from + 1);
    return IsTyped(type, from == std::string_view::npos && !type.starts_with(" ") && !type.starts_with("\t")) && MatchesPart(after, R"(^\s*(=[^=]|[;,)\[{]|:([^:]|$)|$))");
  }
  return MatchesPart(before, R"(\bfor\s+$)");
}

bool IsKey(const std::string& language, std::string_view before, std::string_view after) {
  const std::string_view trimmed = TrimEnd(before);
  const bool begins = trimmed.empty() || trimmed.ends_with("{") || trimmed.ends_with(",");
  if (MatchesWhole(language, "JavaScript|TypeScript|Go|Rust|Dart|Kotlin|Swift|Ruby|Crystal|Elixir|Zig|Lua|PHP|Scala|C#") && MatchesPart(after, R"(^\??:([^:=]|$))"))
    return begins || trimmed.ends_with("(") || trimmed.ends_with("|") || MatchesPart(trimmed, R"((^|[\s(,{])(pub(\([^)]*\))?|readonly|public|private|protected|static|mut)$)");
  if (MatchesWhole(language, "Python|Cython")) return (MatchesPart(after, R"(^\s*=[^=])") && (trimmed.ends_with("(") || trimmed.ends_with(",") || (trimmed.empty() && MatchesPart(after, R"(,\s*$)")))) || (MatchesPart(after, R"(^\s*:([^=]|$))") && (begins || trimmed.ends_with("(")));
  if (MatchesWhole(language, "C|C\\+\\+|C header|Java") && trimmed.empty() && MatchesPart(after, R"(^\s*:([^:]|$))")) return true;  // a label
  if (MatchesWhole(language, "C|C\\+\\+|C header|Objective-C.*|Zig")) return MatchesPart(trimmed, R"((^|[{,])\s*\.$)") && MatchesPart(after, R"(^\s*=[^=])");
  if (MatchesWhole(language, "Java|Kotlin|Groovy|Scala|C#|Lua")) return (trimmed.ends_with("(") || trimmed.ends_with(",") || trimmed.ends_with("{")) && MatchesPart(after, R"(^\s*=[^=])");
  return false;
}

bool IsImportLine(std::string_view code) { return MatchesPart(code, R"(^\s*(import|use|using|require|include|mod)\b\s*[^\s(=.,;:]|^\s*from\s+[\w.]+\s+import\b|^\s*#\s*include\b|\brequire\s*\()"); }

// Languages' own bytes of names: "$error", "error?" and "error-handler" are other names than "error".
bool IsOtherName(const std::string& language, std::string_view before, std::string_view after) {
  if (MatchesWhole(language, "JavaScript|TypeScript")) return before.ends_with("$") || after.starts_with("$");
  if (MatchesWhole(language, "PHP|Perl")) return MatchesPart(before, R"([$@%]\{?$)");
  if (MatchesWhole(language, "Ruby|Crystal|Elixir")) return MatchesPart(after, R"(^(\?[^:]|\?$|![^=]))");
  if (MatchesWhole(language, "Haskell|OCaml|F#")) return after.starts_with("'");
  return MatchesWhole(language, "Lisp|Emacs Lisp|Scheme|Clojure|Racket|Shell") && (MatchesPart(before, R"([\w*]-$)") || MatchesPart(after, R"(^(-\w|[*?!]))"));
}

WordRole RoleInCode(std::string_view path, std::string_view code, std::string_view name, size_t at, const std::string& receiver) {
  const std::string language = LanguageOf(path);
  const std::string_view before = code.substr(0, at), after = code.substr(at + name.size());
  if (IsOtherName(language, before, after)) return WordRole::kOther;
  if (IsImportLine(code) && !MatchesPart(after, R"(^\s*\()")) {
    const bool path_part = MatchesPart(code, R"(^\s*#\s*include\b)") || MatchesPart(after, R"(^\s*(\.|::)\s*[\w{*])") || MatchesPart(before, R"(\bfrom\s+[\w.]*$|^\s*package\s)") || (language == "Python" && MatchesPart(code, R"(^\s*import\b)"));
    return path_part ? WordRole::kOther : WordRole::kImport;
  }
  if (MatchesPart(before, R"(^\s*(package|namespace|goto)\s)")) return WordRole::kOther;
  // In C "struct oven *x" only names the type.
  const bool names_type = MatchesWhole(language, kTypeFirst) && MatchesPart(before, R"(\b(class|struct|enum|union|record|object)\s+$)") && !MatchesPart(after, R"(^\s*([{;<]|:[^:]|$|(final|extends|implements)\b))");
  if (!names_type && MatchesPart(before, R"(\b(def|function\s*\*?|func|fn|sub|fun|class|struct|interface|trait|enum|type|record|module|object)\s+(\w+[.:]+)*$|^func\s*\([^()]*\)\s*$)")) return WordRole::kDeclares;
  if (receiver.empty() && MatchesWhole(language, kTypeFirst) && IsTyped(before, !before.starts_with(" ") && !before.starts_with("\t")) && MatchesPart(after, R"(^\s*\()")) return WordRole::kDeclares;
  if (MatchesPart(path, R"(\.(d\.[mc]?ts|pyi)$)") && receiver.empty() && MatchesPart(before, R"(^\s*((export|declare|static|abstract|public|protected|private|readonly|async|get|set)\s+)*$)") && MatchesPart(after, R"(^\??\s*(<[^()]*>)?\s*\()")) return WordRole::kDeclares;
  // An interface's method without a word before it.
  if (language == "Go" && MatchesPart(before, R"(^\s+$)") && MatchesPart(after, R"(^\([\w\s.,*\[\]{}()]*\)\s*(\([\w\s.,*\[\]]*\)|[\w.*\[\]]+)$)")) return WordRole::kDeclares;
  if (IsKey(language, before, after)) return WordRole::kKey;
  if (receiver.empty() && !MatchesPart(after, R"(^\s*\()") && DeclaresVariable(language, before, after)) return WordRole::kVariable;
  if (IsCalled(language, before, after, !receiver.empty())) return MatchesPart(receiver, kStandard) && MatchesWhole(receiver, kStandard) ? WordRole::kOther : WordRole::kCall;
  if (MatchesPart(after, R"(^\s*([-+*/|&^%]|<<|>>|\|\||&&|\?\?)?=([^=>~]|$))")) return WordRole::kAssigned;
  if (language == "Shell") return before.ends_with("$") || before.ends_with("${") ? WordRole::kReference : WordRole::kOther;
  return WordRole::kReference;
}

}  // namespace

size_t NameAt(std::string_view text, std::string_view name, size_t from) {
  for (size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t after = at + name.size();
    if ((at == 0 || !IsWordByte(text[at - 1]) || !IsWordByte(name.front())) && (after == text.size() || !IsWordByte(text[after]) || !IsWordByte(name.back()))) return at;
  }
  return std::string_view::npos;
}

bool IsSelf(std::string_view receiver) { return MatchesWhole(receiver, "this|self|Self|cls|@|super"); }

WordUse UseAt(std::string_view path, std::string_view text, std::string_view bytes, std::string_view name, size_t at) {
  const char byte = at < bytes.size() ? bytes[at] : kCodeByte;
  if (byte == kCommentByte) return {WordRole::kComment};
  if (byte == kStringByte) return {WordRole::kString};
  const std::string code = CodeOnly(text, bytes);
  std::string receiver = ReceiverOf(std::string_view(code).substr(0, at));
  const WordRole role = RoleInCode(path, code, name, at, receiver);
  const bool alone = receiver.empty();
  return {role, std::move(receiver), alone && role == WordRole::kVariable, alone && role == WordRole::kAssigned};
}

WordUse BestUse(std::string_view path, std::string_view text, std::string_view bytes, std::string_view name) {
  constexpr size_t kMost = 20;
  WordUse best{WordRole::kOther};
  bool declares = false, assigns = false, is_key = false;
  size_t seen = 0;
  for (size_t at = NameAt(text, name); at != std::string_view::npos && seen < kMost; at = NameAt(text, name, at + name.size()), ++seen) {
    WordUse use = UseAt(path, text, bytes, name, at);
    declares = declares || use.declares;
    assigns = assigns || use.assigns;
    is_key = is_key || use.role == WordRole::kKey;
    if (seen == 0 || use.role < best.role) best = std::move(use);
  }
  best.declares = declares;
  best.assigns = assigns;
  best.is_key = is_key;
  return best;
}

}  // namespace paddock::subagents
