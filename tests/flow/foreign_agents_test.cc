// Agents that were defined for other tools: from the home, and from a repository once trusted.
#include <sys/stat.h>

#include <filesystem>

#include "tests/flow/exec_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Agent(const std::string& name, const std::string& more = "", const std::string& prompt = "You look closely.") {
  return "---\nname: " + name + "\ndescription: Looks at " + name + ".\n" + more + "---\n" + prompt + "\n";
}

class ForeignAgents : public ExecTest {
 protected:
  ForeignAgents() { Write("repo/README.md", "# Thing\n"); }
  Outcome Do(std::vector<std::string> words) { return Perform(Paddock(std::move(words))); }
  Outcome Trust() { return Do({"trust", "add", Path("repo"), "--yes"}); }
  // Sends that one with a script, and gives the ticket.
  subagents::ResultTicket Send(const std::string& name) {
    outcome_ = Do({"investigate", name, "what is this?", "--json", "--repo", Path("repo"), "--model",
                   Script(R"([{"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]},
                              {"calls": [{"tool": "report", "arguments": {"summary": "A thing.", "findings": [], "next_actions": [], "complete": true}}]}])")});
    return TicketOf(outcome_);
  }
  std::string Refusal(const std::string& name) {
    outcome_ = Do({"investigate", name, "what is this?", "--json", "--repo", Path("repo"), "--model", Script("[]")});
    EXPECT_EQ(outcome_.status, 2) << outcome_.out;
    return outcome_.err;
  }
  Json Lint(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"subagents", "lint", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    outcome_ = Do(words);
    auto json = ParseJson(outcome_.out);
    EXPECT_TRUE(json) << outcome_.out << outcome_.err;
    return json ? *json : Json();
  }
};

TEST_F(ForeignAgents, OfTheHomeAreSentAsTheyAre) {
  Write("home/.claude/agents/looker.md", Agent("looker", "tools: Read, Bash(npm test), Write\nmodel: opus\nmaxTurns: 30\n"));
  Write("home/.gemini/agents/g.md", Agent("g_looker"));
  Write("config/opencode/agent/team/o.md", "---\ndescription: Looks.\nmode: subagent\n---\nYou look.\n");
  Write("home/.codex/agents/c.toml", "name = \"c\"\ndescription = \"Looks.\"\ndeveloper_instructions = \"You look.\"\n");
  const auto ticket = Send("looker");
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.out << outcome_.err;
  EXPECT_EQ(ticket.subagent, "looker");
  EXPECT_THAT(DumpJson(Json(ticket.notes)), AllOf(HasSubstr("~/.claude/agents/looker.md (claude)"), HasSubstr("3 of its wishes are not carried over")));
  for (const char* name : {"g-looker", "team-o", "c"}) EXPECT_EQ(StatusOf(Send(name)), "completed") << name << outcome_.err;
  const Outcome list = Do({"subagents", "list", "--repo", Path("repo")});
  for (const char* part : {"30 turns, 300 s, profile read-only, from ~/.claude/agents/looker.md", "from ~/.codex/agents/c.toml", "~/.gemini/agents/g.md"}) EXPECT_THAT(list.out, HasSubstr(part)) << list.err;
  const Outcome show = Do({"subagents", "show", "looker", "--repo", Path("repo")});
  EXPECT_THAT(show.out, AllOf(HasSubstr("You look closely."), HasSubstr("What counts as evidence"), HasSubstr("── tool read_file"), Not(HasSubstr("── tool search_text"))));
}

TEST_F(ForeignAgents, AFolderElsewhereIsNamedByItsToolsVariable) {
  Write("elsewhere/agents/looker.md", Agent("looker"));
  Command command = Paddock({"subagents", "list", "--repo", Path("repo")});
  EXPECT_THAT(Perform(command).out, Not(HasSubstr("looker")));
  command.environment["CLAUDE_CONFIG_DIR"] = Path("elsewhere");
  EXPECT_THAT(Perform(command).out, HasSubstr("elsewhere/agents/looker.md"));
  // The repository's own is not the user's, whatever a variable says.
  Write("repo/.claude/agents/sly.md", Agent("sly"));
  command.environment["CLAUDE_CONFIG_DIR"] = Path("repo") + "/.claude";
  const Outcome outcome = Perform(command);
  EXPECT_THAT(outcome.err, HasSubstr("lies in the repository or is reached through it"));
  EXPECT_THAT(outcome.out, HasSubstr("not usable: .claude/agents/sly.md: not trusted"));
}

