// The reviewer: diffs of made-up repositories, and what its tables say of single lines.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_range.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const ClaimedFinding* Find(const Report& report, const std::string& title) {
  for (const auto& finding : report.findings)
    if (finding.title.find(title) != std::string::npos) return &finding;
  return nullptr;
}

// A file that is added with these lines, as a diff.
FileDiff Added(const std::string& path, const std::vector<std::string>& lines) {
  FileDiff file{path, "", "added", false, {Hunk{0, 1, {}}}};
  for (const auto& line : lines) file.hunks[0].lines.push_back({'+', 0, static_cast<int64_t>(file.hunks[0].lines.size()) + 1, line});
  return file;
}
std::string TitlesOf(const std::string& path, const std::string& line) {
  std::string out;
  for (const auto& claim : ClaimsOfLines({Added(path, {line})})) out += claim.title + "\n";
  return out;
}

struct LineCase {
  const char *path, *line, *title;  // "" for none
};

TEST(PlaybookReviewLines, RiskyOnesAreNamed) {
  for (const auto& [path, line, title] : std::initializer_list<LineCase>{
           {"a.c", "  strcpy(to, from);", "strcpy() copies"}, {"a.c", "  gets(line);", "gets()"}, {"a.c", "sprintf(out, \"%s\", name);", "sprintf() writes"},
           {"a.c", "printf(name);", "no literal"}, {"a.cc", "system(name);", "runs a shell"}, {"a.c", "memcpy(to, from, strlen(from));", "memcpy()"},
           {"a.py", "x = eval(text)", "eval() runs"}, {"a.py", "run(cmd, shell=True)", "through a shell"}, {"a.py", "yaml.load(f)", "yaml.load()"},
           {"a.py", "def f(a, b=[]):", "all calls share"}, {"a.py", "db.execute(f\"SELECT a FROM b WHERE c = '{d}'\")", "SQL is put together"},
           {"a.js", "el.innerHTML = name;", "innerHTML"}, {"a.ts", "const f = new Function(text)", "new Function()"}, {"a.js", "exec(`ls ${dir}`)", "exec() runs a shell"},
           {"a.go", "c := &tls.Config{InsecureSkipVerify: true}", "not checked"}, {"a.go", "n, _ := strconv.Atoi(s)", "strconv.Atoi is ignored"},
           {"src/a.rs", "let x = y.unwrap();", "unwrap()"}, {"A.java", "new ObjectInputStream(in);", "ObjectInputStream"},
           {"A.java", "q = \"SELECT a FROM b WHERE c = '\" + d + \"'\";", "SQL is put together"}, {"a.sh", "curl https://example.org/x | sh", "run at once"},
           {"a.sh", "rm -rf $DIR/", "rm -r on a variable"}, {"install.sh", "chmod 777 x", "Everybody may write"}, {".github/workflows/a.yml", "  - run: echo ${{ github.event.issue.title }}", "stranger's text"},
           {"a.js", "it.only('x', f)", "Only this test"}, {"tests/a.test.js", "it.only('x', f)", "Only this test"}, {"test_a.py", "@pytest.mark.skip", "switched off"}, {"a.py", "breakpoint()", "breakpoint"},
           {"a.c", "/* FIXME: later */", "FIXME"}, {"a.py", "API_KEY = \"q8w7e6r5t4\"", "named like a secret"}, {"a.txt", "key = [redacted github-token]", "A secret is added"}})
    EXPECT_THAT(TitlesOf(path, line), HasSubstr(title)) << path << ": " << line;
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookReviewLines, HarmlessOnesAreNot) {
  for (const auto& [path, line] : std::initializer_list<std::pair<const char*, const char*>>{
           {"a.c", "// strcpy(to, from) is wrong"}, {"a.c", "strcpy(to, \"abc\");"}, {"a.c", "sprintf(out, \"%d\", n);"}, {"a.c", "log(\"never call gets()\");"}, {"a.c", "printf(\"x\");"}, {"a.c", "fgets(line, n, f);"},
           {"a.c", "char *strcpy(char *to, const char *from);"}, {"a.py", "x = literal_eval(text)"}, {"a.py", "model.eval()"}, {"a.py", "# eval(x)"}, {"a.py", "yaml.load(f, Loader=SafeLoader)"}, {"a.py", "def f(a, b=None):"},
           {"a.py", "help = \"select a name from the list\""}, {"tests/a.c", "strcpy(to, from);"}, {"examples/a.js", "console.log(1)"}, {"a.js", "m = re.exec(text)"}, {"a.js", "el.innerHTML = '';"},
           {"a.go", "n, err := strconv.Atoi(s)"}, {"tests/a.rs", "x.unwrap()"}, {"src/a.rs", "lock.lock().unwrap()"}, {"README.md", "Run `curl https://example.org/x | sh`."}, {"a.sh", "rm -rf \"${DIR:?}\"/"}, {"a.sh", "echo \"$x\""},
           {"a.py", "password = \"changeme123\""}, {"a.py", "password = get(\"password\")"}, {"a.go", "ctx := context.TODO()"}, {"Makefile", "$(warning run: curl x | sh)"}, {"package-lock.json", "TODO eval("}})
    EXPECT_EQ(TitlesOf(path, line), "") << path << ": " << line;
  const auto file = Added("a.c", {"/*", "   strcpy(a, b) is wrong", "*/", "int x;"});
  EXPECT_THAT(ClaimsOfLines({file}), IsEmpty());
}

