#include "subagents/playbook/public_functions.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/class_parts.h"
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

// What the headers declare, and which language they are of.
struct Headers {
  std::set<std::string> declared;
  std::set<std::pair<std::string, std::string>> offered, hidden;  // class and name, by the part of the class that it stands in
  std::string language = "C";  // the one of C and C++ that has more files

  explicit Headers(const RepoView& view) {
    // What one declares that is for the library's own files is public only where there is no other.
    std::set<std::string> of_own;
    for (const auto& path : view.ReadFiles()) {
      if (!IsHeader(path) || IsForeignPath(path) || IsTestPath(path)) continue;
      std::set<std::string>& names = MatchesPart(path, R"((?i)(^|[/_.-])(private|internal|impl|detail)s?([/_.-]))") ? of_own : declared;
      ClassParts parts(path);
      for (const auto& [number, line] : *view.LinesOf(path)) {
        parts.Take(line.text);
        for (const auto& name : DeclaredIn(path, line.text)) {
          (parts.Hides() ? hidden : offered).emplace(parts.Class(), name);
          if (!parts.Hides()) names.insert(name);
        }
      }
    }
    if (declared.empty()) declared = std::move(of_own);
    const auto languages = RankLanguages(view);
    const auto first = std::find_if(languages.begin(), languages.end(), [](const auto& each) { return each.name == "C" || each.name == "C++"; });
    if (first != languages.end()) language = first->name;
  }

  // Does each declaration of it stand in a part of its class that is not for others?
  bool Hide(std::string_view line, const std::string& name) const {
    const std::pair member(ClassBefore(line, name), name);
    return hidden.contains(member) && !offered.contains(member);
  }

 private:
  static std::set<std::string> DeclaredIn(const std::string& path, const std::string& line) {
    std::set<std::string> out;
    const auto name = FirstGroup(line, R"(\b(~?[A-Za-z_]\w*)\s*\()");
    if (!name || IsCommentLine(path, line) || MatchesPart(line, R"(^\s*#)")) return out;
    out.insert(*name);
    if (const auto defined = DefinedOn(path, line)) out.insert(defined->name);
    return out;
  }
};

// One file's lines in their order: what those before a line say of it.
class FileReader {
 public:
  FileReader(const RepoView& view, const Symbols& symbols, const Headers& headers, const PythonModules& python, const std::string& path)
      : view_(view), symbols_(symbols), headers_(headers), path_(path), parts_(path), lines_(*view.LinesOf(path)), language_(LanguageOf(path)), c_like_(MatchesWhole(language_, "C|C\\+\\+|C header")),
        script_(MatchesWhole(language_, "JavaScript|TypeScript")), python_(language_ == "Python"), tests_(c_like_ ? InlineTests(path, lines_) : InlineTests("", {})) {
    if (script_) exported_ = ExportedNames(lines_);
    if (!python_) return;
    of_all_ = ExportedByAll(lines_);
    if (auto handed_on = python.HandedOn(path)) of_all_ = std::move(handed_on);
    mask_ = view.MaskOf(path);
  }

  std::vector<PublicFunction> Read(size_t most) {
    for (const auto& [number, line] : lines_) Take(number, line, most);
    std::erase_if(out_, [&](const auto& function) { return ruby_.named().contains(function.name); });
    for (auto& function : out_)
      if (function.lines == 0) SetLength(&function);
    return std::move(out_);
  }

 private:
  void Take(int64_t number, const SeenLine& line, size_t most) {
    if (c_like_) parts_.Take(line.text);
    const bool hidden = language_ == "Ruby" ? ruby_.Hides(line.text) : c_like_ && parts_.Hides();
    if (auto opened = script_ ? ExportedObjectAt(lines_, number) : std::nullopt) object_ = opened;
    const auto defined = DefinedOn(path_, line.text);
    if (line.cut || !defined || (defined->kind != "function" && defined->kind != "class")) return;
    const size_t indent = IndentOf(line.text);
    if (python_ && IsOfText(symbols_, path_, number, line.text, defined->name, mask_.at(number))) return;
    starts_.emplace_back(number, indent);
    const bool is_class = defined->kind == "class";
    const bool outside = hidden || (of_all_ && nesting_.IsOutermost(indent) && !of_all_->contains(defined->name));
    if (python_ && nesting_.Hidden(indent, is_class, !defined->is_public || outside)) return;
    if (script_ && indent == 0) of_exported_ = is_class && (defined->is_public || exported_.contains(defined->name));
    if (is_class || outside || out_.size() >= most || IsLeftOut(number, line.text, defined->name) || !IsPublic(number, line.text, indent, *defined) || !names_.insert(defined->name).second) return;
    PublicFunction function{path_, defined->name, language_ == "C header" ? headers_.language : language_, number};
    function.is_method = language_ == "Go" ? MatchesPart(line.text, R"(^func\s*\()") : (script_ && indent > 0 && !IsOfObject(number, line.text, indent) && IsMethod(line.text)) || (python_ && !nesting_.IsOutermost(indent));
    if (const Symbol* symbol = symbols_.At(path_, number, defined->name); symbol != nullptr && symbol->end > 0) function.lines = symbol->end - number + 1;
    out_.push_back(std::move(function));
  }

