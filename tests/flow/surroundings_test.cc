// What paddock is started in is not always tidy: closed and stray descriptors, ignored signals, low limits, a
// folder that is gone, many runs at once.
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;

class Surroundings : public FlowTest {
 protected:
  // `prelude` is shell; "$@" is the command.
  Outcome After(const std::string& prelude) {
    Command command = Investigate({});
    std::vector<std::string> argv{"/bin/sh", "-c", prelude, "sh"};
    argv.insert(argv.end(), command.argv.begin(), command.argv.end());
    command.argv = argv;
    return Perform(command);
  }
};

TEST_F(Surroundings, AStandardErrorThatNobodyReads) {
  // A pipe that is full and stays so.
  const Outcome outcome = After("cd " + Path("tmp") + " && mkfifo f && exec 3<>f && head -c 65536 /dev/zero >&3 && rm f && exec \"$@\" 2>&3 3>&-");
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out;
}

TEST_F(Surroundings, ClosedDescriptors) {
  Outcome outcome = After("exec \"$@\" 0<&-");
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out << outcome.err;
  outcome = After("exec \"$@\" 2>&-");
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out;
  outcome = After("exec \"$@\" 0<&- 2>&-");
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out;
  // Nobody gets the ticket: paddock must not say that all went well.
  outcome = After("exec \"$@\" 1>&-");
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  outcome = After("exec \"$@\" 0<&- 1>&- 2>&-");
  EXPECT_EQ(outcome.status, 4);
}

// Without /proc paddock can't tell where its programs are. It looked in the current folder once, which is the
// repository.
TEST_F(Surroundings, WithoutProcNoProgramOfTheRepositoryRuns) {
  Write("repo/paddock-jail", "#!/bin/sh\necho > '" + Path("tmp/ran") + "'\n");
  fs::permissions(Path("repo/paddock-jail"), fs::perms(0755));
  const Outcome outcome =
      After("cd '" + Path("repo") + "'; exec unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /proc; exec \"$@\"' sh \"$@\"");
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "failed_to_start") << outcome.out << outcome.err;
  EXPECT_THAT(ticket.ending.hint, testing::HasSubstr("mount /proc"));
  EXPECT_FALSE(fs::exists(Path("tmp/ran")));
}

TEST_F(Surroundings, StrayDescriptors) {
  // Of the caller's files: none may reach a jail (the receipt looks), and none may be in the way.
  const Outcome outcome = After("exec 3</etc/passwd 4</ 5</etc/hostname 6</dev/null 9</; exec \"$@\"");
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out << outcome.err;
}

TEST_F(Surroundings, IgnoredSignals) {
  const Outcome outcome = After("trap '' CHLD PIPE HUP USR1; exec \"$@\"");
  EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out << outcome.err;
}

TEST_F(Surroundings, LowLimits) {
  for (const char* limit : {"-n 16", "-n 64", "-n 150", "-n 230", "-v 200000", "-s 256", "-c 0", "-l 0", "-f 1"}) {
    const Outcome outcome = After(std::string("ulimit ") + limit + "; exec \"$@\"");
    const auto ticket = TicketOf(outcome);
    EXPECT_THAT(StatusOf(ticket), testing::AnyOf("completed", "failed_to_start")) << limit << outcome.out << outcome.err;
    if (StatusOf(ticket) == "failed_to_start") {
      EXPECT_EQ(outcome.status, 3) << limit;
      EXPECT_NE(ticket.ending.hint, "") << limit << outcome.out;
    }
    EXPECT_LT(outcome.took, std::chrono::seconds(20)) << limit << outcome.out;
  }
}

TEST_F(Surroundings, CurrentFolderThatIsGone) {
  Command command = Paddock({"-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" investigate explorer what --json", ProgramsFolder() + "/paddock"});
  command.argv[0] = "/bin/sh";
  command.folder = Path("home");
  const Outcome outcome = Perform(command);
  EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
}

TEST_F(Surroundings, ManyRunsAtOnce) {
  std::vector<std::unique_ptr<PaddockRun>> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(std::make_unique<PaddockRun>(Investigate({})));
  std::vector<Outcome> outcomes;
  for (auto& run : runs) outcomes.push_back(run->Finish());
  for (const Outcome& outcome : outcomes) EXPECT_EQ(StatusOf(TicketOf(outcome)), "completed") << outcome.out << outcome.err;
  std::vector<std::string> results;
  for (const std::string& path : List("state"))
    if (path.ends_with("result.json")) results.push_back(path);
  EXPECT_EQ(results.size(), 8u);
}

}  // namespace
}  // namespace paddock::flow
