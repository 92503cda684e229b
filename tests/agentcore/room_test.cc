// A conversation that is longer than its model's window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentcore/context/compaction.h"
#include "agentcore/context/conversation.h"
#include "agentcore/context/token_estimate.h"

namespace paddock::agentcore {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int64_t kWindow = 32'768;
constexpr int64_t kBudget = kWindow * 70 / 100, kWithError = kBudget * 103 / 100;  // the conversation can only estimate

constexpr int64_t kMessage = 8;  // what a server counts for a message or a call besides its text

// Of everything that a model is sent. Not the conversation's own count.
int64_t TokensOf(const ModelRequest& request) {
  int64_t tokens = EstimateTokens(request.system) + EstimateTokens(request.goal) + EstimateTokens(request.context) + EstimateTokens(request.memory) + EstimateTokens(request.notice);
  for (const ToolSpec& tool : request.tools) tokens += kMessage + EstimateTokens(tool.description) + EstimateTokens(DumpJson(tool.parameters));
  for (const TranscriptTurn& turn : request.past) {
    tokens += kMessage + EstimateTokens(turn.notice) + EstimateTokens(turn.answer.text);
    for (const CallOutcome& outcome : turn.shown) tokens += kMessage + EstimateTokens(outcome.text);
    for (const ToolCall& call : turn.answer.calls) tokens += kMessage + EstimateTokens(call.tool) + EstimateTokens(DumpJson(call.arguments));
  }
  for (const CallOutcome& outcome : request.latest) tokens += kMessage + EstimateTokens(outcome.text);
  return tokens;
}

// Reads one file after the other; writes notes when it is asked to.
class ReadingModel : public Model {
 public:
  std::string name() const override { return "reading"; }
  bool is_language_model() const override { return true; }
  int64_t context_window() const override { return window; }
  Result<ModelTurn> Next(const ModelRequest& request, const Deadline&) override {
    const int64_t tokens = TokensOf(request);
    most_tokens = std::max(most_tokens, tokens);
    ModelTurn turn;
    turn.usage = {tokens * rate / 100, 10, false};
    if (request.report.name == kNotesTool) {
      ++asked_for_notes;
      notes_requests.push_back(request.context);
      turn.calls = notes ? notes(asked_for_notes) : std::vector<ToolCall>{};
      return turn;
    }
    ++questions;
    goals += request.goal == "the goal" && request.system.starts_with("the rules");
    last_memory = request.memory;
    if (request.past.size() >= 2) whole_results += request.past.back().shown.empty() || request.past.back().shown[0].text.find("left out to save room") == std::string::npos;
    if (request.wrap_up || questions > turns) {
      turn.calls = {{"", "report", Json{{"summary", "done"}}}};
      return turn;
    }
    turn.text = "I read file number " + std::to_string(questions) + " now, since the one before led there.";
    turn.calls = {{"", "read_file", Json{{"path", "src/file" + std::to_string(questions) + ".c"}}}};
    return turn;
  }
  std::function<std::vector<ToolCall>(int)> notes;
  int64_t window = kWindow, most_tokens = 0, rate = 100;
  int turns = 200, questions = 0, goals = 0, whole_results = 0, asked_for_notes = 0;
  std::vector<std::string> notes_requests;
  std::string last_memory;
};

class OpenHost : public ConversationHost {
 public:
  Result<int64_t> AdmitTurn(bool, size_t) override { return 0; }
  void SettleTurn(const ModelUsage&) override {}
  size_t RoomForResults(size_t) override { return SIZE_MAX; }
  size_t AdmitCalls(size_t wanted) override { return wanted; }
  size_t ChargeOutput(size_t bytes) override { return bytes; }
  Status CheckReport(const Json&) override { return {}; }
  void OnOutcomes(const std::vector<CallOutcome>& outcomes, const std::vector<SeenExcerpt>&) override {
    for (const CallOutcome& outcome : outcomes) kept += outcome.text.size();
  }
  void OnTurn(const TranscriptTurn&, const std::vector<std::string>&) override {}
  Result<int64_t> AdmitNotes(size_t) override { return notes_allowed ? Result<int64_t>(0) : Fail(ErrorKind::kLimit, "none"); }
  void SettleNotes(const ModelUsage& usage) override { notes_cost += usage.input_tokens; }
  void OnRoom(RoomStep step, int64_t tokens, int64_t budget, const std::string&) override {
    ++steps[step];
    fits &= step == RoomStep::kFull || step == RoomStep::kPruned || tokens <= budget;
  }
  void OnTextFreed(size_t bytes) override { kept -= bytes; }
  bool notes_allowed = true, fits = true;
  int64_t notes_cost = 0;
  size_t kept = 0;
  std::map<RoomStep, int> steps;
};

std::string Line(int turn, int n) {
  return "  static int value_" + std::to_string(turn) + "_" + std::to_string(n) + " = compute(input[" + std::to_string(n * 7) + "], \"name of it\");  // what is kept here";
}

struct RoomTest : testing::Test {
  // `bytes` of lines a turn.
  void Run(size_t bytes = 20'000) {
    ConversationSetup setup;
    setup.system = "the rules";
    setup.goal = "the goal";
    setup.tools = {{"read_file", "reads a file", Json::object()}};
    setup.max_turns = 1000;
    conversation = std::make_unique<TicketConversation>(setup, &model, &host);
    std::vector<CallReply> replies;
    for (;;) {
      auto turn = conversation->Next(std::move(replies), Deadline::Never(), Deadline::Never());
      ASSERT_TRUE(turn);
      if (turn->final) return;
      replies.clear();
      for (const ToolCall& call : turn->calls) {
        ToolResult result;
        result.success = true;
        result.status = ToolStatus::kOk;
        result.summary = "lines of " + call.arguments["path"].get<std::string>();
        Artifact excerpt{"excerpt", call.arguments["path"], 1, {}, {}, {}, {}, Json::object()};
        for (size_t size = 0; size < bytes; size += excerpt.lines.back().size()) excerpt.lines.push_back(Line(conversation->turns(), static_cast<int>(excerpt.lines.size())));
        result.artifacts = {excerpt};
        replies.push_back({call.id, result});
      }
    }
  }
  ReadingModel model;
  OpenHost host;
  std::unique_ptr<TicketConversation> conversation;
};

std::vector<ToolCall> OneFact(int n) { return {{"", kNotesTool, Json{{"facts", {"fact number " + std::to_string(n)}}, {"open_questions", {"question " + std::to_string(n)}}, {"done", {"read some files"}}}}}; }

TEST_F(RoomTest, TwoHundredTurnsAndFourMegabytesStayInsideTheWindow) {
  model.notes = OneFact;
  Run();
  EXPECT_EQ(conversation->end(), ConversationEnd::kReport);
  EXPECT_EQ(model.questions, 201);
  EXPECT_EQ(model.goals, 201) << "the goal and the rules were in every question";
  EXPECT_LE(model.most_tokens, kWithError);
  EXPECT_GE(model.whole_results, 195) << "the results of the turn before stay whole";
  EXPECT_GT(host.steps[RoomStep::kPruned], 0);
  EXPECT_GT(host.steps[RoomStep::kNoted], 0);
  EXPECT_GT(host.notes_cost, 0);
  EXPECT_LT(host.kept, size_t{200'000});
  EXPECT_TRUE(host.fits);
}

TEST_F(RoomTest, NoFactIsLostAndOpenQuestionsAreTheLastOnes) {
  model.notes = OneFact;
  Run();
  ASSERT_GE(model.asked_for_notes, 2);
  for (int n = 1; n <= model.asked_for_notes; ++n) EXPECT_THAT(model.last_memory, HasSubstr("fact number " + std::to_string(n)));
  EXPECT_THAT(model.last_memory, HasSubstr("question " + std::to_string(model.asked_for_notes)));
  EXPECT_THAT(model.last_memory, Not(HasSubstr("question 1\n")));
  EXPECT_THAT(model.last_memory, HasSubstr("<untrusted_content id=")) << "it is material, not instructions";
  EXPECT_THAT(model.last_memory, HasSubstr("Turn 1")) << "digests of turns that are not long ago";
}

TEST_F(RoomTest, WithoutNotesWhatWasCalledIsKept) {
  Run();  // the model answers with no call of notes
  EXPECT_EQ(conversation->end(), ConversationEnd::kReport);
  EXPECT_EQ(model.asked_for_notes, 4) << "two tries of two pieces, then it is not asked any more";
  EXPECT_GT(host.steps[RoomStep::kForgotten], 1);
  EXPECT_THAT(model.last_memory, HasSubstr("read_file {\"path\":\"src/file"));
  EXPECT_LE(model.most_tokens, kWithError);
}

TEST_F(RoomTest, WithoutABudgetForNotesNobodyIsAsked) {
  host.notes_allowed = false;
  model.notes = OneFact;
  Run();
  EXPECT_EQ(model.asked_for_notes, 0);
  EXPECT_EQ(conversation->end(), ConversationEnd::kReport);
}

TEST_F(RoomTest, NotesThatAreLongerThanTheTurnsAreAskedForAgain) {
  model.notes = [](int n) {
    if (n % 2 == 0) return OneFact(n);
    Json facts = Json::array();
    for (int i = 0; i < 60; ++i) facts.push_back(std::string(900, static_cast<char>('a' + i % 26)));
    return std::vector<ToolCall>{{"", kNotesTool, Json{{"facts", facts}}}};
  };
  Run();
  EXPECT_THAT(model.last_memory, HasSubstr("fact number 2"));
  EXPECT_THAT(model.last_memory, Not(HasSubstr("aaaaaaaa")));
}

TEST_F(RoomTest, ManySmallTurnsAreSummedUpInPieces) {
  model.window = 6'000;
  model.notes = OneFact;
  Run(200);
  EXPECT_EQ(conversation->end(), ConversationEnd::kReport);
  EXPECT_LE(model.most_tokens, model.window * 70 / 100 * 103 / 100) << "the question for notes too";
  EXPECT_GT(model.asked_for_notes, 3);
}

TEST_F(RoomTest, AServerThatCountsMoreThanWeDoIsBelieved) {
  model.rate = 150;
  model.notes = OneFact;
  Run();
  EXPECT_LE(model.most_tokens * 150 / 100, kWithError);
}

TEST_F(RoomTest, ResultsThatAreTooLargeForTheWindowAreCut) {
  model.turns = 6;
  Run(400'000);
  EXPECT_EQ(conversation->end(), ConversationEnd::kReport);
  EXPECT_LE(model.most_tokens, kWithError);
}

TEST_F(RoomTest, WithoutAWindowNothingIsLeftOut) {
  model.window = 0;
  model.turns = 30;
  Run();
  EXPECT_TRUE(host.steps.empty());
  EXPECT_EQ(conversation->transcript().size(), 31u);
  EXPECT_EQ(model.last_memory, "");
}

TEST_F(RoomTest, PeopleAreWarnedBeforeItIsFull) {
  model.turns = 18;
  Run(3'000);
  EXPECT_EQ(host.steps[RoomStep::kWarning], 1);
  EXPECT_EQ(host.steps.size(), 1u);
}

TEST_F(RoomTest, AWindowThatTheGoalAloneFillsIsAnErrorAndNobodyIsAsked) {
  model.window = 1'200;
  ConversationSetup setup;
  setup.system = "the rules";
  setup.max_turns = 10;
  for (int i = 0; i < 400; ++i) setup.goal += "and then there is this to be done ";
  TicketConversation talk(setup, &model, &host);
  EXPECT_TRUE(talk.Next({}, Deadline::Never(), Deadline::Never())->final);
  EXPECT_EQ(talk.end(), ConversationEnd::kModelError);
  EXPECT_THAT(talk.error().message, HasSubstr("too small"));
  EXPECT_EQ(model.questions, 0);
}

}  // namespace
}  // namespace paddock::agentcore
