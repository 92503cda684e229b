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
};

struct NamePlaces {
  std::string name;          // as it stands in the code
  std::string asked;         // as the goal has it
  std::vector<Place> places; // in the order of paths and lines

  std::vector<const Place*> Of(PlaceKind kind) const;
  std::vector<const Place*> Definitions() const;  // the project's own first, then by kind and place
};

// All lines seen so far that hold `name` as a whole word. Foreign files (IsForeignPath) are left out.
NamePlaces PlacesOf(const RepoView& view, const Symbols& symbols, const std::string& name, const std::string& asked);

}  // namespace paddock::subagents
