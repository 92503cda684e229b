// Which files are tests: by where they lie and how they are called, and by what the build runs as one wherever it lies.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// Holds every file that IsTestPath knows, and some more.
inline constexpr char kTestGlob[] = "{**/*[tT]est*,**/*[sS]pec*,**/*[tT]est*/**,**/[sS]pec*/**,**/t/**,**/unit/**}";
// Files of a build system in which tests are registered, and the lines that do so.
inline constexpr char kTestRegisters[] = R"((.*/)?(meson\.build|CMakeLists\.txt|Makefile\.am))";
inline constexpr char kRegistersTest[] = R"(^\s*(test|add_test|gtest_discover_tests|catch_discover_tests)\s*\(|^\s*(TESTS|check_PROGRAMS)\s*\+?=)";
// A shell script that compiles what it then runs.
inline constexpr char kCompiles[] = R"((?:^|[\s;&|(])(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|"?\$\{?(?:CC|CXX)\}?"?)\s.*\.(?:c|cc|cpp|cxx)\b)";

// Sources that lie in no folder of tests, and that the build files, the test script of package.json or a test's shell script run as
// tests, as far as their lines were seen: examples and the like. Not programs that are only run by a test.
std::set<std::string> RegisteredTests(const RepoView& view);

// Opens what a source in C is compiled with for its tests alone.
inline constexpr char kTestBlock[] = R"(^\s*#\s*(if|ifdef)\b[^!]*\b(\w+_)?(UNIT_?|SELF_?)?TEST(S|ING|MAIN)?(_\w+)?\b)";

// Marks what in Rust is a test, or is compiled for tests alone.
inline constexpr char kTestItem[] = R"(^\s*#\[(cfg\((all\()?test\b|(\w+::)*test\b))";

// The lines of a source that are tests, as far as they were seen: what #[cfg(test)] and #[test] mark in Rust, in C those under "#if ... TEST" and the
// functions "...Test" and "test_..." that are called there.
class InlineTests {
 public:
  InlineTests(std::string_view path, const SeenLines& lines);
  bool empty() const { return ranges_.empty(); }
  bool Has(int64_t line) const;

 private:
  void TakeItems(const SeenLines& lines);
  void TakeBlocks(std::string_view path, const SeenLines& lines);
  std::vector<std::pair<int64_t, int64_t>> ranges_;  // first and last
};

// Where tests have folders of their own, "src/test_plan.cc" is a source about tests. Python's and Go's tests are known by their names.
std::set<std::string> SourcesNamedAsTests(const RepoView& view);

class TestFiles {
 public:
  TestFiles() = default;
  explicit TestFiles(const RepoView& view) : registered_(RegisteredTests(view)), sources_(SourcesNamedAsTests(view)) {}

  // Runs as a test: none of other projects, and no test of types.
  bool Has(const std::string& path) const;
  // May hold tests: none that is empty by convention, or that only prepares others.
  bool MayHold(const std::string& path) const;

 private:
  std::set<std::string> registered_, sources_;
};

}  // namespace paddock::subagents
