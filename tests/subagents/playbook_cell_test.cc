// A playbook cell over pipes, with a playbook of the test's own.
#include <gmock/gmock.h>

#include "cell_under_test.h"

namespace paddock::subagents {
namespace {

class Echo : public Playbook {
 public:
  agentcore::ModelTurn Next(const ModelRequestFrame& request) override {
    agentcore::ModelTurn turn;
    turn.text = request.goal + " " + std::to_string(request.turn) + " of " + std::to_string(request.max_turns);
    turn.calls.push_back({"", request.wrap_up ? "report" : "list_files", Json::object()});
    return turn;
  }
};

CellOptions Options() {
  CellOptions options;
  options.workspace = "/proc/self/no-such-folder";  // a playbook needs none
  options.playbook = [](std::string_view name) -> std::unique_ptr<Playbook> {
    if (name != "echo") return nullptr;
    return std::make_unique<Echo>();
  };
  return options;
}

TaskFrame Task(std::string name) {
  TaskFrame task;
  task.kind = CellKind::kPlaybook;
  task.playbook = std::move(name);
  return task;
}

TEST(PlaybookCell, AnswersEachRequestUntilThePipeIsClosed) {
  CellUnderTest cell(Options());
  cell.Start(Task("echo"));
  cell.Say("model_request", ModelRequestFrame{"look", "", {}, 1, 3, false});
  auto turn = cell.Hear<ModelTurnFrame>("model_turn").turn;
  EXPECT_EQ(turn.text, "look 1 of 3");
  // An id is the parent's to give; the playbook's empty one must not break the frame.
  EXPECT_EQ(turn.calls.at(0).tool, "list_files");
  cell.Say("model_request", ModelRequestFrame{"look", "", {}, 2, 3, true});
  EXPECT_EQ(cell.Hear<ModelTurnFrame>("model_turn").turn.calls.at(0).tool, "report");
  EXPECT_EQ(cell.Exit(), 0);
}

TEST(PlaybookCell, EndsAtAnUnknownPlaybook) {
  CellUnderTest cell(Options());
  cell.Start(Task("ecko"));
  EXPECT_THAT(cell.Hear<FaultFrame>("fault").message, testing::HasSubstr("ecko"));
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

TEST(PlaybookCell, EndsAtFramesOfOtherCells) {
  CellUnderTest cell(Options());
  cell.Start(Task("echo"));
  cell.Say("cite", CiteFrame{1, "a", 1, 1});
  cell.Hear<FaultFrame>("fault");
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

}  // namespace
}  // namespace paddock::subagents
