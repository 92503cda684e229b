#include <gmock/gmock.h>

#include "tests/orchestrator/fake_cell.h"

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using subagents::NextReason;
using subagents::NextTurnFrame;
using subagents::ResultFrame;
using subagents::TicketStatus;
using subagents::TurnFrame;
using testing::HasSubstr;

std::string Turns(std::initializer_list<const char*> turns) {
  std::string out;
  for (const char* turn : turns) out += (out.empty() ? "" : ",") + std::string(turn);
  return out;
}

struct BrokerTest : BrokerFixture {};

TEST_F(BrokerTest, FromTaskToResult) {
  Script(Turns({kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.Send("event", subagents::EventFrame{"tool_started", "call-1-1", "read_file", "a\x1b[2J.c", 0});
    cell.ServeToTheEnd();
  });
  EXPECT_EQ(out.status, TicketStatus::kCompleted) << out.ending.detail;
  EXPECT_EQ(out.ending.kind, "finished");
  ASSERT_TRUE(out.report);
  EXPECT_EQ(out.report->summary, "it is a program");
  EXPECT_TRUE(out.got_result);
  EXPECT_EQ(out.usage.turns, 2);
  EXPECT_EQ(out.usage.tool_calls, 1);
  EXPECT_GT(*out.usage.output_bytes, 0);
  EXPECT_FALSE(out.usage.cpu_ms);
  EXPECT_TRUE(read.Covers("a.c", 1, 1));
  EXPECT_EQ(sink.Count("model_turn"), 2);
  EXPECT_EQ(sink.Count("frame_out"), 2);
  EXPECT_EQ(sink.Count("frame_in"), 4);
  EXPECT_GE(sink.flushes, 2);
  bool shown = false;
  for (auto& p : progress) {
    EXPECT_EQ(p.subject.find('\x1b'), std::string::npos);
    shown = shown || (p.kind == Progress::Kind::kCall && p.subject == "a.c" && p.turn == 1);
  }
  EXPECT_TRUE(shown);
}

TEST_F(BrokerTest, AModelThatGetsNowhereEndsAsStuckWithItsReport) {
  budget.turns = 30;
  // Three times the same, words, the same again, and the report that was asked for.
  Script(Turns({kReadTurn, kReadTurn, kReadTurn, R"({"text": "I will look elsewhere."})", kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.ServeToTheEnd();
  });
  EXPECT_EQ(out.status, TicketStatus::kStuck) << out.ending.detail;
  EXPECT_THAT(out.ending.detail, HasSubstr("no progress"));
  EXPECT_THAT(out.ending.detail, HasSubstr("the same call gave the same result three times"));
  EXPECT_TRUE(out.report) << "what was found is handed back";
}

TEST_F(BrokerTest, AModelThatWasToldAndFoundItsWayIsCompletedWithANote) {
  budget.turns = 30;
  Script(Turns({kReadTurn, kReadTurn, kReadTurn, R"({"text": "I will report."})", kReportTurn}));
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.ServeToTheEnd();
  });
  EXPECT_EQ(out.status, TicketStatus::kCompleted) << out.ending.detail;
  EXPECT_THAT(out.notes, testing::Contains(HasSubstr("on the way there was no progress (the same call")));
}

