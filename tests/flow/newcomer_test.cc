// What somebody types who has read README.md alone, and what is said then.
#include <filesystem>

#include "tests/flow/exec_fixture.h"

namespace paddock::flow {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Newcomer : public FlowTest {
 protected:
  // Refused as bad usage; what was said.
  std::string Said(const std::vector<std::string>& words) {
    const Outcome outcome = Perform(Paddock(words));
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(words) << outcome.out;
    return outcome.err;
  }
};

TEST_F(Newcomer, HintsNameTheWholeCommand) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"trust", "show"}, {"tool", "call"}, {"subagents", "lint"}, {"models", "test"}, {"profile", "list"}}) {
    std::vector<std::string> words = command;
    words.push_back("--zzzzz");
    const std::string name = "paddock " + command[0] + " " + command[1];
    EXPECT_THAT(Said(words), AllOf(HasSubstr("there is no option --zzzzz of " + name), HasSubstr("see " + name + " --help")));
  }
  EXPECT_THAT(Said({"profile", "list", "odd", "words"}), HasSubstr("see paddock profile list --help"));
}

// It was the help of another command, with exit status 0.
TEST_F(Newcomer, AWordThatIsNoCommandHasNoHelp) {
  EXPECT_THAT(Said({"show", "--help"}), AllOf(HasSubstr("there is no command \"show\"; known: "), HasSubstr("paddock subagents show or paddock trust show")));
  EXPECT_THAT(Said({"trust", "frob", "--help"}), HasSubstr("paddock trust: there is no \"frob\"; known: add, list, show, remove"));
  EXPECT_THAT(Said({"frob"}), AllOf(HasSubstr("there is no command \"frob\"; known: "), HasSubstr("investigate"), HasSubstr("see paddock --help")));
  EXPECT_THAT(Said({"investigat", "explorer", "x"}), HasSubstr("did you mean \"investigate\"?"));
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--help"}, {"trust", "--help"}, {"trust", "show", "--help"}, {"--version"}}) EXPECT_EQ(Perform(Paddock(words)).status, 0);
}

TEST_F(Newcomer, TrustTakesTheOptionThatItsHintNames) {
  EXPECT_THAT(Said({"trust", "show", Path("nowhere")}), HasSubstr("--repo DIR"));
  EXPECT_EQ(Perform(Paddock({"trust", "show", "--repo", Path("repo")})).err, Perform(Paddock({"trust", "show", Path("repo")})).err);
  EXPECT_THAT(Perform(Paddock({"trust", "show", "--repo", Path("repo")})).err, Not(HasSubstr("there is no option")));
}

// No other was asked.
TEST_F(Newcomer, AModelWithoutItsKeyKeepsNoOtherFromBeingTested) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "default_model": "here", "models": {"away": {"base_url": "http://127.0.0.1:1/v1", "model": "a", "key_env": "NO_SUCH_KEY"},
    "here": {"base_url": "http://127.0.0.1:1/v1", "model": "b"}}})");
  Outcome outcome = Perform(Paddock({"models", "test", "--json"}));
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const auto json = ParseJson(outcome.out);
  ASSERT_TRUE(json) << outcome.out;
  ASSERT_EQ((*json)["models"].size(), 2u);
  EXPECT_THAT((*json)["models"][0]["error"].get<std::string>(), HasSubstr("NO_SUCH_KEY"));
  EXPECT_EQ((*json)["models"][1]["name"], "here");
  EXPECT_THAT((*json)["models"][1]["error"].get<std::string>(), AllOf(Not(HasSubstr("NO_SUCH_KEY")), Not(testing::IsEmpty())));
  outcome = Perform(Paddock({"models", "test"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("key from $NO_SUCH_KEY"), HasSubstr("here  b at http://127.0.0.1:1/v1, no key\n"), Not(HasSubstr("key from none"))));
  EXPECT_THAT(Said({"models", "test", "away"}), HasSubstr("NO_SUCH_KEY"));
}

TEST_F(Newcomer, TheGitFolderAboveIsNamedAndNotLookedAt) {
  const auto notes = [&](const std::string& folder) { return TicketOf(Perform(Paddock({"investigate", "triage", "may I open this?", "--json", "--repo", Path(folder)}))).notes; };
  const auto above = Contains(AllOf(HasSubstr("a folder above it has one, " + Path("repo") + ","), HasSubstr("not looked at"), HasSubstr("--repo")));
  EXPECT_THAT(notes("repo/src"), Not(Contains(HasSubstr("a folder above it"))));
  std::filesystem::create_directory(Path("repo/.git"));
  EXPECT_THAT(notes("repo/src"), above);
  EXPECT_THAT(notes("repo"), Not(Contains(HasSubstr("a folder above it"))));
}

TEST_F(Newcomer, ALineEndOfStandardInputIsNoPartOfAnArgument) {
  const auto read = [&](const std::string& input) {
    Command command = Paddock({"tool", "call", "read_file", "--arg", "path=-", "--repo", Path("repo")});
    command.input = input;
    return Perform(command).status;
  };
  EXPECT_EQ(read("README.md"), 0);
  EXPECT_EQ(read("README.md\n"), 0);
  EXPECT_EQ(read("README.md\n\n"), 1) << "one alone";
}

TEST_F(Newcomer, ARefusedExecNamesTheModelThatWasAskedFor) {
  const auto model = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"exec", "x", "--json", "--repo", Path("repo")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = Perform(Paddock(words));
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    const auto json = ParseJson(outcome.out.substr(0, outcome.out.find('\n')));
    return json ? (*json)["model"].get<std::string>() : outcome.out;
  };
  EXPECT_EQ(model({"--model", "nosuch"}), "nosuch");
  EXPECT_EQ(model({"--timeout", "x"}), "playbook");
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "default_model": "here", "models": {"here": {"base_url": "http://127.0.0.1:1/v1", "model": "b"}}})");
  EXPECT_EQ(model({"--timeout", "x"}), "here");
}

}  // namespace
}  // namespace paddock::flow
