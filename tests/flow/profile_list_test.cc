// `paddock profile`: what --profile, "extends" and "syscalls" can name.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string Text(const std::string& name) {
  std::stringstream text;
  text << std::ifstream(std::filesystem::path(PADDOCK_TEST_DATA) / "../.." / name).rdbuf();
  return text.str();
}

class ProfileCommand : public FlowTest {
 protected:
  Json Of(std::vector<std::string> words) {
    words.push_back("--json");
    const Outcome outcome = Perform(Paddock(std::move(words)));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    auto json = ParseJson(outcome.out);
    EXPECT_TRUE(json) << outcome.out;
    return json ? *json : Json();
  }
};

TEST_F(ProfileCommand, ListsTheShippedAndTheUsersOwn) {
  Write("config/paddock/profiles/mine.json", R"({"schema": "paddock/profile/1", "name": "mine", "extends": "build", "description": "For me: and nobody else."})");
  Write("config/paddock/profiles/broken.json", R"({"schema": "paddock/profile/1", "name": "broken", "extends": "bulid"})");
  const Outcome outcome = Perform(Paddock({"profile", "list"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("build            For building and testing a stranger's code\n"), HasSubstr("mine             For me  (" + Path("config/paddock/profiles/mine.json") + ")\n"),
                                 HasSubstr("broken           not usable: "), HasSubstr("broken.json:1: $.extends: no profile named \"bulid\"")));
  const Json list = Of({"profile", "list"});
  EXPECT_EQ(list["schema"], "paddock/profiles/1");
  ASSERT_EQ(list["profiles"].size(), 8u);
  for (const Json& one : list["profiles"]) {
    EXPECT_EQ(one["usable"], one["name"] != "broken") << one;
    EXPECT_EQ(one["shipped"], one["name"] != "broken" && one["name"] != "mine") << one;
  }
}

TEST_F(ProfileCommand, ListsTheGroupsWithTheirCalls) {
  const Outcome outcome = Perform(Paddock({"profile", "groups"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("@unnamed-programs  files without a name, and starting a program from one (2 calls; in build, mcp-server)\n"));
  const Json list = Of({"profile", "groups"});
  EXPECT_GT(list["groups"].size(), 20u);
  for (const Json& one : list["groups"]) {
    EXPECT_NE(one["description"], "") << one["name"];
    EXPECT_FALSE(one["calls"].empty()) << one["name"];
  }
}

// Nothing that a profile can name is missing there.
TEST_F(ProfileCommand, AllOfItIsInTheDocumentation) {
  const std::string text = Text("docs/profiles.md");
  for (const Json& one : Of({"profile", "list"})["profiles"]) EXPECT_THAT(text, HasSubstr("**" + one["name"].get<std::string>() + "**"));
  for (const Json& one : Of({"profile", "groups"})["groups"]) EXPECT_THAT(text, HasSubstr("`" + one["name"].get<std::string>() + "` | " + one["description"].get<std::string>() + " |"));
}

}  // namespace
}  // namespace paddock::flow
