// What the test-planner has gathered, and its report.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/paced.h"
#include "subagents/playbook/public_functions.h"

namespace paddock::subagents {

struct TestPlanSeen {
  Symbols symbols;
  std::map<std::string, int64_t> commits;  // of a file, of those that were listed
  int64_t listed_commits = 0;
  std::set<std::string> unknown;           // names of which it isn't known whether a test names them
  bool searched = false;                   // tests were searched for names
};

// Which names stand in which test files, in the lines that were seen.
struct TestNames {
  std::map<std::string, std::set<std::string>> files_of;  // name → test files
  std::map<std::string, std::set<std::string>> names_of;  // test file → names
};
TestNames NamesInTests(const RepoView& view, const std::vector<PublicFunction>& functions);

// Those that no test names, the most worth testing first: by size, and by how often their file changes.
std::vector<PublicFunction> RankUntested(const RepoView& view, const TestPlanSeen& seen, const std::vector<PublicFunction>& functions, const TestNames& names);

// Where a test of the function belongs: the test file that names most of its neighbours, else one of its name, else a new one by
// the convention of the others.
struct TestPlace {
  std::string path;
  bool exists = false;
  std::string why;
};
TestPlace PlaceOfTest(const RepoView& view, const PublicFunction& function, const std::vector<PublicFunction>& functions, const TestNames& names);

Report WriteTestPlan(const RepoView& view, const TestPlanSeen& seen, const PlaybookRun& run);

}  // namespace paddock::subagents
