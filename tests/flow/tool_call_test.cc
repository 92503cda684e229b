// `paddock tool call` and `paddock tool list`: arguments are checked before anything starts, one call goes through the
// whole path, and whatever happens is one report with the right word and exit status.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>

#include "subagents/tool_call.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using subagents::ToolCallReport;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ToolCall : public FlowTest {
 protected:
  Command Call(std::vector<std::string> words, const std::string& programs = ProgramsFolder()) const {
    words.insert(words.begin(), {"tool", "call"});
    words.insert(words.end(), {"--repo", Path("repo")});
    return Paddock(std::move(words), programs);
  }
  // Exit 2, nothing on standard output, and each of `parts` in the message.
  void Refused(std::vector<std::string> words, std::vector<std::string> parts) {
    const Outcome outcome = Perform(Call(std::move(words)));
    EXPECT_EQ(outcome.status, 2) << outcome.err << outcome.out;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& part : parts) EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_LT(outcome.err.size(), 1500u);
  }
};

ToolCallReport ReportOf(const Outcome& outcome) {
  auto json = ParseJson(outcome.out, {.max_bytes = 64u << 20, .max_values = 4'000'000});
  auto report = json ? FromJson<ToolCallReport>(*json) : Result<ToolCallReport>(std::unexpected(json.error()));
  if (report) return *report;
  ADD_FAILURE() << report.error().message << "\n" << outcome.out << outcome.err;
  return {};
}

