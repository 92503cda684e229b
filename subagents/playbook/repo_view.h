// What the playbook has seen of a repository so far: names of files, and lines of some of them.
//
// Everything here came out of tool results, so it is hostile and is bounded: by paths, by bytes. Cite() makes citations
// of lines that are held here whole alone, which is what keeps the report honest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/report.h"

namespace paddock::subagents {

struct SeenLine {
  std::string text;  // as shown, without the visible form of a carriage return at its end
  bool cr = false;   // such a form was there
  bool cut = false;  // only its beginning is known
};
using SeenLines = std::map<int64_t, SeenLine>;
struct MaskedLine;  // code_mask.h
using MaskedLines = std::map<int64_t, MaskedLine>;

// "README.md" of "docs/README.md"; "docs" of it; 0 for a file of the root.
std::string_view BaseName(std::string_view path);
std::string_view FolderName(std::string_view path);
int PathDepth(std::string_view path);
// Copies of other projects, generated trees, version control, patch queues: not this project's own word.
bool IsForeignPath(std::string_view path);
// 2 when a file is named as the project is ("cobra.go" of github.com/spf13/cobra), 1 when its name is a part of it.
int NameAffinity(std::string_view path, std::string_view project);
// In a folder named as documentation, tools or scripts; in one of tests, examples, benchmarks, fuzzers and the like, or so named.
bool IsHelperPath(std::string_view path);
bool IsTrialPath(std::string_view path);
// One of the two.
bool IsSidePath(std::string_view path);

class RepoView {
 public:
  void Take(const agentcore::CallOutcome& outcome);

  const std::set<std::string>& files() const { return files_; }
  bool HasFile(std::string_view path) const { return files_.contains(std::string(path)); }
  bool HasFolder(std::string_view path) const { return folders_.contains(std::string(path)); }

  // Files of which something was read, nearest to the root first, then by name.
  std::vector<std::string> ReadFiles() const;
  // nullptr when nothing of it was seen.
  const SeenLines* LinesOf(std::string_view path) const;
  // What each byte of these lines is, made once for as long as no more of the file is seen. The file must be one of which something was seen.
  const MaskedLines& MaskOf(const std::string& path) const;
  // Whole lines first..last as a citation, or nothing when one of them was not seen whole. A line that is too
  // long to quote is quoted in part, around `part` where that is given.
  std::optional<Citation> Cite(std::string_view path, int64_t first, int64_t last, std::string_view part = {}) const;

  const std::map<std::string, int64_t>& by_extension() const { return by_extension_; }  // ".py" → files
  // Some of the tree could not be seen: unreadable, too deep, or out of time.
  bool tree_incomplete() const { return tree_incomplete_; }
  int64_t total_files() const { return total_files_; }
  bool listing_cut() const { return listing_cut_; }
  // The line after the last one read of a file that goes on; 0 where it was read to its end or not at all.
  int64_t NextLine(std::string_view path) const;
  int64_t failed_calls() const { return failed_calls_; }

 private:
  void TakeListing(const agentcore::Artifact& artifact, bool whole_tree, bool partial);
  void TakeExcerpt(const agentcore::Artifact& artifact);

  std::set<std::string> files_, folders_;
  std::map<std::string, SeenLines> lines_;
  mutable std::map<std::string, std::shared_ptr<const MaskedLines>> masks_;
  std::map<std::string, int64_t> next_line_;
  std::map<std::string, int64_t> by_extension_;
  int64_t total_files_ = 0;
  bool listing_cut_ = false, tree_incomplete_ = false;
  int64_t failed_calls_ = 0;
  size_t bytes_ = 0;
};

}  // namespace paddock::subagents