TEST_F(ForeignAgents, OfARepositoryAreInertUntilTrusted) {
  Write("repo/.claude/agents/looker.md", Agent("looker", "tools: Read\nmaxTurns: 900\n"));
  EXPECT_THAT(Refusal("looker"), HasSubstr("no subagent named"));
  EXPECT_THAT(Do({"subagents", "list", "--repo", Path("repo")}).out, HasSubstr("not usable: .claude/agents/looker.md: not trusted"));
  Outcome outcome = Do({"trust", "show", Path("repo")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("| You look closely."), HasSubstr("not trusted: paddock trust add")));
  // Nobody is asked where there is no terminal.
  outcome = Do({"trust", "add", Path("repo")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(".claude/agents/looker.md  "), HasSubstr("SHA-256 "), HasSubstr("name     looker"), HasSubstr("12 turns, 300 s"), HasSubstr("| You look closely.")));
  EXPECT_THAT(outcome.err, HasSubstr("nobody can be asked"));
  EXPECT_THAT(Refusal("looker"), HasSubstr("no subagent named"));
  outcome = Trust();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("trusted: 1 agent of "));
  EXPECT_EQ(StatusOf(Send("looker")), "completed") << outcome_.err;
  EXPECT_THAT(Do({"subagents", "list", "--repo", Path("repo")}).out, HasSubstr("12 turns, 300 s, profile read-only, from .claude/agents/looker.md of this repository, trusted"));
  EXPECT_THAT(Do({"trust", "list"}).out, HasSubstr(Path("repo") + "  1 file, "));
  EXPECT_EQ(Do({"trust", "show", Path("repo")}).status, 0);
  EXPECT_EQ(Do({"trust", "remove", Path("repo")}).status, 0);
  EXPECT_THAT(Refusal("looker"), HasSubstr("no subagent named"));
  EXPECT_EQ(Do({"trust", "remove", Path("repo")}).status, 1);
}

TEST_F(ForeignAgents, WhatChangedSinceIsInert) {
  Write("repo/.claude/agents/looker.md", Agent("looker"));
  Write("repo/.claude/agents/other.md", Agent("other"));
  ASSERT_EQ(Trust().status, 0);
  ASSERT_EQ(StatusOf(Send("looker")), "completed") << outcome_.err;
  const auto inert = [&](const char* what) {
    EXPECT_THAT(Refusal("looker"), HasSubstr("changed since you trusted them")) << what;
    const Outcome show = Do({"trust", "show", Path("repo")});
    EXPECT_EQ(show.status, 1) << what;
    EXPECT_THAT(show.out, HasSubstr("so none is used")) << what;
    return show.out;
  };
  Write("repo/.claude/agents/other.md", Agent("other", "", "You look otherwise."));
  EXPECT_THAT(inert("another file"), AllOf(HasSubstr("as you trusted it"), HasSubstr("changed since"), HasSubstr("| You look otherwise.")));
  Write("repo/.claude/agents/other.md", Agent("other"));
  EXPECT_EQ(StatusOf(Send("looker")), "completed") << "as it was: " << outcome_.err;
  Write("repo/.gemini/agents/new.md", Agent("new"));
  EXPECT_THAT(inert("a new file"), HasSubstr("new\n"));
  fs::remove(Path("repo/.gemini/agents/new.md"));
  // The same words by way of a link are the same content; other words are not.
  Write("repo/kept.md", Agent("other"));
  fs::remove(Path("repo/.claude/agents/other.md"));
  fs::create_symlink("../../kept.md", Path("repo/.claude/agents/other.md"));
  EXPECT_EQ(StatusOf(Send("looker")), "completed") << outcome_.err;
  Write("repo/kept.md", Agent("other", "tools: Read\n"));
  inert("what a link leads to");
  fs::remove(Path("repo/.claude/agents/other.md"));
  EXPECT_THAT(inert("a file that is gone"), HasSubstr("gone since"));
  EXPECT_EQ(Trust().status, 0);
  EXPECT_EQ(StatusOf(Send("looker")), "completed") << outcome_.err;
}

