// What a change holds that is risky, and what is written around it so that a rule passes by: comments that end nowhere, quotes in
// patterns, marks of tests, other lines of the same rule, more findings than are told.
#include <gmock/gmock.h>

#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_untested.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

FileDiff Changed(const std::string& path, int64_t first, const std::vector<std::string>& lines) { return ChangedFile(path, lines, first); }
std::string Lines(const std::string& path, int64_t first, const std::vector<std::string>& lines) { return TitlesOf(ClaimsOfLines({Changed(path, first, lines)})); }

TEST(PlaybookReviewHidden, AStarAndASlashInAPatternEndNoComment) {
  EXPECT_THAT(Lines("a.js", 1, {"+eval(q)", "+x.replace(/ */, '')"}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.js", 9, {"+eval(q)", "+return / */.test(x)"}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.js", 9, {"+ * eval(q) would be wrong", "+ */", "+f()"}), Not(HasSubstr("eval()")));
}

TEST(PlaybookReviewHidden, AStringBesideAStringEndsNoDocstring) {
  EXPECT_THAT(Lines("a.py", 5, {"+eval(q)", "+s = \"a\" \"\"\"", "+\"\"\""}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.py", 5, {"+eval(q) is not called", "+    here.\"\"\"", "+x = 1"}), Not(HasSubstr("eval()")));
}

TEST(PlaybookReviewHidden, CodeBehindAClosedCommentOrAQuoteInAPatternIsCode) {
  EXPECT_THAT(Lines("a.js", 1, {"+/**/eval(q)"}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.js", 1, {"+s = s.replace(/'/g, \"\"); eval(q)"}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.js", 1, {"+s = 'eval(q)'; // eval(q)"}), Not(HasSubstr("eval()")));
}

TEST(PlaybookReviewHidden, OnlyAModuleOfTestsHoldsRustsTests) {
  const std::string risky = "+    c.danger_accept_invalid_certs(true);";
  EXPECT_THAT(Lines("src/lib.rs", 1, {"+#[cfg(test)]", "+mod tests;", "+fn f(c: C) {", risky, "+}"}), HasSubstr("TLS certificates"));
  EXPECT_THAT(Lines("src/lib.rs", 1, {"+#[cfg(test)]", "+mod tests {", "+    fn t() { x.unwrap(); }", "+}", "+fn f(c: C) {", "+    y.unwrap();", "+}"}), HasSubstr("unwrap()"));
  EXPECT_THAT(Lines("src/lib.rs", 1, {"+#[cfg(test)]", "+mod tests {", "+    x.unwrap();", "+}"}), Not(HasSubstr("unwrap()")));
}

TEST(PlaybookReviewHidden, ARemovedLineExcusesOneAddedLineOfTheSameCall) {
  EXPECT_THAT(Lines("a.py", 1, {"-x = eval('1')", "+exec(request.data)"}), HasSubstr("exec()"));
  EXPECT_THAT(Lines("a.py", 1, {"-x = eval('1')", "+x = eval('2')"}), Not(HasSubstr("eval()")));
  EXPECT_THAT(Lines("a.py", 1, {"-x = eval('1')", "+x = eval('2')", "+y = eval(q)"}), HasSubstr("eval()"));
}

TEST(PlaybookReviewHidden, NoFindingOfHighSeverityIsLostAmongLesserOnes) {
  std::map<std::string, std::string> tree{{"z.py", "eval(q)\n"}};
  std::map<std::string, std::vector<std::string>> files{{"z.py", {"@@ -1,0 +1 @@", "+eval(q)"}}};
  for (int i = 0; i < 125; ++i) {
    const std::string path = "a" + std::to_string(i) + ".py";
    tree[path] = "# FIXME later\n";
    files[path] = {"@@ -1,0 +1 @@", "+# FIXME later"};
  }
  const Report report = ReviewOf(tree, files);
  EXPECT_THAT(report.findings.at(0).title, HasSubstr("eval()"));
  EXPECT_THAT(report.summary, AllOf(HasSubstr("1 of high severity"), HasSubstr("Not listed: "), HasSubstr("none of them more severe than the last")));
  EXPECT_FALSE(report.complete);
}

Report Reviewed(const std::string& path, const std::string& content, const std::vector<std::string>& lines) { return ReviewOf({{path, content}}, {{path, lines}}); }

TEST(PlaybookReviewHidden, OfOtherProjectsFilesWhatIsSevereIsTold) {
  const Report report = Reviewed("vendor/evil.js", "eval(q)\n", {"@@ -1,0 +1 @@", "+eval(q)"});
  EXPECT_THAT(Titles(report), HasSubstr("eval()"));
  EXPECT_THAT(report.summary, AllOf(Not(HasSubstr("holds no change")), HasSubstr("only what is severe was looked for")));
}

// Found on a gem: `system` in bin/httparty was judged as text.
TEST(PlaybookReviewHidden, AProgramWithoutASuffixIsJudgedByItsFirstLine) {
  const Report report = Reviewed("bin/tool", "#!/usr/bin/env python3\nimport os\n\n\n\n\neval(q)\n", {"@@ -7,0 +7 @@", "+eval(q)"});
  EXPECT_THAT(Titles(report), HasSubstr("eval()"));
}

TEST(PlaybookReviewHidden, ThatFewRulesHoldForExamplesIsSaid) {
  const Report report = Reviewed("examples/a.py", "x = 1\n", {"@@ -1,0 +1 @@", "+x = 1"});
  EXPECT_THAT(report.summary, HasSubstr("For 1 file of tests, examples and the like only a few of the rules hold."));
}

TEST(PlaybookReviewHidden, MemoryThatItsOwnLineAsksForIsChecked) {
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({Changed("a.c", 1, {"+  char *p = malloc(n); if (!p) return -1;", "+  p[0] = 1;"})})), Not(HasSubstr("without a check")));
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({Changed("a.c", 1, {"+  char *p = malloc(n);", "+  p[0] = 1;"})})), HasSubstr("without a check"));
}