  // By its name, by what marks it, or by where it stands.
  bool IsLeftOut(int64_t number, const std::string& text, const std::string& name) const {
    if (MatchesWhole(name, kNoSubject) || name.starts_with('_') || IsMarkedPrivate(path_, lines_, number) || tests_.Has(number) || (language_ == "Go" && IsOfSorting(name, lines_))) return true;
    if (language_ == "Java") return name == BaseName(path_).substr(0, BaseName(path_).rfind('.')) || MatchesPart(text, R"(\babstract\b)");
    if (!c_like_) return false;
    return MatchesPart(text, R"(\b[A-Z_]*(INTERNAL|HIDDEN|LOCAL|PRIVATE)\b)") || headers_.Hide(text, name) || (!headers_.declared.empty() && !headers_.declared.contains(name)) || (IsHeader(path_) && MatchesPart(text, R"(^\s*#)"));
  }

  bool IsOfObject(int64_t number, const std::string& text, size_t indent) const { return object_ && number <= object_->last && indent == object_->indent && IsFunctionOfObject(text); }

  bool IsPublic(int64_t number, const std::string& text, size_t indent, const DefinedName& defined) const {
    if (defined.is_public || IsOfObject(number, text, indent)) return true;
    if (script_) return indent == 0 ? exported_.contains(defined.name) || exported_.contains(ObjectOf(text)) : of_exported_ && IsMethod(text);
    return c_like_ && headers_.declared.contains(defined.name) && IsPublicByHeader(view_, symbols_, path_, number, defined.name);
  }

  void SetLength(PublicFunction* function) const {
    function->lines = SeenLinesOfBody(view_, path_, function->line);
    if (function->lines > 0) return;
    // Until the next definition that is no deeper: good enough to choose what to read.
    const auto start = std::find_if(starts_.begin(), starts_.end(), [&](const auto& each) { return each.first == function->line; });
    const auto next = std::find_if(start + 1, starts_.end(), [&](const auto& each) { return each.second <= start->second; });
    function->most_lines = next == starts_.end() ? 0 : std::min(kMostLines, std::max<int64_t>(1, next->first - function->line - 2));
  }

  const RepoView& view_;
  const Symbols& symbols_;
  const Headers& headers_;
  const std::string path_;
  ClassParts parts_;
  const SeenLines& lines_;
  const std::string language_;
  const bool c_like_, script_, python_;
  const InlineTests tests_;
  MaskedLines mask_;
  std::set<std::string> exported_, names_;
  std::optional<std::set<std::string>> of_all_;
  std::optional<ExportedObject> object_;
  RubyVisibility ruby_;
  Nesting nesting_;
  bool of_exported_ = false;  // in a class that is
  std::vector<std::pair<int64_t, size_t>> starts_;  // line and indentation of every definition, for sizes
  std::vector<PublicFunction> out_;
};

// Tests, examples, helpers and declarations alone have no function that is the project's to test.
class WantedFiles {
 public:
  explicit WantedFiles(const RepoView& view) : code_folders_(CodeFolders(view)), rust_(view) {
    if (const auto languages = RankLanguages(view); !languages.empty()) main_ = languages[0].name;
  }
  bool Has(const std::string& path) const {
    const std::string language = LanguageOf(path);
    return IsOwnSource(path) && !IsTrialPath(path) && !IsHelper(path, language) && !path.ends_with(".pyi") && !path.ends_with(".d.ts") && !(language == "Rust" && rust_.Hides(path));
  }

 private:
  bool IsHelper(const std::string& path, const std::string& language) const {
    const bool of_main = language == main_ || (language == "C header" && (main_ == "C" || main_ == "C++"));
    return IsHelperPath(path) && !(of_main && code_folders_.contains(std::string(FolderName(path))));
  }

  std::set<std::string> code_folders_;
  RustModules rust_;
  std::string main_;
};

}  // namespace

std::string GlobOf(std::string_view language) {
  for (const auto& row : kGlobs)
    if (language == row.language) return row.glob;
  return "";
}

std::vector<PublicFunction> PublicFunctions(const RepoView& view, const Symbols& symbols) {
  const Headers headers(view);
  const PythonModules python(view);
  const WantedFiles wanted(view);
  std::vector<PublicFunction> out;
  auto files = view.ReadFiles();
  std::sort(files.begin(), files.end());
  for (const auto& path : files)
    if (wanted.Has(path)) std::ranges::move(FileReader(view, symbols, headers, python, path).Read(kMaxFunctions - out.size()), std::back_inserter(out));
  // A header's lines that only declare what a source defines: the rest of the declaration may not have been seen.
  std::set<std::string> in_sources;
  for (const auto& function : out)
    if (!IsHeader(function.path) && MatchesWhole(LanguageOf(function.path), "C|C\\+\\+")) in_sources.insert(function.name);
  std::erase_if(out, [&](const auto& function) { return IsHeader(function.path) && in_sources.contains(function.name); });
  return out;
}

}  // namespace paddock::subagents