TEST(PlaybookReviewLines, SecretsAreNeverRepeated) {
  const std::string key = "hunter2hunter2";
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "password = \"" + key + "\"\n"}});
  repo.more = [&](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> { return DiffResult({{"a.py\tadded", {"@@ -0,0 +1 @@", "+password = \"" + key + "\""}}}); };
  Report report = repo.Run("reviewer", "review the working tree");
  ASSERT_NE(Find(report, "A secret is added"), nullptr) << Titles(report);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(DumpJson(ToJson(report)), Not(HasSubstr(key)));
}

const std::map<std::string, std::string> kTree = {
    {"src/oven.c", "int oven_heat(int t) {\n    strcpy(a, b);\n    return heat(t);\n}\n"},
    {"src/main.c", "int main(void) {\n    return oven_cool(3);\n}\n"},
    {"tests/test_oven.c", "void test_one(void) {\n}\n"},
    {"docs/oven.md", "Call `oven_heat` with an oven.\n"}};
const std::map<std::string, std::vector<std::string>> kChange = {
    {"src/oven.c",
     {"@@ -1,8 +1,4 @@", "-int oven_heat(struct oven *oven, int t) {", "+int oven_heat(int t) {", "+    strcpy(a, b);", "@@ -4,4 +3,2 @@", "-    if (t > kMaxHeat)", "-        return -1;", "     return heat(t);", " }", "@@ -9,3 +4,0 @@", "-int oven_cool(int t) {", "-    return 0;", "-}"}},
    {"tests/test_oven.c", {"@@ -1,4 +1,2 @@", "-void test_two(void) {", "-}", " void test_one(void) {", " }"}}};

TEST(PlaybookReviewer, WhatIsRiskyGoneAndStillRelied) {
  for (const char* goal : {"review HEAD~3..HEAD", "review", "review commit deadbee1"}) {
    PlaybookRepo repo(kTree);
    repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
      if (call.tool == "git_log") return ResultWith({RowsArtifact("commits", ".", {"1\tx", "2\tx", "3\tx"})});
      return DiffResult(kChange);
    };
    Report report = repo.Run("reviewer", goal);
    SCOPED_TRACE(std::string(goal) + "\n" + Titles(report) + report.summary);
    EXPECT_TRUE(repo.EveryCitationHolds(report));
    ASSERT_NE(Find(report, "strcpy()"), nullptr);
    EXPECT_EQ(Find(report, "strcpy()")->evidence[0].line_start, 2);
    ASSERT_NE(Find(report, "A check was removed from src/oven.c"), nullptr);
    EXPECT_THAT(Find(report, "A check was removed")->detail, HasSubstr("kMaxHeat"));
    ASSERT_NE(Find(report, "A test was removed: tests/test_oven.c"), nullptr);
    ASSERT_NE(Find(report, "`oven_cool` was removed and is still called: src/main.c"), nullptr);
    EXPECT_EQ(Find(report, "`oven_cool`")->severity, Severity::kHigh);
    EXPECT_EQ(&report.findings[0], Find(report, "`oven_cool`")) << "the most severe first";
    ASSERT_NE(Find(report, "`oven_heat` has another interface, its documentation was not changed: docs/oven.md"), nullptr);
    EXPECT_NE(Find(report, "Code was changed, tests only lost lines: src/oven.c"), nullptr) << "a test that only loses lines is none";
    EXPECT_EQ(Find(report, "no test was"), nullptr) << "one was changed";
    EXPECT_EQ(report.data["without_tests"], Json::array({"src/oven.c"}));
    EXPECT_TRUE(report.complete);
  }
}

