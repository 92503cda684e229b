// Where a name stands, and as what: each line that was seen with it, put into its kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/symbols.h"

namespace paddock::subagents {

enum class PlaceKind { kDefinition, kDeclaration, kCall, kUse, kImport, kComment, kTest, kProse, kSettings };

struct Place {
  std::string path;
  int64_t line = 0;
  PlaceKind kind = PlaceKind::kUse;
  std::string what;       // of a definition: "function", "class", ...
  std::string scope;      // of a definition: the class it is of, where known
  int64_t end = 0;        // of a definition: its last line, 0 where that isn't known
  bool is_public = false;
  bool is_of_owner = false;  // of a definition: it is of what the goal names with it (NamePlaces::owner)
};

struct NamePlaces {
  std::string name;          // as it stands in the code
  std::string asked;         // as the goal has it
  std::vector<Place> places; // in the order of paths and lines
  std::string owner = "";    // GoalName::owner

  std::vector<const Place*> Of(PlaceKind kind) const;
  std::vector<const Place*> Definitions() const;  // of what it is asked for of first, then the project's own, then by kind and place
};

// All lines seen so far that hold `name` as a whole word. Foreign files (IsForeignPath) are left out.
NamePlaces PlacesOf(const RepoView& view, const Symbols& symbols, const std::string& name, const std::string& asked, const std::string& owner = "");
// Path and line of each class or the like of this name that was seen.
std::vector<std::pair<std::string, int64_t>> ClassPlaces(const RepoView& view, const std::string& name);
// The class or the like that holds the line, where all lines from its beginning on were seen; "" where there is none.
std::string ClassAround(const SeenLines& lines, int64_t number);
// "Cart" of "Cart.".
std::string OwnerName(std::string_view owner);

}  // namespace paddock::subagents