TEST_F(BrokerTest, NothingThatIsRecordedOrShownHoldsASecretOfTheCell) {
  // In parts, so that no secret stands here.
  const std::string secret = std::string("gh") + "p_" + "k3Xv9QmT2bLw7RzY5cHn8JdP4sFg6AuE1oNi";
  Script(R"({"text":"look: )" + secret + R"(","calls":[{"tool":"read_file","arguments":{"path":")" + secret +
         R"("}}]},)" + kReportTurn);
  auto out = Serve([&](CellSide& cell) {
    cell.Start();
    auto turn = cell.Receive<TurnFrame>("turn");
    EXPECT_EQ(turn->calls.at(0).arguments["path"], secret) << "the call itself is the model's";
    cell.Send("event", subagents::EventFrame{"tool_started", "call-1-1", "read_file", secret, 0});
    NextTurnFrame next{NextReason::kResults, {CellSide::Answer("call-1-1", "a.c", {"int main() {", "token = \"" + secret + "\""})}};
    cell.Send("next_turn", next);
    cell.Receive<TurnFrame>("turn");
    cell.Send("result", ResultFrame{1, 0});
  });
  EXPECT_EQ(out.status, TicketStatus::kCompleted) << out.ending.detail;
  std::string all;
  for (auto& [type, fields] : sink.events) all += type + DumpJson(fields) + "\n";
  for (auto& p : progress) all += p.tool + p.subject;
  EXPECT_EQ(all.find(secret), std::string::npos) << all;
  EXPECT_THAT(all, HasSubstr("token = \\\"[redacted github-token]\\\""));  // results are recorded as they were shown
  EXPECT_THAT(out.notes, testing::Contains("1 secret was redacted (1 github-token) before the model saw it"));
}

// What is shown of a long search is cut after its secrets were taken out: half of one is known to no redactor.
TEST_F(BrokerTest, ASecretAcrossTheEndOfWhatIsShownIsNotShownInPart) {
  const std::string secret = std::string("gh") + "p_" + "k3Xv9QmT2bLw7RzY5cHn8JdP4sFg6AuE1oNi";
  Script(R"({"calls":[{"tool":"search_text","arguments":{"pattern":")" + std::string(40, 'a') + " " + secret + R"("}}]},)" + kReportTurn);
  Serve([&](CellSide& cell) {
    cell.Start();
    cell.ServeToTheEnd();
  });
  std::string all;
  for (auto& p : progress) all += p.subject + "\n";
  EXPECT_THAT(all, HasSubstr(std::string(40, 'a'))) << "it is shown";
  EXPECT_EQ(all.find(secret.substr(0, 10)), std::string::npos) << all;
}

TEST_F(BrokerTest, AnOpenGoalIsPartial) {
  Script(R"({"report":{"summary":"half","complete":false}})");
  EXPECT_EQ(Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); }).status, TicketStatus::kPartial);
}

TEST_F(BrokerTest, TheTurnLimitHandsBackAReportAndIsNotCompleted) {
  budget.turns = 3;
  Script(Turns({kReadTurn, kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  EXPECT_EQ(out.status, TicketStatus::kTurnLimit);
  EXPECT_TRUE(out.report);
  EXPECT_EQ(out.usage.turns, 3);
}

TEST_F(BrokerTest, TheTurnLimitWithoutAReport) {
  budget.turns = 2;
  Script(kReadTurn, ",\"repeat_last\":true");
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  EXPECT_EQ(out.status, TicketStatus::kTurnLimit);
  EXPECT_FALSE(out.report);
}

TEST_F(BrokerTest, StuckBadReportAndEmptyAreNotCompleted) {
  auto honest = [](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); };
  Script("");
  EXPECT_EQ(Serve(honest).status, TicketStatus::kStuck);
  Script(Turns({R"({"text":"I will now read"})", R"({"text":"really"})"}));
  EXPECT_EQ(Serve(honest).status, TicketStatus::kStuck);
  Script(Turns({R"({"report":{"summary":""}})", R"({"report":{"sumary":"x"}})"}));
  auto out = Serve(honest);
  EXPECT_EQ(out.status, TicketStatus::kStuck);
  EXPECT_THAT(out.ending.detail, HasSubstr("refused twice: $.summary"));
  Script(Turns({R"({"report":{"summary":""}})", R"({"report":{"summary":"now"}})"}));
  EXPECT_EQ(Serve(honest).status, TicketStatus::kCompleted);
}

TEST_F(BrokerTest, AFailedPlaybookIsNotToldToTryAClearerGoal) {
  struct Bad : agentcore::Model {
    explicit Bad(bool language) : language(language) {}
    std::string name() const override { return language ? "big" : "playbook"; }
    bool is_language_model() const override { return language; }
    Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
      agentcore::ModelTurn turn;
      turn.calls = {{"", "report", Json{{"summary", ""}}}};
      return turn;
    }
    bool language;
  };
  auto honest = [](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); };
  model = std::make_unique<Bad>(true);
  EXPECT_THAT(Serve(honest).ending.hint, HasSubstr("a clearer goal"));
  model = std::make_unique<Bad>(false);
  const auto out = Serve(honest);
  EXPECT_EQ(out.status, TicketStatus::kStuck);
  EXPECT_THAT(out.ending.hint, testing::AllOf(HasSubstr("the playbook itself failed"), testing::Not(HasSubstr("clearer goal"))));
}

