#include "subagents/playbook/call_links.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/imported_from.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_places.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr char kForeign[] =
    R"(os|fs|path|strings|bytes|strconv|io|ioutil|bufio|fmt|sys|re|json|math|Math|JSON|Object|Array|String|Number|Boolean|Symbol|Promise|Reflect|Date|RegExp|console|process|util|time|sort|std|errors|filepath|regexp|unicode|utf8|reflect|sync|context|http|log|testing|assert|require|expect|itertools|functools|collections|logging|datetime|random|subprocess|shutil|struct|System|Arrays|Collections|Objects|Math|Integer|Assert|Assertions|t|b)";

// Members of C++'s own containers and strings.
constexpr char kOfContainers[] = R"(c?r?begin|c?r?end|size|length|empty|clear|insert|erase|find|count|at|front|back|data|c_str|str|append|substr|push_back|pop_back|emplace|emplace_back|resize|reserve|swap)";

constexpr int kMaxInLine = 20;  // places of one name

bool IsC(const std::string& language) { return MatchesWhole(language, "C|C\\+\\+|C header|Objective-C.*"); }
bool IsScript(const std::string& language) { return MatchesWhole(language, "JavaScript|TypeScript"); }

bool SameWorld(const std::string& a, const std::string& b) {
  return a == b || (IsC(a) && IsC(b)) || (IsScript(a) && IsScript(b)) || (MatchesWhole(a, "Java|Kotlin|Scala|Groovy") && MatchesWhole(b, "Java|Kotlin|Scala|Groovy"));
}

std::string StemOf(std::string_view path) {
  const std::string_view base = BaseName(path);
  return std::string(base.substr(0, base.find('.')));
}

// Of a class, or of a type; "" for a function by itself.
std::string OwnerOf(const RepoView& view, const Callee& callee) {
  const SeenLines* lines = view.LinesOf(callee.path);
  if (lines == nullptr || !lines->contains(callee.line)) return "";
  const std::string& text = lines->at(callee.line).text;
  if (auto receiver = FirstGroup(text, R"(^func \(\s*(?:\w+\s+)?\*?(\w+))")) return *receiver;
  if (auto owner = FirstGroup(text, R"(\b([A-Za-z_]\w*)(?:<[^<>]*>)?::~?\w+\s*\()"); owner && IsC(LanguageOf(callee.path))) return *owner;
  if (auto owner = FirstGroup(text, R"(^\s*([A-Za-z_$][\w$]*)\.(?:prototype\.)?[\w$]+\s*=)"); owner && *owner != "exports" && *owner != "module") return *owner;
  return IndentOf(text) > 0 ? ClassAround(*lines, callee.line) : "";
}

// Is it called by way of an object, as far as its line tells?
bool IsMember(const RepoView& view, const Callee& callee) {
  const SeenLines* lines = view.LinesOf(callee.path);
  if (!OwnerOf(view, callee).empty()) return true;
  const std::string language = LanguageOf(callee.path);
  return lines && lines->contains(callee.line) && IndentOf(lines->at(callee.line).text) > 0 && MatchesWhole(language, "Python|Java|C#|Kotlin|Scala|Ruby");
}

class Linker {
 public:
  Linker(const RepoView& view, NamesInFiles* names, const std::string& from, const Callee& callee)
      : view_(view), names_(names), from_(from), callee_(callee), language_(LanguageOf(from)), owner_(OwnerOf(view, callee)), member_(IsMember(view, callee)) {}

  Link Of(const std::string& code) const {
    Link best = Link::kNone;
    int count = 0;
    for (size_t at = code.find(callee_.name); at != code.npos && best != Link::kCall; at = code.find(callee_.name, at + 1)) {
      const size_t end = at + callee_.name.size();
      if ((at > 0 && IsNameByte(code[at - 1])) || (end < code.size() && IsNameByte(code[end]))) continue;
      if (++count > kMaxInLine) break;
      best = std::max(best, At(code, at, end));
    }
    return best;
  }

 private:
  Link At(const std::string& code, size_t at, size_t end) const {
    const std::string_view before = std::string_view(code).substr(0, at);
    if (MatchesPart(before, R"(\b(def|func|function|fn|fun|class|struct|sub)\s+$|^\s*#\s*define\s+$)")) return Link::kNone;
    if (IsC(language_) && before.ends_with("~")) return Link::kNone;
    const bool called = MatchesPart(std::string_view(code).substr(end), R"(^\s*(<[\w\s,:*&<>]*>)?!?\s*\()");
    const Link most = called ? Link::kCall : Link::kName;
    if (!MatchesPart(before, R"((\.|->|::)\s*$)")) return std::min(most, Plain());
    const auto receiver = FirstGroup(before, R"(([A-Za-z_$][\w$]*)\s*(?:\.|->|::)\s*$)");
    return std::min(most, receiver ? Of(*receiver, before) : member_ ? Link::kName : Link::kNone);
  }

