#include "subagents/report_tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentcore/tools/tool_lint.h"

namespace paddock::subagents {
namespace {

TEST(ReportTool, TellsAModelEnough) { EXPECT_THAT(agentcore::LintTool(ReportTool()), testing::IsEmpty()); }

}  // namespace
}  // namespace paddock::subagents