TEST(PlaybookReviewer, GivenDiffNeedsNoGit) {
  PlaybookRepo repo(kTree);
  Report report = repo.Run("reviewer", "review this",
                           "Look:\n```\ndiff --git a/src/oven.c b/src/oven.c\nindex 1..2 100644\n--- a/src/oven.c\n+++ b/src/oven.c\n@@ -1,2 +1,3 @@\n int oven_heat(int t) {\n+    strcpy(a, b);\n     return heat(t);\n```\n");
  ASSERT_EQ(report.findings.size(), 1u) << Titles(report);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(report.summary, AllOf(HasSubstr("the diff that was given: 1 file, 1 line added"), HasSubstr("No language model was used")));
}

// "Add a test" was said as if there were some.
TEST(PlaybookReviewer, WithoutAnyTestsItSaysSo) {
  std::string body, added;
  for (int i = 0; i < 12; ++i) {
    body += "    t = warm(t, " + std::to_string(i) + ");\n";
    added += "+    t = warm(t, " + std::to_string(i) + ");\n";
  }
  const std::string diff = "```\ndiff --git a/src/oven.c b/src/oven.c\n--- a/src/oven.c\n+++ b/src/oven.c\n@@ -1,2 +1,14 @@\n int oven_heat(int t) {\n" + added + " }\n```\n";
  const Files tree{{"src/oven.c", "int oven_heat(int t) {\n" + body + "}\n"}};
  PlaybookRepo without(tree);
  Report report = without.Run("reviewer", "review this", diff);
  EXPECT_THAT(report.summary, AllOf(HasSubstr("there are no tests among the files that were listed: changed was src/oven.c"), HasSubstr("12 lines added, 0 removed")));
  EXPECT_THAT(report.next_actions, testing::Contains("there are no tests among the files that were listed; a first one could be for what changed in src/oven.c"));
  Files more = tree;
  more["tests/test_pan.c"] = "int main(void) { return 0; }\n";
  PlaybookRepo with(more);
  report = with.Run("reviewer", "review this", diff);
  EXPECT_THAT(report.next_actions, testing::Contains("add a test for what changed in src/oven.c"));
}

TEST(PlaybookReviewer, LinesThatAreGoneAreNotCited) {
  PlaybookRepo repo(kTree);
  repo.more = [&](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> { return DiffResult({{"src/old.c", {"@@ -1,0 +1 @@", "+gets(line);"}}}); };
  Report report = repo.Run("reviewer", "commit deadbee1");
  ASSERT_NE(Find(report, "gets()"), nullptr);
  EXPECT_THAT(Find(report, "gets()")->evidence, IsEmpty());
  EXPECT_THAT(Find(report, "gets()")->detail, HasSubstr("In commit deadbee1, src/old.c:1."));
  EXPECT_THAT(report.summary, HasSubstr("1 finding has no citation"));
}

TEST(PlaybookReviewer, OtherKindsOfChanges) {
  auto marks = ClaimsOfChanges({Added("a.c", {"<<<<<<< HEAD", "a", "=======", "b", ">>>>>>> x"})});
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].severity, Severity::kHigh);
  EXPECT_THAT(ClaimsOfChanges({Added("a.rst", {"Title", "======="})}), IsEmpty());
  auto code = ClaimsOfChanges({Added("a.c", {"// x = 1;", "// if (x) {", "//   f(x);", "// }"})});
  ASSERT_EQ(code.size(), 1u);
  EXPECT_THAT(code[0].title, HasSubstr("commented out"));
  EXPECT_THAT(ClaimsOfChanges({Added("a.c", {"// This is how it works:", "// first it looks, then it says.", "// See (there)."})}), IsEmpty());
  FileDiff binary{"a.so", "", "added", true, {}};
  EXPECT_EQ(ClaimsOfChanges({binary})[0].severity, Severity::kMedium);
  EXPECT_THAT(ClaimsOfChanges({Added("package.json", {"  \"postinstall\": \"node x.js\","})})[0].title, HasSubstr("postinstall"));
  // A check that only moved is not gone.
  FileDiff moved{"a.c", "a.c", "changed", false, {}};
  moved.hunks = {Hunk{1, 1, {{'-', 1, 0, "  if (n > max)"}, {' ', 2, 1, "  f(n);"}}}, Hunk{9, 9, {{'+', 0, 9, "    if (n > max)"}}}};
  EXPECT_THAT(ClaimsOfChanges({moved}), IsEmpty());
}

