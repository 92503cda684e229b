#include "subagents/playbook/test_helpers.h"

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

bool IsTestHelperPath(std::string_view path) { return MatchesWhole(BaseName(path), R"((?i)(.*[_-])?test[_-]?(utils?|helpers?|harness|support)\.\w+|(.*[_-])?testing[_-]?utils?\.\w+)"); }

bool TakesInTestFramework(std::string_view line, std::string_view path) {
  if (path.ends_with(".go")) return MatchesPart(line, R"re(^\s*(import\s+)?(\w+\s+)?"testing"\s*(//.*)?$)re");
  return MatchesPart(line, R"(^\s*#\s*include\s*["<]((gtest/gtest|gmock/gmock|boost/test/[\w/]+|cmocka|cppunit/[\w/]+)\.h(pp)?|catch2?/[\w/]+\.hpp|catch\.hpp)[">])");
}

}  // namespace paddock::subagents
