#include "subagents/playbook/public_functions.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/test_files.h"
#include "subagents/playbook/visibility.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFunctions = 4000;
constexpr int64_t kMostLines = 400;

constexpr struct {
  const char *language, *glob;
} kGlobs[] = {
    {"C", "*.{c,h}"}, {"C++", "*.{cc,cpp,cxx,h,hh,hpp,hxx}"}, {"Python", "*.py"}, {"JavaScript", "*.{js,mjs,cjs,jsx}"}, {"TypeScript", "*.{ts,tsx,mts}"}, {"Go", "*.go"}, {"Rust", "*.rs"},
    {"Java", "*.java"}, {"Kotlin", "*.{kt,kts}"}, {"C#", "*.cs"}, {"Scala", "*.scala"}, {"Groovy", "*.groovy"}, {"Ruby", "*.rb"}, {"Perl", "*.{pm,pl}"}, {"PHP", "*.php"}, {"Elixir", "*.ex"},
    {"Swift", "*.swift"}, {"Zig", "*.zig"}, {"Lua", "*.lua"}};

// What is there in every class or package, or is called by nobody by its name.
constexpr char kNoSubject[] = "~.*|main|init|toString|equals|hashCode|compareTo|clone|finalize|close|__\\w+__|String|Error|Less|Swap|MarshalJSON|UnmarshalJSON|Unwrap|to_s|inspect|initialize|fmt|drop|default|clone|from|constructor|render|setUp|tearDown|DllMain|usage|method_missing|respond_to_missing\\?|initialize_copy";


// The name alone begins the line, and its type the one before: only a header can say that it is public. Where it stands as a
// declaration, or the index of symbols has it elsewhere in the file, it doesn't begin here.
bool IsPublicByHeader(const RepoView& view, const Symbols& symbols, const std::string& path, int64_t line, const std::string& name) {
  const SeenLines& lines = *view.LinesOf(path);
  if (!MatchesPart(lines.at(line).text, R"(^[a-z_]\w*\s?\()") || IsHeader(path)) return false;
  const auto file = symbols.files().find(path);
  if (file != symbols.files().end() && symbols.At(path, line, name) == nullptr &&
      std::any_of(file->second.begin(), file->second.end(), [&](const auto& symbol) { return symbol.name == name && IsFunctionKind(symbol.kind, LanguageOf(path)); }))
    return false;
  return !IsOnlyDeclared(lines, line).value_or(false);
}

bool IsMethod(std::string_view text) { return MatchesPart(text, R"(^(\t| {2}| {4})((public|static|async|get|set|override)\s+)*\*?[A-Za-z$][\w$]*\s*(?:<[^()]*>)?\s*\([^()]*\)\s*(?::[^={]+)?\{)"); }

// What a file of JavaScript exports by itself: "module.exports = name", or names in braces, over several lines as far as they were seen.
std::set<std::string> ExportedNames(const SeenLines& lines) {
  std::set<std::string> out;
  static const RE2 kName(R"(([A-Za-z_$][\w$]*)\s*(?:,|:|\}|$))");
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (auto name = FirstGroup(line->second.text, R"(^\s*(?:module\.)?exports\.[\w$]+\s*=\s*([\w$]+)\s*;?\s*$)")) out.insert(*name);
    auto rest = FirstGroup(line->second.text, R"(^\s*(?:(?:module\.)?exports(?:\s*=\s*module\.exports)?\s*=|export(?:\s+default\b)?)\s*(\{.*|[\w$]+\s*;?\s*$))");
    if (!rest) continue;
    if (rest->front() != '{') {
      out.insert(rest->substr(0, rest->find_first_of("; \t")));
      continue;
    }
    std::string text = rest->substr(1);
    for (int64_t last = line->first;; ++last) {
      re2::StringPiece names(text);
      for (std::string name; RE2::FindAndConsume(&names, kName, &name);) out.insert(name);
      if (text.find('}') != std::string::npos || !lines.contains(last + 1) || last > line->first + 200) break;
      text = lines.at(last + 1).text;
    }
  }
  return out;
}

// "oven" of "oven.heat = ..." and of "oven.prototype.heat = ...".
std::string ObjectOf(std::string_view text) { return FirstGroup(text, R"(^([\w$]+)(?:\.prototype)?\.[\w$]+\s*=)").value_or(""); }