TEST_F(BrokerTest, BudgetsLeadToAReportAndNotToCompleted) {
  auto honest = [](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); };
  budget.tool_calls = 0;  // none, not unlimited
  Script(Turns({kReadTurn, kReportTurn}));
  auto out = Serve(honest);
  EXPECT_EQ(out.status, TicketStatus::kBudget);
  EXPECT_TRUE(out.report);
  EXPECT_EQ(out.usage.tool_calls, 0);
  budget = {};
  budget.output_bytes = 5;
  Script(Turns({kReadTurn, kReportTurn}));
  EXPECT_EQ(Serve(honest).status, TicketStatus::kBudget);
  EXPECT_FALSE(read.Covers("a.c", 1, 1));
  budget = {};
  budget.tokens = 1000;
  Script(Turns({R"({"calls":[{"tool":"read_file"}],"usage":{"input_tokens":5000}})", kReportTurn}));
  out = Serve(honest);
  EXPECT_EQ(out.status, TicketStatus::kBudget);
  EXPECT_TRUE(out.report);
  EXPECT_THAT(out.notes, testing::Contains(HasSubstr("beyond the budget")));
}

TEST_F(BrokerTest, BeforeTheDeadlineTheCellIsToldToWrapUp) {
  wall = 1500ms;  // told at 750 ms
  Script(Turns({kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    auto turn = cell.Receive<TurnFrame>("turn");
    ASSERT_TRUE(turn);
    ASSERT_TRUE(cell.Receive<subagents::WrapUpFrame>("wrap_up"));
    auto skipped = cell.Answer(turn->calls[0].id);
    skipped.result = agentcore::ToolFailure(agentcore::ToolStatus::kTimeout, "skipped", "");
    cell.Send("next_turn", NextTurnFrame{NextReason::kWrapUp, {skipped}});
    ASSERT_TRUE(cell.Receive<TurnFrame>("turn")->final);
    cell.Send("result", ResultFrame{0, 0});  // skipped calls don't count
  });
  EXPECT_EQ(out.status, TicketStatus::kTimeout);
  EXPECT_TRUE(out.report);
  EXPECT_TRUE(out.got_result);
  EXPECT_EQ(out.ending.kind, "finished");
}

TEST_F(BrokerTest, AModelThatHangsIsAskedForItsReportBeforeTheDeadline) {
  wall = 1000ms;
  Script(Turns({kReadTurn, R"({"delay_ms":60000})", kReportTurn}));
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  EXPECT_EQ(out.status, TicketStatus::kTimeout);
  EXPECT_TRUE(out.report);
}

TEST_F(BrokerTest, AModelThatAlwaysHangsTimesOut) {
  wall = 600ms;
  Script(R"({"delay_ms":60000})", ",\"repeat_last\":true");
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  EXPECT_EQ(out.status, TicketStatus::kTimeout);
  EXPECT_FALSE(out.report);
  EXPECT_LT(took, 20s);
}

TEST_F(BrokerTest, ASilentCellCostsNothingThatWasFound) {
  wall = 1000ms;
  Script(Turns({kReadTurn, kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    auto turn = cell.Receive<TurnFrame>("turn");
    cell.Send("next_turn", NextTurnFrame{NextReason::kResults, {cell.Answer(turn->calls[0].id)}});
    while (cell.Receive<TurnFrame>("turn")) continue;  // for ever silent
  });
  EXPECT_EQ(out.status, TicketStatus::kTimeout);
  EXPECT_EQ(out.ending.kind, "timeout");
  ASSERT_TRUE(out.report);
  EXPECT_TRUE(read.Covers("a.c", 1, 1));
  EXPECT_LT(took, 20s);
}

TEST_F(BrokerTest, ACellThatNeverStartsTimesOutWithoutAskingTheModel) {
  wall = 500ms;
  Script(kReportTurn);
  auto out = Serve([](CellSide& cell) { cell.Receive<TurnFrame>("turn"); });
  EXPECT_EQ(out.status, TicketStatus::kTimeout);
  EXPECT_EQ(out.usage.turns, 0);
}

TEST_F(BrokerTest, ACellThatEndsEarlyIsCrashedAndTheReportIsSaved) {
  Script(Turns({kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
  });
  EXPECT_EQ(out.status, TicketStatus::kCrashed);
  EXPECT_EQ(out.ending.kind, "exit");
  ASSERT_TRUE(out.report);
  EXPECT_FALSE(out.got_result);
}

TEST_F(BrokerTest, ACellThatEndsBeforeItsResultIsNotCompleted) {
  Script(kReportTurn);
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
  });
  EXPECT_EQ(out.status, TicketStatus::kCrashed);
  EXPECT_TRUE(out.report);
}

TEST_F(BrokerTest, WhatWasSentBeforeTheEndIsStillTaken) {
  Script(kReportTurn);
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.Send("event", subagents::EventFrame{"tool_started", "", "x", "", 0});
    cell.ServeToTheEnd();
  });  // the pipe is closed and the jail ended right after the result
  EXPECT_EQ(out.status, TicketStatus::kCompleted);
}

