// From what a log says to code: its places in the repository, the tests that failed, what these call, and what that calls.
//
// Each step is a look at what has been seen by then, so that it can be taken again when more has been.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/call_links.h"
#include "subagents/playbook/compared_words.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/import_reach.h"
#include "subagents/playbook/logged_files.h"
#include "subagents/playbook/recent_changes.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/suspects.h"
#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

// Packages and files that help tests and lie beside the sources.
bool IsTestHelper(std::string_view path);

// A frame of a trace that is in a file of the repository.
struct Hit {
  size_t trace = 0;   // index
  size_t depth = 0;   // among the frames of this project that are no tests; 0: the deepest
  std::string path;
  int64_t line = 0;
  std::string function;
  bool is_test = false;
  bool is_aside = false;  // of the tests' own helpers, or of what caught the failure: where it was seen, not where it began
};
// *unclear: names of which several files are called, each once.
std::vector<Hit> HitsOf(const LogFacts& log, const RepoView& view, std::vector<UnclearFile>* unclear);

// The lines of a test that failed, as far as its failing check.
struct TestRange {
  std::string path, name;
  int64_t first = 1, last = 1;
  bool by_name = false;  // found by the test's name, which may stand elsewhere as well
  bool is_one_of_many = false;  // there are several of that name
};
std::vector<TestRange> TestRanges(const LogFacts& log, const std::vector<Hit>& hits, const RepoView& view);
// Words to search for where a test's name is all there is; each is a pattern.
std::vector<std::string> PatternsOfTests(const LogFacts& log, const std::vector<Hit>& hits);
// Files that are called as a failing test is.
std::vector<std::string> FilesOfTests(const LogFacts& log, const std::vector<Hit>& hits, const RepoView& view);

struct CallSite {
  std::string path;
  int64_t line = 0;
  double near = 0;     // 1: in the line of the check
  std::string caller;  // of a function's; empty of a test's
};
// A name that stands as a function's in a failing test, or in a function that one of these calls.
struct Called {
  double near = 0;               // of the nearest
  std::set<std::string> by;      // tests, or functions
  std::set<std::string> files;   // of tests
  std::vector<CallSite> sites;   // the nearest of each test or function
};
using CalledNames = std::map<std::string, Called>;
// What a helper among the tests calls counts as well.
CalledNames CalledByTests(const std::vector<TestRange>& tests, const RepoView& view);
// Names that may be those of helpers: to be searched for.
std::set<std::string> HelpersCalled(const std::vector<TestRange>& tests, const RepoView& view);

struct DefinitionPlace {
  std::string path;
  int64_t line = 0, end = 0;  // `end`: behind its last line, as far as was seen
  bool is_value = false;      // a variable, or what hands a function on
  bool is_declared = false;   // and defined nowhere that was seen
  bool runs = true;           // its lines are run: no type's, whose names are those of fields and methods
  Link link = Link::kName;    // how the best of the sites is tied to it
  CallSite site;
};
using Definitions = std::map<std::string, std::vector<DefinitionPlace>>;
// Definitions in this project's own sources among the lines that were seen.
Definitions DefinitionsOf(const CalledNames& names, const RepoView& view);
// Those of them that one of the sites may mean.
Definitions LinkedDefinitions(const CalledNames& names, const RepoView& view);
CalledNames CalledByDefinitions(const Definitions& definitions, const CalledNames& known, const RepoView& view);

// Best first, at most `most`.
std::vector<std::string> Foremost(const CalledNames& names, size_t most);

struct FailureLeads {
  LogFacts log;
  bool log_given = false;  // with the goal, or by its name: something was written there
  GoalWords goal;
  std::string named_command;  // that the goal quotes
  std::string not_taken;      // why it is not asked for
  bool passed_before = false; // by the goal's words: a late change broke it
  std::vector<Hit> hits;
  std::vector<UnclearFile> unclear;
  std::vector<TestRange> tests;
  CalledNames called, further;
  RecentChanges changes;
  ImportReach reach;
  ComparedWords compared;
};
// As DefinedOn, and functions in the midst of a line: `getter(req, 'ip', function ip() {`.
std::optional<DefinedName> DefinedHere(const std::string& path, const std::string& line);
// The line where the function around `line` begins, as far as was seen; 0 where it wasn't, or where none holds the line.
int64_t BeginOfFunction(const RepoView& view, const std::string& path, int64_t line, std::string* name);

// All of that weighed (find_suspects.cc).
Suspects FindSuspects(const FailureLeads& leads, const RepoView& view);

}  // namespace paddock::subagents
