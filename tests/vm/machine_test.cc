// What only a machine of run.sh can show: a kernel that was started without Landlock, and each version of control groups.
// A suite is named for its machine. A machine that isn't what it should be fails here first, so that no other test is
// content with less.
#include <algorithm>

#include "orchestrator/delegation/investigation.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"
#include "tests/vm/machine_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::DoctorReport;
using testing::HasSubstr;

using Cgroup2 = MachineTest;
TEST_F(Cgroup2, BindsAllThatIsLimited) {
  const DoctorReport report = Doctor();
  EXPECT_TRUE(report.works);
  EXPECT_EQ(StepOf(report, "cgroups"), "ok: v2, binds memory processes cpu");
}

using Cgroup1 = MachineTest;
TEST_F(Cgroup1, BindsAllThatIsLimited) {
  const DoctorReport report = Doctor();
  EXPECT_TRUE(report.works);
  EXPECT_EQ(StepOf(report, "cgroups"), "ok: v1, binds memory processes cpu");
}

using NoLandlock = MachineTest;
TEST_F(NoLandlock, ShippedProfilesAreRefusedByName) {
  const Outcome outcome = Perform(Investigate({}));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(StatusOf(ticket), "failed_to_start") << outcome.out;
  EXPECT_THAT(ticket.ending.detail, HasSubstr("landlock"));
  EXPECT_THAT(ticket.ending.hint, HasSubstr("lsm= boot parameter"));
  EXPECT_THAT(List("tmp"), testing::IsEmpty());
}

TEST_F(NoLandlock, TheDoctorNamesItAndItsMend) {
  const DoctorReport report = Doctor();
  EXPECT_FALSE(report.works);
  EXPECT_THAT(StepOf(report, "landlock"), HasSubstr("missing"));
  EXPECT_THAT(report.mends, testing::Contains(HasSubstr("lsm= boot parameter")));
}

// Says that nothing was found; remembers that it was asked.
struct BriefModel : agentcore::Model {
  std::string name() const override { return "brief"; }
  bool is_language_model() const override { return false; }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
    asked = true;
    return agentcore::ModelTurn{};
  }
  bool asked = false;
};

struct NoRecord : orchestrator::EventSink {
  void Record(const std::string&, Json) override {}
};

TEST_F(NoLandlock, AProfileThatDoesNotRequireItRunsAndTheReceiptSaysThatItIsAbsent) {
  auto starter = orchestrator::CellStarter::Make(ProgramsFolder());
  ASSERT_TRUE(starter) << starter.error().message;
  orchestrator::Investigation in;
  in.ticket.id = "test";
  in.ticket.goal = "what is this?";
  in.definition = *subagents::BuiltinDefinition("explorer", {});
  in.profile = *sandbox::ShippedProfile("read-only");
  in.sealed_profile = *sandbox::ShippedProfile("sealed");
  std::erase(in.profile.require, sandbox::Layer::kLandlock);
  in.profile.optional.push_back(sandbox::Layer::kLandlock);
  in.workspace = *sandbox::ResolveWorkspace(Path("repo"), {});
  in.tools = in.definition.tools;
  BriefModel model;
  NoRecord events;
  FramePool pool(orchestrator::kLargeFrames);
  in.model = &model;
  in.starter = starter->get();
  in.events = &events;
  in.pool = &pool;
  const auto ticket = orchestrator::Investigate(in);
  EXPECT_TRUE(model.asked) << StatusOf(ticket) << " " << ticket.ending.detail;
  ASSERT_TRUE(ticket.receipt.is_object());
  int seen = 0;
  for (const Json& layer : ticket.receipt["layers"]) {
    const bool is_landlock = layer["layer"] == "landlock";
    seen += is_landlock;
    EXPECT_EQ(layer["in_force"].get<bool>(), !is_landlock) << layer.dump();
  }
  EXPECT_EQ(seen, 1);
  starter->reset();
  EXPECT_TRUE(NothingLeft());
}

}  // namespace
}  // namespace paddock::flow
