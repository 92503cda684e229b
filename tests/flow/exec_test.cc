// Runs of the main agent with real cells and a scripted model.
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "orchestrator/session/record.h"
#include "tests/flow/exec_fixture.h"

namespace paddock::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr char kRead[] = R"({"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]})";
constexpr char kReport[] = R"({"report": {"summary": "It is a thing.", "findings": [{"title": "It is a thing",
    "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}})";

std::string Turns(std::initializer_list<std::string> turns) {
  std::string list;
  for (const std::string& turn : turns) list += (list.empty() ? "" : ", ") + turn;
  return "[" + list + "]";
}
std::string Delegate(int children) {
  std::string calls;
  for (int i = 0; i < children; ++i) calls += (calls.empty() ? "" : ", ") + std::string(R"({"tool": "subagent_explorer", "arguments": {"goal": "what is part )") + std::to_string(i) + R"(?"}})";
  return R"({"calls": [)" + calls + "]}";
}

TEST_F(ExecTest, LooksAndReports) {
  const auto run = Run(Script(Turns({R"({"text": "I look.", "calls": [{"tool": "list_files"}, {"tool": "read_file", "arguments": {"path": "README.md"}},
      {"tool": "search_text", "arguments": {"pattern": "main"}}]})", kReport})));
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(run.result.answer, "It is a thing.");
  EXPECT_EQ(run.result.citations, 1);
  EXPECT_EQ(run.result.citations_verified, 1) << outcome_.out;
  EXPECT_EQ(run.result.usage.turns, 2);
  EXPECT_EQ(run.result.usage.tool_calls, 3);
  EXPECT_TRUE(run.result.usage.peak_rss_kb.has_value());
  EXPECT_FALSE(run.result.receipt.is_null());
  EXPECT_THAT(run.result.notes, Contains(HasSubstr("no language model")));
  EXPECT_EQ(run.OfType("turn").size(), 2u);
  ASSERT_EQ(run.OfType("text").size(), 1u);
  EXPECT_EQ(run.OfType("text")[0]["text"], "I look.");
  EXPECT_EQ(run.OfType("call_started").size(), 3u);
  EXPECT_EQ(run.OfType("call_finished").size(), 3u);
  for (const Json& call : run.OfType("call_finished")) EXPECT_EQ(call["status"], "ok") << call;
}

TEST_F(ExecTest, PlainWordsAreAnAnswer) {
  const auto run = Run(Script(Turns({kRead, R"({"text": "It is a thing: README.md:1."})"})));
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(run.result.answer, "It is a thing: README.md:1.");
  EXPECT_TRUE(run.result.findings.empty());
  EXPECT_EQ(run.result.citations, 0);
}

TEST_F(ExecTest, KeepsARecordWithItsResult) {
  const auto run = Run(Script(Turns({kRead, kReport})));
  const std::string folder = "state/paddock/runs/" + run.result.id;
  EXPECT_EQ(run.events[0]["record"], Path(folder));
  auto record = orchestrator::LoadRecord(Path(folder));
  ASSERT_TRUE(record);
  EXPECT_THAT(record->problems, testing::IsEmpty());
  ASSERT_TRUE(record->result.has_value());
  EXPECT_EQ(*record->result, ToJson(run.result));
  EXPECT_EQ((*record->ticket)["task"], "what is this?");
}

TEST_F(ExecTest, PlaysThePlaybookWhereThereIsNoModel) {
  outcome_ = Perform(Exec({"--json"}));
  const auto run = ExecRunOf(outcome_);
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(run.result.model, "playbook");
  EXPECT_GT(run.result.citations, 0);
  EXPECT_EQ(run.result.citations_verified, run.result.citations) << outcome_.out;
  EXPECT_THAT(run.result.notes, Contains(HasSubstr("no language model")));
}

TEST_F(ExecTest, PrintsTheAnswerAndASummary) {
  outcome_ = Perform(Exec({"--model", Script(Turns({kRead, kReport}))}));
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(outcome_.out, "> It is a thing.\n\n> It is a thing\n  ✓ README.md:1\n      | # Thing\n\n1 of 1 citation verified (100 %), opened again in a fresh jail.\n");
  EXPECT_THAT(outcome_.err, HasSubstr("paddock: completed: 2 turns, 1 call, 1 of 1 citation verified (100 %)"));
  EXPECT_THAT(outcome_.err, HasSubstr("record: " + Path("state/paddock/runs/")));
}

TEST_F(ExecTest, DelegatesSideBySide) {
  const auto run = Run(Script(Turns({Delegate(3), kReport})));
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  ASSERT_EQ(run.result.children.size(), 3u);
  for (const auto& child : run.result.children) {
    EXPECT_EQ(NameOf(child.status), std::string("completed"));
    EXPECT_GT(child.citations_verified, 0);
    EXPECT_NE(child.id, run.result.id);
    auto record = orchestrator::LoadRecord(Path("state/paddock/runs/" + child.id));
    ASSERT_TRUE(record) << child.id;
    const auto parent = std::find_if(record->events.begin(), record->events.end(), [](const Json& event) { return event["type"] == "parent"; });
    ASSERT_NE(parent, record->events.end());
    EXPECT_EQ((*parent)["data"]["id"], run.result.id);
  }
  ASSERT_EQ(run.OfType("subagent_started").size(), 3u);
  // Each is tied to the call that it answers, by its goal here.
  for (const Json& started : run.OfType("subagent_started"))
    for (const Json& call : run.OfType("call_started"))
      EXPECT_EQ(call["subject"] == started["goal"], started["call"] == call["id"]) << started << call;
  for (const auto& child : run.result.children) EXPECT_THAT(child.summary, HasSubstr("Main language")) << "what the playbook found";
  EXPECT_EQ(run.OfType("subagent_finished").size(), 3u);
  EXPECT_FALSE(run.OfType("subagent_progress").empty());
  EXPECT_GT(*run.result.usage_total.tool_calls, *run.result.usage.tool_calls);
  // What the model was shown of it, by the record.
  const std::string events = Read("state/paddock/runs/" + run.result.id + "/events.jsonl");
  EXPECT_THAT(events, HasSubstr("findings:"));
  EXPECT_THAT(events, HasSubstr("  verified"));
}

TEST_F(ExecTest, AChildGetsAPartOfWhatIsLeft) {
  const auto run = Run(Script(Turns({Delegate(1), kReport})), {"--timeout", "30s"});
  ASSERT_EQ(run.result.children.size(), 1u) << outcome_.out;
  auto record = orchestrator::LoadRecord(Path("state/paddock/runs/" + run.result.children[0].id));
  ASSERT_TRUE(record && record->ticket);
  const Json& budget = (*record->ticket)["budget"];
  EXPECT_LT(budget["wall_ms"], 30'000);
  EXPECT_GT(budget["wall_ms"], 10'000);
  EXPECT_LE(budget["tokens"], 5'000'000 / 4);
  EXPECT_EQ(budget["turns"], 12) << "its own";
  // What it used is in the sum.
  EXPECT_EQ(run.result.usage_total.output_bytes, *run.result.usage.output_bytes + *run.result.children[0].usage.output_bytes);
}

TEST_F(ExecTest, ATurnOfSixtyFourCallsIsAnsweredWhole) {
  std::string calls;
  for (int i = 0; i < 64; ++i) calls += (i ? ", " : "") + std::string(R"({"tool": "search_text", "arguments": {"pattern": "thing)") + std::to_string(i) + R"("}})";
  const auto run = Run(Script(Turns({R"({"calls": [)" + calls + "]}", kReport})));
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(run.result.usage.tool_calls, 64);
  for (const Json& call : run.OfType("call_finished")) EXPECT_EQ(call["success"], true) << call;
  EXPECT_THAT(run.result.notes, testing::Not(Contains(HasSubstr("was lost"))));
}

TEST_F(ExecTest, ACallThatIsWrongIsAResult) {
  const auto run = Run(Script(Turns({R"({"calls": [{"tool": "subagent_explorer", "arguments": {}}, {"tool": "subagent_nobody", "arguments": {"goal": "x"}}]})", kRead, kReport})));
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(run.OfType("call_finished").size(), 1u) << "the others are never run";
  EXPECT_EQ(run.Finished(0)["tool"], "read_file");
  EXPECT_THAT(Read("state/paddock/runs/" + run.result.id + "/events.jsonl"), HasSubstr("subagent_nobody"));
  EXPECT_TRUE(run.result.children.empty());
}

TEST_F(ExecTest, MoreThan32ChildrenAreRefusedByTheLimitsName) {
  const auto run = Run(Script(Turns({Delegate(33), kReport})));
  EXPECT_EQ(run.result.children.size(), 32u);
  const auto calls = run.OfType("call_finished");
  EXPECT_EQ(std::count_if(calls.begin(), calls.end(), [](const Json& call) { return call["summary"].get<std::string>().find("limit children") != std::string::npos; }), 1);
}

TEST_F(ExecTest, TheUserSaysHowManySubagentsARunMayHave) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "subagents": {"at_once": 1, "per_run": 2}})");
  const auto run = Run(Script(Turns({Delegate(3), kReport})));
  EXPECT_EQ(run.result.children.size(), 2u) << outcome_.out;
  std::string order;
  for (const Json& event : run.events) {
    if (event["type"] == "subagent_started") order += "<";
    if (event["type"] == "subagent_finished") order += ">";
  }
  EXPECT_EQ(order, "<><>") << "one at a time";
  EXPECT_THAT(run.result.notes, Contains(HasSubstr("1 subagent was asked for beyond the 2 that a run may have, and not started: subagents.per_run")));
}

// Each takes a quarter of what is left: the next one waits for what the others give back.
TEST_F(ExecTest, ManySubagentsAtOnceWaitForTheirPartOfTheBudget) {
  Write("config/paddock/config.json", R"({"schema": "paddock/config/1", "subagents": {"at_once": 64, "per_run": 64}})");
  const auto run = Run(Script(Turns({Delegate(40), kReport})));
  EXPECT_EQ(run.result.children.size(), 40u) << outcome_.out.substr(0, 2000);
  for (const auto& child : run.result.children) EXPECT_EQ(child.status, subagents::TicketStatus::kCompleted) << child.id;
}

TEST_F(ExecTest, APlanHasFewTurns) {
  std::string turns;
  for (int i = 1; i <= 12; ++i) turns += (i > 1 ? ", " : "") + std::string(R"({"calls": [{"tool": "search_text", "arguments": {"pattern": "word)") + std::to_string(i) + R"("}}]})";
  const auto run = Run(Script("[" + turns + "]"), {"--plan"});
  EXPECT_TRUE(run.result.plan);
  EXPECT_EQ(run.events[0]["max_turns"], 8);
  EXPECT_EQ(run.result.usage.turns, 8) << outcome_.out;
  EXPECT_NE(StatusOf(run.result), "completed");
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(ExecTest, TurnsThatRunOutAreNoSuccess) {
  const auto run = Run(Script(Turns({kRead, kRead, kReport})), {"--max-turns", "3"});
  EXPECT_EQ(StatusOf(run.result), "turn_limit") << outcome_.out;
  EXPECT_EQ(run.result.answer, "It is a thing.");
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(ExecTest, TimeThatRunsOutIsNoSuccess) {
  const auto run = Run(Script(Turns({kRead, R"({"delay_ms": 60000, "calls": []})"})), {"--timeout", "2s"});
  EXPECT_EQ(StatusOf(run.result), "timeout") << outcome_.out;
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(ExecTest, OneTurnIsSpokenOfAsOne) {
  const auto run = Run(Script(Turns({kRead})), {"--max-turns", "1"});
  EXPECT_THAT(run.result.ending.detail, testing::Not(HasSubstr("1 turns"))) << outcome_.out;
  EXPECT_EQ(outcome_.out.find("all 1 "), std::string::npos) << outcome_.out;
}

TEST_F(ExecTest, ADashReadsTheTaskFromStandardInput) {
  Command command = Exec({"--json", "--model", Script(Turns({kRead, kReport}))});
  *std::find(command.argv.begin(), command.argv.end(), "what is this?") = "-";
  command.input = "what is this,\nand how is it built?\n";
  outcome_ = Perform(command);
  const auto run = ExecRunOf(outcome_);
  EXPECT_EQ(StatusOf(run.result), "completed") << outcome_.out;
  EXPECT_EQ(run.result.task, "what is this,\nand how is it built?");
  for (const auto& [input, said] : std::vector<std::pair<std::string, std::string>>{{"", "no task"}, {" \n", "no task"}, {"a\xff", "UTF-8"}, {std::string(65'537, 'a'), "64 KiB"}}) {
    command.input = input;
    outcome_ = Perform(command);
    EXPECT_EQ(outcome_.status, 2) << outcome_.out;
    EXPECT_THAT(ExecRunOf(outcome_).result.ending.detail, HasSubstr(said));
  }
}

constexpr char kMine[] = "---\nname: mine\npurpose: Looks at mine.\ntools: [read_file]\nprofile: read-only\nturns: 3\nseconds: 30\n---\nYou look at mine.\n";

TEST_F(ExecTest, OnesOwnSubagentsNeedALanguageModel) {
  Write("config/paddock/subagents/mine.md", kMine);
  const auto run = Run(Script(Turns({kRead, kReport})));
  EXPECT_THAT(DumpJson(run.events[0]["tools"]), testing::AllOf(HasSubstr("\"subagent_explorer\""), testing::Not(HasSubstr("subagent_mine"))));
  ASSERT_EQ(run.OfType("warning").size(), 1u) << outcome_.out;
  EXPECT_THAT(run.OfType("warning")[0]["text"].get<std::string>(), HasSubstr("subagent mine is not on offer: it has no playbook"));
}

TEST_F(ExecTest, BadUsageIsAResultToo) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"exec", "--json"}, {"exec", "a", "b", "--json"}, {"exec", "a", "--json", "--no-such-flag"},
                                                {"exec", "a", "--json", "--repo", "/no/such/folder"}, {"exec", "a", "--json", "--max-turns", "0"}}) {
    outcome_ = Perform(Paddock(words));
    EXPECT_EQ(outcome_.status, 2) << outcome_.out;
    EXPECT_EQ(StatusOf(ExecRunOf(outcome_).result), "failed_to_start");
  }
}

TEST_F(ExecTest, WithoutItsProgramsItSaysSo) {
  std::filesystem::create_directory(Path("bin"));
  std::filesystem::copy(ProgramsFolder() + "/paddock", Path("bin/paddock"));
  outcome_ = Perform(Exec({"--json"}, Path("bin")));
  EXPECT_EQ(outcome_.status, 3);
  EXPECT_EQ(StatusOf(ExecRunOf(outcome_).result), "failed_to_start");
}

TEST_F(ExecTest, StandardOutputThatIsFullOrClosedIsAnError) {
  const std::string script = Script(Turns({kRead, kReport}));
  for (const std::string where : {">/dev/full", ">&-"})
    for (const std::string json : {"", "--json"}) {
      Command command = Exec({"--model", script});
      std::string line = "exec";
      for (const std::string& word : command.argv) line += " '" + word + "'";
      command.argv = {"/bin/sh", "-c", line + " " + json + " " + where};
      outcome_ = Perform(command);
      EXPECT_EQ(outcome_.status, 4) << line << json << where << outcome_.err;
      EXPECT_THAT(outcome_.err, HasSubstr("could not be written"));
    }
}

TEST_F(ExecTest, AReaderThatGoesAwayStopsTheRun) {
  Command command = Exec({"--json", "--model", Script(Turns({kRead, R"({"delay_ms": 50000, "text": "late"})"}))});
  std::string line;
  for (const std::string& word : command.argv) line += "'" + word + "' ";
  command.argv = {"/bin/sh", "-c", "{ " + line + "; echo status $? >&2; } | head -n 3 >/dev/null"};
  outcome_ = Perform(command);
  EXPECT_THAT(outcome_.err, HasSubstr("status 4"));
  EXPECT_LT(outcome_.took, std::chrono::seconds(20));
}

}  // namespace
}  // namespace paddock::flow
