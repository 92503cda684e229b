// Commands that the project's own words name: code blocks and inline code of its documentation, `run:` and
// `script:` of its CI files.
#pragma once

#include <vector>

#include "subagents/playbook/command.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

enum class DocSource { kBlock, kInline, kCi };

struct DocCommand {
  Command command;
  DocSource source = DocSource::kBlock;
  std::string path;
  int64_t line = 0;
};

// In the order of files (nearest to the root first) and lines. At most 300.
std::vector<DocCommand> FindDocCommands(const RepoView& view, const CommandWorld& world);

bool IsCiPath(std::string_view path);
bool IsDocPath(std::string_view path);  // README, INSTALL, CONTRIBUTING, *.md, *.rst, *.txt …

}  // namespace paddock::subagents
