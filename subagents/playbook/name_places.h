// Where a name stands, and as what: each line that was seen with it, put into its kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/symbols.h"
#include "subagents/playbook/word_roles.h"

namespace paddock::subagents {

// kWord: neither of them, though in code: a string, a key, a variable of that name.
enum class PlaceKind { kDefinition, kDeclaration, kCall, kUse, kImport, kWord, kComment, kTest, kProse, kSettings };

struct Place {
  std::string path;
  int64_t line = 0;
  PlaceKind kind = PlaceKind::kUse;
  WordUse use;            // in a source file, whatever the kind
  std::string what;       // of a definition: "function", "class", ..., or the index's word for it
  std::string scope;      // of a definition: the class it is of, where known
  std::string of;         // of a definition: the last part of it, or of the class around it; "" where it is of none, or that isn't known
  int64_t end = 0;        // of a definition: its last line, 0 where that isn't known
  bool is_public = false;
  bool is_meant = false;  // of a definition: it is of what the goal names with it (NamePlaces::owner), and of the kind that it says
};

struct NamePlaces {
  std::string name;          // as it stands in the code
  std::string asked;         // as the goal has it
  std::vector<Place> places; // in the order of paths and lines
  std::string owner = "";    // GoalName::owner
  std::string kind = "";     // GoalName::kind

  std::vector<const Place*> Of(PlaceKind kind) const;
  // Of what it is asked for of first, then the project's own, then by kind and place; further ones of the same thing in the same file (overloads) last.
  std::vector<const Place*> Definitions() const;
};

// All lines seen so far that hold `name` as a whole word. Foreign files (IsForeignPath) are left out.
NamePlaces PlacesOf(const RepoView& view, const Symbols& symbols, const std::string& name, const std::string& asked, const std::string& owner = "", const std::string& kind = "");
// Path and line of each class or the like of this name that was seen.
std::vector<std::pair<std::string, int64_t>> ClassPlaces(const RepoView& view, const std::string& name);
// The class or the like that holds the line, where all lines from its beginning on were seen; "" where there is none.
std::string ClassAround(const SeenLines& lines, int64_t number);
// "Mux" of "chi.Mux" and of "chi::Mux".
std::string LastPart(std::string_view scope);
// "Cart" of "Cart.".
std::string OwnerName(std::string_view owner);

}  // namespace paddock::subagents
