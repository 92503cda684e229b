// A jail that is not the one its profile requires is none: failed_to_start, naming the layer, and no tool ran.
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>

#include "orchestrator/delegation/investigation.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using sandbox::BuiltPlan;

// What was recorded, by its type.
struct Recorder : orchestrator::EventSink {
  void Record(const std::string& type, Json) override { types.push_back(type); }
  std::vector<std::string> types;
};

// A model that nobody may ask.
struct NeverAsked : agentcore::Model {
  std::string name() const override { return "never"; }
  bool is_language_model() const override { return false; }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
    asked = true;
    return agentcore::ModelTurn{};
  }
  bool asked = false;
};

struct LeftOut {
  const char* name;  // of the layer, as it must be named
  void (*leave_out)(BuiltPlan*);
};
std::ostream& operator<<(std::ostream& out, const LeftOut& one) { return out << one.name; }

class MissingLayer : public FlowTest, public testing::WithParamInterface<LeftOut> {};

TEST_P(MissingLayer, IsNamedAndNothingRuns) {
  auto starter = orchestrator::CellStarter::Make(ProgramsFolder());
  ASSERT_TRUE(starter) << starter.error().message;
  (*starter)->change_plan = GetParam().leave_out;
  orchestrator::Investigation in;
  in.ticket.id = "test";
  in.ticket.goal = "what is this?";
  in.definition = *subagents::BuiltinDefinition("architect", {});
  in.profile = *sandbox::ShippedProfile("read-only");
  in.sealed_profile = *sandbox::ShippedProfile("sealed");
  in.workspace = *sandbox::ResolveWorkspace(Path("repo"), {});
  in.tools = in.definition.tools;
  NeverAsked model;
  Recorder events;
  FramePool pool(orchestrator::kLargeFrames);
  in.model = &model;
  in.starter = starter->get();
  in.events = &events;
  in.pool = &pool;
  const auto ticket = orchestrator::Investigate(in);
  EXPECT_EQ(StatusOf(ticket), "failed_to_start") << ticket.ending.detail;
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr(GetParam().name));
  EXPECT_FALSE(model.asked);
  EXPECT_THAT(events.types, testing::ElementsAre("workspace", "not_started", "result"));
  EXPECT_EQ(ticket.usage.tool_calls, std::nullopt);
  starter->reset();
  EXPECT_TRUE(NothingLeft());
}

INSTANTIATE_TEST_SUITE_P(
    Layers, MissingLayer,
    testing::Values(LeftOut{"seccomp", [](BuiltPlan* built) { built->plan.filter.clear(); }},
                    LeftOut{"seccomp_second", [](BuiltPlan* built) { built->second_filter = std::string("\x06\0\0\0\0\0\xff\x7f", 8); }},
                    LeftOut{"landlock", [](BuiltPlan* built) { built->plan.landlock = false; }},
                    LeftOut{"landlock", [](BuiltPlan* built) { built->plan.landlock_rules.push_back({"/", ~uint64_t{0}}); }},
                    LeftOut{"capabilities", [](BuiltPlan* built) { built->plan.drop_capabilities = false; }},
                    LeftOut{"pid", [](BuiltPlan* built) { built->plan.namespaces &= ~uint64_t{CLONE_NEWPID}; }},
                    LeftOut{"ipc", [](BuiltPlan* built) { built->plan.namespaces &= ~uint64_t{CLONE_NEWIPC}; }},
                    LeftOut{"uts", [](BuiltPlan* built) { built->plan.namespaces &= ~uint64_t{CLONE_NEWUTS}; }},
                    LeftOut{"cgroup", [](BuiltPlan* built) { built->plan.namespaces &= ~uint64_t{CLONE_NEWCGROUP}; }},
                    LeftOut{"net", [](BuiltPlan* built) { built->plan.network = sandbox::Network::kHost; }},
                    LeftOut{"keyring", [](BuiltPlan* built) { built->plan.new_keyring = false; }},
                    // Without it nothing without capabilities may confine itself: the stage fails.
                    LeftOut{"landlock", [](BuiltPlan* built) { built->plan.no_new_privs = false; }}));