TEST_F(ForeignAgents, NeitherAVariableNorAFileOfTheRepositoryTrusts) {
  Write("repo/.claude/agents/looker.md", Agent("looker"));
  Write("repo/.paddock/trust.json", "{\"trusted\": true}");
  // Its own folder as the state folder is refused.
  Command command = Paddock({"trust", "add", Path("repo"), "--yes"});
  command.environment["XDG_STATE_HOME"] = Path("repo") + "/state";
  const Outcome outcome = Perform(command);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("lie in the repository"));
  command = Paddock({"investigate", "looker", "what?", "--json", "--repo", Path("repo"), "--model", Script("[]")});
  for (const char* name : {"PADDOCK_TRUST", "PADDOCK_YES", "CI"}) command.environment[name] = "1";
  EXPECT_EQ(Perform(command).status, 2);
}

TEST_F(ForeignAgents, NamesBelongToWhoHasThemFirst) {
  Write("home/.claude/agents/explorer.md", Agent("explorer"));
  Write("home/.claude/agents/looker.md", Agent("looker", "", "You are of the home."));
  Write("home/.gemini/agents/looker.md", Agent("looker"));
  Write("config/paddock/subagents/mine.md", "---\nname: mine\npurpose: Looks at mine.\ntools: [read_file]\nprofile: read-only\nturns: 3\nseconds: 30\n---\nYou look.\n");
  Write("repo/.claude/agents/mine.md", Agent("mine"));
  Write("repo/.claude/agents/looker.md", Agent("looker", "", "You are of the repository."));
  ASSERT_EQ(Trust().status, 0);
  EXPECT_THAT(Do({"subagents", "show", "looker", "--repo", Path("repo")}).out, HasSubstr("You are of the home."));
  const Json lint = Lint({Path("repo")});
  EXPECT_EQ(outcome_.status, 1) << outcome_.out;
  EXPECT_EQ(lint["with_warnings"], 4) << outcome_.out;
  for (const char* part : {"its name is taken by what comes with paddock", "its name is taken by ~/.claude/agents/looker.md", "subagents/mine.md, and that one"}) EXPECT_THAT(outcome_.out, HasSubstr(part));
}

TEST_F(ForeignAgents, LintSaysWhatIsWrongWhereAndExitsByIt) {
  EXPECT_EQ(Lint({Path("repo")})["definitions"].size(), 0u);
  EXPECT_EQ(outcome_.status, 0) << outcome_.err;
  Write("repo/.claude/agents/fine.md", Agent("fine", "tools: Read, Write\n"));
  EXPECT_EQ(Lint({Path("repo")})["definitions"][0]["usable"], true);
  EXPECT_EQ(outcome_.status, 1) << "a tool that writes is a wish for more rights" << outcome_.out;
  EXPECT_THAT(outcome_.out, HasSubstr("asks for more than there is: Write"));
  Write("repo/.claude/agents/fine.md", Agent("fine", "tools: Read, Grep\n"));
  EXPECT_EQ(Lint({Path("repo")})["definitions"][0]["usable"], true);
  EXPECT_EQ(outcome_.status, 0) << outcome_.out;
  Write("repo/.claude/agents/fine.md", Agent("fine", "tools: Read, Frobnicate\npermissionMode: bypassPermissions\n"));
  EXPECT_EQ(Lint({Path("repo")})["with_warnings"], 1);
  EXPECT_EQ(outcome_.status, 1) << outcome_.out;
  Write("repo/.claude/agents/bad.md", Agent("bad", "name: twice\n"));
  Write("repo/.claude/agents/hidden.md", Agent("hidden", "", "You look\xE2\x80\xAE."));
  Write("config/paddock/subagents/mine.md", "---\nname: mine\npurpose: Looks.\ntools: [fly]\nprofile: read-only\nturns: 3\nseconds: 30\n---\nYou look.\n");
  Write("config/paddock/subagents/Bad Name.md", "x");
  const Json lint = Lint({Path("repo")});
  EXPECT_EQ(outcome_.status, 2);
  EXPECT_EQ(lint["with_faults"], 4) << outcome_.out;
  Outcome text = Do({"subagents", "lint", Path("repo")});
  for (const char* part : {".claude/agents/bad.md:4: frontmatter: duplicate key \"name\"", ".claude/agents/hidden.md:5: prompt: a control or invisible character", "mine.md:4: tools: unknown name \"fly\"",
                           "Bad Name.md: the name of the file", "usable once trusted: paddock trust add", "5 definitions: 1 usable, 1 of them with warnings, 4 not usable"})
    EXPECT_THAT(text.out, HasSubstr(part));
  // One file, or a folder of agents, as it stands.
  EXPECT_EQ(Lint({Path("repo") + "/.claude/agents/bad.md"})["definitions"].size(), 1u);
  EXPECT_EQ(outcome_.status, 2);
  EXPECT_EQ(Lint({Path("repo") + "/.claude/agents/"})["definitions"].size(), 3u);
  EXPECT_EQ(Do({"subagents", "lint", Path("repo") + "/nothing.md"}).status, 2);
}

