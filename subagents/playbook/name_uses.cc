#include "subagents/playbook/name_uses.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "subagents/playbook/counted.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr char kImplicitThis[] = "C\\+\\+|C header|Java|C#|Kotlin|Scala|Swift|Ruby|Groovy|Dart|Crystal";
// Languages in which a function of another file has to be imported by its name.
constexpr char kImporting[] = "Python|Cython|JavaScript|TypeScript|Rust|Haskell";
constexpr char kLibraryNames[] =
    R"(toString|to_string|hashCode|isEmpty|is_empty|indexOf|lastIndexOf|forEach|for_each|hasNext|addAll|getName|setName|getValue|setValue|getKey|readLine|read_line|writeLine|compareTo|getClass|putAll|containsKey|keySet|entrySet|startsWith|endsWith|starts_with|ends_with|startswith|endswith|push_back|emplace_back|as_str|to_owned|into_iter|getElement\w*|addEventListener|setTimeout|setInterval|getItem|setItem|hasOwnProperty|toUpperCase|toLowerCase|parseInt|valueOf|charAt|getInstance|newInstance|readFile|writeFile|readAll|ReadAll|WriteString|ReadFrom|WriteTo|ServeHTTP|removeListener|addListener|setUp|tearDown)";

std::string FamilyOf(std::string_view path) { return LanguageFamily(LanguageOf(path)); }

bool IsFunction(const Place& place) { return IsFunctionKind(place.what, LanguageOf(place.path)) || place.what == "declaration"; }

// What the definitions and all places of a name say of any one of them.
class Judge {
 public:
  explicit Judge(const NamePlaces& name) : common_(IsCommonName(name.name)) {
    std::set<std::string> owners;
    for (const Place* place : name.Of(PlaceKind::kDefinition)) {
      owners.insert(place->of.empty() ? "in " + place->path : place->of);
      files_.insert(place->path);
      families_.insert(FamilyOf(place->path));
      free_ = free_ || place->of.empty();
      member_ = member_ || !place->of.empty();
      functions_ = functions_ && IsFunction(*place);
      fields_ = fields_ && MatchesWhole(place->what, "field|member");
      Qualifies(*place);
    }
    functions_ = functions_ && !files_.empty();  // where nothing defines it, it may be anything
    fields_ = fields_ && !functions_ && !files_.empty();
    several_ = owners.size() > 1;
    for (const auto& place : name.places) {
      if (place.kind == PlaceKind::kImport || (place.kind == PlaceKind::kTest && place.use.role == WordRole::kImport)) imported_.insert(place.path);
      if ((place.use.declares || (place.use.assigns && functions_)) && place.kind != PlaceKind::kDefinition) shadowed_.insert(place.path);
    }
  }

  bool IsSure(const Place& place) const {
    if (several_ || !families_.contains(FamilyOf(place.path))) return false;
    const WordUse& use = place.use;
    if (use.role == WordRole::kImport) return true;
    if (use.receiver.empty() && shadowed_.contains(place.path)) return false;
    if (use.role != WordRole::kCall && functions_ && !use.receiver.empty() && MatchesWhole(FamilyOf(place.path), "Java|C|C#")) return qualifiers_.contains(LastPart(use.receiver));
    // A thing's own member is no function or class of the file.
    if (IsSelf(use.receiver) && !member_ && MatchesWhole(FamilyOf(place.path), "Python|Rust")) return false;
    if (!common_) return true;
    if (use.receiver.empty()) return IsInReach(place.path);
    if (IsSelf(use.receiver)) return files_.contains(place.path);
    return qualifiers_.contains(LastPart(use.receiver));
  }

  // May it be the name at all? A function is seldom read without a call, and a variable that only equals it is none.
  bool MayBe(const Place& place) const {
    const WordUse& use = place.use;
    if (use.role == WordRole::kCall || use.role == WordRole::kImport || IsSure(place)) return true;
    if (use.role == WordRole::kReference) return !functions_ || (use.receiver.empty() && !shadowed_.contains(place.path) && FamilyOf(place.path) != "Java" && families_.contains(FamilyOf(place.path)));
    return (use.role == WordRole::kAssigned && !functions_) || Sets(use);
  }

