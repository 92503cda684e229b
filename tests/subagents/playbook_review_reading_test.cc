// What the reviewer takes for code in an added line, by which roads a call may be named, and what it says of what it did not judge.
#include <gmock/gmock.h>

#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_untested.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void ExpectNamed(std::initializer_list<ChangeCase> cases) {
  for (const auto& [path, lines, title] : cases) EXPECT_THAT(TitlesOf(ChangedFile(path, lines, 40)), HasSubstr(title)) << path << lines.back();
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}
void ExpectNotNamed(std::initializer_list<ChangeCase> cases) {
  for (const auto& [path, lines, title] : cases) EXPECT_THAT(TitlesOf(ChangedFile(path, lines, 40)), Not(HasSubstr(title))) << path << lines.back();
}

TEST(PlaybookReviewReading, CodeInAStringIsCode) {
  ExpectNamed({{"a.py", {"+    return f\"{eval(q)}\""}, "eval()"},
               {"a.py", {"+    return fr'a{eval(q)}'"}, "eval()"},
               {"a.js", {"+  return `${eval(q)}`;"}, "eval()"},
               {"a.js", {"+  return `a ${f(`${eval(q)}`)}`;"}, "eval()"}});
  ExpectNotNamed({{"a.py", {"+    return \"{eval(q)}\""}, "eval()"}, {"a.py", {"+    return f\"{{eval(q)}}\""}, "eval()"}, {"a.js", {"+  return `eval(q)`;"}, "eval()"}, {"a.js", {"+  return '${eval(q)}';"}, "eval()"}});
}

TEST(PlaybookReviewReading, CodeBehindAStringOfTheSameIsCode) {
  ExpectNamed({{"a.js", {"+  log('eval(q)'); eval(q);"}, "eval()"}, {"a.py", {"+    x = \"eval(\"; y = eval(q)"}, "eval()"}});
}

TEST(PlaybookReviewReading, AStarBehindCodeMultiplies) {
  ExpectNamed({{"a.js", {"+  return 2", "+    * eval(q);"}, "eval()"}});
  ExpectNotNamed({{"a.js", {" * Reads it.", " *", "+ * eval(q) is not called", " * here"}, "eval()"}, {"a.js", {" /*", "+ * eval(q)", "  */"}, "eval()"}});
}

TEST(PlaybookReviewReading, ASlashBehindAValueDivides) {
  ExpectNamed({{"a.js", {"+  return n++ / eval(q) / 2;"}, "eval()"}, {"a.js", {"+  return n-- / eval(q) / 2;"}, "eval()"}, {"a.js", {"+  return f(n) / eval(q) / 2;"}, "eval()"}});
  ExpectNotNamed({{"a.js", {"+  return /eval(q)/.test(s);"}, "eval()"}, {"a.js", {"+  s.replace(/eval(q)/, '');"}, "eval()"}});
}

// Quotes in a comment begin and end no docstring.
TEST(PlaybookReviewReading, QuotesInACommentBehindCodeEndNothing) {
  ExpectNamed({{"a.py", {"+    q = eval(q)", "+    return q  # as in \"\"\""}, "eval()"}, {"a.py", {"+    q = str(q)  # of \"\"\"q", "+    q = eval(q)", "+    return q  # and q\"\"\"x"}, "eval()"}});
}

TEST(PlaybookReviewReading, ACallByAnotherRoadIsTheSameCall) {
  ExpectNamed({{"a.py", {"+    return __builtins__.eval(q)"}, "eval()"},
               {"a.py", {"+    return builtins.exec(q)"}, "exec()"},
               {"a.py", {"+    return __builtins__['eval'](q)"}, "eval()"},
               {"a.js", {"+  return (0, eval)(q);"}, "eval()"},
               {"a.js", {"+  return window[\"eval\"](q);"}, "eval()"},
               {"a.js", {"+  return globalThis.eval(q);"}, "eval()"},
               {"a.js", {"+  return eval?.(q);"}, "eval()"}});
  ExpectNotNamed({{"a.py", {"+    model.eval()"}, "eval()"}, {"a.js", {"+  redis.eval(script);"}, "eval()"}, {"a.js", {"+  medieval(q);"}, "eval()"}});
}