// An example in a docstring of Python defines nothing.
bool IsOfText(const Symbols& symbols, const std::string& path, int64_t line, const std::string& text, const std::string& name, const MaskedLine& masked) {
  if (const size_t at = text.find(name); at < masked.bytes.size() && masked.bytes[at] == kStringByte) return true;
  const auto file = symbols.files().find(path);
  return file != symbols.files().end() && file->second.back().line > line && symbols.At(path, line, name) == nullptr;
}

// Go's way to have things sorted, by what else the file defines.
bool IsOfSorting(const std::string& name, const SeenLines& lines) {
  return name == "Len" && std::any_of(lines.begin(), lines.end(), [](const auto& line) { return MatchesPart(line.second.text, R"(^func\s.*\bLess\()"); });
}

// A function within a function, or a method of a class that is private. Lines of definitions that were seen before it decide.
struct Nesting {
  struct Level {
    size_t indent;
    bool hides;
  };
  std::vector<Level> open;

  // In no other definition: under an "if" or a "try" of the module, perhaps.
  bool IsOutermost(size_t indent) const { return std::none_of(open.begin(), open.end(), [&](const Level& level) { return level.indent < indent; }); }
  bool Hidden(size_t indent, bool is_class, bool is_private) {
    while (!open.empty() && open.back().indent >= indent) open.pop_back();
    const bool hidden = !open.empty() && open.back().hides;
    open.push_back({indent, hidden || !is_class || is_private});
    return hidden;
  }
};

}  // namespace

std::string GlobOf(std::string_view language) {
  for (const auto& row : kGlobs)
    if (language == row.language) return row.glob;
  return "";
}

