// What the reviewer says of checks that are gone, of bounds, of parts of a change that it has not read.
#include <gmock/gmock.h>

#include "subagents/playbook/review_checks.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(PlaybookReviewChecks, RemovedOnesAreFound) {
  for (const auto& [path, lines] : std::initializer_list<std::pair<const char*, std::vector<std::string>>>{
           {"a.py", {"-    if n > 100:", "-        raise ValueError(n)", "     return n"}},
           {"a.py", {"-        if self.clamp and (self.a or self.b):", "-            raise TypeError(", "-                \"Clamping is not supported\"", "-            )", "     x = 1"}},
           {"a.py", {"-    if (a or b) and c: raise TypeError", "     return n"}},
           {"a.py", {"-    assert n > 3", "     return n"}},
           {"a.py", {"-    assert n > 3", "+    # assert n > 3", "     return n"}},
           {"a.py", {"-@login_required", " def view(request):"}},
           {"A.java", {"-    @PreAuthorize(\"hasRole('x')\")", "     public void f() {"}},
           {"a.js", {"-  if (a.length === 0) {", "-    throw new TypeError('needs one')", "-  }", "   return a"}},
           {"a.js", {"-  if (a.length === 0) { throw new Error('x'); }", "   return a"}},
           {"a.go", {"-\tif n > 9 {", "-\t\tpanic(\"too many\")", "-\t}", " \treturn n"}},
           {"a.go", {"-\tif n > 9 {", "-\t\treturn fmt.Errorf(\"too many: %d\", n)", "-\t}", " \tuse(n)"}},
           {"a.c", {"-  if (index > 7)", "-    return -1;", "   return at[index];"}},
           {"a.cc", {"-  static_assert(sizeof(int) == 4, \"int\");", "   return 1;"}},
           // A check of something else doesn't stand in its place.
           {"a.py", {"-    if n > 100:", "-        raise ValueError(n)", "+    if verbose:", "+        show()", "     return n"}}})
    EXPECT_THAT(TitlesOf(ClaimsOfRemovedChecks({ChangedFile(path, lines)})), HasSubstr(std::string("A check was removed from ") + path)) << lines[0];
}

TEST(PlaybookReviewChecks, OthersAreNot) {
  for (const auto& [path, lines] : std::initializer_list<std::pair<const char*, std::vector<std::string>>>{
           {"a.py", {"-    if n > 100:", "-        raise ValueError(n)", " ", "+    if n > 100:", "+        raise ValueError(f\"{n}\")"}},
           {"a.py", {"-    if n > 100:", "-        raise ValueError(n)", "+    check_range(n)"}},
           {"a.py", {"-    if n > 100:", "-        show(n)", "     return n"}},
           {"a.py", {"-def gone(n):", "-    if n > 100:", "-        raise ValueError(n)", "-    return n"}},
           {"a.py", {"-@login_required", "-def gone(request):", "-    return 1"}},
           {"a.go", {"-\tx, err := f()", "-\tif err != nil {", "-\t\treturn err", "-\t}", " \treturn nil"}},
           {"a.c", {"-  char *p = get();", "-  if (!p)", "-    return -1;", "   return 0;"}},
           {"tests/test_a.py", {"-    assert n > 3", "     return n"}}})
    EXPECT_THAT(ClaimsOfRemovedChecks({ChangedFile(path, lines)}), IsEmpty()) << path << lines[0];
  // Moved to another file.
  EXPECT_THAT(ClaimsOfRemovedChecks({ChangedFile("a.js", {"-  if (a.length === 0) { throw x; }", "   f()"}), ChangedFile("b.js", {"+if(a.length === 0)", "+  throw x;"})}), IsEmpty());
}

TEST(PlaybookReviewChecks, AllOfAFileAreCountedAndNamed) {
  const auto claims = ClaimsOfRemovedChecks({ChangedFile("a.py", {" def f(n, m):", "-    if n > 100:", "-        raise ValueError(n)", "-    assert m < 3", "     use(n)", "-    if m == 7: raise KeyError(m)", "     return m"}, 1)});
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].title, "3 checks were removed from a.py");
  for (const char* part : {"`if n > 100:` (line 2 before", "`assert m < 3` (line 4 before", "`if m == 7: raise KeyError(m)` (line 6 before"}) EXPECT_THAT(claims[0].detail, HasSubstr(part));
  ASSERT_EQ(claims[0].spots.size(), 2u);
  EXPECT_EQ(claims[0].spots[0].line, 2);
}

TEST(PlaybookReviewChecks, ANeighbourIsCitedWhereThePlaceIsGone) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "def f(n):\n    other()\n    return n\n"}});
  repo.more = [](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> {
    return DiffResult({{"a.py", {"@@ -1,5 +1,3 @@", " def f(n):", "-    if n > 100:", "-        raise ValueError(n)", "     use()", "     return n"}}});
  };
  const Report report = repo.Run("reviewer", "review the working tree");
  ASSERT_EQ(report.findings.size(), 1u) << Titles(report);
  ASSERT_EQ(report.findings[0].evidence.size(), 1u);
  EXPECT_EQ(report.findings[0].evidence[0].line_start, 3);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
}

TEST(PlaybookReviewChecks, Bounds) {
  const auto claims = ClaimsOfBounds({ChangedFile("a.c", {"-  if (i < n) {", "+  if (i <= n) {", "     f(i);"}, 1)});
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].title, "A bound was changed: a.c");
  EXPECT_EQ(claims[0].severity, Severity::kMedium);
  EXPECT_THAT(claims[0].detail, HasSubstr("`<` became `<=` in `if (i <= n) {` (line 1)"));
  EXPECT_THAT(ClaimsOfBounds({ChangedFile("a.js", {"-  if (i == n) {", "+  if (i === n) {"}), ChangedFile("b.c", {"-  p->x = 1;", "+  p->x = 2;"}), ChangedFile("c.c", {"-  if (i < n) {", "+  if (i <= m) {"}),
                              ChangedFile("d.py", {"-x = \"a<1\"", "+x = \"a<=1\""}), ChangedFile("e.c", {"-// i < n", "+// i <= n"})}),
              IsEmpty());
}

