// What `git log -z --numstat` writes in the format below, taken apart. Whatever names, subjects and paths hold: fields end at
// a NUL, which none of them can hold, and a commit begins with an id, which is no row of --numstat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

inline constexpr char kCommitFormat[] = "--format=tformat:%H%x00%at%x00%an%x00%s";
inline constexpr char kShowFormat[] = "--format=tformat:%H%x00%at%x00%an%x00%s%x00%b%x00";  // for `git show`

struct FileChange {
  std::string path, old_path;  // bytes; old_path only of what was renamed or copied
  int64_t added = 0, removed = 0;  // lines; 0 of binary files
};

struct Commit {
  std::string id;
  int64_t time = -1;  // of its author, seconds since the epoch; -1: none that can be read
  std::string author, subject;  // bytes
  std::vector<FileChange> changes;
  bool counted = true;  // are these all its changes?
};

// `whole`: the output was not cut; else the last commit, of which something may be missing, is left out. What is not in the
// format ends the list.
std::vector<Commit> ParseCommitLog(std::string_view output, bool whole);

struct ShownCommit {
  Commit commit;  // without its changes
  std::string body;
};
// What kShowFormat makes `output` begin with, taken off. Nothing: it begins with something else.
std::optional<ShownCommit> TakeShownCommit(std::string_view* output);

bool IsCommitId(std::string_view text);

}  // namespace paddock::agentcore
