#include "subagents/playbook/name_places.h"

#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

std::string ClassAround(const SeenLines& lines, int64_t number) {
  size_t indent = IndentOf(lines.at(number).text);
  for (int64_t n = number - 1; n > 0 && lines.contains(n) && indent > 0 && n > number - 1500; --n) {
    const size_t here = IndentOf(lines.at(n).text);
    if (here == std::string_view::npos || here >= indent) continue;
    if (auto name = FirstGroup(lines.at(n).text, R"(^\s*(?:[a-z]+\s+)*?(?:class|struct|interface|trait|impl(?:<[^>]*>)?(?:\s+[\w:<>, ]+\s+for)?|module|object|enum)\s+([A-Za-z_]\w*))")) return *name;
    if (MatchesPart(lines.at(n).text, R"(^\s*[\w@#/*"')}\]])")) indent = here;
  }
  return "";
}

namespace {

bool IsWordByte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// Does a comment of several lines that began before it hold the line, as far as those were seen?
bool InLongComment(std::string_view path, const SeenLines& lines, int64_t number) {
  if (!MatchesWhole(LanguageOf(path), "C|C\\+\\+|C header|Objective-C.*|Java|C#|JavaScript|TypeScript|Go|Rust")) return false;
  for (int64_t n = number - 1; n > 0 && lines.contains(n) && n > number - 400; --n) {
    const std::string& text = lines.at(n).text;
    const size_t open = text.rfind("/*"), close = text.rfind("*/");
    if (open == std::string::npos && close == std::string::npos) continue;
    return open != std::string::npos && (close == std::string::npos || close < open) && text.substr(0, open).find("//") == std::string::npos && text.substr(0, open).find('"') == std::string::npos;
  }
  return false;
}

// Says a line that looks as a definition does no more than that there is one?
bool IsOnlyDeclaredAt(std::string_view path, const SeenLines& lines, int64_t number, const Symbol* symbol) {
  if (!MatchesWhole(LanguageOf(path), "C|C\\+\\+|C header|Objective-C.*")) return false;
  if (symbol != nullptr) return symbol->kind == "prototype";
  if (auto declared = IsOnlyDeclared(lines, number)) return *declared;
  return MatchesPart(path, R"(\.(h|hh|hpp|hxx)$)") && MatchesPart(lines.at(number).text, R"(^[a-z_]\w*\s?\([^{]*$)");
}

// Where the name stands as a word; npos where it doesn't.
size_t WordAt(std::string_view text, std::string_view name, size_t from = 0) {
  for (size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t after = at + name.size();
    if ((at == 0 || !IsWordByte(text[at - 1]) || !IsWordByte(name.front())) && (after == text.size() || !IsWordByte(text[after]) || !IsWordByte(name.back()))) return at;
  }
  return std::string_view::npos;
}

bool CommentedAt(std::string_view path, std::string_view text, size_t at) {
  if (IsCommentLine(path, text)) return true;
  const std::string language = LanguageOf(path);
  // Lines of a longer comment: Python has no back quotes, and in C a call ends in something.
  if (language == "Python" && (MatchesPart(text, R"re(^\s*[rRuU]?("""|'''))re") || (text.find('`') != std::string_view::npos && text.substr(0, text.find('`')).find_first_of("\"'") == std::string_view::npos))) return true;
  if (MatchesWhole(language, "C|C\\+\\+|C header|Java|C#") && MatchesPart(text, R"(^\s*(?:[A-Z]\w*(?:::|\.|#))*\w+\(\)[.,]?\s*$)")) return true;
  const bool hash = MatchesWhole(language, "Python|Cython|Ruby|Perl|Shell|Elixir");
  if (!hash)
    if (const size_t open = text.substr(0, at).rfind("/*"); open != std::string_view::npos && text.substr(open, at - open).find("*/") == std::string_view::npos && text.substr(0, open).find('"') == std::string_view::npos) return true;
  const size_t mark = hash ? text.find(" #") : text.find("//");
  return mark != std::string_view::npos && mark < at && (mark == 0 || text[mark - 1] != ':');
}

PlaceKind KindOf(std::string_view path, std::string_view text, std::string_view name, size_t at) {
  if (IsProsePath(path)) return PlaceKind::kProse;
  if (IsTestPath(path)) return PlaceKind::kTest;
  if (path.ends_with(".pyi")) return PlaceKind::kDeclaration;
  if (LanguageOf(path).empty()) return PlaceKind::kSettings;
  if (CommentedAt(path, text, at)) return PlaceKind::kComment;
  if (IsBuildPath(path)) return PlaceKind::kSettings;
  if (MatchesPart(text, R"(^\s*(import|from|use|using|require|include|#\s*include|export\s*\{|mod)\b|\brequire\s*\()")) return PlaceKind::kImport;
  size_t after = at + name.size();
  while (after < text.size() && text[after] == ' ') ++after;
  return after < text.size() && text[after] == '(' ? PlaceKind::kCall : PlaceKind::kUse;
}

// By its scope, by what stands before the name, by the class around it, or by the module that it stands in.
bool IsOf(const std::string& owner, const Place& place, const std::string& name, const SeenLines& lines) {
  if (!place.scope.empty()) return WordAt(place.scope, owner) != std::string_view::npos;
  const std::string& text = lines.at(place.line).text;
  for (const char* joint : {"::", ".", "#", ".prototype."})
    if (WordAt(text, owner + joint + name) != std::string_view::npos) return true;
  // Go's receiver.
  if (auto receiver = FirstGroup(text, R"(^func \(\s*(?:\w+\s+)?\*?(\w+))"); receiver && *receiver == owner) return true;
  if (IndentOf(text) > 0) return ClassAround(lines, place.line) == owner;
  std::string_view stem = BaseName(place.path);
  stem = stem.substr(0, stem.find('.'));
  return stem == owner || ((stem == "__init__" || place.path.ends_with(".go")) && BaseName(FolderName(place.path)) == owner);
}

}  // namespace

std::vector<std::pair<std::string, int64_t>> ClassPlaces(const RepoView& view, const std::string& name) {
  std::vector<std::pair<std::string, int64_t>> out;
  for (const auto& path : view.ReadFiles()) {
    if (IsForeignPath(path) || IsMadePath(path) || IsProsePath(path)) continue;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (WordAt(line.text, name) == std::string_view::npos) continue;
      const auto defined = DefinedOn(path, line.text);
      if (defined && defined->name == name && defined->kind != "declaration" && defined->kind != "function" && defined->kind != "variable" && defined->kind != "macro") out.emplace_back(path, number);
    }
  }
  return out;
}

std::string OwnerName(std::string_view owner) {
  while (!owner.empty() && std::string_view(":.#->").find(owner.back()) != std::string_view::npos) owner.remove_suffix(1);
  return std::string(owner);
}

std::vector<const Place*> NamePlaces::Of(PlaceKind kind) const {
  std::vector<const Place*> out;
  for (const auto& place : places)
    if (place.kind == kind) out.push_back(&place);
  return out;
}

std::vector<const Place*> NamePlaces::Definitions() const {
  auto out = Of(PlaceKind::kDefinition);
  auto rank = [](const Place* place) {
    return (place->is_of_owner ? -100 : 0) + (IsSidePath(place->path) ? 10 : 0) + (place->what == "variable" ? 4 : 0) + (place->what == "macro" ? 1 : 0) + (place->is_public ? 0 : 1);
  };
  std::stable_sort(out.begin(), out.end(), [&](const Place* a, const Place* b) { return rank(a) < rank(b); });
  return out;
}

NamePlaces PlacesOf(const RepoView& view, const Symbols& symbols, const std::string& name, const std::string& asked, const std::string& owner) {
  NamePlaces out{name, asked, {}, owner};
  if (name.empty()) return out;
  auto files = view.ReadFiles();
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    if (IsForeignPath(path) || IsMadePath(path)) continue;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      const size_t at = WordAt(line.text, name);
      if (at == std::string_view::npos || line.cut) continue;
      Place place{path, number, KindOf(path, line.text, name, at), {}, {}, 0, false};
      if ((place.kind == PlaceKind::kCall || place.kind == PlaceKind::kUse) && InLongComment(path, *view.LinesOf(path), number)) place.kind = PlaceKind::kComment;
      const Symbol* symbol = symbols.At(path, number, name);
      auto defined = DefinedOn(path, line.text);
      if (defined && defined->name != name) defined.reset();
      // "module.exports = { name }" hands it on.
      const bool handed_on = MatchesWhole(LanguageOf(path), "JavaScript|TypeScript") && MatchesPart(line.text, R"(^\s*[\w$]+\s*,?\s*$)");
      const bool code = !handed_on && place.kind != PlaceKind::kProse && place.kind != PlaceKind::kComment && place.kind != PlaceKind::kTest;
      if (code && symbol != nullptr && symbol->kind != "prototype" && symbol->kind != "local" && symbol->kind != "parameter" && symbol->kind != "externvar" && symbol->kind != "header" && symbol->kind != "subprogspec" && (place.kind != PlaceKind::kImport || defined)) {
        place.kind = PlaceKind::kDefinition;
        place.what = symbol->kind;
        place.scope = symbol->scope;
        place.end = symbol->end;
        place.is_public = defined && defined->is_public;
      } else if (code && defined) {
        const bool only = defined->kind == "declaration" || (defined->kind == "function" && IsOnlyDeclaredAt(path, *view.LinesOf(path), number, symbol));
        place.kind = only ? PlaceKind::kDeclaration : PlaceKind::kDefinition;
        place.what = defined->kind;
        place.is_public = defined->is_public;
      }
      if (place.kind == PlaceKind::kDefinition && !owner.empty()) place.is_of_owner = IsOf(OwnerName(owner), place, name, *view.LinesOf(path));
      out.places.push_back(std::move(place));
    }
  }
  return out;
}

}  // namespace paddock::subagents
