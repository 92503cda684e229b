#include "subagents/playbook/review_tree.h"

#include <algorithm>
#include <set>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_places.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostMade = 6;

// Is the name called there? A member of something else may have the same name, and so may a word in a text.
bool IsCalledOn(std::string_view text, std::string_view name) {
  for (size_t at = WordAt(text, name); at != std::string_view::npos; at = WordAt(text, name, at + 1)) {
    const bool of_another = at > 0 && std::string_view(".>\"'").find(text[at - 1]) != std::string_view::npos;
    if (!of_another && MatchesPart(text.substr(at + name.size()), R"(^\s*\()")) return true;
  }
  return false;
}

// Does a document's line mean the function, and not a word of the language? It stands as code, or looks like nothing else.
bool IsMeantIn(std::string_view text, const std::string& name) {
  if (name.find('_') != name.npos || MatchesPart(name, "[a-z][A-Z]")) return true;
  for (size_t at = WordAt(text, name); at != std::string_view::npos; at = WordAt(text, name, at + 1)) {
    const size_t ticks = static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '`'));
    const bool in_code = ticks % 2 == 1 || (ticks == 2 && MatchesPart(text.substr(0, at), "``[^`]*$"));
    if (in_code || (at > 0 && std::string_view(".:#>").find(text[at - 1]) != std::string_view::npos) || MatchesPart(text.substr(at + name.size()), R"(^\()")) return true;
  }
  return false;
}

// Does a line of the tree import the name, bind it, or define it, in a file of whatever kind?
bool IsStillBound(const RepoView& view, const std::string& name) {
  for (const auto& path : view.ReadFiles())
    for (const auto& [number, line] : *view.LinesOf(path)) {
      const std::string_view text = line.text;
      const size_t at = WordAt(text, name);
      if (at == std::string_view::npos) continue;
      if (MatchesPart(text, R"((^|[^\w.])(import|require|use|using|include|export)\b)") || MatchesPart(text.substr(at + name.size()), R"(^["']?\s*:([^:]|$))")) return true;
      if (MatchesPart(text.substr(0, at), R"(^\s*((export\s+)?(const|let|var)\s+|(module\.)?exports\.)?$)") && MatchesPart(text.substr(at + name.size()), R"(^\s*:?=[^=>])")) return true;
      if (const auto defined = DefinedOn(path, text); defined && defined->name == name) return true;
    }
  return false;
}

}  // namespace

std::vector<ReviewClaim> ClaimsOfInterfaces(const RepoView& view, const std::vector<FileDiff>& files, const std::vector<ChangedName>& changed, const std::set<std::string>& searched) {
  std::vector<ReviewClaim> claims;
  std::set<std::string> in_diff;
  for (const auto& file : files) in_diff.insert(file.path);
  for (const auto& change : changed) {
    if (change.name.size() < 4) continue;
    const auto places = PlacesOf(view, Symbols(), change.name, "");
    ReviewClaim claim;
    if (change.after.empty()) {
      if (!searched.contains(change.name) || !places.Of(PlaceKind::kDefinition).empty() || !places.Of(PlaceKind::kDeclaration).empty() || IsStillBound(view, change.name)) continue;
      for (const auto& place : places.places) {
        if ((place.kind != PlaceKind::kCall && place.kind != PlaceKind::kUse && place.kind != PlaceKind::kTest) || LanguageOf(place.path).empty()) continue;
        const std::string& text = view.LinesOf(place.path)->at(place.line).text;
        if (!IsCalledOn(text, change.name)) continue;
        if (claim.spots.size() < 4) claim.spots.push_back({place.path, place.line, text, ""});
      }
      if (claim.spots.empty()) continue;
      claim.title = "`" + change.name + "` was removed and is still called: " + claim.spots[0].path;
      claim.severity = Severity::kHigh;
      claim.detail = "It was defined in " + change.path + ", and no definition is left.";
    } else {
      for (const Place* place : places.Of(PlaceKind::kProse))
        if (!IsChangeLog(place->path) && !IsMadePath(place->path) && !in_diff.contains(place->path) && claim.spots.size() < 4 && IsMeantIn(view.LinesOf(place->path)->at(place->line).text, change.name)) claim.spots.push_back({place->path, place->line, view.LinesOf(place->path)->at(place->line).text, ""});
      if (claim.spots.empty()) continue;
      claim.title = "`" + change.name + "` has another interface, its documentation was not changed: " + claim.spots[0].path;
      claim.severity = Severity::kLow;
      claim.detail = "Before: `" + Short(change.before, 200) + "`. Now: `" + Short(change.after, 200) + "` in " + change.spot.path + ":" + std::to_string(change.spot.line) + ".";
    }
    claim.confidence = Confidence::kMedium;
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::vector<ReviewClaim> ClaimsOfMadeFiles(const RepoView& view, const std::vector<FileDiff>& files, const std::set<std::string>& paths) {
  std::vector<ReviewClaim> claims;
  std::vector<ReviewSpot> made;
  for (const auto& file : files) {
    const SeenLines* lines = file.status == "changed" ? view.LinesOf(file.path) : nullptr;
    if (lines == nullptr) continue;
    for (const auto& [number, line] : *lines) {
      if (number > 8) break;
      if (line.cut || !MatchesPart(line.text, R"((?i)do not (edit|modify)|@generated|\b(auto(matically)?[- ]?)generated (by|from)\b|code generated by)")) continue;
      const std::string stem = TestedStem(file.path);
      const bool source_too = std::any_of(paths.begin(), paths.end(), [&](const auto& other) { return other != file.path && TestedStem(other) == stem; });
      if (!source_too) made.push_back({file.path, number, line.text, ""});
      break;
    }
  }
  if (made.size() == 1) claims.push_back({"A file that a program makes was changed: " + made[0].path, Severity::kLow, "Nothing that it could be made from is changed with it: what was edited by hand is lost the next time.", Confidence::kMedium, made});
  if (made.size() > 1) {
    // Several at once: most likely the program was run.
    const size_t count = made.size();
    if (count > kMostMade) made.resize(kMostMade);
    claims.push_back({std::to_string(count) + " files that a program makes were changed: " + made[0].path + " and others", Severity::kInfo, "Where the program made them anew that is as it should be; what was edited by hand is lost the next time.", Confidence::kMedium, std::move(made)});
  }
  return claims;
}

}  // namespace paddock::subagents
