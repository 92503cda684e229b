#include "subagents/playbook/architect_words.h"

#include <algorithm>

#include "subagents/playbook/counted.h"
#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

// Units reached from file to file: a header doesn't hand on what only its source includes.
size_t ReachedUnits(const ArchitectSeen& seen, const std::string& unit) {
  const auto files = seen.files_of.find(unit);
  if (unit.ends_with('/') || files == seen.files_of.end()) return seen.units.Reached(unit).size();
  std::set<std::string> out;
  for (const std::string& file : files->second)
    for (const std::string& user : seen.paths.Reached(file)) out.insert(UnitOf(user));
  out.erase(unit);
  return out.size();
}

// "org/x/a" of src/main/java/org/x/a and src/gen/java/org/x/a, by the layout of Maven and Gradle; "" where none is split.
std::string PackageInTwoFolders(const ArchitectSeen& seen) {
  std::map<std::string, std::string> folder_of;
  for (const auto& [folder, edges] : seen.folders.edges()) {
    const auto package = FirstGroup(folder, R"(^(?:.*/)?src/[\w.-]+/[\w.-]+/(.+)$)");
    if (package && folder_of.try_emplace(*package, folder).first->second != folder) return *package;
  }
  return "";
}

}  // namespace

std::string Name(std::string_view module, size_t bytes) { return module == "." ? "the top folder" : Short(module, bytes); }

std::string NamesSaid(const char* what, const std::vector<std::string>& names) {
  std::string out = what;
  for (size_t i = 0; i < names.size() && i < 6; ++i) out += (i == 0 ? "" : ", ") + Name(names[i], 80);
  return out + (names.size() > 6 ? " and " + std::to_string(names.size() - 6) + " more." : ".");
}

std::string CycleNames(const DependencyCycle& cycle) {
  if (cycle.modules.size() == 2) return Name(cycle.modules[0]) + " and " + Name(cycle.modules[1]);
  std::string out;
  for (size_t i = 0; i < cycle.modules.size() && i < 8; ++i) out += Name(cycle.modules[i], 80) + " → ";
  return out + (cycle.modules.size() > 8 ? "... → " : "") + Name(cycle.modules[0], 80);
}

std::string FileOf(const ArchitectSeen& seen, const std::string& unit) {
  auto found = seen.file_of.find(unit);
  return found == seen.file_of.end() ? FolderOfUnit(unit) : found->second;
}

std::string UsersOf(const ArchitectSeen& seen, const std::string& unit, size_t count) {
  std::string out = Count(count, "other", "others");
  const auto files = seen.files_of.find(unit);
  if (files == seen.files_of.end()) return out;
  for (const std::string& file : files->second)
    if (file != FileOf(seen, unit) && seen.paths.Find(file, FileOf(seen, unit)) != nullptr) return out + " besides its own " + Short(BaseName(file), 120);
  return out;
}

std::string FilesUse(const ArchitectSeen& seen, const std::string& unit) {
  const std::string file = FileOf(seen, unit);
  const auto files = seen.files_of.find(unit);
  if (UnseenUses(file) != nullptr) return Name(file, 200) + " imports";
  if (unit.ends_with('/') || files == seen.files_of.end() || files->second.size() < 2) return Name(file, 200) + " uses";
  std::string out = Name(file, 200);
  size_t left = files->second.size() - 1;
  for (const std::string& other : files->second)
    if (other != file) out += (--left == 0 ? " and " : ", ") + other.substr(std::min(other.size(), unit.size()));
  return out + " together use";
}

bool HasPairs(const ArchitectSeen& seen) {
  return std::any_of(seen.files_of.begin(), seen.files_of.end(), [](const auto& unit) { return !unit.first.ends_with('/') && unit.second.size() > 1; });
}

std::string UnseenOf(const ArchitectSeen& seen) {
  for (const ImportLanguage& language : ImportLanguages())
    if (language.unseen != nullptr && seen.languages.contains(language.name)) return language.unseen;
  return "";
}

std::string WhyNoLayers(const ArchitectSeen& seen, bool by_folder) {
  for (const ImportLanguage& language : ImportLanguages()) {
    if (language.unseen == nullptr || !seen.languages.contains(language.name)) continue;
    if (!language.within_package || !by_folder) return language.unseen;
    if (const std::string package = PackageInTwoFolders(seen); !package.empty()) return std::string(language.unseen) + ", and " + Short(package, 120) + " lies in more than one folder";
  }
  return seen.missed ? "some includes name files of the repository by paths that the tree doesn't have, and couldn't be followed" : "";
}

std::string WhatAChangeTouches(const ArchitectSeen& seen, const std::string& unit, size_t users) {
  if (const char* unseen = UnseenUses(FileOf(seen, unit))) return "Counted by imports alone (" + std::string(unseen) + "); tests and examples are not counted.";
  const size_t reached = ReachedUnits(seen, unit);
  const std::string modules = unit.ends_with('/') ? "packages" : HasPairs(seen) ? "modules (a header and its source are one)" : "files";
  return "A change of what it offers can touch those" + (reached > users ? ", and through them " + std::to_string(reached - users) + " more of the " + std::to_string(seen.units.edges().size()) + " " + modules : std::string()) + "; tests and examples are not counted.";
}

std::string WithoutEdges(const ArchitectSeen& seen, const ModuleGraph& graph, bool by_folder) {
  if (graph.edges().size() == 1) {
    const std::string& name = graph.edges().begin()->first;
    if (by_folder) return (name == "." ? std::string("All source is in one folder") : "All source is in " + Short(name, 120)) + ": there is nothing else that it could depend on.";
    const auto files = seen.files_of.find(name);
    std::string list;
    if (files != seen.files_of.end())
      for (const auto& file : files->second) list += (list.empty() ? "" : &file == &*files->second.rbegin() ? " and " : ", ") + Short(file, 120);
    const bool several = files != seen.files_of.end() && files->second.size() > 1;
    return "All source is in " + (list.empty() ? Short(FileOf(seen, name), 120) : list) + (several ? ", which are one module" : "") + ": there is nothing else that it could depend on.";
  }
  std::set<std::string> folders;
  for (const auto& [unit, edges] : seen.units.edges()) folders.insert(FolderOfUnit(unit));
  if (const std::string unseen = UnseenOf(seen); folders.size() == 1 && !unseen.empty()) return "All source is in one folder, " + Short(*folders.begin(), 120) + ": " + unseen + ", so that what they use of each other is not told by their imports.";
  // A header and its source are one module, and still one includes the other.
  for (const auto& [from, targets] : seen.paths.edges())
    if (!targets.empty()) return "Files include or import only what bears their own name: " + Short(from, 120) + " includes " + Short(targets.begin()->first, 120) + ".";
  if (seen.left_aside > 0) return "Outside of tests, examples and documentation no file was seen to include or import another.";
  return "No file of the repository was seen to include or import another.";
}

}  // namespace paddock::subagents
