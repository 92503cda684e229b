// What the names that a failing test calls are in the sources: their definitions, what these call, and the function around a line.
#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/called_names.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/failure_leads.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxCalled = 200, kMaxPlaces = 20, kMaxSites = 8;
constexpr int64_t kFunctionReach = 200;

// A prototype, the end of which stands in another line.
bool IsDeclared(const std::string& path, const SeenLines& lines, int64_t number, const DefinedName& defined) {
  return defined.kind == "function" && MatchesWhole(LanguageOf(path), "C|C\\+\\+|C header|Objective-C.*") && IsOnlyDeclared(lines, number) == true;
}

}  // namespace

std::optional<DefinedName> DefinedHere(const std::string& path, const std::string& line) {
  auto defined = DefinedOn(path, line);
  if (!defined && MatchesPart(path, R"(\.[cm]?[jt]sx?$)"))
    for (const char* pattern : {R"(\bfunction\s+([\w$]+)\s*\()", R"(^[\w$]+\.(?:prototype\.)?([\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>))"})
      if (auto name = FirstGroup(line, pattern)) return DefinedName{*name, "function", false};
  return defined;
}

Definitions DefinitionsOf(const CalledNames& names, const RepoView& view) {
  Definitions found;
  for (const std::string& path : view.ReadFiles()) {
    if (!IsOwnSource(path) || IsTestHelper(path)) continue;
    const SeenLines& lines = *view.LinesOf(path);
    std::map<int64_t, MaskedLine> mask;
    for (const auto& [number, line] : lines) {
      const auto defined = DefinedHere(path, line.text);
      if (!defined || defined->kind == "declaration" || !names.contains(defined->name)) continue;
      if (mask.empty()) mask = MaskOf(path, lines);
      if (mask.at(number).bytes[line.text.find(defined->name)] != kCodeByte) continue;  // an example in a docstring
      std::vector<DefinitionPlace>& places = found[defined->name];
      const bool is_value = defined->kind == "variable" || defined->kind == "constant", runs = defined->kind == "function" || defined->kind == "class" || defined->kind == "macro";
      if (places.size() < kMaxPlaces) places.push_back({path, number, EndOfBody(lines, number) + 1, is_value, IsDeclared(path, lines, number, *defined), runs, Link::kName, {}});
    }
  }
  for (auto& [name, places] : found)
    if (std::any_of(places.begin(), places.end(), [](const DefinitionPlace& place) { return !place.is_declared; })) std::erase_if(places, [](const DefinitionPlace& place) { return place.is_declared; });
  return found;
}

Definitions LinkedDefinitions(const CalledNames& names, const RepoView& view) {
  Definitions found = DefinitionsOf(names, view);
  CallLinks links(view);
  for (auto& [name, places] : found) {
    const bool only = places.size() == 1 || std::count_if(places.begin(), places.end(), [](const DefinitionPlace& place) { return !place.is_value; }) == 1;
    for (DefinitionPlace& place : places) {
      place.link = Link::kNone;
      for (const CallSite& site : names.at(name).sites) {
        const Link link = links.Of(site.path, site.line, {name, place.path, place.line, only});
        if (link < place.link || link == Link::kNone || (link == place.link && site.near <= place.site.near)) continue;
        place.link = link;
        place.site = site;
      }
    }
    std::erase_if(places, [](const DefinitionPlace& place) { return place.link == Link::kNone; });
  }
  std::erase_if(found, [](const auto& entry) { return entry.second.empty(); });
  return found;
}

CalledNames CalledByDefinitions(const Definitions& definitions, const CalledNames& known, const RepoView& view) {
  CalledNames called;
  for (const auto& [name, places] : definitions)
    for (const DefinitionPlace& place : places) {
      if (!place.runs) continue;
      for (const auto& [callee, call] : CalledBefore(view, place.path, place.line + 1, place.end - 1)) {
        if (known.contains(callee) || callee == name || (called.size() >= kMaxCalled && !called.contains(callee))) continue;
        Called& one = called[callee];
        const double near = known.contains(name) ? known.at(name).near : 0.4;
        one.near = std::max(one.near, near);
        one.by.insert(name);
        if (one.sites.size() < kMaxSites) one.sites.push_back({place.path, call.line, near, name});
      }
    }
  return called;
}

int64_t BeginOfFunction(const RepoView& view, const std::string& path, int64_t line, std::string* name) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr) return 0;
  for (int64_t n = line; n > 0 && n > line - kFunctionReach; --n) {
    const auto found = lines->find(n);
    if (found == lines->end()) return 0;
    if (const auto defined = DefinedHere(path, found->second.text); defined && defined->kind == "function" && EndOfBody(*lines, n) >= line) {
      if (name) *name = defined->name;
      return n;
    }
  }
  return 0;
}

}  // namespace paddock::subagents