std::vector<PublicFunction> PublicFunctions(const RepoView& view, const Symbols& symbols) {
  // What a header declares that is for the library's own files is public only where there is no other.
  std::set<std::string> declared, of_own;
  for (const auto& path : view.ReadFiles()) {
    if (!IsHeader(path) || IsForeignPath(path) || IsTestPath(path)) continue;
    std::set<std::string>& names = MatchesPart(path, R"((?i)(^|[/_.-])(private|internal|impl|detail)s?([/_.-]))") ? of_own : declared;
    for (const auto& [number, line] : *view.LinesOf(path))
      if (auto name = FirstGroup(line.text, R"(\b(~?[A-Za-z_]\w*)\s*\()"); name && !IsCommentLine(path, line.text) && !MatchesPart(line.text, R"(^\s*#)")) {
        names.insert(*name);
        if (auto defined = DefinedOn(path, line.text)) names.insert(defined->name);
      }
  }
  if (declared.empty()) declared = std::move(of_own);
  // A header is of the language that has more files.
  std::string of_headers = "C";
  for (const auto& each : RankLanguages(view))
    if (each.name == "C" || each.name == "C++") {
      of_headers = each.name;
      break;
    }
  const auto code_folders = CodeFolders(view);
  const auto languages = RankLanguages(view);
  const std::string main = languages.empty() ? "" : languages[0].name;
  const auto is_helper = [&](const std::string& path, const std::string& language) {
    const bool of_main = language == main || (language == "C header" && (main == "C" || main == "C++"));
    return IsHelperPath(path) && !(of_main && code_folders.contains(std::string(FolderName(path))));
  };
  const RustModules rust(view);
  const PythonModules python(view);
  std::vector<PublicFunction> out;
  auto files = view.ReadFiles();
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    const std::string language = LanguageOf(path);
    const bool c_like = MatchesWhole(language, "C|C\\+\\+|C header");
    if (!IsOwnSource(path) || IsTrialPath(path) || is_helper(path, language) || path.ends_with(".pyi") || path.ends_with(".d.ts") || (language == "Rust" && rust.Hides(path))) continue;
    const bool script = MatchesWhole(language, "JavaScript|TypeScript");
    const std::set<std::string> exported = script ? ExportedNames(*view.LinesOf(path)) : std::set<std::string>();
    auto of_all = language == "Python" ? ExportedByAll(*view.LinesOf(path)) : std::nullopt;
    if (auto handed_on = language == "Python" ? python.HandedOn(path) : std::nullopt) of_all = std::move(handed_on);
    const InlineTests tests = c_like ? InlineTests(path, *view.LinesOf(path)) : InlineTests("", {});
    RubyVisibility ruby;
    const auto mask = language == "Python" ? view.MaskOf(path) : MaskedLines();
    bool of_exported = false;  // in a class that is
    std::optional<ExportedObject> object;
    std::set<std::string> names;
    Nesting nesting;
    std::vector<std::pair<int64_t, size_t>> starts;  // line and indentation of every definition, for sizes
    const size_t first = out.size();
    for (const auto& [number, line] : *view.LinesOf(path)) {
      const bool hidden = language == "Ruby" && ruby.Hides(line.text);
      if (auto opened = script ? ExportedObjectAt(*view.LinesOf(path), number) : std::nullopt) object = opened;
      auto defined = DefinedOn(path, line.text);
      if (line.cut || !defined || (defined->kind != "function" && defined->kind != "class")) continue;
      const size_t indent = IndentOf(line.text);
      if (language == "Python" && IsOfText(symbols, path, number, line.text, defined->name, mask.at(number))) continue;
      starts.emplace_back(number, indent);
      const bool is_class = defined->kind == "class";
      const bool outside = hidden || (of_all && nesting.IsOutermost(indent) && !of_all->contains(defined->name));
      if (language == "Python" && nesting.Hidden(indent, is_class, !defined->is_public || outside)) continue;
      if (script && indent == 0) of_exported = is_class && (defined->is_public || exported.contains(defined->name));
      if (c_like && MatchesPart(line.text, R"(\b[A-Z_]*(INTERNAL|HIDDEN|LOCAL|PRIVATE)\b)")) continue;
      const bool of_object = object && number <= object->last && indent == object->indent && IsFunctionOfObject(line.text);
      const bool is_public = defined->is_public || of_object || (script && (indent == 0 ? exported.contains(defined->name) || exported.contains(ObjectOf(line.text)) : of_exported && IsMethod(line.text))) || (c_like && declared.contains(defined->name) && IsPublicByHeader(view, symbols, path, number, defined->name));
      if (is_class || outside || out.size() >= kMaxFunctions || MatchesWhole(defined->name, kNoSubject) || !is_public) continue;
      if (c_like && !declared.empty() && !declared.contains(defined->name)) continue;
      if (c_like && IsHeader(path) && MatchesPart(line.text, R"(^\s*#)")) continue;
      if (tests.Has(number) || (language == "Go" && IsOfSorting(defined->name, *view.LinesOf(path)))) continue;
      if (language == "Java" && (defined->name == BaseName(path).substr(0, BaseName(path).rfind('.')) || MatchesPart(line.text, R"(\babstract\b)"))) continue;
      if (!names.insert(defined->name).second) continue;
      PublicFunction function{path, defined->name, language == "C header" ? of_headers : language, number};
      function.is_method = language == "Go" ? MatchesPart(line.text, R"(^func\s*\()") : (script && indent > 0 && !of_object && IsMethod(line.text)) || (language == "Python" && !nesting.IsOutermost(indent));
      if (const Symbol* symbol = symbols.At(path, number, defined->name); symbol != nullptr && symbol->end > 0) function.lines = symbol->end - number + 1;
      out.push_back(std::move(function));
    }
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](const auto& function) { return ruby.named().contains(function.name); }), out.end());
    for (size_t i = first; i < out.size(); ++i) {
      if (out[i].lines > 0) continue;
      out[i].lines = SeenLinesOfBody(view, path, out[i].line);
      if (out[i].lines > 0) continue;
      // Until the next definition that is no deeper: good enough to choose what to read.
      const auto start = std::find_if(starts.begin(), starts.end(), [&](const auto& each) { return each.first == out[i].line; });
      const auto next = std::find_if(start + 1, starts.end(), [&](const auto& each) { return each.second <= start->second; });
      out[i].most_lines = next == starts.end() ? 0 : std::min(kMostLines, std::max<int64_t>(1, next->first - out[i].line - 2));
    }
  }
  // A header's lines that only declare what a source defines: the rest of the declaration may not have been seen.
  std::set<std::string> in_sources;
  for (const auto& function : out)
    if (!IsHeader(function.path) && MatchesWhole(LanguageOf(function.path), "C|C\\+\\+")) in_sources.insert(function.name);
  std::erase_if(out, [&](const auto& function) { return IsHeader(function.path) && in_sources.contains(function.name); });
  return out;
}

}  // namespace paddock::subagents