TEST(PlaybookReviewReading, ASettingByAnotherSpellingIsTheSameSetting) {
  ExpectNamed({{"a.py", {"+    get(q, **{\"verify\": False})"}, "TLS certificates are not checked"},
               {"a.py", {"+    options['verify'] = False"}, "TLS certificates are not checked"},
               {"a.py", {"+    run(q, **{'shell': True})"}, "through a shell"},
               {"a.js", {"+  fetch(q, { rejectUnauthorized: !1 });"}, "TLS certificates are not checked"},
               {"a.js", {"+  options['rejectUnauthorized'] = false;"}, "TLS certificates are not checked"}});
  ExpectNotNamed({{"a.py", {"+    get(q, verify=True)"}, "TLS"}, {"a.js", {"+  fetch(q, { rejectUnauthorized: !insecure });"}, "TLS"}});
}

TEST(PlaybookReviewReading, AReturnBeforeWhatIsDoneIsTold) {
  ExpectNamed({{"tests/test_a.py", {" def test_auth():", "+    return", "     assert rm(1, 2) == 3"}, "A test returns before what it checks: tests/test_a.py"},
               {"src/a.go", {" func f() error {", "+\treturn nil", " \tif !ok {"}, "A return was put before code"},
               {"src/a.c", {" int f(void) {", "+  return 0;", "   if (!check())", "     return -1;"}, "A return was put before code"}});
  ExpectNotNamed({{"src/a.py", {" def f():", "     if x:", "+        return", "     g()"}, "A return"},
                  {"src/a.c", {"   if (x)", "+  return 0;", "   g();"}, "A return"},
                  {"src/a.c", {"   case 1:", "+    return 0;", "     case 2:"}, "A return"},
                  {"src/a.c", {"   x();", "+  return 0;", " }"}, "A return"},
                  {"src/a.c", {"   x();", "+  return 0;", "   fail:", "   free(p);"}, "A return"},
                  {"src/a.py", {"     x()", "+    return None", "     \"\"\"No code.\"\"\""}, "A return"}});
}

// A new assertion that can't fail stands for none.
TEST(PlaybookReviewReading, AnAssertionThatCannotFailReplacesNone) {
  ExpectNamed({{"tests/test_a.py", {" def test_a():", "-    assert f(1) == 1", "+    assert True", "     g()"}, "An assertion was removed"},
               {"test/a.test.js", {" test('a', () => {", "-  expect(f(1)).toBe(1)", "+  expect(true).toBe(true)", " })"}, "An assertion was removed"}});
  ExpectNotNamed({{"tests/test_a.py", {" def test_a():", "-    assert f(1) == 1", "+    assert f(1) == 2", "     g()"}, "removed"}});
}

TEST(PlaybookReviewReading, ThatNothingWasFoundIsSaidOfWhatWasJudged) {
  const auto said = [](const std::string& path, const std::string& line) { return ReviewOf({{path, line + "\n"}}, {{path, {"@@ -0,0 +1 @@", "+" + line}}}).summary; };
  EXPECT_THAT(said("src/a.js", "f(q);"), HasSubstr("The rules found nothing to say, which is no proof"));
  EXPECT_THAT(said("dist/x.js", "eval(q)"), AllOf(HasSubstr("Not judged: 1 file that a program makes, by the name, with 1 added line."), HasSubstr("The rules found nothing to say of the rest")));
  EXPECT_THAT(said("src/a.vue", "eval(q)"), AllOf(HasSubstr("1 file is in no language that is known here"), HasSubstr("nothing to say of the rest")));
  EXPECT_THAT(said("src/a.js", std::string(4001, 'a') + ";eval(q)"), AllOf(HasSubstr("Of 1 added line only the first 4000 bytes were looked at."), HasSubstr("nothing to say of the rest")));
}

