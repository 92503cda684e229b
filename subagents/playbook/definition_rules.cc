#include "subagents/playbook/definition_rules.h"

#include <re2/re2.h>

#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

struct DefinitionRule {
  const char* languages;            // RE2 of LanguageOf
  const char* kind;
  const char* line;                 // capture 1: the name
  const char* unless = nullptr;     // in the line
  const char* is_public = nullptr;  // in the line; null: never by this line. "" always
};

#define MODIFIERS R"((?:(?:public|private|protected|internal|static|final|abstract|synchronized|native|override|async|virtual|sealed|readonly|default|open|suspend|inline|operator|implicit|lazy|partial|extern|unsafe|new)\s+))"
constexpr char kNoStatement[] = R"(^\s*(return|else|if|while|for|switch|case|goto|throw|delete|new|do|and|or|not|assert|await|yield|typedef|using|namespace)\b|[=?]\s*[\w:.>-]+\s*\()";

// Prose of a long comment looks much like C: "see f(), which".
constexpr char kNoFunction[] = R"(^\s*(return|else|if|while|for|switch|case|goto|throw|delete|new|do|and|or|not|assert|await|yield|typedef|using|namespace|sizeof|defined)\b|^[^(]*=|\)\s*[,.]|\)\s+[a-z]+\s+[a-z]|[.:]\s*$|^(?:\w+\s+){6}|\([^"'=<)]*[A-Za-z]\.[A-Za-z])";

// Within a block what is joined by an operator looks like one, too.
constexpr char kNoMember[] = R"(^\s*(return|else|if|while|for|switch|case|goto|throw|delete|new|do|and|or|not|co_\w+|typedef|using|namespace|sizeof)\b|^[^(]*(=|\s&&\s|<<))";

