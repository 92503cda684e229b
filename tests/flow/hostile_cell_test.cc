// One task, one result: whatever the cell does, one ticket comes out, with the right word for what happened,
// in bounded time, and no process is left.
#include <signal.h>

#include <iostream>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

struct Case {
  const char* behaviour;
  const char* status;
  const char* kind;
  int exit_status = 1;
  int code = 0;              // of the ending; 0: any
  bool report = false;       // the model's report must be there
  const char* detail = "";   // a part of it
};

std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.behaviour; }

class HostileCellTest : public FlowTest {
 protected:
  Outcome PerformHostile(const std::string& behaviour, const std::string& timeout) {
    Write("repo/behaviour", behaviour + "\n");
    const std::string script = Script(R"([{"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]},
        {"report": {"summary": "what was found", "findings": [{"title": "It is a thing",
            "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}}])");
    // A subagent that may start nothing.
    return Perform(Paddock({"investigate", "architect", "what is this?", "--json", "--repo", Path("repo"), "--model", script, "--timeout", timeout}, HostileFolder()));
  }
};

class HostileCell : public HostileCellTest, public testing::WithParamInterface<Case> {};

TEST_P(HostileCell, IsOneTicket) {
  const Case& expected = GetParam();
  // Those that only the clock ends get little time.
  const bool waits = std::string(expected.status) == "timeout" || std::string(expected.kind) == "timeout";
  const Outcome outcome = PerformHostile(expected.behaviour, waits ? "2s" : "30s");
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), expected.status) << outcome.out;
  EXPECT_EQ(ticket.ending.kind, expected.kind) << outcome.out;
  if (expected.code) {
    EXPECT_EQ(ticket.ending.code, expected.code) << outcome.out;
  }
  EXPECT_THAT(ticket.ending.detail, testing::HasSubstr(expected.detail));
  EXPECT_EQ(outcome.status, expected.exit_status);
  EXPECT_EQ(ticket.summary, expected.report ? "what was found" : "");
  EXPECT_EQ(ticket.citations_verified, 0);  // it has read nothing, or nothing that is so
  EXPECT_LT(outcome.took, std::chrono::seconds(25));
}

INSTANTIATE_TEST_SUITE_P(
    BeforeReady, HostileCell,
    testing::Values(Case{"early live on", "failed_to_start", "timeout", 3}, Case{"early spin", "failed_to_start", "timeout", 3},
                    Case{"early exit 0", "failed_to_start", "exit", 3}, Case{"early exit 3", "failed_to_start", "exit", 3, 3},
                    Case{"early crash", "failed_to_start", "signal", 3, SIGSEGV, false, "SIGSEGV"},
                    Case{"early take all memory", "failed_to_start", "alloc_failed", 3, 71},
                    Case{"early close the pipe and live on", "failed_to_start", "closed_pipe", 3},
                    Case{"early garbage", "failed_to_start", "protocol_error", 3},
                    Case{"early unknown frame", "failed_to_start", "protocol_error", 3},
                    Case{"early result first", "failed_to_start", "protocol_error", 3},
                    Case{"early a frame of 100 MB", "failed_to_start", "protocol_error", 3},
                    Case{"early half a frame", "failed_to_start", "timeout", 3},
                    Case{"admit that landlock is off", "failed_to_start", "receipt", 3, 0, false, "landlock"}));

INSTANTIATE_TEST_SUITE_P(
    AfterGo, HostileCell,
    testing::Values(Case{"never read", "timeout", "timeout"}, Case{"live on", "timeout", "timeout"}, Case{"spin", "timeout", "timeout"},
                    Case{"half a frame", "timeout", "timeout"}, Case{"exit 0", "crashed", "exit"}, Case{"exit 3", "crashed", "exit", 1, 3},
                    Case{"crash", "crashed", "signal", 1, SIGSEGV}, Case{"abort", "crashed", "signal", 1, SIGABRT},
                    Case{"kill itself", "crashed", "signal", 1, SIGKILL}, Case{"take all memory", "crashed", "alloc_failed", 1, 71},
                    Case{"map all memory", "crashed", "signal", 1, SIGABRT}, Case{"fork", "crashed", "exit", 1, EPERM},
                    Case{"close the pipe and live on", "crashed", "closed_pipe"}, Case{"garbage", "crashed", "protocol_error"},
                    Case{"no object", "crashed", "protocol_error"}, Case{"duplicate keys", "crashed", "protocol_error"},
                    Case{"unknown frame", "crashed", "protocol_error"}, Case{"unknown key", "crashed", "protocol_error"},
                    Case{"a frame of 100 MB", "crashed", "protocol_error"},
                    Case{"8 MB of opening brackets", "crashed", "protocol_error"},
                    Case{"8 MB of small values", "crashed", "protocol_error"}, Case{"10000 events", "crashed", "protocol_error"},
                    Case{"result first", "crashed", "protocol_error"}, Case{"fault", "crashed", "exit"}));

