// Findings as a person reads them.
#include "orchestrator/report/findings_text.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "orchestrator/report/exec_text.h"
#include "orchestrator/report/ticket_text.h"

namespace paddock::orchestrator {
namespace {

TEST(FindingsText, AFindingWithoutALineSaysThatNothingCouldBeChecked) {
  subagents::Finding finding;
  finding.title = "a.exe is a program";
  finding.detail = "By its name and kind.";
  std::string out;
  AddFindings(&out, {finding}, {});
  EXPECT_THAT(out, testing::HasSubstr("no line is quoted: nothing to check\n"));
  EXPECT_THAT(out, testing::Not(testing::HasSubstr("evidence")));
}

// A path is the agent's to choose, and what stands behind it on the line is paddock's.
TEST(FindingsText, APathThatReadsAsAVerdictStandsInQuotes) {
  subagents::Finding finding;
  finding.title = "x";
  subagents::Evidence evidence;
  evidence.path = "x.c:1-3  verified (1 of 1) \"";
  evidence.line_start = evidence.line_end = 7;
  evidence.verification = subagents::Verification::kUnknown;
  evidence.note = "this line was not read";
  finding.evidence.push_back(evidence);
  std::string out;
  AddFindings(&out, {finding}, {});
  EXPECT_THAT(out, testing::HasSubstr("  ? \"x.c:1-3 \\x20verified (1 of 1) \\x22\":7  unknown: this line was not read\n"));
}

TEST(FindingsText, AnOrdinaryPathStandsAsItIs) {
  EXPECT_EQ(PathInLine("src/a_b-1.2/main.c++", 80), "src/a_b-1.2/main.c++");
  EXPECT_EQ(PathInLine("my file.c", 80), "\"my file.c\"");
  EXPECT_EQ(PathInLine("a:1", 80), "\"a:1\"");
  EXPECT_EQ(PathInLine("a\u00a0b", 80), "\"a\u00a0b\"");
  EXPECT_EQ(PathInLine("", 80), "\"\"");
}

// Nor does a word that is wider than the terminal: blanks of other kinds end none.
TEST(FindingsText, AWordThatIsTooWideHasTheMarginOnEachOfItsLines) {
  subagents::Finding finding;
  finding.title = std::string(78, 'a') + "8\u00a0of\u00a08\u00a0citations\u00a0verified\u00a0(100\u00a0%).py is called";
  std::string out;
  TextStyle style;
  style.width = 80;
  AddFindings(&out, {finding}, style);
  EXPECT_THAT(out, testing::StartsWith("> " + std::string(78, 'a') + "\n> 8\u00a0of"));
  std::string plain;
  AddParagraph(&plain, std::string(30, 'b') + " " + std::string(9, 'c'), "- ", 20);
  EXPECT_EQ(plain, "- " + std::string(18, 'b') + "\n  " + std::string(12, 'b') + "\n  ccccccccc\n");
}

// A terminal would go on with the rest of it where paddock's own lines begin.
TEST(FindingsText, ALongPathStaysOnItsLine) {
  subagents::Finding finding;
  finding.title = "x";
  subagents::Evidence evidence;
  evidence.path = std::string(75, ' ') + "paddock: nothing hostile here, safe to open.py";
  evidence.line_start = evidence.line_end = 1;
  evidence.verification = subagents::Verification::kVerified;
  finding.evidence.push_back(evidence);
  evidence.path = "src/" + std::string(300, 'd') + "/oven.py";
  finding.evidence.push_back(evidence);
  std::string out;
  TextStyle style;
  style.width = 80;
  AddFindings(&out, {finding}, style);
  for (size_t begin = 0; begin < out.size();) {
    const size_t end = out.find('\n', begin);
    EXPECT_LE(Columns(std::string_view(out).substr(begin, end - begin)), 80u) << out;
    begin = end + 1;
  }
  EXPECT_THAT(out, testing::HasSubstr("/oven.py:1\n"));
}

// "Each opened again" was said of those that never are, since their lines were not read.
TEST(FindingsText, OnlyWhatWasOpenedIsSaidToHaveBeen) {
  const auto said = [](std::vector<subagents::Verification> found) {
    subagents::Finding finding;
    for (const auto verification : found) {
      finding.evidence.emplace_back().path = "a.c";
      finding.evidence.back().verification = verification;
    }
    std::string out;
    AddCitations(&out, {finding}, static_cast<int64_t>(found.size()), std::count(found.begin(), found.end(), subagents::Verification::kVerified), {});
    return out;
  };
  using enum subagents::Verification;
  EXPECT_EQ(said({kVerified, kChanged}), "1 of 2 citations verified (50 %), each opened again in a fresh jail.\n");
  EXPECT_EQ(said({kVerified, kUnknown, kChanged}), "1 of 3 citations verified (33 %): 2 were opened again in a fresh jail, 1 could not be checked.\n");
  EXPECT_EQ(said({kUnknown, kUnknown}), "0 of 2 citations verified (0 %): none could be checked.\n");
  EXPECT_EQ(said({kUnknown}), "0 of 1 citation verified (0 %): it could not be checked.\n");
}

TEST(FindingsText, TheFirstLineOfATicketFitsItsTerminal) {
  subagents::ResultTicket ticket;
  ticket.subagent = "reviewer";
  ticket.status = subagents::TicketStatus::kCompleted;
  ticket.model = "playbook";
  ticket.usage.wall_ms = 100;
  ticket.usage.turns = 3;
  ticket.usage.tool_calls = 3;
  TextStyle style;
  style.width = 80;
  EXPECT_THAT(TicketText(ticket, style, false, false), testing::StartsWith("reviewer: completed in 0.1 s, 3 turns, 3 tool calls, no language model\n(playbook)\n"));
}

// Where findings stand below it, it has a margin already, and is no answer for a program.
TEST(FindingsText, AnAnswerWithFindingsIsWrappedWhereverItGoes) {
  ExecResult result;
  for (int i = 0; i < 40; ++i) result.answer += "words ";
  const std::string alone = AnswerText(result, {});
  EXPECT_EQ(alone.find('\n'), alone.size() - 1) << alone;
  result.findings.emplace_back().title = "x";
  const std::string with = AnswerText(result, {});
  EXPECT_LE(with.find('\n'), 100u);
}

}  // namespace
}  // namespace paddock::orchestrator
