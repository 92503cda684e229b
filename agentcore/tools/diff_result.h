// The artifacts that git_diff and git_show share: the list of changed files, then each file's hunks.
#pragma once

#include <set>
#include <string>

#include "agentcore/tools/git_program.h"
#include "agentcore/tools/tool.h"
#include "agentcore/tools/working_files.h"

namespace paddock::agentcore {

inline constexpr size_t kMaxDiffFiles = 1500;

// What is left out besides what the profile hides by its name.
struct DiffGaps {
  LeftOut left_out;
  std::set<std::string> from_hidden;  // what had a hidden name before, as git names it
};

// Of a diff that is bounded by its path git doesn't tell what was renamed into it: which files had a hidden name before. Nothing
// where the profile hides nothing or the path is all of the repository. `question`: the command and its revisions.
ToolOutcome<std::set<std::string>> RenamedFromHidden(const Git& git, const ToolContext& context, GitQuestion question);

// Adds the artifacts to `result`, with what is to be said about them in its output, status and summary. `end.output` is what git
// wrote.
void AddDiff(const Git& git, const std::string& path, const ProgramEnd& end, const DiffGaps& gaps, const ToolContext& context, ToolResult* result);

}  // namespace paddock::agentcore
