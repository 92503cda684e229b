// Bad input: exit 2, a message with what is wrong, where, and what was expected, and nothing else happens.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BadInput : public FlowTest {
 protected:
  // Exit 2, nothing on standard output, no trace in the state folder, and each of `parts` in the message.
  void Refused(const Command& command, std::vector<std::string> parts) {
    const Outcome outcome = Perform(command);
    EXPECT_EQ(outcome.status, 2) << outcome.err << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("paddock: ")) << outcome.err;
    for (const std::string& part : parts) EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_THAT(List("state"), testing::IsEmpty());
    EXPECT_LT(outcome.err.size(), 2000u) << outcome.err;
  }
  void RefusedRepository(const std::string& path, std::vector<std::string> parts) {
    Refused(Paddock({"investigate", "explorer", "what?", "--json", "--repo", path}), std::move(parts));
  }
  void RefusedWith(std::vector<std::string> more, std::vector<std::string> parts) { Refused(Investigate(std::move(more)), std::move(parts)); }
  void RefusedTicket(const std::string& text, std::vector<std::string> parts) {
    Write("ticket.json", text);
    parts.push_back("ticket.json");
    Refused(Paddock({"investigate", "--ticket", Path("ticket.json"), "--repo", Path("repo")}), parts);
  }
  void RefusedScript(const std::string& text, std::vector<std::string> parts) {
    Write("script.json", text);
    parts.push_back("script.json");
    RefusedWith({"--model", "scripted:" + Path("script.json")}, parts);
  }
};

TEST_F(BadInput, Repository) {
  RefusedRepository(Path("nowhere"), {"no such folder", "nowhere", "--repo"});
  RefusedRepository(Path("repo/README.md"), {"not a folder", "README.md"});
  RefusedRepository(Path("repo/README.md/x"), {"no such folder"});
  RefusedRepository("/", {"/", "--insist"});
  RefusedRepository(Path("home"), {"home folder", "--insist"});
  RefusedRepository(root_, {"holds the home folder", "--insist"});
  RefusedRepository("", {"empty"});
  fs::create_symlink(Path("loop"), Path("loop"));
  RefusedRepository(Path("loop"), {"loop"});
  fs::create_directory_symlink(Path("home"), Path("innocent"));
  RefusedRepository(Path("innocent"), {"home folder"});
}

TEST_F(BadInput, UnreadableRepository) {
  fs::permissions(Path("repo"), fs::perms(0));
  RefusedRepository(Path("repo"), {"can't be read", "repo"});
  fs::permissions(Path("repo"), fs::perms(0755));
}

TEST_F(BadInput, HomeByInsisting) {
  Write("home/README.md", Read("repo/README.md"));
  const Outcome outcome = Perform(Paddock({"investigate", "explorer", "what?", "--json", "--repo", Path("home"), "--insist", Path("home")}));
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.err;
}

TEST_F(BadInput, SettingsOrRecordsInsideTheRepository) {
  Write("repo/conf/paddock/config.json", R"({"schema": "paddock/config/1"})");
  std::filesystem::create_directory_symlink(Path("config"), Path("repo/link"));
  std::filesystem::create_directory_symlink(Path("repo"), Path("alias"));
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    for (const char* folder : {"repo/conf", "repo/link", "repo/not-there", "repo", "alias/conf", "alias/link"}) {
      Command command = Investigate({});
      command.environment[name] = Path(folder);
      const Outcome outcome = Perform(command);
      EXPECT_EQ(outcome.status, 2) << name << " " << folder << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("lie in the repository")) << folder;
    }
  EXPECT_EQ(std::filesystem::exists(Path("repo/not-there")), false);
}

TEST_F(BadInput, UnknownNames) {
  Refused(Paddock({"investigate", "explorr", "what?", "--repo", Path("repo")}), {"explorr", "known: architect, debugger, explorer, ", "explorer\"?"});
  Refused(Paddock({"investigate", "../../etc/passwd", "what?", "--repo", Path("repo")}), {"no subagent named"});
  Refused(Paddock({"investigate", "explorer\x1b[31m", "what?", "--repo", Path("repo")}), {"explorer\\u{1B}[31m"});
  RefusedWith({"--model", "playbok"}, {"playbok", "playbook", "scripted:FILE"});
  RefusedWith({"--model", "gpt"}, {"gpt", "known: playbook"});
  RefusedWith({"--tools", "read_fil"}, {"read_fil", "known: ", "read_file"});
  RefusedWith({"--tools", "read_file,run_command"}, {"run_command"});
}