TEST(PlaybookReviewHidden, AllOperatorsThatChangedAreTold) {
  const auto claims = ClaimsOfChanges({Changed("a.py", 1, {"-if a < b and c == d:", "+if a <= b and c != d:"})});
  ASSERT_EQ(claims.size(), 1u) << TitlesOf(claims);
  EXPECT_THAT(claims[0].detail, HasSubstr("`<` became `<=` and `==` became `!=`"));
}

// Found on got: the check stands in a function now, where the value has a shorter name.
TEST(PlaybookReviewHidden, ACheckThatMovedUnderAShorterNameIsNotGone) {
  FileDiff file = Changed("src/a.ts", 1, {"-    if (!this.options.signal) {", "-      return null;", "-    }"});
  file.hunks.push_back({50, 47, {{'+', 0, 47, "    if (!signal) {"}, {'+', 0, 48, "      return;"}, {'+', 0, 49, "    }"}}});
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({file})), Not(HasSubstr("check was removed")));
}

TEST(PlaybookReviewHidden, ATestWhoseNameIsPartOfANewOnesIsGone) {
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({Changed("tests/test_a.py", 1, {"-def test_parse():", "-    assert f()", " x = 1", "+def test_parse_twice():", "+    assert g()"})})), HasSubstr("A test was removed"));
}

TEST(PlaybookReviewHidden, OneComparisonInConstantTimeExcusesOne) {
  const std::vector<std::string> lines = {"-  if hmac.Equal(mac, want) {", "+  if string(mac) == string(want) {", " x()", "-  if hmac.Equal(tag, other) {", "+  if string(tag) == string(other) {", "+  _ = hmac.Equal(a, a)"};
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({Changed("a.go", 1, lines)})), HasSubstr("in constant time was replaced"));
}

