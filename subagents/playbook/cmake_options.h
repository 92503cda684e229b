// What of a CMake build is there only where somebody asks for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// The options that are OFF by default, and what depends on one: each file is walked once, whatever is asked.
class CMakeOptions {
 public:
  explicit CMakeOptions(const RepoView& view);
  // The option, OFF by default, without which this line of a CMakeLists.txt doesn't count: in that file, or where its folder is added.
  std::optional<std::string> Of(const std::string& path, int64_t line) const;

 private:
  std::map<std::string, std::map<int64_t, std::string>> lines_;     // of files: lines that need an option
  std::vector<std::pair<std::string, std::string>> added_;          // folders that are only added with an option
};

// A call that may register tests, and one that doesn't although it looks so.
#define CMAKE_TEST R"((?i)^\s*\w*(?:test|spec|catch)\w*\s*\()"
#define CMAKE_NO_TEST R"((?i)^\s*(?:enable_testing|set_tests_properties|get_test_property|set_property|function|macro|if|elseif|option)\s*\()"

struct CMakeTests {
  bool any = false;
  std::string option;  // without it there are none; empty: they are there by default
};
// Calls that register tests, by whatever function: include(CTest) alone registers none.
CMakeTests FindCMakeTests(const RepoView& view);

}  // namespace paddock::subagents