class BadInstallation : public FlowTest {
 protected:
  // A folder with paddock and its two helpers, the last to be spoilt.
  std::string Programs() {
    const std::string folder = Path("bin");
    fs::create_directory(folder);
    for (const char* name : {"paddock", "paddock-jail", "paddock-cell"}) fs::copy_file(ProgramsFolder() + "/" + name, folder + "/" + name);
    return folder;
  }
  subagents::ResultTicket FailedWith(const std::string& folder) {
    outcome_ = Perform(Investigate({}, folder));
    EXPECT_EQ(outcome_.status, 3) << outcome_.err;
    auto ticket = TicketOf(outcome_);
    EXPECT_EQ(StatusOf(ticket), "failed_to_start") << outcome_.out;
    EXPECT_NE(ticket.ending.hint, "") << outcome_.out;
    return ticket;
  }
  Outcome outcome_;
};

TEST_F(BadInstallation, WithoutLauncher) {
  const std::string folder = Programs();
  fs::remove(folder + "/paddock-jail");
  EXPECT_THAT(FailedWith(folder).ending.detail, testing::HasSubstr("paddock-jail"));
}

TEST_F(BadInstallation, LauncherThatIsNotExecutable) {
  const std::string folder = Programs();
  fs::permissions(folder + "/paddock-jail", fs::perms(0644));
  EXPECT_THAT(FailedWith(folder).ending.detail, testing::HasSubstr("paddock-jail"));
}

TEST_F(BadInstallation, LauncherThatIsNoProgram) {
  const std::string folder = Programs();
  fs::remove(folder + "/paddock-jail");
  Write("bin/paddock-jail", "garbage");
  fs::permissions(folder + "/paddock-jail", fs::perms(0755));
  EXPECT_THAT(FailedWith(folder).ending.detail, testing::HasSubstr("launcher"));
}

TEST_F(BadInstallation, LauncherThatEndsAtOnce) {
  const std::string folder = Programs();
  fs::remove(folder + "/paddock-jail");
  Write("bin/paddock-jail", "#!/bin/sh\nexit 3\n");
  fs::permissions(folder + "/paddock-jail", fs::perms(0755));
  const auto ticket = FailedWith(folder);
  EXPECT_EQ(ticket.ending.kind, "launcher_dead");
}

TEST_F(BadInstallation, WithoutCell) {
  const std::string folder = Programs();
  fs::remove(folder + "/paddock-cell");
  EXPECT_THAT(FailedWith(folder).ending.detail, testing::HasSubstr("paddock-cell"));
}

TEST_F(BadInstallation, CellThatIsNotExecutable) {
  const std::string folder = Programs();
  fs::permissions(folder + "/paddock-cell", fs::perms(0644));
  EXPECT_NE(FailedWith(folder).ending.detail, "");
}

TEST_F(BadInstallation, CellThatIsNoProgram) {
  const std::string folder = Programs();
  Write("bin/paddock-cell", "garbage");
  EXPECT_THAT(FailedWith(folder).ending.detail, testing::HasSubstr("stage exec"));
}

// A machine on which a system call is refused: the stage and the error are in the ticket.
struct Refusal {
  const char* call;
  int error;
  const char* stage;
};
std::ostream& operator<<(std::ostream& out, const Refusal& one) { return out << one.call; }

class RefusingMachine : public BadInstallation, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusingMachine, IsNamed) {
  const std::string folder = Programs();
  fs::rename(folder + "/paddock-jail", folder + "/paddock-jail-itself");
  Write("bin/paddock-jail", "#!/bin/sh\nexec '" + ProgramsFolder() + "/deny_syscall' " + GetParam().call + " " +
                                std::to_string(GetParam().error) + " '" + folder + "/paddock-jail-itself'\n");
  fs::permissions(folder + "/paddock-jail", fs::perms(0755));
  const auto ticket = FailedWith(folder);
  EXPECT_EQ(ticket.ending.kind, "setup_error") << outcome_.out;
  EXPECT_EQ(ticket.ending.code, GetParam().error) << outcome_.out;
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr(std::string("stage ") + GetParam().stage));
}

INSTANTIATE_TEST_SUITE_P(Calls, RefusingMachine,
                         testing::Values(Refusal{"clone3", EPERM, "launcher"}, Refusal{"pivot_root", EPERM, "launcher"},
                                         Refusal{"landlock_create_ruleset", ENOSYS, "landlock"}, Refusal{"seccomp", ENOSYS, "filter"},
                                         Refusal{"setresuid", EPERM, "ids"}, Refusal{"capset", EPERM, "privileges"}));

}  // namespace
}  // namespace paddock::flow
