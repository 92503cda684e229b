// What the reviewer makes of a diff that was written against it: no answer that is lost, and no work that grows faster than the diff.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_change_set.h"
#include "subagents/playbook/review_checks.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// What all rules say of it.
std::vector<ReviewClaim> AllClaims(const std::vector<FileDiff>& files) {
  auto claims = ClaimsOfLines(files);
  for (auto& claim : ClaimsOfChanges(files)) claims.push_back(std::move(claim));
  ChangedWithoutTests(files);
  ChangedInterfaces(files);
  return claims;
}
// Patterns that were tried for it.
int64_t WorkFor(const std::vector<FileDiff>& files) {
  const int64_t before = PatternsTried();
  AllClaims(files);
  return PatternsTried() - before;
}

std::string Numbered(std::string line, int number) {
  for (size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at)) line.replace(at, 1, std::to_string(number));
  return line;
}

// Lines that are repeated n times, and behind them others that are: "#" is a number.
struct Worst {
  const char *what, *path;
  std::vector<std::string> first, then;

  FileDiff File(int n) const {
    std::vector<std::string> lines;
    for (const auto* part : {&first, &then})
      for (int i = 0; i < n; ++i)
        for (const auto& line : *part) lines.push_back(Numbered(line, i));
    return ChangedFile(path, lines);
  }
};

const std::vector<Worst>& WorstOnes() {
  static const std::vector<Worst> kAll = {
      {"Rust's tests", "src/a.rs", {"+x.unwrap()"}, {}},
      {"guards that are gone", "src/a.c", {"-if(!a#)return -1;"}, {"+v# = 1;"}},
      {"guards of what was made", "src/a.py", {"-a# = 1", "-if not a#: raise X"}, {}},
      {"guards that are comments now", "src/a.c", {"-if(!a#)return -1;"}, {"+// if(!b#)"}},
      {"guards that were added", "src/a.go", {"+if a# > 9 {", "+\tpanic(a)", "+}"}, {}},
      {"errors", "src/a.go", {"-if err != nil {", "-\treturn err", "-}"}, {"+err := f()"}},
      {"rights", "src/a.py", {"-@login_required"}, {}},
      {"bounds", "src/a.c", {"-a<#"}, {"+b>#"}},
      {"what was risky before", "src/a.py", {"-f(x#)"}, {"+eval(y#)"}},
      {"blank lines", "src/a.js", {"+"}, {}},
      {"comments behind a catch", "src/a.js", {"+// x"}, {"-x"}},
      {"nothing but removed", "src/a.js", {"-x"}, {"-y"}},
      {"tests that are gone", "tests/test_a.py", {"-def test_#():"}, {"+def f#():"}},
      {"calls of tests", "tests/test_a.c", {"-\ttest_#();", "-void test_#(void) {"}, {}},
      {"tests that are not registered", "CMakeLists.txt", {"-add_test(t#"}, {"+add_test(u#"}}};
  return kAll;
}

TEST(PlaybookReviewHostile, WorkGrowsAsTheLinesDo) {
  for (const Worst& worst : WorstOnes()) {
    AllClaims({worst.File(8)});
    const int64_t some = WorkFor({worst.File(300)}), more = WorkFor({worst.File(1200)});
    EXPECT_LT(more, some * 5) << worst.what << ": " << some << " patterns for 300 lines, " << more << " for 1200";
  }
}

TEST(PlaybookReviewHostile, WorkGrowsAsTheFilesDo) {
  const auto files = [](int n) {
    std::vector<FileDiff> out;
    for (int i = 0; i < n; ++i) {
      out.push_back(ChangedFile(Numbered("src/s#/oven#.py", i), {"+a = 1", "+b = 2", "+c = 3"}));
      out.push_back(ChangedFile(Numbered("tests/x#/test_door#.py", i), {"+a = 1"}));
    }
    return out;
  };
  const int64_t some = WorkFor(files(30)), more = WorkFor(files(120));
  EXPECT_LT(more, some * 5) << some << " patterns for 30 files, " << more << " for 120";
}