TEST_F(BadInput, Definitions) {
  auto refused = [&](const std::string& text, std::vector<std::string> parts) {
    Write("config/paddock/subagents/mine.md", text);
    parts.push_back("mine.md");
    Refused(Paddock({"investigate", "mine", "what?", "--repo", Path("repo")}), parts);
  };
  const std::string head = "---\nname: mine\npurpose: A test.\n", tail = "turns: 5\nseconds: 60\n---\nLook.\n";
  refused(head + "tools: [read_file]\nprofile: read-onyl\n" + tail, {"read-onyl", "read-only", ":5"});
  refused(head + "tools: [read_fiel]\nprofile: read-only\n" + tail, {"read_fiel", "read_file", ":4"});
  refused(head + "tools: [read_file]\nprofile: read-only\ncolour: red\n" + tail, {"colour", ":6"});
  refused(head + "tools: [read_file]\nprofile: read-only\nprofile: sealed\n" + tail, {"profile", ":6"});
  refused(head + "tools: [read_file]\nprofile: read-only\nturns: many\nseconds: 60\n---\nLook.\n", {"turns", ":6"});
  refused("no frontmatter\n", {"three dashes", ":1"});
  refused("", {});
  // A file is known by its own name, not by what stands in it.
  refused(std::string(head).replace(head.find("mine"), 4, "other") + "tools: [read_file]\nprofile: read-only\n" + tail, {"other", "mine"});
  // And one that is right has no playbook.
  Write("config/paddock/subagents/mine.md", head + "tools: [read_file]\nprofile: read-only\n" + tail);
  Refused(Paddock({"investigate", "mine", "what?", "--repo", Path("repo")}), {"no playbook", "mine", "--model"});
}

TEST_F(BadInput, Profiles) {
  const std::string definition = "---\nname: mine\npurpose: A test.\ntools: [read_file]\nprofile: own\nturns: 5\nseconds: 60\n---\nLook.\n";
  Write("config/paddock/subagents/mine.md", definition);
  auto refused = [&](const std::string& text, std::vector<std::string> parts) {
    Write("config/paddock/profiles/own.json", text);
    parts.push_back("own.json");
    Refused(Paddock({"investigate", "mine", "what?", "--repo", Path("repo")}), parts);
  };
  refused("{", {"own.json:1: "});
  refused("", {});
  refused(R"({"schema": "paddock/profile/1", "name": "own", "extends": "base", "colour": 1})", {"colour"});
  refused(R"({"schema": "paddock/profile/1", "name": "own", "name": "own"})", {"duplicate", "name"});
  refused(R"({"schema": "paddock/profile/1", "name": "own", "extends": "bsae"})", {"bsae", "base"});
  refused(R"({"schema": "paddock/profile/1", "name": "own", "extends": "read-only", "limits": {"wall": 5}})", {"$.limits.wall"});
  refused(R"({"schema": "paddock/profile/1", "name": "own", "extends": "read-only", "syscalls": {"allow": ["@nothing"]}})", {"@nothing"});
  refused(R"({"schema": "paddock/profile/2", "name": "own", "extends": "read-only"})", {"$.schema"});
}

