// What a reviewer would say of a set of changes, before anything is read in the tree: claims, each with the lines it is about.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/diff.h"
#include "subagents/report.h"

namespace paddock::subagents {

struct ReviewSpot {
  std::string path;
  int64_t line = 0;    // in the new file; 0: there is no such line
  std::string text;    // the line, as the diff has it
  std::string quote;   // what may be quoted of it; empty: the whole line
  std::vector<ReviewSpot> instead = {};  // lines near it, the nearest first: cited where it is not in the tree as the diff has it
};

struct ReviewClaim {
  std::string title;
  Severity severity = Severity::kInfo;
  std::string detail;
  Confidence confidence = Confidence::kHigh;
  std::vector<ReviewSpot> spots;
  bool of_absence = false;  // it says that something is nowhere in the change any more
};

// What the change takes away is only judged by files whose diff is whole: the lines behind a cut may hold it still.
// By the tables of review_rules.h: one claim a rule and file.
std::vector<ReviewClaim> ClaimsOfLines(const std::vector<FileDiff>& files);
// Merge marks, code in comments, tests and checks that are gone, binaries, what is built and installed otherwise.
std::vector<ReviewClaim> ClaimsOfChanges(const std::vector<FileDiff>& files);
// Fewer changed lines of code than these need no test of their own.
inline constexpr int64_t kLeastCode = 3;
// Source files with new code beside which no test has changed, most new lines first. Beside: of the same name, or of the same area by its
// folders.
std::vector<std::string> ChangedWithoutTests(const std::vector<FileDiff>& files);

// A definition that is gone, or whose line has changed.
struct ChangedName {
  std::string name, path;
  std::string before, after;  // the defining lines; `after` empty: it is gone
  ReviewSpot spot;            // of the changed one
};
std::vector<ChangedName> ChangedInterfaces(const std::vector<FileDiff>& files);

}  // namespace paddock::subagents