constexpr DefinitionRule kRules[] = {
    {"Python|Cython", "function", R"(^\s*(?:async\s+|cp)?def\s+(\w+))", nullptr, R"(\bdef [A-Za-z])"},
    {"Python|Cython", "class", R"(^\s*(?:cdef\s+)?class\s+(\w+))", nullptr, R"(class [A-Za-z])"},
    {"Python|Cython", "variable", R"(^([A-Za-z_]\w*)\s*(?::\s*[^=]+)?=(?:[^=]|$))", nullptr, R"(^[A-Za-z])"},

    {"JavaScript|TypeScript", "function", R"(^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)\s*[(<])", nullptr, R"(^\s*export\b)"},
    {"JavaScript|TypeScript", "class", R"(^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+))", nullptr, R"(^\s*export\b)"},
    {"JavaScript|TypeScript", "class", R"(^\s*(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*class\s+([\w$]+))", nullptr, ""},
    {"JavaScript|TypeScript", "type", R"(^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:interface|type|enum|namespace)\s+([\w$]+)\s*[={<e]?)", R"(^\s*type\s*[:=.(])", R"(^\s*export\b)"},
    {"JavaScript|TypeScript", "function", R"(^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>))", nullptr, R"(^\s*export\b)"},
    {"JavaScript|TypeScript", "function", R"(^\s*(?:module\.)?exports\.([\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>))", nullptr, ""},
    {"JavaScript|TypeScript", "function", R"(^\s*[\w$.]+\.([\w$]+)\s*=\s*(?:async\s*)?function\b)", R"(^\s*(?:module\.)?exports\b)", ""},
    {"JavaScript|TypeScript", "function", R"(^\s*[\w$.]+\.([\w$]+)\s*=\s*(?:async\s*)?(?:\((?:[^()]|\([^()]*\))*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>))", R"(^\s*(?:module\.)?exports\b)"},
    {"JavaScript|TypeScript", "variable", R"(^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=)", R"(\brequire\s*\()", R"(^export\b)"},
    {"JavaScript|TypeScript", "variable", R"(^\s*(?:module\.)?exports\.([\w$]+)\s*=)", nullptr, ""},
    {"JavaScript|TypeScript", "function", R"(^\s+(?:(?:public|private|protected|static|async|get|set|override|readonly)\s+)*\*?([\w$]+)\s*(?:<[^()]*>)?\s*\([^()]*\)\s*(?::[^={]+)?\{\s*$)", R"(^\s*(if|for|while|switch|catch|function|with|return|else)\b)"},
    {"JavaScript|TypeScript", "function", R"(^\s+([\w$]+)\s*:\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>))"},

    {"Go", "function", R"(^func\s+(?:\([^()]*\)\s*)?(\w+)\s*[(\[])", nullptr, R"(^func\s+(?:\(\w*\s*\*?[A-Z][^()]*\)\s*)?[A-Z])"},
    {"Go", "type", R"(^type\s+(\w+)[\s\[])", nullptr, R"(^type\s+[A-Z])"},
    {"Go", "variable", R"(^(?:var|const)\s+(\w+)\b)", nullptr, R"(^\w+\s+[A-Z])"},

    {"Rust", "function", R"(^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+(?:"[^"]*"\s+)?)?fn\s+(\w+))", nullptr, R"(^\s*pub\s)"},
    {"Rust", "type", R"(^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union|type)\s+(\w+))", nullptr, R"(^\s*pub\s)"},
    {"Rust", "module", R"(^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+))", nullptr, R"(^\s*pub\s)"},
    {"Rust", "macro", R"(^\s*macro_rules!\s*(\w+))"},
    {"Rust", "constant", R"(^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?(\w+)\s*:)", nullptr, R"(^\s*pub\s)"},

    {"Java|C#|Kotlin|Scala|Groovy", "class", R"(^\s*(?:@\w+(?:\([^)]*\))?\s+)*)" MODIFIERS R"(*(?:data\s+|case\s+)?(?:class|interface|@interface|enum(?:\s+class)?|record|trait|object|struct)\s+(\w+))", nullptr, R"(\bpublic\b)"},
    {"Kotlin", "function", R"(^\s*)" MODIFIERS R"(*fun\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)?(\w+)\s*\()", nullptr, ""},
    {"Scala|Groovy", "function", R"(^\s*)" MODIFIERS R"(*def\s+(\w+))", nullptr, ""},
    {"Kotlin|Scala", "variable", R"(^\s*)" MODIFIERS R"(*va[lr]\s+(\w+)\b)"},
    {"Java|C#|Groovy", "function", R"(^\s*)" MODIFIERS R"(+(?:<[^>]*>\s+)?(?:[\w<>\[\],.?]+\s+)?(\w+)\s*\([^;]*$)", R"(=[^=].*\(|^\s*new\s)", R"(\bpublic\b)"},
    {"Java|C#|Groovy", "variable", R"(^\s*)" MODIFIERS R"(+[\w<>\[\],.? ]+\s(\w+)\s*(?:=|;))", nullptr, R"(\bpublic\b)"},
    {"Java|C#|Groovy", "function", R"(^\s{1,8}[\w<>\[\],.?]+\s+(\w+)\s*\([^();=]*\)\s*(?:throws\s+[\w., ]+)?\{\s*$)", kNoStatement},

    {"Ruby", "function", R"(^\s*def\s+(?:self\.)?(\w+[?!=]?))", nullptr, ""},
    {"Ruby", "class", R"(^\s*(?:class|module)\s+(?:\w+::)*(\w+))", nullptr, ""},
    {"Ruby", "constant", R"(^\s*([A-Z]\w*)\s*=[^=~>])"},
    {"Perl", "function", R"(^\s*sub\s+(\w+))", nullptr, R"(sub [A-Za-z])"},
    {"Perl", "module", R"(^\s*package\s+(?:\w+::)*(\w+))"},
    {"PHP", "function", R"(^\s*(?:(?:abstract|final|public|private|protected|static)\s+)*function\s+&?(\w+)\s*\()", nullptr, R"(^\s*(public|function|static)\b)"},
    {"PHP", "class", R"(^\s*(?:(?:abstract|final)\s+)*(?:class|interface|trait|enum)\s+(\w+))", nullptr, ""},
    {"Shell", "function", R"(^\s*(?:function\s+)?([\w-]+)\s*\(\s*\))"},
    {"Shell", "function", R"(^\s*function\s+([\w-]+))"},
    {"Shell", "variable", R"(^(?:export\s+|readonly\s+|declare\s+-\w+\s+)?([A-Za-z_]\w*)=)"},
    {"Lua", "function", R"(^\s*(?:local\s+)?function\s+(?:\w+[.:])*(\w+)\s*\()"},
    {"Haskell", "function", R"(^([a-z]\w*'*)\s+::)", nullptr, ""},
    {"Haskell", "type", R"(^(?:data|newtype|type|class)\s+(?:[^=]*=>\s*)?(\w+))"},
    {"OCaml", "function", R"(^\s*let\s+(?:rec\s+)?(\w+)\b)"},
    {"OCaml", "type", R"(^\s*(?:type|module)\s+(?:'\w+\s+)?(\w+)\b)"},
    {"Elixir", "function", R"(^\s*defp?(?:macro)?\s+(\w+[?!]?))", nullptr, R"(^\s*def(?:macro)?\s)"},
    {"Elixir", "module", R"(^\s*defmodule\s+(?:\w+\.)*(\w+))"},
    {"Zig", "function", R"(^\s*(?:pub\s+)?(?:export\s+|inline\s+)?fn\s+(\w+))", nullptr, R"(^\s*pub\b)"},
    {"Swift", "function", R"(^\s*(?:[\w@]+\s+)*func\s+(\w+))", nullptr, R"(\b(public|open)\b)"},
    {"Swift", "class", R"(^\s*(?:[\w@]+\s+)*(?:class|struct|enum|protocol|extension|actor)\s+(\w+))", nullptr, R"(\b(public|open)\b)"},

    {"C|C\\+\\+|C header|Objective-C.*", "macro", R"(^\s*#\s*define\s+(\w+))", nullptr, ""},
    {"C|C\\+\\+|C header|Objective-C.*", "type", R"(^\s*(?:typedef\s+)?(?:template\s*<[^>]*>\s*)?(?:struct|union|enum(?:\s+class)?|class)\s+(?:[A-Z_]+\s+|\[\[\w+\]\]\s*)?(\w+)\s*(?:final\s*)?(?::[^:].*)?(?:\{.*)?$)", R"(;\s*$)", ""},
    {"C|C\\+\\+|C header|Objective-C.*", "type", R"(^(?:\}|typedef\b.*\W)\s*\*?(\w+)\s*;)", R"(\()", ""},
    {"C\\+\\+|C header", "type", R"(^\s*using\s+(\w+)\s*=)", nullptr, ""},
    {"C|C\\+\\+|C header|Objective-C.*", "declaration", R"(^\s*(?:[A-Z_]+\s+)*(?:extern\s+)?[\w:<>,]+(?:\s+[\w:<>,]+)*[\s*&]+(\w+)\s*\([^;{]*\)?[^;{=]*;)", kNoStatement},
    // The type stands in the line before.
    {"C|C\\+\\+|C header", "declaration", R"(^([a-z_]\w*)\s?\(\s*(?:void|(?:[\w*]+[\s*]+)+\w+(?:\[\])?(?:\s*,\s*(?:[\w*]+[\s*]+)+\w+(?:\[\])?)*(?:,\s*\.\.\.)?)\s*\)\s*;)", kNoStatement},
    // At the beginning of a line: "int f(", "static char *f(", "Type Class::f(", and GNU's way, the name alone.
    {"C|C\\+\\+|C header|Objective-C.*", "function", R"(^[A-Za-z_][\w:<>*&\s\[\]]*(?:<[\w:<>,*&\s]*>[\s*&]*)?[\s*&](?:\w+::)*(~?\w+)\s*\((?:[^;]*|[^;{]*\{.*\})$)", kNoFunction, "static"},
    {"C|C\\+\\+|C header", "function", R"(^(?:\w+::)+(~?\w+)\s*\([^;]*$)", kNoFunction, ""},
    {"C|C\\+\\+|C header", "function", R"(^([a-z_]\w*)\s?\((?:[^;]*[),{])?\s*$)", kNoFunction},
    // Within a namespace's block: the class before the name tells it from a call.
    {"C\\+\\+|C header", "function", R"(^(?:\t{1,2}| {1,8})(?:[A-Za-z_][\w:]*(?:<[\w:,*&\s<>]*>)?(?:\s+[*&]*|[*&]+\s*))+(?:\w+(?:<[\w:,*&\s]*>)?::)+(~?\w+)\s*\((?:[^;]*|[^;{]*\{.*\})$)", kNoMember, ""},
    // Within a class or a namespace.
    {"C\\+\\+|C header", "function", R"(^\s+(?:(?:static|virtual|inline|explicit|constexpr|const|friend|template\s*<[^>]*>)\s+)*[\w:<>,*&]+(?:\s+[\w:<>,*&]+)*[\s*&]+(~?\w+)\s*\([^;]*\)[^;=]*\{)", kNoStatement, ""},
    {"C|C\\+\\+|C header", "variable", R"(^(?:extern\s+|static\s+|const\s+|constexpr\s+|inline\s+)*[\w:<>*]+(?:\s+[\w:<>*]+)*[\s*&]+(\w+)(?:\[[^\]]*\])*\s*(?:=|;|\{))", R"(^\s*(return|typedef|struct|union|enum|goto|using|namespace|else|case)\b|\()"},
};