// Found on httparty and requests.
TEST(PlaybookReviewHidden, WhatOnlyDescribesAPackageBuildsNothingOtherwise) {
  EXPECT_EQ(TitlesOf(ClaimsOfChanges({Changed("a.gemspec", 1, {"+  s.metadata[\"changelog_uri\"] = \"https://example.org\""})})), "");
  EXPECT_EQ(TitlesOf(ClaimsOfChanges({Changed("pyproject.toml", 1, {"+    \"Programming Language :: Python :: 3.14\","})})), "");
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({Changed("pyproject.toml", 1, {"+    \"requests >= 2\","})})), HasSubstr("built, checked or installed otherwise"));
}

// Found on humanize: a workflow that keeps labels builds nothing.
TEST(PlaybookReviewHidden, AWorkflowIsNoBuild) {
  const std::string titles = TitlesOf(ClaimsOfChanges({Changed(".github/workflows/labels.yml", 1, {"+  run: sync labels"}), Changed("Makefile", 1, {"+all: x"})}));
  EXPECT_THAT(titles, HasSubstr("What the project's own servers run was changed: .github/workflows/labels.yml\n"));
  EXPECT_THAT(titles, HasSubstr("It is built, checked or installed otherwise: Makefile\n"));
}

// Found by one who wrote against the rules.
TEST(PlaybookReviewHidden, ARemovedCommentIsNoCodeThatWasThere) {
  EXPECT_THAT(Lines("a.py", 1, {"-# never call eval(q) here", "+q = eval(q)"}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.py", 5, {"+# \"\"\"", "+q = eval(q)", "+# \"\"\""}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.js", 9, {"+q = eval(q);", "+n = n */**/ 1;"}), HasSubstr("eval()"));
  EXPECT_THAT(Lines("a.py", 1, {"+if not user.is_admin and False:"}), HasSubstr("A condition that says the same whatever holds"));
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({Changed("tests/test_a.py", 1, {"-def test_auth():", "-    assert f()", " x = 1"}), Changed("README.md", 1, {"+see test_auth"})})), HasSubstr("A test was removed"));
}

TEST(PlaybookReviewHidden, WhatIsNotJudgedIsSaid) {
  EXPECT_THAT(Reviewed("dist/x.js", "eval(q)\n", {"@@ -1,0 +1 @@", "+eval(q)"}).summary, HasSubstr("Not judged: 1 file that a program makes"));
  EXPECT_THAT(Reviewed("a.vue", "eval(q)\n", {"@@ -1,0 +1 @@", "+eval(q)"}).summary, HasSubstr("1 file is in no language that is known here"));
}

// Found on goldmark: a line that only skips a test counted as one that tests.
TEST(PlaybookReviewHidden, ALineThatSkipsATestTestsNothing) {
  FileDiff test = Changed("util/util_test.go", 9, {"+\tt.Skip(\"flaky\")"});
  EXPECT_FALSE(AnyTestChanged({test}));
  test.hunks[0].lines.push_back({'+', 0, 10, "\tif Heat() != 3 {"});
  EXPECT_TRUE(AnyTestChanged({test}));
}

TEST(PlaybookReviewHidden, TheWorstFindingIsTheFirstThingToDo) {
  const Report report = Reviewed("lib/a.py", "eval(q)\n", {"@@ -1,0 +1 @@", "+eval(q)"});
  ASSERT_FALSE(report.next_actions.empty());
  EXPECT_THAT(report.next_actions[0], HasSubstr("lib/a.py:1: eval()"));
}

TEST(FitReport, ListsOfDataAreCutAndSaidToBe) {
  Json rows = Json::array();
  for (int i = 0; i < 900; ++i) rows.push_back(Json{{"path", "a" + std::to_string(i)}, {"n", i}});
  Json data{{"first", rows}, {"command", "make"}, {"second", Json::array({1, 2})}};
  FitData(&data);
  EXPECT_LE(ValuesOf(data), kMaxDataValues);
  EXPECT_EQ(data["command"], "make");
  EXPECT_EQ(data["second"], Json::array({1, 2}));
  EXPECT_EQ(data["omitted"]["first"].get<size_t>() + data["first"].size(), 900u);
  Json small{{"first", Json::array({1})}};
  FitData(&small);
  EXPECT_FALSE(small.contains("omitted"));
}

}  // namespace
}  // namespace paddock::subagents
