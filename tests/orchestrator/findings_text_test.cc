// Findings as a person reads them.
#include "orchestrator/report/findings_text.h"

#include <gmock/gmock.h>

namespace paddock::orchestrator {
namespace {

TEST(FindingsText, AFindingWithoutALineSaysThatNothingCouldBeChecked) {
  subagents::Finding finding;
  finding.title = "a.exe is a program";
  finding.detail = "By its name and kind.";
  std::string out;
  AddFindings(&out, {finding}, {});
  EXPECT_THAT(out, testing::HasSubstr("no line is quoted: nothing to check\n"));
  EXPECT_THAT(out, testing::Not(testing::HasSubstr("evidence")));
}

}  // namespace
}  // namespace paddock::orchestrator
