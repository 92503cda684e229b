// Many tickets share one launcher: one whose time is up while its jail is being built takes nobody else's along.
#include <signal.h>

#include "base/child_process.h"
#include "orchestrator/delegation/cell_starter.h"
#include "sandbox/profile_json.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::CellStarter;

class Impatient : public FlowTest {
 protected:
  Impatient() {
    signal(SIGPIPE, SIG_IGN);
    auto made = CellStarter::Make(ProgramsFolder());
    EXPECT_TRUE(made) << made.error().message;
    if (made) starter_ = *std::move(made);
    profile_ = *sandbox::ShippedProfile("read-only");
    workspace_ = *sandbox::ResolveWorkspace(Path("repo"), {});
  }
  auto Start(const Deadline& deadline) { return starter_->Start({.profile = &profile_, .workspace = &workspace_}, deadline); }

  std::unique_ptr<CellStarter> starter_;
  sandbox::Profile profile_;
  sandbox::Workspace workspace_;
};

TEST_F(Impatient, OneWhoseTimeIsUpTakesNobodyElseAlong) {
  auto first = Start(Deadline::After(kHang));
  ASSERT_TRUE(first) << first.error().error.message;
  int given_up = 0;
  for (int i = 0; i < 40; ++i) {
    auto cell = Start(Deadline::After(std::chrono::microseconds(100 * i)));
    if (cell) continue;
    ++given_up;
    EXPECT_EQ(cell.error().kind, "timeout") << cell.error().error.message;
  }
  EXPECT_GT(given_up, 0);
  EXPECT_FALSE(EndedByPidfd(first->jail.payload_pidfd(), Deadline::After({}))) << "the jail of another was ended";
  auto last = Start(Deadline::After(kHang));
  EXPECT_TRUE(last) << last.error().error.message;
  first->jail.Stop();
  if (last) last->jail.Stop();
  starter_.reset();
  EXPECT_TRUE(NothingLeft());
}

}  // namespace
}  // namespace paddock::flow
