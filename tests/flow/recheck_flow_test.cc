// `paddock recheck` on real records and files.
#include <filesystem>

#include "orchestrator/delegation/recheck.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using subagents::Verification;
using testing::HasSubstr;

class RecheckFlow : public FlowTest {
 protected:
  void SetUp() override {
    Write("repo/notes.txt", "first\nsecond\nthird\n");
    const std::string script = Script(R"([{"calls": [{"tool": "read_file", "arguments": {"path": "notes.txt"}}]}, {"report": {"summary": "Three lines.", "findings": [{"title": "It says second",
      "evidence": [{"path": "notes.txt", "line_start": 2, "line_end": 2, "quote": "second"}]}]}}])");
    run_ = Perform(Investigate({"--model", script}));
    ticket_ = TicketOf(run_);
    ASSERT_EQ(ticket_.citations_verified, 1) << run_.out;
  }
  orchestrator::Recheck Recheck(std::vector<std::string> more) {
    more.insert(more.begin(), "recheck");
    more.push_back("--json");
    outcome_ = Perform(Paddock(more));
    auto json = ParseJson(outcome_.out);
    EXPECT_TRUE(json) << outcome_.out << outcome_.err;
    if (!json) return {};
    auto recheck = FromJson<orchestrator::Recheck>(*json);
    EXPECT_TRUE(recheck) << recheck.error().message;
    return recheck ? *recheck : orchestrator::Recheck{};
  }
  Outcome run_, outcome_;
  subagents::ResultTicket ticket_;
};

TEST_F(RecheckFlow, TheTicketSaysWhatWasRead) {
  ASSERT_TRUE(ticket_.reads);
  ASSERT_EQ(ticket_.reads->size(), 1u);
  EXPECT_EQ(ticket_.reads->at(0).path, "notes.txt");
  EXPECT_EQ(ticket_.reads->at(0).line_end, 3);
}

TEST_F(RecheckFlow, TheIdOfARunIsEnough) {
  const auto recheck = Recheck({ticket_.id});
  EXPECT_EQ(outcome_.status, 0) << outcome_.err;
  EXPECT_EQ(recheck.ticket, ticket_.id);
  EXPECT_EQ(recheck.repository, fs::canonical(Path("repo")).string());
  EXPECT_EQ(recheck.verified, 1);
  EXPECT_EQ(recheck.results.at(0).same_bytes, true);
}

TEST_F(RecheckFlow, OnANewerTreeItSaysWhatChangedAndWhatMoved) {
  Write("repo/notes.txt", "zero\nfirst\nsecond\nthird\n");
  auto recheck = Recheck({Path("state/paddock/runs/" + ticket_.id)});
  EXPECT_EQ(outcome_.status, 1) << outcome_.err;
  ASSERT_TRUE(recheck.results.at(0).moved_to);
  EXPECT_EQ(recheck.results[0].moved_to->line_start, 3);
  Write("repo/notes.txt", "first\n2nd\nthird\n");
  recheck = Recheck({ticket_.id});
  EXPECT_EQ(recheck.results.at(0).now, Verification::kChanged);
  const Outcome text = Perform(Paddock({"recheck", ticket_.id}));
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, HasSubstr("changed       notes.txt:2"));
}

TEST_F(RecheckFlow, AFileNeedsTheRepositoryToBeNamed) {
  Write("ticket.json", run_.out);
  EXPECT_EQ(Recheck({Path("ticket.json"), "--repo", Path("repo")}).verified, 1);
  const Outcome outcome = Perform(Paddock({"recheck", Path("ticket.json")}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("--repo"));
}

TEST_F(RecheckFlow, SomebodyElsesRecordDoesNotSayWhere) {
  fs::copy(Path("state/paddock/runs/" + ticket_.id), Path("copied"), fs::copy_options::recursive);
  EXPECT_EQ(Perform(Paddock({"recheck", Path("copied")})).status, 2);
  EXPECT_EQ(Recheck({Path("copied"), "--repo", Path("repo")}).verified, 1);
}

TEST_F(RecheckFlow, AHostileTicketSeesNothingThatIsHidden) {
  Write("repo/keys.secret", "the plan\n");
  Write("outside.txt", "outside of the tree\n");
  Write("config/paddock/profiles/mine.json", R"({"schema": "paddock/profile/1", "name": "mine", "extends": "read-only", "filesystem": {"hide": ["*.secret"]}})");
  const auto evidence = [](const std::string& path, const std::string& quote) {
    return R"({"path": ")" + path + R"(", "line_start": 1, "line_end": 1, "quote": ")" + quote + R"(", "sha256": null, "verification": "verified", "read": true, "note": ""})";
  };
  Write("hostile.json", R"({"id": "x", "subagent": "explorer", "findings": [{"title": "t", "severity": "info", "detail": "", "confidence": "low", "evidence": [)" + evidence("keys.secret", "the plan") + ", " +
                            evidence("keys.secret", "no plan") + ", " + evidence("../outside.txt", "outside of the tree") + ", " + evidence(Path("outside.txt"), "outside of the tree") +
                            R"(]}], "reads": [{"path": "keys.secret", "line_start": 1, "line_end": 9}, {"path": "../outside.txt", "line_start": 1, "line_end": 9}, {"path": ")" + Path("outside.txt") +
                            R"(", "line_start": 1, "line_end": 9}]})");
  const auto recheck = Recheck({Path("hostile.json"), "--repo", Path("repo"), "--profile", "mine"});
  EXPECT_EQ(outcome_.status, 1) << outcome_.err;
  ASSERT_EQ(recheck.results.size(), 4u);
  EXPECT_EQ(recheck.results[0].now, Verification::kUnknown);
  EXPECT_EQ(recheck.results[0].note, recheck.results[1].note) << "a right guess and a wrong one are answered alike";
  for (const auto& one : recheck.results) EXPECT_NE(one.now, Verification::kVerified) << one.path;
}

TEST_F(RecheckFlow, BadInputStartsNothing) {
  Write("broken.json", "{");
  Write("other.json", "{}");
  for (const std::string& named : {std::string("nowhere"), Path("broken.json"), Path("other.json"), Path("repo"), std::string("")}) {
    const Outcome outcome = Perform(Paddock({"recheck", named, "--repo", Path("repo")}));
    EXPECT_EQ(outcome.status, 2) << named << outcome.out;
    EXPECT_TRUE(outcome.err.starts_with("paddock: ")) << outcome.err;
  }
}

}  // namespace
}  // namespace paddock::flow
