// Which module a file takes a name from, by the line that binds it, and whether that is another file of the project.
#pragma once

#include <string>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct ImportedName {
  bool found = false;
  bool ours = false;   // by a relative path, or Rust's crate
  std::string module;  // "./words", "words.count"; "" where the line that names it was not seen
};
ImportedName ImportOf(const RepoView& view, const std::string& path, const std::string& name);

// Is that module the file `to`? Of JavaScript by its path, of Python by all parts of its name.
bool IsFile(const ImportedName& imported, const std::string& from, const std::string& to);

}  // namespace paddock::subagents