bool PublicByRule(const DefinitionRule& rule, std::string_view line) {
  if (rule.is_public == nullptr) return false;
  if (*rule.is_public == '\0') return true;
  if (std::string_view(rule.languages).starts_with("C|")) return !MatchesPart(line, R"(^\s*(static|inline static)\b)");
  return MatchesPart(line, rule.is_public);
}

// Of a function that stands on one line, what is before its body.
std::string_view Head(std::string_view line) { return MatchesPart(line, R"(\}\s*$)") ? line.substr(0, line.find('{')) : line; }

}  // namespace

std::optional<DefinedName> DefinedOn(std::string_view path, std::string_view line) {
  const std::string language = LanguageOf(path);
  if (language.empty() || IsCommentLine(path, line)) return std::nullopt;
  // What a macro says of linkage stands around the type or before it: MY_API(char *) name(...).
  std::string bare;
  if (MatchesWhole(language, "C|C\\+\\+|C header")) {
    static const RE2 kLinkage(R"(^[A-Z][A-Z0-9_]+\(([\w\s*:<>,]*)\)\s*([A-Za-z_]))");
    bare = line;
    if (RE2::Replace(&bare, kLinkage, R"(\1 \2)")) line = bare;
  }
  for (const DefinitionRule& rule : kRules) {
    if (!MatchesWhole(language, rule.languages)) continue;
    auto name = FirstGroup(line, rule.line);
    if (!name || (rule.unless != nullptr && MatchesPart(rule.unless == kNoFunction ? Head(line) : line, rule.unless))) continue;
    if (MatchesWhole(*name, "if|for|while|switch|return|sizeof|catch|defined|else|do|try|elif|with|in|is|not|and|or|int|void|char|const|static|struct")) continue;
    return DefinedName{*name, rule.kind, PublicByRule(rule, line)};
  }
  return std::nullopt;
}

