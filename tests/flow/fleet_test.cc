// Two hundred cells at once that have all been taken over, in one parent: what they make it hold is bounded for all of
// them together, each ends with its own ticket, and cells that behave are served among them.
#include <signal.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

#include "agentcore/model/scripted.h"
#include "base/memory.h"
#include "orchestrator/delegation/investigation.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::Investigation;

constexpr int kCells = 200;

struct NoEvents : orchestrator::EventSink {
  void Record(const std::string&, Json) override {}
};

// Resident memory of this process: now, and the most since the last reset (proc(5), clear_refs). KiB.
long MemoryKb(const char* field) {
  std::ifstream status("/proc/self/status");
  long kb = 0;
  for (std::string word; status >> word;)
    if (word == field) status >> kb;
  return kb;
}
void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

class FleetBase : public FlowTest {
 protected:
  // As the program does: a cell that dies may be in the middle of being written to.
  FleetBase() { signal(SIGPIPE, SIG_IGN); }
  Investigation Prepare(const std::string& behaviour, agentcore::Model* model) {
    const std::string repo = "repos/" + std::to_string(std::hash<std::string>{}(behaviour));
    Write(repo + "/README.md", "# Thing\n");
    Write(repo + "/behaviour", behaviour + "\n");
    Investigation in;
    in.ticket.id = "test";
    in.ticket.goal = "what is this?";
    // Cells that answer come to the end of their turns, on a busy machine too; the others have only their time to end them.
    in.ticket.budget.wall_ms = behaviour == "answers for ever" ? 300'000 : 30'000;
    in.definition = *subagents::BuiltinDefinition("explorer", {});
    in.profile = *sandbox::ShippedProfile("read-only");
    in.sealed_profile = *sandbox::ShippedProfile("sealed");
    in.workspace = *sandbox::ResolveWorkspace(Path(repo), {});
    in.tools = in.definition.tools;
    in.model = model;
    in.events = &events_;
    in.pool = &pool_;
    return in;
  }
  NoEvents events_;
  FramePool pool_{orchestrator::kLargeFrames};
};

// Like a language model in what is kept for it; it calls two tools every time.
struct Talker : agentcore::Model {
  std::string name() const override { return "talker"; }
  bool is_language_model() const override { return true; }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
    agentcore::ModelTurn turn;
    turn.calls = {{"", "read_file", Json{{"path", "README.md"}}}, {"", "list_files", Json::object()}};
    return turn;
  }
};

class Fleet : public FleetBase {
 protected:
  // Investigates with all at once; gives back by how much this process grew, KiB.
  long Grow(const std::vector<std::string>& behaviours, const std::function<std::unique_ptr<agentcore::Model>()>& make_model) {
    KeepMemorySmall();
    auto starter = orchestrator::CellStarter::Make(HostileFolder());
    EXPECT_TRUE(starter) << starter.error().message;
    if (!starter) return 0;
    std::vector<std::unique_ptr<agentcore::Model>> models;
    std::vector<Investigation> all;
    for (int i = 0; i < kCells; ++i) {
      models.push_back(make_model());
      all.push_back(Prepare(behaviours[static_cast<size_t>(i) % behaviours.size()], models.back().get()));
      all.back().starter = starter->get();
    }
    ResetPeak();
    const long before = MemoryKb("VmRSS:");
    tickets.assign(kCells, {});
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < kCells; ++i) threads.emplace_back([&, i] { tickets[static_cast<size_t>(i)] = orchestrator::Investigate(all[static_cast<size_t>(i)]); });
    }
    const long grown = MemoryKb("VmHWM:") - before;
    std::map<std::string, int> statuses;
    for (size_t i = 0; i < tickets.size(); ++i) ++statuses[behaviours[i % behaviours.size()] + ": " + StatusOf(tickets[i]) + ", " + tickets[i].ending.detail.substr(0, 60)];
    std::cout << "grown by " << grown / 1024 << " MiB\n";
    for (const auto& [status, count] : statuses) std::cout << count << " " << status << "\n";
    EXPECT_EQ(pool_.taken(), 0);
    EXPECT_EQ(pool_.text_room(), FramePool::kMaxText);
    starter->reset();
    EXPECT_TRUE(NothingLeft());
    return grown;
  }
  std::vector<subagents::ResultTicket> tickets;
};

TEST_F(Fleet, OfTwoHundredHostileCellsMakesTheParentGrowByLessThan150Megabytes) {
  const std::vector<std::string> behaviours = {"huge results",  "8 MB of small values", "8 MB of opening brackets", "a frame of 100 MB",         "half of a large frame",
                                               "10000 events", "late 8 MB of small values", "never read",           "late half of a large frame", "answers for ever"};
  const auto script = *agentcore::ParseScript(
      R"({"schema": "paddock/script/1", "repeat_last": true, "turns": [{"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}, {"tool": "list_files"}]}]})", "script");
  EXPECT_LE(Grow(behaviours, [&] { return std::make_unique<agentcore::ScriptedModel>(script); }), 150 * 1024);
  for (size_t i = 0; i < tickets.size(); ++i) {
    if (behaviours[i % behaviours.size()] == "answers for ever") {
      EXPECT_EQ(StatusOf(tickets[i]), "stuck") << "the script says the same for ever; " << tickets[i].ending.detail;
    }
  }
}

TEST_F(Fleet, WithLanguageModelsKeepsItsConversationsWithinBoundsToo) {
  EXPECT_LE(Grow({"huge results"}, [] { return std::make_unique<Talker>(); }), 150 * 1024);
}

}  // namespace
}  // namespace paddock::flow