// A mask of operators was mistaken for one of a text that holds its sign.
TEST(PlaybookReviewHostile, NoByteOfATextStandsForAnOperator) {
  for (char c = 1; c < ' '; ++c) {
    if (c == '\n' || c == '\t') continue;
    const std::string now = std::string("+  if (a ") + c + " b) x();";
    EXPECT_THAT(ClaimsOfBounds({ChangedFile("a.c", {"-  if (a < b) x();", now})}), IsEmpty()) << int{c};
    EXPECT_THAT(ClaimsOfBounds({ChangedFile("a.c", {"-  if (a < b) x();", now, "+  if (a <= b) x();"})}), SizeIs(1)) << int{c};
  }
}

TEST(PlaybookReviewHostile, BoundsArePairedInTheirOrder) {
  const auto claims = ClaimsOfBounds({ChangedFile("a.c", {"+f(a > b);", "-f(a < b);", "-f(a < b);", "-g(a < b);", "+f(a <= b);", "+g(a < b);", "+f(a != b);", " x", "+f(a == b);"}, 1)});
  ASSERT_THAT(claims, SizeIs(1));
  EXPECT_THAT(claims[0].title, HasSubstr("2 bounds were changed"));
  EXPECT_EQ(claims[0].detail.substr(0, claims[0].detail.find(" Nothing")), "`<` became `<=` in `f(a <= b);` (line 2). `<` became `!=` in `f(a != b);` (line 4).");
}

TEST(PlaybookReviewHostile, AFileWithCutLinesWasNotReadWhole) {
  agentcore::Artifact artifact;
  artifact.kind = "diff";
  artifact.path = "a.py";
  artifact.lines = {"@@ -0,0 +1 @@", "+x = 1"};
  artifact.facts = {{"status", "changed"}, {"added", 1}, {"removed", 0}, {"cut_lines", 0}};
  EXPECT_TRUE(ReadDiffArtifact(artifact).whole);
  artifact.facts["cut_lines"] = 1;
  EXPECT_FALSE(ReadDiffArtifact(artifact).whole);
}

TEST(PlaybookReviewHostile, AChangeOfTooManyLinesIsNotReadWhole) {
  ChangeSet changes;
  for (int i = 0; i < 5; ++i) {
    agentcore::CallOutcome outcome;
    outcome.call = {"", "git_diff", Json{{"path", Numbered("a#.py", i)}}};
    std::vector<std::string> lines(i == 4 ? 1 : 55'000, "+x = 1");
    lines.insert(lines.begin(), "@@ -0,0 +1,55000 @@");
    outcome.result = DiffResult({{Numbered("a#.py", i), lines}});
    changes.Take(outcome, false);
  }
  EXPECT_THAT(changes.files, SizeIs(5));
  EXPECT_THAT(changes.Unread(), testing::ElementsAre("a3.py"));
  EXPECT_EQ(changes.CountAdded(), 4 * 55'000 + 1);
}

std::string Heads(int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += "diff --git a/a b/a\n";
  return out;
}
constexpr char kRisky[] = "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1,0 +1 @@\n+eval(input())\n";

TEST(PlaybookReviewHostile, HeadsWithoutHunksHideNothing) {
  const auto files = ReadUnifiedDiff("--- a/a.py\n+++ b/a.py\n@@ -1,0 +1 @@\n+x = 1\n" + Heads(2500) + kRisky);
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[1].path, "b.py");
}

TEST(PlaybookReviewHostile, FilesBeyondTheBoundAreToldOf) {
  std::string text;
  for (int i = 0; i < 2003; ++i) text += Numbered("--- a/a#.py\n+++ b/a#.py\n@@ -1,2 +1 @@\n--- y\n-x\n+x = 1\n", i);
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "x = 1\n"}});
  const Report report = repo.Run("reviewer", "review this", text + kRisky);
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.summary, HasSubstr("4 files were not looked at"));
  EXPECT_TRUE(repo.Run("reviewer", "review this", text.substr(0, text.find("--- a/a2000.py"))).complete);
}

}  // namespace
}  // namespace paddock::subagents
