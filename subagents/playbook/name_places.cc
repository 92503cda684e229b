#include "subagents/playbook/name_places.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/fields.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/test_files.h"

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

// Says a line that looks as a definition does no more than that there is one?
bool IsOnlyDeclaredAt(std::string_view path, const SeenLines& lines, int64_t number, const Symbol* symbol) {
  if (!MatchesWhole(LanguageOf(path), "C|C\\+\\+|C header|Objective-C.*")) return false;
  if (symbol != nullptr) return symbol->kind == "prototype";
  if (auto declared = IsOnlyDeclared(lines, number)) return *declared;
  return MatchesPart(path, R"(\.(h|hh|hpp|hxx)$)") && MatchesPart(lines.at(number).text, R"(^[a-z_]\w*\s?\([^{]*$)");
}

// What a line says that stands alone: Python has no back quotes, and in C a call ends in something, but for that of a macro.
bool LooksCommented(std::string_view path, std::string_view text) {
  const std::string language = LanguageOf(path);
  if (language == "Python") return MatchesPart(text, R"re(^\s*[rRuU]?("""|'''))re") || (text.find('`') != std::string_view::npos && text.substr(0, text.find('`')).find_first_of("\"'") == std::string_view::npos);
  return MatchesWhole(language, "C|C\\+\\+|C header|Java|C#") && MatchesPart(text, R"(^\s*(?:[A-Z]\w*(?:::|\.|#))*\w+\(\)[.,]?\s*$)") && !MatchesPart(text, R"(^\s*[A-Z][A-Z0-9_]+\(\),?\s*$)");
}

PlaceKind KindOf(std::string_view path, const WordUse& use) {
  if (IsProsePath(path)) return PlaceKind::kProse;
  if (IsTestPath(path)) return PlaceKind::kTest;
  if (LanguageOf(path).empty() || IsBuildPath(path)) return use.role == WordRole::kComment ? PlaceKind::kComment : PlaceKind::kSettings;
  switch (use.role) {
    case WordRole::kCall: return PlaceKind::kCall;
    case WordRole::kReference:
    case WordRole::kAssigned: return PlaceKind::kUse;
    case WordRole::kImport: return PlaceKind::kImport;
    case WordRole::kDeclares: return PlaceKind::kDeclaration;
    case WordRole::kComment: return PlaceKind::kComment;
    default: return PlaceKind::kWord;
  }
}

// "export function f(): T;" of a file that only declares.
bool OnlyDeclares(std::string_view path) { return MatchesPart(path, R"(\.(pyi|d\.[mc]?ts)$)"); }

// "name: (x: T) => U;" of TypeScript, or a line in the body of a type or an interface.
bool IsMemberOfType(std::string_view path, const SeenLines& lines, int64_t number) {
  const std::string& text = lines.at(number).text;
  const size_t indent = IndentOf(text);
  if (LanguageOf(path) != "TypeScript" || indent == 0) return false;
  if (MatchesPart(text, R"(^\s+(readonly\s+)?[\w$]+\??\s*:[^=]*=>[^={]*;\s*$)")) return true;
  int64_t n = number - 1;
  while (lines.contains(n) && IndentOf(lines.at(n).text) >= indent) --n;  // of an empty line it is npos
  return lines.contains(n) && MatchesPart(lines.at(n).text, R"(^\s*(export\s+)?(default\s+)?(declare\s+)?(interface\s+\w|type\s+\w[^=]*=))");
}

// "module.exports = { name }" and "exports.name = oven.name" hand it on.
bool HandsOn(std::string_view path, std::string_view text, const std::string& name) {
  if (!MatchesWhole(LanguageOf(path), "JavaScript|TypeScript")) return false;
  return MatchesPart(text, R"(^\s*[\w$]+\s*,?\s*$)") || FirstGroup(text, R"(\bexports\.[\w$]+\s*=\s*(?:[\w$]+\.)*([\w$]+)\s*;?\s*$)") == name;
}

// An entry of the index that says that the name is this: no local variable, no parameter, no key of an object that holds a value.
bool Defines(const Symbol& symbol, std::string_view path, std::string_view text, const WordUse& use, bool by_line) {
  if (MatchesWhole(symbol.kind, "prototype|local|parameter|externvar|header|subprogspec|methodSpec|implementation|unknown")) return false;
  if (use.role == WordRole::kString || use.role == WordRole::kComment) return false;
  if (use.role == WordRole::kCall) return by_line || !MatchesWhole(symbol.kind, "variable|constant|property|field");
  if (!MatchesWhole(LanguageOf(path), "JavaScript|TypeScript") || by_line) return use.role != WordRole::kImport || by_line;
  if (use.role == WordRole::kImport) return false;
  if (MatchesWhole(symbol.kind, "variable|constant")) return IndentOf(text) == 0;
  return symbol.kind != "property" || !use.is_key;
}

// The type of a method in Go, without its type parameters.
std::optional<std::string> ReceiverOfGo(std::string_view path, std::string_view text) { return path.ends_with(".go") ? FirstGroup(text, R"(^func \(\s*(?:\w+\s+)?\*?(\w+))") : std::nullopt; }

// By its scope, by what stands before the name, by the class around it, or by the module that it stands in.
bool IsOf(const std::string& owner, const Place& place, const std::string& name, const SeenLines& lines) {
  if (!place.scope.empty()) return NameAt(place.scope, owner) != std::string_view::npos;
  const std::string& text = lines.at(place.line).text;
  for (const char* joint : {"::", ".", "#", ".prototype."})
    if (NameAt(text, owner + joint + name) != std::string_view::npos) return true;
  if (ReceiverOfGo(place.path, text) == owner) return true;
  if (IndentOf(text) > 0) return ClassAround(lines, place.line) == owner;
  std::string_view stem = BaseName(place.path);
  stem = stem.substr(0, stem.find('.'));
  return stem == owner || ((stem == "__init__" || place.path.ends_with(".go")) && BaseName(FolderName(place.path)) == owner);
}

// By the word of the goal for it, and by the index's or the line's.
bool IsOfKind(const std::string& kind, const Place& place) {
  static constexpr struct {
    const char *words, *kinds;
  } kKinds[] = {
      {"struct|union|enum|class|interface|trait|type|typedef|protocol|record|object", "struct|union|enum|class|interface|trait|type|typedef|talias|alias|protocol|record|object|annotation|enumeration|newtype|data"},
      {"module|namespace|package|mod|defmodule", "module|namespace|package|packageName|class"},  // Ruby's, by its line
      {"macro|define|defmacro", "macro|define|function"},
      {"const|constant|var|variable|let|val", "constant|const|variable|var|val|property|field|externvar"},
      {"func|function|fn|fun|defp?|sub|method", "function|func|method|member|subroutine|singletonMethod|generator|procedure|constructor|getter|setter"},
  };
  for (const auto& each : kKinds)
    if (MatchesWhole(kind, each.words)) return MatchesWhole(place.what, each.kinds);
  return false;
}

// Of C a struct is named with its keyword, unless a typedef of its name is there: the word alone is something else.
void KeepTagged(const RepoView& view, NamePlaces* out) {
  if (!MatchesWhole(out->kind, "struct|union|enum")) return;
  const auto text = [&](const Place& place) -> const std::string& { return view.LinesOf(place.path)->at(place.line).text; };
  for (const Place& place : out->places) {
    if (LanguageOf(place.path) == "C++") return;
    if (place.kind == PlaceKind::kDefinition && !place.is_meant && place.what != "variable" && !IsFunctionKind(place.what, LanguageOf(place.path)) && place.what != "member") return;
    if (place.is_meant && (place.what == "typedef" || MatchesPart(text(place), R"(^\s*(\}|typedef))"))) return;
  }
  const RE2 tag(R"(\b)" + out->kind + R"(\s+)" + out->name + R"(\b)");
  std::erase_if(out->places, [&](const Place& place) { return MatchesWhole(LanguageOf(place.path), "C|C header") && !RE2::PartialMatch(text(place), tag); });
}

Place PlaceAt(const std::string& path, const SeenLines& lines, int64_t number, const MaskedLine& masked, const Symbols& symbols, const NamePlaces& asked) {
  const std::string& text = lines.at(number).text;
  const std::string& name = asked.name;
  Place place{path, number, PlaceKind::kUse, BestUse(path, text, masked.bytes, name), {}, {}, {}, 0, false};
  if (!masked.known && LooksCommented(path, text)) place.use.role = WordRole::kComment;
  place.kind = KindOf(path, place.use);
  if (place.kind == PlaceKind::kProse || place.kind == PlaceKind::kComment || place.kind == PlaceKind::kTest || HandsOn(path, text, name)) return place;
  const Symbol* symbol = symbols.At(path, number, name);
  auto defined = DefinedOn(path, text);
  if (defined && (defined->name != name || place.use.role == WordRole::kString || place.use.role == WordRole::kComment)) defined.reset();
  if (symbol != nullptr && Defines(*symbol, path, text, place.use, defined.has_value())) {
    place.kind = PlaceKind::kDefinition;
    place.what = symbol->kind;
    place.scope = symbol->scope;
    place.end = symbol->end;
    place.is_public = defined && defined->is_public;
  } else if (defined) {
    const bool only = defined->kind == "declaration" || (defined->kind == "function" && IsOnlyDeclaredAt(path, lines, number, symbol));
    place.kind = only ? PlaceKind::kDeclaration : PlaceKind::kDefinition;
    place.what = defined->kind;
    place.is_public = defined->is_public;
  } else if (place.kind == PlaceKind::kDeclaration && IsOnlyDeclared(lines, number) == std::optional(false)) {
    place.kind = PlaceKind::kDefinition;
    place.what = "function";
  } else if (symbol != nullptr && MatchesWhole(symbol->kind, "prototype|methodSpec")) {
    place.kind = PlaceKind::kDeclaration;
  } else if (LooksLikeField(path, text, name)) {
    if (auto structure = StructureAround(path, lines, number)) {
      place.kind = PlaceKind::kDefinition;
      place.what = "field";
      place.scope = *structure;
    }
  }
  if (place.kind == PlaceKind::kDefinition && (OnlyDeclares(path) || IsMemberOfType(path, lines, number))) place.kind = PlaceKind::kDeclaration;
  if (place.kind == PlaceKind::kDefinition) {
    // Of Ruby the index leaves a class at an "end" that is another's.
    const std::string around = ClassAround(lines, number);
    if (LanguageOf(path) == "Ruby" && !around.empty() && !place.scope.empty()) place.scope = LastPart(place.scope) == around ? place.scope : around;
    // Of a generic type of Go the index takes the parameter for the type.
    if (const auto receiver = ReceiverOfGo(path, text); receiver && !place.scope.empty()) place.scope = place.scope.substr(0, place.scope.size() - LastPart(place.scope).size()) + *receiver;
    place.of = place.scope.empty() ? around : LastPart(place.scope);
  }
  if (place.kind == PlaceKind::kDefinition && !(asked.owner.empty() && asked.kind.empty()))
    place.is_meant = (asked.owner.empty() || IsOf(OwnerName(asked.owner), place, name, lines)) && (asked.kind.empty() || IsOfKind(asked.kind, place));
  return place;
}

}  // namespace

std::vector<std::pair<std::string, int64_t>> ClassPlaces(const RepoView& view, const std::string& name) {
  std::vector<std::pair<std::string, int64_t>> out;
  for (const auto& path : view.ReadFiles()) {
    if (IsForeignPath(path) || IsMadePath(path) || IsProsePath(path)) continue;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (NameAt(line.text, name) == std::string_view::npos) continue;
      const auto defined = DefinedOn(path, line.text);
      if (defined && defined->name == name && defined->kind != "declaration" && defined->kind != "function" && defined->kind != "variable" && defined->kind != "macro") out.emplace_back(path, number);
    }
  }
  return out;
}

std::string LastPart(std::string_view scope) {
  const size_t at = scope.find_last_of(".:>#/");
  return std::string(at == std::string_view::npos ? scope : scope.substr(at + 1));
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
  auto again = [&](const Place* place) {  // an overload
    return std::any_of(out.begin(), out.end(), [&](const Place* other) { return other->line < place->line && other->path == place->path && other->scope == place->scope && !place->scope.empty(); });
  };
  auto rank = [&](const Place* place) {
    return (place->is_meant ? -100 : 0) + (again(place) ? 8 : 0) + (IsSidePath(place->path) ? 10 : 0) + (place->what == "variable" ? 4 : 0) + (place->what == "macro" ? 1 : 0) + (place->is_public ? 0 : 1);
  };
  std::vector<std::pair<int, const Place*>> ranked;
  for (const Place* place : out) ranked.emplace_back(rank(place), place);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out.clear();
  for (const auto& each : ranked) out.push_back(each.second);
  return out;
}

NamePlaces PlacesOf(const RepoView& view, const Symbols& symbols, const std::string& name, const std::string& asked, const std::string& owner, const std::string& kind) {
  NamePlaces out{name, asked, {}, owner, kind};
  if (name.empty()) return out;
  auto files = view.ReadFiles();
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    if (IsForeignPath(path) || IsMadePath(path)) continue;
    const SeenLines& lines = *view.LinesOf(path);
    std::optional<InlineTests> tests;
    for (const auto& [number, line] : lines) {
      if (line.cut || NameAt(line.text, name) == std::string_view::npos) continue;
      out.places.push_back(PlaceAt(path, lines, number, view.MaskOf(path).at(number), symbols, out));
      PlaceKind& as = out.places.back().kind;
      if (!tests) tests.emplace(path, lines);
      if ((as == PlaceKind::kCall || as == PlaceKind::kUse || as == PlaceKind::kWord) && tests->Has(number)) as = PlaceKind::kTest;
    }
  }
  KeepTagged(view, &out);
  return out;
}

}  // namespace paddock::subagents
