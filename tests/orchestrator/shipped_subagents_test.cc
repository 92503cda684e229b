// What ships fits together: definitions, their tools, their profiles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/delegation/tool_needs.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

TEST(ShippedSubagents, HaveProfilesThatLastAsLongAsTheyMayAndRunWhatTheirToolsNeed) {
  for (const std::string& name : subagents::BuiltinDefinitionNames()) {
    const auto definition = subagents::BuiltinDefinition(name);
    ASSERT_TRUE(definition) << definition.error().message;
    const auto profile = sandbox::ShippedProfile(definition->profile);
    ASSERT_TRUE(profile) << name;
    EXPECT_TRUE(ToolsFit(definition->tools, *profile)) << name;
    EXPECT_GE(*sandbox::ParseDuration(profile->limits.wall), definition->budget.seconds * 1000) << name;
    EXPECT_EQ(profile->filesystem.workspace, sandbox::WorkspaceAccess::kRead) << name;
    EXPECT_EQ(profile->network.mode, sandbox::Profile{}.network.mode) << name << " has no network";
  }
}

TEST(ShippedSubagents, StartTheProgramsOfTheirToolsAndNoOthers) {
  const auto profile = *sandbox::ShippedProfile("read-only-tools");
  EXPECT_GT(profile.exec.programs.size(), 5u);
  EXPECT_THAT(NarrowedTo({"read_file", "git_log", "git_blame"}, profile).exec.programs, testing::ElementsAre("git", "/usr/lib/git-core/git"));
  EXPECT_THAT(NarrowedTo({"outline"}, profile).exec.programs, testing::ElementsAre("ctags"));
  EXPECT_THAT(NarrowedTo({}, profile).exec.programs, testing::IsEmpty()) << "a checker";
  EXPECT_EQ(NarrowedTo({}, profile).exec.mode, profile.exec.mode);
}

}  // namespace
}  // namespace paddock::orchestrator
