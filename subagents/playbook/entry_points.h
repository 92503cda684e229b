// Where the programs of a repository start; for a library, the file that its users load first.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/languages.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct EntryPoint {
  std::string where;  // a path, or what a manifest names ("flask.cli:main")
  std::string what;   // "declared in pyproject.toml as flask", "main()"
  bool library = false;
  int score = 0;
  Citation evidence;
  bool aside = false;  // a program of little weight in a folder of tools
};

// C and C++ files outside of tests and tools in which a main() was seen: whether it is always compiled is told by the lines that kConditionals finds.
std::vector<std::string> FilesWithMain(const RepoView& view);
inline constexpr const char* kConditionals = R"(^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b)";

// `project` is its name, where known. Best first; no two of the same place. Tests, examples and tools come last and are left out where there is more.
std::vector<EntryPoint> RankEntryPoints(const RepoView& view, const std::vector<LanguageShare>& languages, std::string_view project);

// "Library entry: lib/oven.js", "Starts at src/main.c": for people. What only declares the library is said to do that.
std::string EntryTitle(const RepoView& view, const EntryPoint& point);

}  // namespace paddock::subagents
