// Where a name is used, and how much of that is established: a word that equals the name may be a variable, a key, or a member of
// something else.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/name_places.h"

namespace paddock::subagents {

struct FileUse {
  std::string path;
  std::vector<const Place*> places;  // most telling first; all that are counted below
  // Lines, of what is established.
  size_t calls = 0, references = 0, imports = 0;
  // Lines of code that hold the name, of this or of something else; `other_calls` are some of them.
  size_t others = 0, other_calls = 0;
  size_t keys = 0;  // lines of literals with the name as a key, which nothing ties to it; not among `places`
  // Lines of a file in no programming language, or with the name in a string.
  size_t words = 0;

  size_t Lines() const { return calls + references + imports + others + words; }
  bool IsSure() const { return others == 0; }
};

// A single plain word, or a name that standard libraries have too: what else is called so can't be told from it.
bool IsCommonName(const std::string& name);
// Of places of these kinds, by file: what is established first, then by the number of calls; examples and the like last.
std::vector<FileUse> UsesOf(const NamePlaces& name, const std::vector<PlaceKind>& kinds);
// Is what stands in this line the name that is defined, and nothing else of the same name?
bool IsEstablishedAt(const NamePlaces& name, const std::string& path, int64_t line);
// Of documents: lines that have the name as code where it is a common one, else all.
std::vector<FileUse> DocumentsOf(const RepoView& view, const NamePlaces& name);

// The functions that hold them: `callers` for people, who are told where these are not all, the array for programs.
Json CallersIn(const Symbols& symbols, const FileUse& use, std::string* callers);

// "`bake` is called in src/main.c (2 lines)". `where`: the file, with what is to be said of it; `least`: "at least " or nothing.
std::string UseTitle(const std::string& name, const FileUse& use, const std::string& where, const std::string& least);

}  // namespace paddock::subagents