std::string DefinitionPattern(const std::string& name) {
  return R"((?:\b(?:def|class|function|fn|func|fun|struct|enum|union|interface|trait|type|record|object|module|mod|package|sub|macro_rules!|define|typedef|using|defp|defmodule|defmacro|const|let|var|val|static|namespace|data|newtype|protocol|actor)[\s*]+(?:[\w<>:\[\],.&*() ]+[\s*&.:])??)" + name +
         R"(\b)|(?:^(?:[A-Za-z_][\w:<>,*&\s\[\]]*[\s*&:]|\s+[\w<>:,*& ]*[\w>]::))" + name + R"(\s*[(=\[;])|(?:^)" + name + R"(\s?(?:\(|=|::|:\s))|(?:^\s+[\w<>\[\],.?: ]*\b)" + name + R"(\s*\([^;]*\{\s*$)|(?:\.)" + name + R"(\s*=\s*(?:async\s*)?(?:function|\(|[\w$]+\s*=>))|(?:\}\s*)" + name + R"(\s*;))";
}

std::string FunctionPattern(std::string_view language) {
  if (language == "Python" || language == "Cython") return R"(^\s*((async\s+|cp)?def|class)\s+\w)";
  if (language == "JavaScript" || language == "TypeScript") return R"(^\s*(export\b.*\b(function|const|class)\b|export\s*\{|export\s+default\b|(async\s+)?function\b|(module\.)?exports\b|[\w$.]+\.[\w$]+\s*=\s*(async\s*)?(function\b|\(.*\)[^()]*=>|[\w$]+\s*=>))|^(class|const|let|var)\s+[\w$]+\s*(=\s*(async\s*)?(function\b|\([^()]*\)\s*=>|[\w$]+\s*=>|(module\.)?exports\b)|\{|extends\b))";
  if (language == "Go") return R"(^func\s)";
  if (language == "Rust") return R"(^\s*(pub\b.*\bfn\s|#\[(cfg\((all\()?test\b|(\w+::)*test\b)))";
  if (language == "Java" || language == "C#" || language == "Groovy") return R"(^\s*(public|protected|static)\b[^=;]*\()";
  if (language == "Kotlin") return R"(\bfun\s)";
  if (language == "Scala" || language == "Ruby") return R"(^\s*([\w\s]*\s)?def\s)";
  if (language == "Perl") return R"(^\s*sub\s+\w)";
  if (language == "PHP") return R"(\bfunction\s+&?\w)";
  if (language == "Elixir") return R"(^\s*def\s)";
  if (language == "Swift") return R"(\bfunc\s+\w)";
  if (language == "Zig") return R"(^\s*pub\s.*fn\s)";
  if (language == "Lua") return R"(\bfunction\s+\w)";
  if (language == "C" || language == "C++" || language == "C header") return R"(^(?:[A-Z][A-Z0-9_]+\([\w\s*:<>,]*\)\s*)?[A-Za-z_][\w:<>,*&\s\[\]]*[\s*&:](~?\w+)\s*\(([^;]*|[^;{]*\{.*\})$|^[a-z_]\w*\s?\([^;]*$|^[A-Z][A-Z0-9_]+\([\w\s*:<>,]*\)\s*\w+\s*\([^;]*$|^(?:\t{1,2}| {1,8})[A-Za-z_][\w:<>,*&\s]*[\s*&][\w:<>,*&]*::~?\w+\s*\((?:[^;]*|[^;{]*\{.*\})$)";
  return "";
}

bool IsCommentLine(std::string_view path, std::string_view line) {
  const std::string language = LanguageOf(path);
  if (MatchesWhole(language, "Python|Cython|Ruby|Perl|Shell|Elixir|R|Julia|Nim|Crystal|Tcl") || language.empty()) return MatchesPart(line, R"(^\s*#($|[^!]))");
  if (MatchesWhole(language, "Lua|Haskell|Ada")) return MatchesPart(line, R"(^\s*(--|\{-))");
  if (language == "OCaml") return MatchesPart(line, R"(^\s*\(\*)");
  return MatchesPart(line, R"(^\s*(//|/\*|\*(\s|/|$)))");
}

}  // namespace paddock::subagents