TEST_F(ForeignAgents, ExecOffersThemWithALanguageModel) {
  Write("home/.claude/agents/looker.md", Agent("looker", "tools: Read, Write\n"));
  Write("home/.claude/agents/explorer.md", Agent("explorer"));
  Write("repo/.claude/agents/theirs.md", Agent("theirs"));
  const auto offered = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"--json", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--timeout", "500ms"};
    words.insert(words.end(), more.begin(), more.end());
    outcome_ = Perform(Exec(words));
    return DumpJson(ExecRunOf(outcome_).events.at(0)["tools"]);
  };
  EXPECT_THAT(offered({}), AllOf(HasSubstr("\"subagent_looker\""), Not(HasSubstr("theirs"))));
  EXPECT_THAT(outcome_.out, HasSubstr("explorer.md is not on offer: its name is taken by what comes with paddock"));
  ASSERT_EQ(Trust().status, 0);
  EXPECT_THAT(offered({}), AllOf(HasSubstr("\"subagent_looker\""), HasSubstr("\"subagent_theirs\"")));
  EXPECT_THAT(offered({"--quarantine"}), AllOf(HasSubstr("\"subagent_looker\""), Not(HasSubstr("theirs"))));
  Write("repo/.claude/agents/theirs.md", Agent("theirs", "tools: Read\n"));
  EXPECT_THAT(offered({}), Not(HasSubstr("theirs")));
  EXPECT_THAT(outcome_.out, HasSubstr("changed since you trusted them"));
}

TEST_F(ForeignAgents, HostileFilesHarmNobody) {
  Write("repo/.claude/agents/fine.md", Agent("fine"));
  Write("repo/.claude/agents/huge.md", std::string(1 << 20, 'x'));
  Write("repo/.claude/agents/front.md", "---\n" + std::string(200'000, '#') + "\n---\nx\n");
  Write("repo/.claude/agents/deep.md", "---\nname: " + std::string(60'000, '[') + "\n---\nx\n");
  Write("repo/.claude/agents/in ject.md", Agent("\"../../x; $(touch /tmp/x) \\e[2J\""));
  fs::create_symlink("/etc/passwd", Path("repo/.claude/agents/link.md"));
  ASSERT_EQ(::mkfifo(Path("repo/.claude/agents/fifo.md").c_str(), 0644), 0);
  fs::create_symlink("agents", Path("repo/.claude/agents/again"));
  const Json lint = Lint({Path("repo")});
  EXPECT_EQ(outcome_.status, 2);
  EXPECT_EQ(lint["definitions"].size(), 7u) << outcome_.out;
  EXPECT_EQ(lint["with_faults"], 6) << outcome_.out;
  EXPECT_THAT(outcome_.out, Not(HasSubstr("root:")));
  EXPECT_EQ(Trust().status, 0) << "what can't be used is told, and the others are trusted";
  EXPECT_EQ(StatusOf(Send("fine")), "completed") << outcome_.err;
  // A whole folder of too many can't be looked at to its end, and is not trusted.
  for (int i = 0; i < 300; ++i) Write("repo/.gemini/agents/" + std::to_string(i) + ".md", Agent("n" + std::to_string(i)));
  EXPECT_EQ(Trust().status, 2);
  EXPECT_THAT(Refusal("fine"), HasSubstr("changed since"));
}

}  // namespace
}  // namespace paddock::flow
