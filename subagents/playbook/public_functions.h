// The functions that others can call, by the lines that were seen and the index of symbols where there is one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/symbols.h"

namespace paddock::subagents {

struct PublicFunction {
  std::string path, name, language;
  int64_t line = 0;
  int64_t lines = 0;       // of it; 0 where its end isn't known
  int64_t most_lines = 0;  // until the next definition, where lines is 0: no size, but it orders
  int64_t commits = 0;     // of its file
  bool is_method = false;  // in Python, JavaScript and Go: it is called with something and a dot before it
};

// Of the project's own sources, in the order of paths and lines; of one name in one file the first. Main functions, and what every
// class has (toString, __init__, String, ...), are left out, and so is what Ruby's "private", Python's __all__, the private
// part of a class of C++, a comment ("@api private") or a name with "_" leaves out. Where headers declare names, a C function is
// public by one of them; else each is that is not static.
std::vector<PublicFunction> PublicFunctions(const RepoView& view, const Symbols& symbols);

// Glob of a language's files: "*.py".
std::string GlobOf(std::string_view language);

}  // namespace paddock::subagents