TEST_F(BrokerTest, ACellThatClosesItsPipeAndLivesOn) {
  Script(Turns({kReadTurn, kReportTurn}));
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.Receive<TurnFrame>("turn"); }, /*lives_on=*/true);
  EXPECT_EQ(out.status, TicketStatus::kCrashed);
  EXPECT_EQ(out.ending.kind, "closed_pipe");
  EXPECT_TRUE(out.report);
}

TEST_F(BrokerTest, AResultThatDoesNotComeIsATimeout) {
  result_grace = 100ms;
  Script(kReportTurn);
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
    cell.WaitForEnd();
  });
  EXPECT_EQ(out.status, TicketStatus::kTimeout);
  EXPECT_TRUE(out.report);
}

TEST_F(BrokerTest, CancelEndsItAtOnce) {
  auto stop = MakePipe();
  cancel_fd = stop->read.get();
  Script(Turns({kReadTurn, kReportTurn}));
  auto out = Serve([&](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
    stop->write.reset();
    cell.WaitForEnd();
  });
  EXPECT_EQ(out.status, TicketStatus::kCancelled);
  EXPECT_EQ(out.ending.kind, "cancelled");
  EXPECT_LT(took, 20s);
}

TEST_F(BrokerTest, AModelErrorEndsTheTicketAndKeepsTheRest) {
  struct Broken : agentcore::Model {
    std::string name() const override { return "broken"; }
    bool is_language_model() const override { return true; }
    Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override { return Fail(ErrorKind::kClosed, "went\x1b away"); }
  };
  model = std::make_unique<Broken>();
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  EXPECT_EQ(out.status, TicketStatus::kCrashed);
  EXPECT_EQ(out.ending.kind, "model_error");
  EXPECT_EQ(out.ending.detail, "went\\u{1B} away");
}

TEST_F(BrokerTest, TheReserveForTheReport) {
  EXPECT_EQ(WrapUpReserve(300s), 30s);
  EXPECT_EQ(WrapUpReserve(10s), 2s);
  EXPECT_EQ(WrapUpReserve(1s), 500ms);
}

}  // namespace
}  // namespace paddock::orchestrator