  // "name: x" of a literal gives a field its value.
  bool Sets(const WordUse& use) const { return use.role == WordRole::kKey && fields_; }

 private:
  // What it is called by: its class, its module, its package.
  void Qualifies(const Place& place) {
    if (!place.of.empty()) qualifiers_.insert(place.of);
    std::string_view stem = BaseName(place.path);
    if (place.of.empty()) qualifiers_.insert(std::string(stem.substr(0, stem.find('.'))));
    if (place.of.empty()) qualifiers_.insert(std::string(BaseName(FolderName(place.path))));
  }
  bool IsInReach(const std::string& path) const {
    const std::string language = LanguageOf(path);
    if (files_.contains(path)) return free_ || MatchesWhole(language, kImplicitThis);
    if (!free_) return false;
    if (MatchesWhole(language, kImporting)) return imported_.contains(path);
    if (language == "Go") return std::any_of(files_.begin(), files_.end(), [&](const auto& file) { return FolderName(file) == FolderName(path); });
    return true;
  }

  bool common_ = false, several_ = false, free_ = false, member_ = false, functions_ = true, fields_ = true;
  std::set<std::string> files_, families_, qualifiers_, imported_, shadowed_;
};

void Add(const Place& place, const Judge& judge, bool common, FileUse* file) {
  const WordRole role = place.use.role;
  if (LanguageOf(place.path).empty() || role == WordRole::kString) {
    if (common) return;
    ++file->words;
  } else if ((role > WordRole::kAssigned && !judge.Sets(place.use)) || role == WordRole::kDeclares || !judge.MayBe(place)) {
    if (role == WordRole::kKey) ++file->keys;
    return;
  } else if (!judge.IsSure(place)) {
    ++file->others;
    if (role == WordRole::kCall) ++file->other_calls;
  } else {
    ++(role == WordRole::kCall ? file->calls : role == WordRole::kImport ? file->imports : file->references);
  }
  file->places.push_back(&place);
}

std::vector<FileUse> Ranked(const std::map<std::string, FileUse>& files, const Judge* judge) {
  std::vector<FileUse> out;
  for (const auto& [path, file] : files)
    if (!file.places.empty()) out.push_back(file);
  for (auto& file : out)
    std::stable_sort(file.places.begin(), file.places.end(), [&](const Place* a, const Place* b) {
      const bool sure_a = judge != nullptr && judge->IsSure(*a), sure_b = judge != nullptr && judge->IsSure(*b);
      return sure_a != sure_b ? sure_a : a->use.role < b->use.role;
    });
  auto score = [](const FileUse& file) { return (IsSidePath(file.path) && !IsTestPath(file.path) ? -100000.0 : 0) - (IsChangeLog(file.path) ? 200000 : 0) + 30.0 * static_cast<double>(file.calls) + 10.0 * static_cast<double>(file.references) + 3.0 * static_cast<double>(file.other_calls) + static_cast<double>(file.others) + 0.5 * static_cast<double>(file.words); };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return score(a) > score(b); });
  return out;
}

// "`name`", "`Of.name()`", ".. autoclass:: name" or "name(" of no standard library.
bool IsNamedAsCode(std::string_view text, const std::string& name) {
  for (size_t at = NameAt(text, name); at != std::string_view::npos; at = NameAt(text, name, at + name.size())) {
    const std::string_view before = text.substr(0, at), after = text.substr(at + name.size());
    if (MatchesPart(before, R"((^|[^\w])(console|System\.(out|err)|Math|JSON|process|os|sys|fmt|log|logging|std:)[.:]$)")) continue;
    if (after.starts_with("(") || MatchesPart(before, R"(^\s*\.\. [\w:-]+::\s+[\w.]*$)") || (MatchesPart(before, R"(`[\w.:#>-]*$)") && MatchesPart(after, R"(^(\(\))?`)"))) return true;
  }
  return false;
}

}  // namespace