  // Without a receiver.
  Link Plain() const {
    const bool same = from_ == callee_.path;
    if (same) return member_ && MatchesWhole(language_, "Python|JavaScript|TypeScript|Go|Rust|PHP") ? Link::kNone : Link::kCall;
    if (names_->Defines(from_, callee_.name)) return Link::kNone;
    if (member_ && !IsC(language_)) return Link::kNone;
    if (language_ == "Go") return FolderName(from_) == FolderName(callee_.path) ? Link::kCall : Link::kNone;
    const SeenLines* lines = view_.LinesOf(callee_.path);
    const std::string text = lines && lines->contains(callee_.line) ? lines->at(callee_.line).text : "";
    if (IsC(language_)) return member_ ? Link::kName : MatchesPart(text, R"(^\s*static\b)") && !MatchesPart(callee_.path, R"(\.h\w*$)") ? Link::kNone : callee_.is_only ? Link::kCall : Link::kName;
    if (MatchesWhole(language_, "Python|Cython|JavaScript|TypeScript|Rust")) {
      const ImportedName& imported = names_->Import(from_, callee_.name);
      if (imported.module.empty() || language_ == "Rust") return callee_.is_only && imported.found ? Link::kCall : Link::kName;
      if (IsFile(imported, from_, callee_.path)) return Link::kCall;
      return imported.ours || !MatchesWhole(imported.module, kForeign) ? Link::kName : Link::kNone;
    }
    return callee_.is_only ? Link::kCall : Link::kName;
  }

  Link Of(const std::string& receiver, std::string_view before) const {
    const bool deeper = MatchesPart(before, R"((?:\.|->)\s*[A-Za-z_$][\w$]*\s*(?:\.|->|::)\s*$)");
    if (receiver == "self" || receiver == "this" || receiver == "cls" || receiver == "super") return from_ != callee_.path ? (member_ ? Link::kName : Link::kNone) : member_ ? (callee_.is_only ? Link::kCall : Link::kName) : Link::kNone;
    if (!owner_.empty() && receiver == owner_) return Link::kCall;
    if (!member_ && !deeper && IsModule(receiver)) return callee_.is_only || StemOf(callee_.path) == receiver || (language_ == "Go" && BaseName(FolderName(callee_.path)) == receiver) ? Link::kCall : Link::kName;
    if (deeper && !member_ && IsModulePath(before)) return callee_.is_only ? Link::kCall : Link::kName;
    const ImportedName& imported = names_->Import(from_, receiver);
    // Another file of the project's may hand on what is defined here.
    if (!deeper && IsScript(language_) && IsFile(imported, from_, callee_.path)) return Link::kCall;
    if (!deeper && imported.found && imported.ours && !member_) return callee_.is_only && !IsScript(language_) ? Link::kCall : Link::kName;
    if (MatchesWhole(language_, "C\\+\\+|C header") && !MayBeOfOwner(deeper ? "" : names_->TypeOf(from_, receiver))) return Link::kNone;
    if (!deeper && (MatchesWhole(receiver, kForeign) || (imported.found && !imported.ours && language_ == "Go") || names_->IsMadeElsewhere(from_, receiver))) return Link::kNone;
    return member_ || !MatchesWhole(language_, "Python|Go|C|Rust|C header") ? Link::kName : Link::kNone;
  }

  // May an object of this type have the callee for a member? Where the type isn't known, a name that every container has says nothing.
  bool MayBeOfOwner(const std::string& type) const {
    if (type.empty()) return !MatchesWhole(callee_.name, kOfContainers);
    const SeenLines* lines = view_.LinesOf(callee_.path);
    return type == owner_ || (lines && std::any_of(lines->begin(), lines->end(), [&](const auto& entry) { return entry.second.text.find(type) != std::string::npos; }));
  }

  // A package, a module or a file that the callee stands in.
  bool IsModule(const std::string& receiver) const {
    if (language_ == "Go") {
      if (BaseName(FolderName(callee_.path)) == receiver) return true;
      const SeenLines* lines = view_.LinesOf(callee_.path);
      return lines && std::any_of(lines->begin(), lines->end(), [&](const auto& entry) { return entry.second.text == "package " + receiver; });
    }
    if (StemOf(callee_.path) == receiver) return true;
    return MatchesWhole(language_, "Python|Cython|Ruby|Rust") && ("/" + std::string(FolderName(callee_.path)) + "/").find("/" + receiver + "/") != std::string::npos;
  }

  // "shop.core" of `shop.core.total(`, where it is imported by that name or by its first part.
  bool IsModulePath(std::string_view before) const {
    const auto module = FirstGroup(before, R"((?:^|[^\w.)\]])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\s*\.\s*$)");
    return module && MatchesWhole(language_, "Python|Cython") && names_->Import(from_, module->substr(0, module->find('.'))).found && IsFile({true, false, *module}, from_, callee_.path);
  }

