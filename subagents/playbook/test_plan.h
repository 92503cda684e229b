// What the test-planner has gathered, and its report.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/paced.h"
#include "subagents/playbook/public_functions.h"
#include "subagents/playbook/test_files.h"

namespace paddock::subagents {

struct TestPlanSeen {
  Symbols symbols;
  std::map<std::string, int64_t> commits;  // of a file, of those that were listed
  int64_t listed_commits = 0;
  std::set<std::string> unknown;           // names of which it isn't known whether a test names them
  bool searched = false;                   // tests were searched for names
  bool functions_cut = false;              // there may be more functions than a search gave
  std::vector<std::string> left_out;       // languages whose functions were not searched for
};

// Which names stand in which test files, in the lines that were seen: in their code, and where it can be the function that is used.
struct TestNames {
  std::map<std::string, std::set<std::string>> files_of;  // name → test files
  std::map<std::string, std::set<std::string>> names_of;  // test file → names
  std::map<std::string, std::set<std::string>> words_of;  // name → test files with the word alone: in a text, a comment, or of another thing
  std::map<std::string, std::set<std::string>> types_of;  // name → tests of types, which are never run
  std::map<std::string, std::string> docs_of;             // name → "src/lib.rs:3", where a doc comment of Rust has it in code: a doc test, perhaps
  std::set<std::string> families;                         // LanguageFamily of all tests that were recognized
  TestFiles tests;

  // The word alone stands in tests.
  bool IsWordOnly(const std::string& name) const { return !files_of.contains(name) && words_of.contains(name); }
};
TestNames NamesInTests(const RepoView& view, const std::vector<PublicFunction>& functions);

// Those whose name stands in no test, the most worth testing first: by size, and by how often their file changes.
std::vector<PublicFunction> RankUntested(const RepoView& view, const TestPlanSeen& seen, const std::vector<PublicFunction>& functions, const TestNames& names);

// Where a test of the function belongs: the test file that names most of its neighbours, else one of its name, else a new one by
// the convention of the others.
struct TestPlace {
  std::string path;
  bool exists = false;
  std::string why;
  bool sure = false;  // it is there, and is of the function's file: by its name, or since it is that file
};
TestPlace PlaceOfTest(const RepoView& view, const PublicFunction& function, const std::vector<PublicFunction>& functions, const TestNames& names);

Report WriteTestPlan(const RepoView& view, const TestPlanSeen& seen, const PlaybookRun& run);

}  // namespace paddock::subagents
