// What is refused before a planned run begins.
#include "tests/flow/exec_fixture.h"

namespace paddock::flow {
namespace {

using testing::HasSubstr;

class ExecPlannerTest : public ExecTest {
 protected:
  void Refused(std::vector<std::string> more, const std::string& why) {
    outcome_ = Perform(Exec(std::move(more)));
    EXPECT_EQ(outcome_.status, 2) << outcome_.err;
    EXPECT_THAT(outcome_.err, HasSubstr(why));
  }
};

const std::vector<std::string> kServer{"--base-url", "http://127.0.0.1:9/v1", "--model", "m"};

std::vector<std::string> With(std::vector<std::string> more) {
  more.insert(more.end(), kServer.begin(), kServer.end());
  return more;
}

TEST_F(ExecPlannerTest, APlaybookMakesNoPlans) { Refused({"--planner", "explorer"}, "a playbook makes no plans"); }
TEST_F(ExecPlannerTest, MustBeOnOffer) { Refused(With({"--planner", "explorerr"}), "explorer"); }
TEST_F(ExecPlannerTest, IsNotWithPlanOnly) { Refused(With({"--planner", "explorer", "--plan"}), "--plan"); }
TEST_F(ExecPlannerTest, IsNotInQuarantine) { Refused(With({"--planner", "explorer", "--quarantine"}), "--quarantine"); }

}  // namespace
}  // namespace paddock::flow