TEST_F(BadInput, Configuration) {
  auto refused = [&](const std::string& text, std::vector<std::string> parts) {
    Write("config/paddock/config.json", text);
    parts.push_back("config.json");
    RefusedWith({}, parts);
  };
  refused("{\n  nonsense", {"line 2"});
  refused(R"({"schema": "paddock/config/1", "jail_uid": 0})", {"$.jail_uid"});
  refused(R"({"schema": "paddock/config/1", "jail_uid": "root"})", {"$.jail_uid"});
  refused(R"({"schema": "paddock/config/1", "jail-uid": 5})", {"jail-uid"});
  refused(R"({"schema": "paddock/config/9"})", {"$.schema"});
  refused(R"({})", {"schema"});
  const auto models = [](const std::string& text) { return R"({"schema": "paddock/config/1", "models": {)" + text + "}}"; };
  const auto model = [](const std::string& name, const std::string& more) { return "\"" + name + R"(": {"base_url": "http://127.0.0.1:1/v1", "model": "m", )" + more + "}"; };
  refused(models(model("a", R"("per_minute": 0)")), {"$.models.a.per_minute", ">= 1"});
  refused(models(model("a", R"("at_once": 0)")), {"$.models.a.at_once"});
  refused(models(model("a", R"("context_window": 100)")), {"$.models.a.context_window"});
  refused(models(model("a", R"("price": {"input": "3", "output": 15})")), {"$.models.a.price.input"});
  refused(models(model("a", R"("price": {"input": 3})")), {"$.models.a.price.output"});
  refused(models(model("one", R"("fallback": ["two", "thre"])") + "," + model("two", R"("at_once": 1)") + "," + model("three", R"("at_once": 1)")), {"$.models.one.fallback[1]", "\"thre\"", "three"});
  refused(models(model("a", R"("fallback": ["a"])")), {"$.models.a.fallback[0]", "a → a"});
  refused(models(model("a", R"("fallback": ["b"])") + "," + model("b", R"("fallback": ["c"])") + "," + model("c", R"("fallback": ["a"])")), {"$.models.c.fallback[0]", "a → b → c → a"});
  // A name of the user's own in the place of the fault: bounded.
  refused(R"({"schema": "paddock/config/1", "models": {"\u001b[31m)" + std::string(6000, 'x') + R"(": {"base_url": 5}}})", {"$.models.\\u{1B}[31mxxx"});
}

TEST_F(BadInput, Tickets) {
  const std::string good = R"("schema": "paddock/task/1", "subagent": "explorer", "goal": "what?")";
  RefusedTicket("", {});
  RefusedTicket("not JSON", {"line 1"});
  RefusedTicket("[]", {"object"});
  RefusedTicket("{" + good + R"(, "priority": 1})", {"priority"});
  RefusedTicket("{" + good + R"(, "goal": "again"})", {"duplicate", "goal"});
  RefusedTicket(R"({"schema": "paddock/task/1", "subagent": "explorer", "goal": 7})", {"$.goal", "string"});
  RefusedTicket(R"({"schema": "paddock/task/1", "subagent": "explorer"})", {"goal"});
  RefusedTicket(R"({"schema": "paddock/task/1", "subagent": "explorer", "goal": ""})", {"$.goal"});
  RefusedTicket(R"({"schema": "paddock/task/2", "subagent": "explorer", "goal": "what?"})", {"$.schema"});
  RefusedTicket("{" + good + R"(, "budget": {"turns": 0}})", {"$.budget.turns"});
  RefusedTicket("{" + good + R"(, "budget": {"wall_ms": -1}})", {"$.budget.wall_ms"});
  RefusedTicket("{" + good + R"(, "budget": {"turns": 1.5}})", {"$.budget.turns"});
  RefusedTicket("{" + good + R"(, "context": ")" + std::string(300'000, 'x') + "\"}", {"$.context"});
  RefusedTicket("{" + good + ", \"context\": " + std::string(5'000, '[') + std::string(5'000, ']') + "}", {});
  Refused(Paddock({"investigate", "--ticket", Path("nowhere.json"), "--repo", Path("repo")}), {"nowhere.json"});
  Refused(Paddock({"investigate", "--ticket", Path("repo"), "--repo", Path("repo")}), {"not a regular file"});
  Write("ticket.json", "{" + good + "}");
  Refused(Paddock({"investigate", "explorer", "--ticket", Path("ticket.json"), "--repo", Path("repo")}), {"--ticket"});
  Write("ticket.json", "{" + good + R"(, "tools": ["read_fiel"]})");
  Refused(Paddock({"investigate", "--ticket", Path("ticket.json"), "--repo", Path("repo")}), {"read_fiel", "read_file"});
}

TEST_F(BadInput, Scripts) {
  RefusedScript("", {});
  RefusedScript("{", {"line 1"});
  RefusedScript(R"({"schema": "paddock/script/1", "turns": 5})", {"$.turns"});
  RefusedScript(R"({"schema": "paddock/script/1", "turns": [{"calls": "read_file"}]})", {"$.turns[0].calls"});
  RefusedScript(R"({"schema": "paddock/script/1", "turns": [{"call": []}]})", {"$.turns[0]", "call"});
  RefusedScript(R"({"schema": "paddock/script/1", "turns": [{"delay_ms": -5}]})", {"$.turns[0].delay_ms"});
  RefusedScript(R"({"schema": "paddock/script/0", "turns": []})", {"$.schema"});
  RefusedScript(R"({"turns": []})", {"schema"});
  RefusedWith({"--model", "scripted:" + Path("nowhere.json")}, {"nowhere.json"});
  RefusedWith({"--model", "scripted:"}, {"script"});
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  RefusedWith({"--model", "scripted:" + Path("fifo")}, {"fifo", "regular file"});
}

TEST_F(BadInput, Numbers) {
  for (const char* text : {"0", "0s", "-1", "-5s", "abc", "99999h", "1e9s", "", "5 s", "5sx", "99999999999999999999s", "0x10s"})
    RefusedWith({"--timeout", text}, {"--timeout"});
  for (const char* text : {"0", "-1", "abc", "1.5", "1001", "99999999999999999999", "", "5x"}) RefusedWith({"--max-turns", text}, {"--max-turns"});
}

TEST_F(BadInput, Words) {
  Refused(Paddock({}), {"no command"});
  Refused(Paddock({"investigate", "--repo", Path("repo")}), {"no subagent"});
  Refused(Paddock({"investigate", "explorer", "--repo", Path("repo")}), {"no goal"});
  Refused(Paddock({"investigate", "explorer", "", "--repo", Path("repo")}), {"goal"});
  Refused(Paddock({"investigate", "explorer", "\xff", "--repo", Path("repo")}), {"UTF-8"});
  Refused(Paddock({"investigate", "explorer", "what?", "--nonsense"}), {"--nonsense"});
  Refused(Paddock({"investigate", "explorer", "what?", "and", "more"}), {"more"});
  Refused(Paddock({"investigate", "explorer", "what?", "--repo"}), {"--repo"});
  Refused(Paddock({"investigat"}), {"investigat"});
}

TEST_F(BadInput, HelpIsNoError) {
  for (std::vector<std::string> arguments : {std::vector<std::string>{"--help"}, {"investigate", "--help"}, {"--version"}}) {
    const Outcome outcome = Perform(Paddock(arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
  }
  // Found on a terminal of eighty columns, which broke words.
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{}, {"exec"}, {"investigate"}, {"tool"}, {"tool", "call"}, {"models"}, {"models", "test"},
           {"profile"}, {"subagents"}, {"redact"}, {"wrap"}, {"doctor"}, {"run"}, {"shell"}}) {
    std::vector<std::string> words = command;
    words.push_back("--help");
    const std::string help = Perform(Paddock(words)).out;
    for (size_t begin = 0, end; (end = help.find('\n', begin)) != std::string::npos; begin = end + 1) EXPECT_LE(end - begin, 80u) << help.substr(begin, end - begin);
  }
  EXPECT_THAT(Perform(Paddock({"exec", "--help"})).out,
              HasSubstr("\n  --model TEXT            A model of config.json, playbook (no language model)\n                          or scripted:FILE; with --base-url"));
  EXPECT_THAT(Perform(Paddock({"investigate", "--help"})).out, testing::AllOf(HasSubstr("Example"), HasSubstr("Exit status")));
}

TEST_F(BadInput, WordsThatAreNoneSayWhatWasMeant) {
  const auto said = [&](const std::vector<std::string>& words) {
    const Outcome outcome = Perform(Paddock(words));
    EXPECT_EQ(outcome.status, words[0] == "run" ? 125 : 2);
    return outcome.err;
  };
  EXPECT_THAT(said({"profile", "show", "build"}), HasSubstr("paddock profile: there is no \"show\"; known: list, groups"));
  EXPECT_THAT(said({"profile", "lst"}), HasSubstr("did you mean \"list\"?"));
  EXPECT_THAT(said({"trust"}), HasSubstr("paddock trust: what is to be done is missing"));
  EXPECT_THAT(said({"investigate", "explorer", "x", "--profle", "y"}), HasSubstr("there is no option --profle of paddock investigate"));
  EXPECT_THAT(said({"investigate", "-w", "y", "explorer", "x"}), AllOf(HasSubstr("there is no option -w of paddock investigate"), HasSubstr("see paddock investigate --help")));
  EXPECT_THAT(said({"investigate", "explorer", "x", "--jsn"}), HasSubstr("did you mean \"--json\"?"));
  EXPECT_THAT(said({"investigate", "explorer", "how", "so"}), HasSubstr("a goal stands in quotes"));
  EXPECT_THAT(said({"nosuch"}), HasSubstr("nosuch"));
  EXPECT_THAT(said({"run", "--nope", "--", "true"}), HasSubstr("--nope"));
}

TEST_F(BadInput, OddPathsAreNone) {
  for (const std::string& name : {std::string("with space"), std::string("with\nnewline"), std::string("with\xff\xfe"), std::string("-dash"),
                                  std::string("\x1b[31mred"), std::string("quote'\"\\")}) {
    Write(name + "/README.md", Read("repo/README.md"));
    const Outcome outcome = Perform(Paddock({"investigate", "explorer", "what?", "--json", "--repo", Path(name)}));
    EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.err << outcome.out;
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
  }
}

TEST_F(BadInput, RelativePathsAndTheCurrentFolder) {
  Command command = Paddock({"investigate", "explorer", "what?", "--json"});
  command.folder = Path("repo");
  EXPECT_EQ(StatusOf(TicketOf(Perform(command))), "completed");
  command = Paddock({"investigate", "explorer", "what?", "--json", "--repo", "../repo/src"});
  command.folder = Path("home");
  EXPECT_EQ(StatusOf(TicketOf(Perform(command))), "completed");
}

// What is shipped can't be replaced: a file with its name was ignored without a word once.
TEST_F(BadInput, NamesOfShippedThings) {
  Write("config/paddock/subagents/explorer.md", "---\nname: explorer\n---\n");
  RefusedWith({}, {"explorer.md", "comes with paddock", "another name"});
  std::filesystem::remove(Path("config/paddock/subagents/explorer.md"));
  Write("config/paddock/profiles/read-only.json", "{}");
  RefusedWith({}, {"read-only.json", "comes with paddock"});
}

TEST_F(BadInput, GoalThatIsTooLong) { Refused(Paddock({"investigate", "explorer", std::string(70'000, 'x'), "--repo", Path("repo")}), {"$.goal", "65536"}); }

TEST_F(BadInput, FlagsOnlyNarrowATicket) {
  Write("ticket.json", R"({"schema": "paddock/task/1", "subagent": "explorer", "goal": "what?", "tools": ["read_file"], "budget": {"turns": 3}})");
  Refused(Paddock({"investigate", "--ticket", Path("ticket.json"), "--repo", Path("repo"), "--tools", "read_file,list_files"}), {"list_files", "read_file"});
  const std::string script = Script(R"([{"calls": [{"tool": "list_files"}]}])", R"(, "repeat_last": true)");
  auto ticket = TicketOf(Perform(Paddock({"investigate", "--ticket", Path("ticket.json"), "--json", "--repo", Path("repo"), "--model", script, "--max-turns", "9"})));
  EXPECT_EQ(ticket.usage.turns, 3);
}

TEST_F(BadInput, TicketFromStandardInput) {
  Command command = Paddock({"investigate", "--ticket", "-", "--json", "--repo", Path("repo")});
  command.input = R"({"schema": "paddock/task/1", "subagent": "explorer", "goal": "what?", "budget": {"turns": 8}})";
  EXPECT_EQ(StatusOf(TicketOf(Perform(command))), "completed");
}

TEST_F(BadInput, WithoutAPlaceForTheRecord) {
  Command command = Investigate({});
  command.environment.erase("HOME");
  command.environment.erase("XDG_STATE_HOME");
  Refused(command, {"XDG_STATE_HOME"});
}

}  // namespace
}  // namespace paddock::flow
