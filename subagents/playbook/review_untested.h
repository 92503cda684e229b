// What a change leaves without a test: files beside which no test was changed, and new functions that no test names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_claims.h"

namespace paddock::subagents {

// The first added line of a file that is code; any other where there is none.
std::optional<ReviewSpot> FirstAdded(const std::vector<FileDiff>& files, const std::string& path);
// Among the files that were listed.
bool HasTests(const RepoView& view);
// A line was added to a test.
bool AnyTestChanged(const std::vector<FileDiff>& files);

// A line was added to the tests within the source itself.
bool AddsToOwnTests(const RepoView& view, const FileDiff& file);

// Of ChangedWithoutTests; nothing where the repository has no tests.
std::optional<ReviewClaim> ClaimOfFilesWithoutTests(const RepoView& view, const std::vector<FileDiff>& files, const std::vector<std::string>& without_tests);

struct NewFunction {
  std::string name;
  ReviewSpot spot;
};
// Public functions that the change adds to the project's own sources, but for Rust's, whose tests may lie beside them. Of C and C++ those
// that a header declares.
std::vector<NewFunction> NewFunctions(const std::vector<FileDiff>& files);
// After the tests were searched for their names.
std::optional<ReviewClaim> ClaimOfNewFunctions(const RepoView& view, const std::vector<FileDiff>& files, const std::vector<NewFunction>& functions);

}  // namespace paddock::subagents
