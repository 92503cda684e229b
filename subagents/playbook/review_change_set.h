// The change under review: what the git tools gave of it, and what of it is still missing.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/diff.h"

namespace paddock::subagents {

class ChangeSet {
 public:
  // A unified diff somewhere in a text. False where there is none.
  bool Give(std::string_view text);
  // An outcome of a git tool. `given`: the diff came with the goal, and none of git's is taken.
  void Take(const agentcore::CallOutcome& outcome, bool given);

  // The project's own files that the change touches and of which not all lines were given.
  std::set<std::string> Unread() const;
  int64_t CountUnread() const;

  // All paths that the change touches, as far as they were told.
  std::set<std::string> Paths() const;
  // All lines of the change, by the tool's own count where there is one, judged or not.
  int64_t CountFiles() const { return listed_files_ > 0 ? listed_files_ : static_cast<int64_t>(files.size()) + not_read_; }
  int64_t CountAdded() const;
  int64_t CountRemoved() const;
  int64_t hidden() const { return hidden_; }          // files of it that the profile hides
  int64_t unreadable() const { return unreadable_; }  // files of it that git could not read

  std::vector<FileDiff> files;
  std::vector<std::string> commits;  // rows of git_log
  std::string fault;                 // why a part of them could not be read, or all: of the last one; empty where none was

 private:
  // What comes by itself stands in place of what was a part of it. A second piece of the same file has lost the lines before it.
  void TakeDiff(FileDiff file, bool page, bool piece);

  std::set<std::string> listed_;  // what the change touches, read or not
  int64_t listed_files_ = 0, hidden_ = 0, unreadable_ = 0;
  int64_t not_read_ = 0;  // files of a given diff that were too many
  size_t lines_ = 0;      // that were taken
  int64_t added_ = -1, removed_ = -1;  // by the listing
};

}  // namespace paddock::subagents
