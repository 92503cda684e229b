// Which programming languages a repository is written in, by its files' extensions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct LanguageShare {
  std::string name;
  int64_t files = 0;
};

// "" when the extension is no programming language's. "src/a.cc" → "C++".
std::string LanguageOf(std::string_view path);
// Most files first, where four shell scripts count as one; documentation and other projects are left aside. C headers count for C++ where
// there is more C++ than C; where the root builds another language, no more of them than there are sources.
std::vector<LanguageShare> RankLanguages(const RepoView& view);

// Folders named as documentation, tools or scripts that hold source of the main language: code, whatever the name. Where pages lie
// too, it is what makes or moves the pages.
std::set<std::string> CodeFolders(const RepoView& view);

// Languages that call each other's functions, and are tested in one another: "C" for C, C++ and their headers.
std::string LanguageFamily(std::string_view language);

}  // namespace paddock::subagents