  const RepoView& view_;
  NamesInFiles* names_;
  const std::string& from_;
  const Callee& callee_;
  const std::string language_, owner_;
  const bool member_;
};

}  // namespace

bool NamesInFiles::Defines(const std::string& path, const std::string& name) {
  const auto [known, fresh] = defines_.try_emplace({path, name}, false);
  const SeenLines* lines = view_.LinesOf(path);
  if (!fresh || lines == nullptr) return known->second;
  return known->second = std::any_of(lines->begin(), lines->end(), [&](const auto& entry) {
    const std::string& text = entry.second.text;
    if (IndentOf(text) != 0 || text.find(name) == text.npos) return false;
    const auto defined = DefinedOn(path, text);
    return defined && defined->name == name && defined->kind != "declaration";
  });
}

bool NamesInFiles::IsMadeElsewhere(const std::string& path, const std::string& variable) {
  const auto [known, fresh] = made_elsewhere_.try_emplace({path, variable}, false);
  const SeenLines* lines = view_.LinesOf(path);
  if (!fresh || lines == nullptr) return known->second;
  static const RE2 made(R"(\b([A-Za-z_]\w*)(?:\s*,\s*\w+)?\s*:?=\s*(?:await\s+|new\s+)?([A-Za-z_]\w*)\.)");
  return known->second = std::any_of(lines->begin(), lines->end(), [&](const auto& entry) {
    const std::string& text = entry.second.text;
    std::string name, module;
    return text.find(variable) != text.npos && RE2::PartialMatch(text, made, &name, &module) && name == variable && MatchesWhole(module, kForeign);
  });
}

const std::string& NamesInFiles::TypeOf(const std::string& path, const std::string& variable) {
  const auto [known, fresh] = types_.try_emplace({path, variable});
  const SeenLines* lines = view_.LinesOf(path);
  if (!fresh || lines == nullptr) return known->second;
  static const RE2 declared(R"(\b([A-Za-z_]\w*)(?:<[^;()]*>)?[\s*&]+(\w+)\s*(?:[;={(,)]|$))");
  std::set<std::string> types;
  for (const auto& [number, line] : *lines) {
    if (line.text.find(variable) == line.text.npos) continue;
    re2::StringPiece rest(line.text);
    std::string type, name;
    while (RE2::FindAndConsume(&rest, declared, &type, &name))
      if (name == variable && !MatchesWhole(type, "return|else|new|delete|auto|const|case|goto|throw|typename|using|namespace|and|or|not|static|\\w+_ptr")) types.insert(type);
  }
  return known->second = types.size() == 1 ? *types.begin() : std::string();
}

const ImportedName& NamesInFiles::Import(const std::string& path, const std::string& name) {
  const auto [known, fresh] = imports_.try_emplace({path, name});
  if (fresh) known->second = ImportOf(view_, path, name);
  return known->second;
}

const std::map<int64_t, std::string>& CallLinks::CodeOfFile(const std::string& path) {
  const auto [found, fresh] = code_.try_emplace(path);
  const SeenLines* lines = view_.LinesOf(path);
  if (!fresh || lines == nullptr) return found->second;
  CodeReader reader(path);
  int64_t last = 0;
  bool whole = true;
  for (const auto& [number, line] : *lines) {
    // What was not seen may have ended a comment, or begun one.
    if (number != last + 1) reader = CodeReader(path), whole = false;
    last = number;
    std::string code = BareCode(&reader, line.text);
    found->second[number] = !whole && IsCommentLine(path, line.text) ? std::string() : std::move(code);
  }
  return found->second;
}

Link CallLinks::Of(const std::string& from, int64_t number, const Callee& callee) {
  if (!SameWorld(LanguageOf(from), LanguageOf(callee.path))) return Link::kNone;
  const auto& code = CodeOfFile(from);
  const auto line = code.find(number);
  if (line == code.end() || line->second.find(callee.name) == std::string::npos) return Link::kNone;
  if (IsC(LanguageOf(from)) && MatchesPart(line->second, R"(\)\s*(noexcept\s*)?=\s*(delete|default)\s*;)")) return Link::kNone;  // a declaration
  const auto defined = DefinedOn(from, view_.LinesOf(from)->at(number).text);
  if (defined && defined->name == callee.name && (defined->kind == "function" || defined->kind == "declaration")) return Link::kNone;  // another one of that name
  const Link link = Linker(view_, &names_, from, callee).Of(line->second);
  // A line by itself may be one of a comment.
  const bool alone = number > 2 && !(code.contains(number - 1) && code.contains(number - 2));
  return alone ? std::min(link, Link::kName) : link;
}

}  // namespace paddock::subagents