TEST_F(ToolCall, IsOneJsonObject) {
  const Outcome outcome = Perform(Call({"read_file", "--arg", "path=README.md", "--arg", "limit=1", "--json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  const ToolCallReport report = ReportOf(outcome);
  EXPECT_EQ(report.schema, "paddock/tool-call/1");
  EXPECT_EQ(report.tool, "read_file");
  EXPECT_EQ(DumpJson(report.arguments), R"({"path":"README.md","limit":1})");
  EXPECT_STREQ(NameOf(report.status), "completed");
  EXPECT_EQ(report.ending.kind, "finished");
  ASSERT_TRUE(report.result);
  ASSERT_EQ(report.result->artifacts.size(), 1u);
  EXPECT_THAT(report.result->artifacts[0].lines, ElementsAre("# Thing"));
  EXPECT_EQ(report.receipt["profile"], "read-only");
  for (const Json& layer : report.receipt["layers"]) EXPECT_EQ(layer["in_force"], true) << layer;
  EXPECT_GT(report.usage.peak_rss_kb.value_or(0), 0);
  EXPECT_THAT(List("state"), testing::IsEmpty());
}

TEST_F(ToolCall, ForPeopleHasNumberedLinesPathsAndHints) {
  const Outcome read = Perform(Call({"read_file", R"({"path": "src/main.c", "offset": 3, "limit": 2})"}));
  EXPECT_THAT(read.out, HasSubstr("read_file: ok"));
  EXPECT_THAT(read.out, HasSubstr("src/main.c\n     3 | int main(void) {\n     4 |   puts(\"thing\");\n"));
  EXPECT_THAT(read.out, HasSubstr("next: for more: "));
  const Outcome search = Perform(Call({"search_text", "--arg", "pattern=puts", "--arg", "context=1"}));
  EXPECT_THAT(search.out, HasSubstr("     3 | int main(void) {\n     4 :   puts(\"thing\");\n     5 |   return 0;\n"));
  const Outcome list = Perform(Call({"list_files"}));
  EXPECT_THAT(list.out, HasSubstr("README.md\nsrc/\nsrc/main.c\n"));
  const Outcome failed = Perform(Call({"read_file", "--arg", "path=READM.md"}));
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.out, HasSubstr("read_file: not_found"));
  EXPECT_THAT(failed.out, HasSubstr("why: \"READM.md\" does not exist"));
  EXPECT_THAT(failed.out, HasSubstr("do: the nearest name there is \"README.md\""));
}

TEST_F(ToolCall, ShowsNothingThatActsOnATerminal) {
  Write("repo/evil\x1b[2J.txt", "red \x1b[31m and \xe2\x80\xae" "bidi\n");
  for (const auto& words : std::vector<std::vector<std::string>>{{"list_files"}, {"search_text", "--arg", "pattern=red"}}) {
    const Outcome outcome = Perform(Call(words));
    EXPECT_EQ(outcome.out.find_first_of("\x1b\r\a"), std::string::npos) << outcome.out;
    EXPECT_THAT(outcome.out, Not(HasSubstr("\xe2\x80\xae")));
    EXPECT_THAT(outcome.out, HasSubstr("evil\\x1b[2J.txt"));
  }
}

TEST_F(ToolCall, ValuesHaveTheTypeOfTheSchema) {
  Write("repo/5", "five\n");
  EXPECT_EQ(Perform(Call({"read_file", "--arg", "path=5"})).status, 0);  // a string, though it looks like a number
  Write("repo/true", "TRUE\n");
  const auto report = ReportOf(Perform(Call({"search_text", "--arg", "pattern=true", "--arg", "ignore_case=true", "--arg", "limit=7", "--json"})));
  EXPECT_EQ(DumpJson(report.arguments), R"({"pattern":"true","ignore_case":true,"limit":7})");
  Command from_input = Call({"search_text", "--arg", "pattern=-", "--json"});
  from_input.input = "puts\\(\"thing\"\\)";
  const auto found = ReportOf(Perform(from_input));
  EXPECT_EQ(found.arguments["pattern"], "puts\\(\"thing\"\\)");
  ASSERT_TRUE(found.result);
  EXPECT_EQ(found.result->artifacts.at(0).facts["matches"], 1);
}

TEST_F(ToolCall, BadUsageStartsNothing) {
  Refused({"raed_file"}, {"raed_file", "read_file"});
  Refused({"raed_file", "--arg", "x"}, {"no tool \"raed_file\""});
  Refused({"read_file"}, {"$.path", "missing"});
  Refused({"read_file", "--arg", "pth=x"}, {"pth", "did you mean \"path\""});
  Refused({"read_file", R"({"pth": "x"})"}, {"$.p", "path"});
  Refused({"read_file", R"({"path": 5})"}, {"$.path", "a string"});
  Refused({"read_file", "--arg", "path=x", "--arg", "limit=many"}, {"limit", "whole number", "many"});
  Refused({"read_file", "--arg", "path=x", "--arg", "limit=0"}, {"$.limit", "1"});
  Refused({"read_file", "--arg", "path=x", "--arg", "limit=99999999999999999999"}, {"limit"});
  Refused({"read_file", "--arg", "path=x", "--arg", "path=y"}, {"path", "twice"});
  Refused({"read_file", "--arg", "path"}, {"key=value", "offset"});
  Refused({"read_file", "--arg", "path=\xff"}, {"path", "UTF-8"});
  Refused({"search_text", "--arg", "pattern=x", "--arg", "literal=yes"}, {"literal", "true or false"});
  Refused({"search_text", "--arg", "pattern=("}, {"$.pattern: missing ): (\n"});
  Refused({"search_text", "--arg", "pattern=x", "--arg", "glob=[a"}, {"$.glob"});
  Refused({"list_files", "[1]"}, {"object"});
  Refused({"list_files", "{"}, {"JSON", "column"});
  Refused({"list_files", "{}", "--arg", "depth=1"}, {"one of them"});
  Refused({"list_files", "--profile", "read-onyl"}, {"read-onyl", "read-only"});
  Refused({"list_files", "--profile", "sealed"}, {"sealed", "workspace"});
  Refused({"list_files", "--timeout", "5"}, {"--timeout"});
  Refused({"list_files", "--timeout", "1ms"}, {"--timeout", "100ms"});
  Refused({}, {"no tool named", "tool list"});
  Refused({"read_file\x1b[31m"}, {"read_file\\u{1B}[31m"});
  const Outcome outcome = Perform(Paddock({"tool", "call", "list_files", "--repo", Path("nowhere")}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no such folder"));
  Refused({"list_files", "--profile", "build"}, {"build", "not for cells"});
}

// What a repository says of the jail that it is looked at in counts for nothing.
TEST_F(ToolCall, AProfileIsNoFileOfTheRepository) {
  const std::string text = R"({"schema": "paddock/profile/1", "name": "mine", "extends": "read-only"})";
  Write("repo/mine.json", text);
  Write("mine.json", text);
  Write("through.json", R"({"schema": "paddock/profile/1", "name": "through", "extends": "./repo/mine.json"})");
  Refused({"list_files", "--profile", Path("repo/mine.json")}, {"repo/mine.json", "lies in the repository"});
  Refused({"list_files", "--profile", Path("through.json")}, {"through.json:1: $.extends: ", "lies in the repository"});
  std::filesystem::create_symlink(Path("repo/mine.json"), Path("link.json"));
  Refused({"list_files", "--profile", Path("link.json")}, {"lies in the repository or is reached through it"});
  ASSERT_EQ(mkfifo(Path("fifo.json").c_str(), 0600), 0);
  Refused({"list_files", "--profile", Path("fifo.json")}, {"fifo.json", "not a regular file"});
  Refused({"list_files", "--profile", "/dev/zero"}, {"/dev/zero", "not a regular file"});
  EXPECT_EQ(Perform(Call({"list_files", "--profile", Path("mine.json")})).status, 0);
}

TEST_F(ToolCall, WhatLeadsOutIsTheToolsOwnAnswer) {
  for (const char* path : {"path=../x", "path=/etc/passwd"}) {
    const Outcome outcome = Perform(Call({"read_file", "--arg", path, "--json"}));
    EXPECT_EQ(outcome.status, 1);
    const auto report = ReportOf(outcome);
    EXPECT_STREQ(NameOf(report.status), "completed");
    ASSERT_TRUE(report.result);
    EXPECT_STREQ(NameOf(report.result->status), "denied");
    EXPECT_NE(report.result->recovery_hint, "");
  }
}

TEST_F(ToolCall, EndingsAreTyped) {
  struct Case {
    const char* behaviour;
    const char* status;
    const char* kind;
    int exit_status;
  };
  for (const Case& one : {Case{"early exit 3", "failed_to_start", "exit", 3}, Case{"admit that landlock is off", "failed_to_start", "receipt", 3},
                          Case{"crash", "crashed", "signal", 1}, Case{"late crash", "crashed", "signal", 1}, Case{"late exit 0", "crashed", "exit", 1},
                          Case{"late garbage", "crashed", "protocol_error", 1}, Case{"wrong ids", "crashed", "protocol_error", 1},
                          Case{"late take all memory", "crashed", "alloc_failed", 1}, Case{"late live on", "timeout", "timeout", 1},
                          Case{"never read", "timeout", "timeout", 1}}) {
    Write("repo/behaviour", one.behaviour);
    const bool waits = std::string(one.status) == "timeout";
    const Outcome outcome = Perform(Call({"read_file", "--arg", "path=README.md", "--json", "--timeout", waits ? "2s" : "30s"}, HostileFolder()));
    EXPECT_EQ(outcome.status, one.exit_status) << one.behaviour;
    const auto report = ReportOf(outcome);
    EXPECT_STREQ(NameOf(report.status), one.status) << one.behaviour;
    EXPECT_EQ(report.ending.kind, one.kind) << one.behaviour;
    EXPECT_FALSE(report.result) << one.behaviour;  // nothing is made up in the tool's place
    EXPECT_NE(report.ending.detail, "") << one.behaviour;
    EXPECT_LT(outcome.took, std::chrono::seconds(10));
  }
  // What came before the crash is kept, and the crash is said.
  Write("repo/behaviour", "crash after the result");
  const auto report = ReportOf(Perform(Call({"read_file", "--arg", "path=README.md", "--json"}, HostileFolder())));
  EXPECT_STREQ(NameOf(report.status), "crashed");
  EXPECT_TRUE(report.result);
}

TEST_F(ToolCall, StopsWhenTold) {
  for (const auto& [number, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    Write("repo/behaviour", "never read");
    const Command command = Call({"read_file", "--arg", "path=README.md", "--json"}, HostileFolder());
    PaddockRun run(command);
    // A cell's process is there: the call is under way.
    const Deadline deadline = Deadline::After(kHang);
    while (ProcessesNamed(run.pid(), "paddock-cell").empty() && ProcessesNamed(run.pid(), "cell").empty() && !deadline.passed()) {
    }
    run.Signal(number);
    const Outcome outcome = run.Finish();
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    if (!outcome.out.empty()) {
      EXPECT_STREQ(NameOf(ReportOf(outcome).status), "cancelled");
    }
    EXPECT_LT(outcome.took, std::chrono::seconds(20));
  }
}

TEST_F(ToolCall, AFullOutputIsNoSuccess) {
  Command command = Call({"list_files"});
  command.argv.insert(command.argv.begin(), {"/bin/sh", "-c", "exec \"$0\" \"$@\" >/dev/full"});
  const Outcome outcome = Perform(command);
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("could not be written"));
}

TEST_F(ToolCall, ListNamesTheToolsAndTheirSchemas) {
  const Outcome text = Perform(Paddock({"tool", "list"}));
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 9) << text.out;
  for (const char* name : {"list_files ", "read_file ", "search_text ", "git_log ", "git_blame ", "find_symbol "}) EXPECT_THAT(text.out, HasSubstr(name));
  const Outcome json = Perform(Paddock({"tool", "list", "--json"}));
  auto list = FromJson<subagents::ToolList>(*ParseJson(json.out));
  ASSERT_TRUE(list) << json.out;
  ASSERT_EQ(list->tools.size(), 9u);
  EXPECT_EQ(list->tools[1].name, "read_file");
  EXPECT_EQ(list->tools[1].parameters["required"], Json::array({"path"}));
  EXPECT_EQ(Perform(Paddock({"tool"})).status, 2);
  EXPECT_EQ(Perform(Paddock({"tool", "cal"})).status, 2);
}

}  // namespace
}  // namespace paddock::flow
