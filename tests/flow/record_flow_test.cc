// The record of a whole run: private, sound, the same as what was printed; readable after a crash; and a run
// that can't keep one is not started.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "orchestrator/session/record.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;

class RecordFlow : public FlowTest {
 protected:
  std::string TheRun() {
    std::vector<std::string> runs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(Path("state/paddock/runs"), ignored)) runs.push_back(entry.path());
    EXPECT_EQ(runs.size(), 1u);
    return runs.empty() ? "" : runs[0];
  }
  static mode_t ModeOf(const std::string& path) {
    struct stat info {};
    lstat(path.c_str(), &info);
    return info.st_mode & 07777;
  }
  static constexpr char kTurns[] = R"([{"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]},
      {"delay_ms": %, "report": {"summary": "s", "findings": [{"title": "t",
       "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}}])";
  std::string ScriptWithDelay(int ms) {
    std::string turns = kTurns;
    return Script(turns.replace(turns.find('%'), 1, std::to_string(ms)));
  }
};

TEST_F(RecordFlow, IsSoundPrivateAndWhatWasPrinted) {
  Command command = Investigate({"--model", ScriptWithDelay(0)});
  const Outcome outcome = Perform(command);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string folder = TheRun();
  auto record = orchestrator::LoadRecord(folder);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_THAT(record->problems, testing::IsEmpty());
  ASSERT_TRUE(record->result && record->ticket);
  EXPECT_EQ(DumpJson(*record->result) + "\n", outcome.out);
  EXPECT_EQ((*record->ticket)["goal"], "what is this?");
  EXPECT_EQ((*record->ticket)["id"], (*record->result)["id"]);
  EXPECT_TRUE(folder.ends_with("/" + (*record->result)["id"].get<std::string>()));
  for (const std::string& each : {Path("state/paddock"), Path("state/paddock/runs"), folder}) EXPECT_EQ(ModeOf(each), 0700u) << each;
  for (const auto& entry : fs::directory_iterator(folder)) EXPECT_EQ(ModeOf(entry.path()), 0600u) << entry.path();
  // Whole turns and whole results are in it.
  std::vector<std::string> types;
  std::string text;
  for (const Json& event : record->events) {
    types.push_back(event["type"]);
    text += DumpJson(event);
  }
  for (const char* type : {"created", "receipt", "model_turn", "frame_in", "frame_out", "outcomes", "jail_ended", "result"})
    EXPECT_THAT(types, testing::Contains(type));
  EXPECT_THAT(text, testing::HasSubstr("A thing that does one thing."));
  EXPECT_EQ(types.back(), "result");
}

TEST_F(RecordFlow, IsPrivateWhateverTheUmask) {
  const mode_t before = umask(0);
  const Outcome outcome = Perform(Investigate({"--model", ScriptWithDelay(0)}));
  umask(before);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const auto& entry : fs::recursive_directory_iterator(Path("state/paddock")))
    EXPECT_EQ(ModeOf(entry.path()), entry.is_directory() ? 0700u : 0600u) << entry.path();
}

TEST_F(RecordFlow, OfAKilledRunIsAReadablePrefix) {
  PaddockRun run(Investigate({"--model", ScriptWithDelay(600'000)}));
  ASSERT_TRUE(run.WaitForLine("read_file"));
  run.Signal(SIGKILL);
  run.Finish();
  auto record = orchestrator::LoadRecord(TheRun());
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_THAT(record->problems, testing::IsEmpty());
  EXPECT_TRUE(record->ticket.has_value());
  EXPECT_FALSE(record->result.has_value());
  EXPECT_GE(record->events.size(), 4u);
}

TEST_F(RecordFlow, OfAStoppedRunHoldsItsResult) {
  PaddockRun run(Investigate({"--model", ScriptWithDelay(600'000)}));
  ASSERT_TRUE(run.WaitForLine("read_file"));
  run.Signal(SIGTERM);
  const Outcome outcome = run.Finish();
  auto record = orchestrator::LoadRecord(TheRun());
  ASSERT_TRUE(record && record->result);
  EXPECT_EQ(DumpJson(*record->result) + "\n", outcome.out);
}

// failed_to_start, exit 3, with a hint; and nothing of the run is left half made.
#define EXPECT_NOT_STARTED(outcome, part)                        \
  {                                                              \
    const auto ticket = TicketOf(outcome);                       \
    EXPECT_EQ(StatusOf(ticket), "failed_to_start");              \
    EXPECT_EQ((outcome).status, 3);                              \
    EXPECT_NE(ticket.ending.hint, "") << (outcome).out;          \
    EXPECT_THAT(ticket.ending.detail, testing::HasSubstr(part)); \
    EXPECT_EQ(ticket.receipt, Json(nullptr));                    \
  }

TEST_F(RecordFlow, FolderThatIsAFile) {
  fs::remove(Path("state"));
  Write("state", "a file");
  EXPECT_NOT_STARTED(Perform(Investigate({})), "state");
}

TEST_F(RecordFlow, FolderThatCantBeWritten) {
  Command command = Investigate({});
  // For root too: /proc takes no folders.
  command.environment["XDG_STATE_HOME"] = "/proc/paddock-test";
  EXPECT_NOT_STARTED(Perform(command), "/proc/paddock-test");
  if (geteuid() != 0) {
    fs::permissions(Path("state"), fs::perms(0500));
    EXPECT_NOT_STARTED(Perform(Investigate({})), "state");
    fs::permissions(Path("state"), fs::perms(0700));
  }
}

TEST_F(RecordFlow, FolderThatIsALinkOrOpenToOthers) {
  fs::create_directory(Path("elsewhere"));
  fs::create_directory_symlink(Path("elsewhere"), Path("state/paddock"));
  EXPECT_NOT_STARTED(Perform(Investigate({})), "symbolic link");
  EXPECT_THAT(List("elsewhere"), testing::IsEmpty());
  fs::remove(Path("state/paddock"));
  fs::create_directory(Path("state/paddock"));
  fs::permissions(Path("state/paddock"), fs::perms(0777));
  EXPECT_NOT_STARTED(Perform(Investigate({})), "open to other users");
}

TEST_F(RecordFlow, DiskThatIsFullFromTheStart) {
  Command command = Investigate({});
  command.largest_file = 0;
  EXPECT_NOT_STARTED(Perform(command), "");
  for (const std::string& path : List("state")) EXPECT_EQ(path.find("result.json"), std::string::npos);
}

TEST_F(RecordFlow, DiskThatFillsUpDuringTheRun) {
  // A subagent without programs: the plan of its jail is small, and is a file too.
  Command command = Paddock({"investigate", "architect", "what is this?", "--json", "--repo", Path("repo"), "--model", ScriptWithDelay(0)});
  command.largest_file = 6000;
  const Outcome outcome = Perform(command);
  const auto ticket = TicketOf(outcome);
  // The investigation is not lost, and the ticket says what the record lacks.
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out;
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(ticket.notes, testing::Contains(testing::HasSubstr("record")));
  auto record = orchestrator::LoadRecord(TheRun());
  ASSERT_TRUE(record);
  EXPECT_GE(record->events.size(), 1u);
}

}  // namespace
}  // namespace paddock::flow
