// A subagent as data: one Markdown file, a frontmatter of `key: value` lines and then the system prompt.
//
//   ---
//   name: explorer
//   purpose: Maps a repository.
//   tools: [list_files, read_file]
//   profile: read-only
//   turns: 12
//   seconds: 300
//   may_ask_to_run: true
//   ---
//   You explore ...
//
// The frontmatter is not YAML but the few lines of it that people write: names, numbers, plain or
// double-quoted text, lists as `[a, b]` or `a, b`, and comment lines with #. What is not understood is an
// error with file and line, never a guess.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock::subagents {

struct DefinitionBudget {
  int64_t turns = 0;    // of the model, the report included
  int64_t seconds = 0;  // wall time
};

struct Definition {
  std::string name;                // [a-z0-9-]{1,64}
  std::string purpose;             // one line: when to delegate to it
  std::string prompt;              // the system prompt, Markdown
  std::vector<std::string> tools;  // in the order of the file, without repeats
  std::string profile;             // of its jail
  std::string model;               // empty: whatever the caller uses
  DefinitionBudget budget;
  bool may_ask_to_run = false;     // its report may ask for a run (report.h, NeedsRun); whether that is done, the user says
};

// Names that a definition may use; an empty list allows any that is well formed.
struct DefinitionNames {
  std::vector<std::string> tools;
  std::vector<std::string> profiles;
};

// `file` is for the text of errors only. kInvalid: "explorer.md:4: ..." with what was expected.
Result<Definition> ParseDefinition(std::string_view text, std::string_view file, const DefinitionNames& known = {});

}  // namespace paddock::subagents