TEST(PlaybookReviewChecks, ACutChangeIsPagedAndNothingIsSaidToBeAbsent) {
  for (const bool rest_fails : {false, true}) {
    PlaybookRepo repo(std::map<std::string, std::string>{{"src/oven.c", "a = 1;\nb = 2;\nc = 3;\n"}, {"tests/other_test.c", "int x;\n"}, {"src/late.c", "gets(line);\n"}});
    repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
      if (call.tool != "git_diff") return std::nullopt;
      if (call.arguments.contains("path")) {
        if (rest_fails) return std::nullopt;
        EXPECT_EQ(call.arguments["from"], "v1");
        const std::string path = call.arguments["path"].get<std::string>();
        return DiffResult({{path, {"@@ -0,0 +1 @@", path == "src/late.c" ? "+gets(line);" : "+int x;"}}});
      }
      auto result = DiffResult({{"src/oven.c", {"@@ -0,0 +1,3 @@", "+a = 1;", "+b = 2;", "+c = 3;"}}});
      result.artifacts[0].entries = {"src/oven.c", "src/late.c", "tests/other_test.c"};
      result.artifacts[0].facts = {{"files", 3}, {"truncated", true}};
      return result;
    };
    const Report report = repo.Run("reviewer", "review v1..HEAD");
    EXPECT_EQ(report.complete, !rest_fails) << report.summary;
    EXPECT_THAT(report.summary, Not(HasSubstr("No line was added to a test")));
    EXPECT_EQ(report.summary.find("2 files were not looked at") != std::string::npos, rest_fails) << report.summary;
    EXPECT_EQ(Titles(report).find("gets()") != std::string::npos, !rest_fails);
    for (const auto& finding : report.findings)
      if (finding.title.find("no test") != std::string::npos) { EXPECT_TRUE(!rest_fails && finding.severity == Severity::kInfo) << finding.title; }
  }
  auto cut = RowsArtifact("diff", "a.c", {"@@ -0,0 +1,2 @@", "+a"});
  cut.facts = {{"added", 2}, {"removed", 0}};
  EXPECT_FALSE(ReadDiffArtifact(cut).whole);
  // A test of the same folder counts as beside.
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("oven/heat.go", {"+a = 1", "+b = 2", "+c = 3"}), ChangedFile("oven/all_test.go", {"+x"})}), IsEmpty());
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("src/oven/heat.c", {"+a = 1", "+b = 2", "+c = 3"}), ChangedFile("tests/oven/all_test.c", {"+x"})}), IsEmpty());
}

TEST(PlaybookReviewChecks, SecretsAreShownAsTheToolShowedThem) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "API_KEY = \"[redacted api-key]\"\nSECRET = \"q8w7e6r5t4\"\n"}});
  repo.more = [](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> {
    return DiffResult({{"a.py\tadded", {"@@ -0,0 +1,2 @@", "+API_KEY = \"[redacted api-key]\"", "+SECRET = \"q8w7e6r5t4\""}}});
  };
  const Report report = repo.Run("reviewer", "review the working tree");
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  ASSERT_EQ(report.findings.size(), 2u) << Titles(report);
  EXPECT_EQ(report.findings[0].evidence.at(0).quote, "API_KEY = \"[redacted api-key]\"");
  EXPECT_THAT(report.findings[1].title, HasSubstr("(value left out)"));
  EXPECT_EQ(report.findings[1].evidence.at(0).quote, "SECRET");
}

TEST(PlaybookReviewChecks, CommandsFromPartsAndSwallowedExceptions) {
  for (const auto& [path, lines, title] : std::initializer_list<std::tuple<const char*, std::vector<std::string>, const char*>>{
           {"a.js", {"+cp.exec('ls ' + x)"}, "exec() runs a shell"}, {"a.py", {"-os.system('ls')", "+os.system('ls ' + x)"}, "put together"}, {"a.py", {"+os.system(f'ls {x}')"}, "put together"},
           {"a.py", {"+subprocess.run(", "+    command,", "+    shell=True)"}, "through a shell"}, {"a.py", {"+    except Exception:", "+        pass"}, "swallowed"},
           {"a.py", {"+    except: pass"}, "swallowed"}, {"a.js", {"+} catch (e) {}"}, "swallowed"}, {"a.js", {"+} catch (e) {", "+}"}, "swallowed"}}) {
    const auto file = ChangedFile(path, lines);
    EXPECT_THAT(TitlesOf(ClaimsOfLines({file})) + TitlesOf(ClaimsOfChanges({file})), HasSubstr(title)) << lines[0];
  }
  for (const auto& [path, lines] : std::initializer_list<std::pair<const char*, std::vector<std::string>>>{
           {"a.js", {"+m = re.exec('a' + x)"}}, {"a.js", {"+db.exec('select 1' + x)"}}, {"a.py", {"+    except KeyError:", "+        pass"}}, {"a.py", {"+    except Exception:", "+        raise"}}}) {
    const auto file = ChangedFile(path, lines);
    EXPECT_EQ(TitlesOf(ClaimsOfLines({file})) + TitlesOf(ClaimsOfChanges({file})), "") << lines[0];
  }
}

}  // namespace
}  // namespace paddock::subagents