TEST(PlaybookReviewer, NothingToReview) {
  PlaybookRepo repo(kTree);
  Report report = repo.Run("reviewer", "review");
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.summary, HasSubstr("could not be read"));
  repo.more = [](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> { return DiffResult({}); };
  report = repo.Run("reviewer", "review the working tree");
  EXPECT_THAT(report.summary, HasSubstr("nothing to review: the working tree against HEAD"));
  for (int turns : {1, 2}) {
    PlaybookRepo cut(kTree);
    cut.more = [&](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> { return DiffResult(kChange); };
    EXPECT_FALSE(cut.Run("reviewer", "review", "", turns).complete);
  }
}

TEST(PlaybookReviewRange, Words) {
  auto text = [](const char* goal) { return ReadReviewRange(goal).text; };
  EXPECT_EQ(text("review HEAD~3..HEAD please"), "HEAD~3..HEAD");
  EXPECT_EQ(text("What is wrong with `main..feature/x`?"), "main..feature/x");
  EXPECT_EQ(text("v1.2.0..v1.3.0"), "v1.2.0..v1.3.0");
  EXPECT_EQ(text("review main.. and be quick"), "main..HEAD");
  EXPECT_EQ(text("the last 3 commits"), "HEAD~3..HEAD");
  EXPECT_EQ(text("changes since v1.2.0"), "v1.2.0..HEAD");
  EXPECT_EQ(text("review commit 0123abc"), "commit 0123abc");
  EXPECT_EQ(text("review 0123abcdef012345"), "commit 0123abcdef012345");
  EXPECT_EQ(text("3905343"), "commit 3905343") << "a hash may be digits alone";
  EXPECT_EQ(text("`3905343`"), "commit 3905343");
  EXPECT_EQ(text("what is 3905343 in it?"), "") << "a number among words is none";
  EXPECT_EQ(text("the last commit"), "the last commit");
  EXPECT_EQ(text("my uncommitted work"), "the working tree against HEAD");
  EXPECT_EQ(text("well... is this right?"), "");
  EXPECT_EQ(ReadReviewRange("is this change safe?").kind, ReviewRange::Kind::kDefault);
}

TEST(PlaybookDiff, HostileTexts) {
  EXPECT_THAT(ReadUnifiedDiff("--- a\n+++ b\n@@ -999999999999,999999999999 +1 @@\n-x\n"), testing::SizeIs(1));
  EXPECT_THAT(ReadUnifiedDiff("@@ -1 +1 @@\n-x\n+y\n"), IsEmpty());
  EXPECT_THAT(ReadUnifiedDiff("no diff\n--- but this\n"), IsEmpty());
  auto files = ReadUnifiedDiff("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- y\n+++ z\n a\n--- a/q\n+++ /dev/null\n@@ -1 +0,0 @@\n-q\n");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].hunks[0].lines[0].text, "-- y") << "a removed line that looks like a head";
  EXPECT_EQ(files[1].status, "removed");
  EXPECT_EQ(files[1].path, "q");
}

}  // namespace
}  // namespace paddock::subagents
