// Which command builds and which tests: what build files imply (build_rules), confirmed or refined by what the
// project's documentation and CI say (doc_commands), the main language's tools first.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/command.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct CommandOffer {
  CommandKind kind = CommandKind::kOther;  // kBuild (set-up commands included) or kTest
  std::string group;
  std::string system;  // "CMake"; empty where only documentation names it
  std::string text;
  int score = 0;
  bool in_docs = false;            // the project's own words name it, or another form of it
  bool word_for_word = false;      // ... as it stands here
  std::vector<Citation> evidence;  // never empty
  bool setup = false;              // installs what is needed, and builds nothing
};

// What commands of documentation, or of a goal, are held against.
CommandWorld WorldOf(const RepoView& view);

// Best first.
std::vector<CommandOffer> RankCommands(const RepoView& view, const std::vector<LanguageShare>& languages, CommandKind kind);

}  // namespace paddock::subagents