bool IsCommonName(const std::string& name) {
  return (WordsOfName(name).size() < 2 && !MatchesPart(name, "[0-9]")) || MatchesWhole(name, kLibraryNames);
}

std::vector<FileUse> UsesOf(const NamePlaces& name, const std::vector<PlaceKind>& kinds) {
  const Judge judge(name);
  const bool common = IsCommonName(name.name);
  std::map<std::string, FileUse> files;
  for (const auto& place : name.places) {
    if (std::find(kinds.begin(), kinds.end(), place.kind) == kinds.end()) continue;
    FileUse& file = files[place.path];
    file.path = place.path;
    Add(place, judge, common, &file);
  }
  // Where lines with the word are counted, those of literals that have it as a key are some of them.
  for (auto& [path, file] : files)
    if (file.others > file.other_calls) file.others += file.keys;
  return Ranked(files, &judge);
}

bool IsEstablishedAt(const NamePlaces& name, const std::string& path, int64_t line) {
  const Judge judge(name);
  return std::any_of(name.places.begin(), name.places.end(), [&](const Place& place) { return place.path == path && place.line == line && judge.IsSure(place); });
}

std::vector<FileUse> DocumentsOf(const RepoView& view, const NamePlaces& name) {
  const bool common = IsCommonName(name.name);
  std::map<std::string, FileUse> files;
  for (const Place* place : name.Of(PlaceKind::kProse)) {
    if (common && !IsNamedAsCode(view.LinesOf(place->path)->at(place->line).text, name.name)) continue;
    FileUse& file = files[place->path];
    file.path = place->path;
    ++file.words;
    file.places.push_back(place);
  }
  return Ranked(files, nullptr);
}

Json CallersIn(const Symbols& symbols, const FileUse& use, std::string* callers) {
  Json in = Json::array();
  bool all = true;
  // Those of what is established come first, and are all that a title tells of where there are any; a text uses nothing.
  const size_t most = use.calls + use.references > 0 ? use.calls + use.references + use.imports : use.places.size();
  for (size_t i = 0; i < most; ++i) {
    const Place* place = use.places[i];
    if (place->use.role == WordRole::kString && use.Lines() > use.words) continue;
    const Symbol* around = symbols.FunctionAround(use.path, place->line);
    if (around != nullptr && std::find(in.begin(), in.end(), Json(around->name)) != in.end()) continue;
    if (around == nullptr || in.size() >= 6) {
      all = all && place->kind != PlaceKind::kCall && place->kind != PlaceKind::kUse;
      continue;
    }
    in.push_back(around->name);
    *callers += (callers->empty() ? "`" : ", `") + std::string(TruncateUtf8(around->name, 60)) + "`";
  }
  if (!all && !callers->empty()) *callers += " and others";
  return in;
}

std::string UseTitle(const std::string& name, const FileUse& use, const std::string& where, const std::string& least) {
  auto lines = [&](size_t n) { return " (" + least + Count(n, "line", "lines") + ")"; };
  if (use.calls > 0) return "`" + name + "` is called in " + where + lines(use.calls) + (use.references > 0 ? ", and referred to" + lines(use.references) : "");
  if (use.references > 0) return "`" + name + "` is referred to in " + where + lines(use.references);
  if (use.other_calls > 0 && use.other_calls == use.others) return "Something of the name `" + name + "` is called in " + where + lines(use.others);
  if (use.others > 0) return "The word `" + name + "` stands in the code of " + where + " (" + least + Count(use.others, "line", "lines") + (use.other_calls > 0 ? ", of which " + std::to_string(use.other_calls) + (use.other_calls == 1 ? " calls" : " call") + " something of this name" : "") + ")";
  if (use.imports > 0) return "`" + name + "` is imported in " + where;
  return "The word `" + name + "` stands in " + where + lines(use.words) + (LanguageOf(use.path).empty() ? "" : ", in a string");
}

}  // namespace paddock::subagents
