// What a test plan of a large repository costs.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

// Patterns tried for a plan of so many functions that no test names, with as many tests.
int64_t WorkFor(int functions) {
  std::map<std::string, std::string> tree;
  for (int i = 0; i < functions; ++i) {
    const std::string n = std::to_string(i);
    tree["src/m" + n + ".py"] = "def heat" + n + "(a):\n    return a\n";
    tree["tests/test_x" + n + ".py"] = "import x\n";
  }
  PlaybookRepo repo(tree);
  const int64_t before = PatternsTried();
  const Report report = repo.Run("test-planner", "what should be tested?");
  EXPECT_EQ(report.data["untested"].size(), 200u) << report.summary;
  EXPECT_EQ(report.data["total"], functions);
  return PatternsTried() - before;
}

// Only those that are listed are given a place.
TEST(PlaybookTestPlannerWork, GrowsAsTheRepositoryDoes) {
  const int64_t some = WorkFor(220), more = WorkFor(880);
  EXPECT_LT(more, some * 6) << some << " patterns for 220 functions, " << more << " for 880";
}

}  // namespace
}  // namespace paddock::subagents