TEST(PlaybookReviewReading, NewFunctionsOfAHeaderAreLookedForInTests) {
  const Files files = {{"src/oven.h", "namespace x {\nclass Oven {\n public:\n  int Heat(int degrees);\n  int Cool();\n\n private:\n  int Measure();\n};\nint Bake(Oven* oven);\n}\n"},
                       {"tests/oven_test.cc", "TEST(Oven, Cools) { EXPECT_EQ(Oven().Cool(), 1); }\n"}};
  const Report report = ReviewOf(files, {{"src/oven.h", {"@@ -3,0 +4,2 @@", "+  int Heat(int degrees);", "+  int Cool();", "@@ -5,0 +8 @@", "+  int Measure();", "@@ -6,0 +10 @@", "+int Bake(Oven* oven);"}}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("2 new functions are named in no test: `Heat`, `Bake`"), Not(HasSubstr("`Cool`")), Not(HasSubstr("`Measure`"))));
}

// Found by review.
TEST(PlaybookReviewReading, AStatusThatIsLookedPastIsNoConditionOfAProgram) {
  for (const char* path : {"a.sh", "Dockerfile", ".github/workflows/a.yml", "Makefile", "a.foo"})
    EXPECT_THAT(TitlesOf(ChangedFile(path, {"+V=$(git describe || true)", "+(make || true) | cat", "+RUN x || true \\"})), Not(HasSubstr("says the same whatever holds"))) << path;
  EXPECT_THAT(TitlesOf(ChangedFile("a.py", {"+if ok or True:", "+    go()"})), HasSubstr("says the same whatever holds"));
}

TEST(PlaybookReviewReading, OnlyAMarkSwitchesATestOff) {
  for (const char* test : {"+    assert page(skip=5) == [6]", "+test('skips blanks', () => {", "+  is_disabled(x)"}) EXPECT_TRUE(AnyTestChanged({ChangedFile("tests/test_a.py", {test})})) << test;
  for (const char* mark : {"+@pytest.mark.skip(reason=\"later\")", "+  t.Skip(\"later\")", "+@Disabled", "+xit('heats', () => {", "+#[ignore]", "+  it.skip('heats', () => {", "+    self.skipTest('later')"}) EXPECT_FALSE(AnyTestChanged({ChangedFile("tests/test_a.py", {mark})})) << mark;
}

TEST(PlaybookReviewReading, AMakefileOfWhichOnlyACommentChangedBuildsAsBefore) {
  const FileDiff made = ChangedFile("Makefile", {"-# a", "+# b"}), package = ChangedFile("package.json", {"+    \"build\": \"tsc\","});
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({made, package})), testing::AllOf(HasSubstr("otherwise: package.json"), Not(HasSubstr("Makefile"))));
  EXPECT_THAT(TitlesOf(ClaimsOfChanges({ChangedFile("Makefile", {"-all: check", " all:"}), package})), HasSubstr("Makefile"));
}

// Written by one who looked for it: the words that excuse a line stood in its comment.
TEST(PlaybookReviewReading, ACommentExcusesNothing) {
  ExpectNamed({{"a.js", {"+eval(x); // function eval"}, "eval"}, {"a.py", {"+return eval(x)  # def eval("}, "eval"}, {"a.py", {"+y = yaml.load(x)  # Safe"}, "yaml.load"}, {"a.c", {"+gets(b); /* .gets void gets(void) */"}, "gets"}});
}

TEST(PlaybookReviewReading, AStringThatABackslashCarriesOnAndAPatternBehindAConditionEndWhereTheyDo) {
  ExpectNamed({{"a.py", {"+v = '\\", "+'; exec(v)"}, "exec"}, {"a.js", {"+if (x) /\"/.test(x); eval(x); (\"\");"}, "eval"}, {"a.py", {"+(eval)(x)"}, "eval"}, {"a.sh", {"+curl -sk https://a.example/"}, "TLS"}, {"a.sh", {"+true && eval \"$1\""}, "eval"}, {"a.py", {"+requests.get(u, verify=0)"}, "TLS"}});
  EXPECT_THAT(TitlesOf(ChangedFile("a.js", {"+const half = (a + b) / 2; // eval(x) / 3"})), Not(HasSubstr("eval")));
}

}  // namespace
}  // namespace paddock::subagents