// Once the model has said something, what it found is not lost with the cell.
INSTANTIATE_TEST_SUITE_P(
    InTheMiddle, HostileCell,
    testing::Values(Case{"late live on", "timeout", "timeout", 1, 0, true}, Case{"late spin", "timeout", "timeout", 1, 0, true},
                    Case{"late exit 0", "crashed", "exit", 1, 0, true}, Case{"late exit 3", "crashed", "exit", 1, 3, true},
                    Case{"late crash", "crashed", "signal", 1, SIGSEGV, true},
                    Case{"late kill itself", "crashed", "signal", 1, SIGKILL, true},
                    Case{"late take all memory", "crashed", "alloc_failed", 1, 71, true},
                    Case{"late close the pipe and live on", "crashed", "closed_pipe", 1, 0, true},
                    Case{"late garbage", "crashed", "protocol_error", 1, 0, true},
                    Case{"late a frame of 100 MB", "crashed", "protocol_error", 1, 0, true},
                    Case{"late result first", "crashed", "protocol_error", 1, 0, true},
                    Case{"wrong ids", "crashed", "protocol_error", 1, 0, true}, Case{"no answer", "crashed", "protocol_error", 1, 0, true},
                    Case{"an answer twice", "crashed", "protocol_error", 1, 0, true},
                    Case{"lie in the facts", "crashed", "protocol_error", 1, 0, true},
                    Case{"never a result", "timeout", "timeout", 1, 0, true},
                    Case{"exit 3 after the result", "crashed", "exit", 1, 3, true},
                    Case{"crash after the result", "crashed", "signal", 1, SIGSEGV, true}));

// Odd, but within the rules.
INSTANTIATE_TEST_SUITE_P(Tolerated, HostileCell,
                         testing::Values(Case{"good", "completed", "finished", 0, 0, true}, Case{"colours", "completed", "finished", 0, 0, true},
                                         Case{"empty lines", "completed", "finished", 0, 0, true},
                                         Case{"huge results", "completed", "finished", 0, 0, true},
                                         Case{"live on after the result", "completed", "finished", 0, 0, true},
                                         Case{"a second result", "completed", "finished", 0, 0, true}));

// A checker that dies at a citation costs that one; a fresh one does the rest, but not for ever.
TEST_F(HostileCellTest, CheckersThatBreakVerifyNothing) {
  std::string claims;
  for (int i = 0; i < 6; ++i)
    claims += std::string(i ? "," : "") + R"({"title": "It is a thing", "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]})";
  const std::string script = Script(R"([{"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]},
      {"report": {"summary": "what was found", "findings": [)" + claims + "]}}]");
  const std::pair<const char*, int> behaviours[] = {{"checker dies", 0}, {"checker dies at the second", 3}, {"checker answers another question", 0},
      {"checker says nonsense", 0}, {"checker floods", 0}, {"checker closes its pipe", 0}, {"checker says nothing", 0}};
  for (auto [behaviour, verified] : behaviours) {
    Write("repo/behaviour", behaviour);
    const Outcome outcome = Perform(Investigate({"--model", script}, HostileFolder()));
    const auto ticket = TicketOf(outcome);
    EXPECT_EQ(StatusOf(ticket), "completed") << behaviour << outcome.out;
    EXPECT_EQ(ticket.citations, 6) << behaviour;
    EXPECT_EQ(ticket.citations_verified, verified) << behaviour << outcome.out;
    EXPECT_THAT(ticket.notes, testing::Contains(testing::HasSubstr("checker"))) << behaviour;
    EXPECT_LT(outcome.took, std::chrono::seconds(40));
    for (const auto& finding : ticket.findings) {
      const auto& evidence = finding.evidence.at(0);
      EXPECT_TRUE(evidence.read);
      if (evidence.verification != subagents::Verification::kVerified) {
        EXPECT_EQ(evidence.verification, subagents::Verification::kUnknown);
        EXPECT_NE(evidence.note, "");
      }
    }
  }
}

// The playbook's cell sees no workspace, so this one acts as a subagent where a model is asked.
TEST_F(HostileCellTest, PlaybookThatSaysSomethingElseIsAModelError) {
  const Outcome outcome = Perform(Investigate({"--timeout", "20s"}, HostileFolder()));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "crashed") << outcome.out;
  EXPECT_EQ(ticket.ending.kind, "model_error") << outcome.out;
  EXPECT_EQ(outcome.status, 1);
}

TEST_F(HostileCellTest, CostsTheParentLittleMemory) {
  Outcome normal = PerformHostile("good", "30s");
  for (int i = 0; i < 4 && normal.peak_kb == 0; ++i) normal = PerformHostile("good", "30s");  // missed on a busy machine
  ASSERT_GT(normal.peak_kb, 0);
  for (const char* behaviour : {"a frame of 100 MB", "8 MB of opening brackets", "8 MB of small values", "10000 events", "empty lines", "early a frame of 100 MB"}) {
    const Outcome hostile = PerformHostile(behaviour, "30s");
    EXPECT_LT(hostile.most_peak_kb - normal.peak_kb, 32 * 1024) << behaviour << ": " << hostile.most_peak_kb << " kB, else " << normal.peak_kb;
    std::cout << behaviour << ": " << hostile.most_peak_kb << " kB, else " << normal.peak_kb << "\n";
  }
}

TEST_F(HostileCellTest, WordsOfItAreShownHarmless) {
  for (const char* behaviour : {"colours", "fault", "late fault"}) {
    const Outcome outcome = PerformHostile(behaviour, "30s");
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
    EXPECT_EQ((outcome.err + outcome.out).find("\u202e"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("\\u001b"), std::string::npos) << outcome.out;
  }
}

}  // namespace
}  // namespace paddock::flow
