// The reviewer on what protects a secret, on conditions, on code that is none, and on output.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_claims.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(PlaybookReviewWeakened, FaultsAreNamed) {
  for (const auto& [path, lines, title] : std::initializer_list<ChangeCase>{
           {"A.java", {"+        connection.setHostnameVerifier((host, session) -> true);"}, "TLS certificates are not checked"},
           {"A.java", {"+    public boolean verify(String host, SSLSession session) {", "+        return true;", "+    }"}, "TLS certificates are not checked"},
           {"examples/a.js", {"+process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';"}, "TLS certificates are not checked"},
           {"lib/a.js", {"+process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0"}, "TLS certificates are not checked"},
           {"ci/run.sh", {"+export NODE_TLS_REJECT_UNAUTHORIZED=0"}, "TLS certificates are not checked"},
           {"a.go", {"+\tconfig.InsecureSkipVerify = true"}, "TLS certificates are not checked"},
           {"a.go", {"-\tif subtle.ConstantTimeCompare([]byte(pass), []byte(want)) != 1 {", "+\tif pass != want {", " \t\treturn"}, "A comparison in constant time was replaced"},
           {"a.py", {"-    return hmac.compare_digest(mac, given)", "+    return mac == given"}, "A comparison in constant time was replaced"},
           {"lib/a.js", {"-  return crypto.timingSafeEqual(a, b)", "+  return a.equals(b)"}, "A comparison in constant time was replaced"},
           {"a.go", {"+func SessionToken(user string) string {", "+\tsum := md5.Sum([]byte(fmt.Sprintf(\"%s:%d\", user, rand.Int63())))", "+\treturn hex.EncodeToString(sum[:])", "+}"}, "A secret from random numbers that can be foretold"},
           {"a.py", {"+def make_password(n):", "+    return ''.join(random.choice(LETTERS) for _ in range(n))"}, "A secret from random numbers that can be foretold"},
           {"lib/a.js", {"+function newApiKey () {", "+  return Math.random().toString(36)", "+}"}, "A secret from random numbers that can be foretold"},
           {"a.go", {" \tdefer f.Close()", "+\tif err := cmd.Run(); err != nil {", "+\t}"}, "An error is asked for, and nothing is done about it"},
           {"examples/a.c", {"+    const char* path = \"/home/eva/src/x.ini\";"}, "A path of one person's machine"},
           {"a.py", {"+CACHE = 'C:\\\\Users\\\\eva\\\\cache'"}, "A path of one person's machine"},
           {"tests/unittest.c", {"     parse(\"a.ini\");", "-    parse(\"b.ini\");", "+    // parse(\"b.ini\");", "     return 0;"}, "A line of a test was commented out"},
           {"a_test.go", {"-func TestHeat(t *testing.T) {", "-\theat(t)", "-}", "+// func TestHeat(t *testing.T) {", "+// \theat(t)", "+// }"}, "2 lines of tests were commented out"},
           {"A.java", {"+        new ProcessBuilder(\"sh\", \"-c\", \"gzip \" + name).start();"}, "A shell runs a text"},
           {"A.java", {"+        Runtime.getRuntime().exec(\"gzip \" + name);"}, "Runtime.exec() on one text"},
           {"lib/a.js", {"     const other = find(a)", "-    if (other) {", "-      const flag = other.flag", "-      throw new Error(`${flag} is there`)", "-    }", "+    // if (other) {", "+    //   throw new Error(`is there`)", "+    // }", "     add(a)"}, "A check was removed from lib/a.js"}})
    EXPECT_THAT(TitlesOf(ChangedFile(path, lines, 40)), HasSubstr(title)) << path << lines[0];
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookReviewWeakened, OthersAreNot) {
  for (const auto& [path, lines, title] : std::initializer_list<ChangeCase>{
           {"a_test.go", {"+\tif testing.Short() {", "+\t\tt.Skip(\"needs a shell\")", "+\t}"}, "switched off"},
           {"tests/test_a.py", {"+    if sys.platform == 'win32':", "+        pytest.skip('no symlinks')"}, "switched off"},
           {"tests/test_a.py", {"+    try:", "+        import numpy", "+    except ImportError:", "+        self.skipTest('no numpy')"}, "switched off"},
           {"tests/a_test.cc", {"+  if (!HasTool()) {", "+    GTEST_SKIP() << \"no tool\";"}, "switched off"},
           {"A.java", {"+        String[] line = {\"gzip\", name};", "+        Runtime.getRuntime().exec(line);"}, "one text"},
           {"A.java", {"+        new ProcessBuilder(\"sh\", \"-c\", \"gzip -t\").start();"}, "A shell runs a text"},
           {"a.go", {"-\tif subtle.ConstantTimeCompare(a, b) != 1 {", "+\tif len(a) == 0 || subtle.ConstantTimeCompare(a, b) != 1 {"}, "constant time"},
           {"a.go", {"+func backoff(n int) time.Duration {", "+\treturn time.Duration(rand.Intn(250)) * time.Millisecond", "+}"}, "foretold"},
           {"a.go", {"+func newToken() (*big.Int, error) {", "+\treturn rand.Int(rand.Reader, max)", "+}"}, "foretold"},
           {"lib/a.js", {"+function tokenize (text) {", "+  return Math.random() < 0.5 ? text : ''", "+}"}, "foretold"},
           {"a.go", {"+\tif err != nil {", "+\t\t// it was closed before", "+\t}"}, "nothing is done"},
           {"examples/a.c", {"+    const char* path = \"/home/user/x/y.ini\";"}, "A path of one person's machine"},
           // The check stands in a function that is called in its place.
           {"lib/a.js", {" f (alias) {", "-    if (alias === command._name) throw new Error('same')", "+    command._same(alias)", " }", "+  _same(alias) {", "+    if (alias === this._name)", "+      throw new Error('same')", "+  }"}, "A check was removed"},
           {"lib/a.js", {"-    if (alias === command._name) throw new Error('same')", "+    command._checkAlias(alias)"}, "A check was removed"}})
    EXPECT_THAT(TitlesOf(ChangedFile(path, lines, 40)), Not(HasSubstr(title))) << path << lines[0];
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookReviewCode, CommentsDocstringsAndSettingsNeedNoTest) {
  const std::vector<std::string> code{" a", "+  one = f(1)", "+  two = f(2)", "+  three = f(3)"};
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("lib/a.js", code), ChangedFile("eslint.config.js", code), ChangedFile(".eslintrc.cjs", code), ChangedFile("docs/conf.py", code), ChangedFile("gulpfile.js", code)}), ElementsAre("lib/a.js"));
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("x/a.py", {" def f(n):", "+    \"\"\"Bake it.", "+", "+    It bakes what f(n) heats, so that", "+    nothing is cold.", "+    \"\"\"", "     return n"})}), IsEmpty());
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("x/a.py", {" def f(n):", "     \"\"\"Bake it.", " ", "-    It bakes what f(n) heats, so that", "-    nothing is cold, not even", "-    the door.", "+    It bakes.", "     \"\"\"", "     return n"})}), IsEmpty());
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("lib/a.js", {" /**", "+ * It bakes what f(n) heats,", "+ * so that nothing is", "+ * cold.", "  */"})}), IsEmpty());
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("x/a.py", {" SQL = \"\"\"", "+  select a", "+  from b", "+  where c", " \"\"\""})}), IsEmpty()) << "a text";
}

std::optional<agentcore::ToolResult> ADiff(const agentcore::ToolCall& call, const std::string& path, std::vector<std::string> lines) {
  if (call.tool == "git_diff") return DiffResult({{path, std::move(lines)}});
  return std::nullopt;
}

// What a hunk shows of a docstring may have no quotes in it.
TEST(PlaybookReviewCode, ADocstringIsOneInTheFile) {
  const std::string head = "def f(n):\n    \"\"\"Bake it.\n\n", tail = "    Five.\n    Six.\n    \"\"\"\n    return n\n";
  PlaybookRepo repo(std::map<std::string, std::string>{{"x/a.py", head + "    One f(n).\n    Two f(n).\n    Three f(n).\n    Four.\n" + tail}, {"tests/test_b.py", "import pytest\n"}});
  repo.more = [](const auto& call) { return ADiff(call, "x/a.py", {"@@ -4,3 +4,6 @@", "+    One f(n).", "+    Two f(n).", "+    Three f(n).", "     Four.", "     Five.", "     Six."}); };
  EXPECT_THAT(Titles(repo.Run("reviewer", "review the working tree")), Not(HasSubstr("Code was changed")));
  PlaybookRepo code(std::map<std::string, std::string>{{"x/a.py", "def f(n):\n    one = f(n)\n    two = f(n)\n    three = f(n)\n    return n\n"}, {"tests/test_b.py", "import pytest\n"}});
  code.more = [](const auto& call) { return ADiff(call, "x/a.py", {"@@ -1,2 +1,5 @@", " def f(n):", "+    one = f(n)", "+    two = f(n)", "+    three = f(n)", "     return n"}); };
  EXPECT_THAT(Titles(code.Run("reviewer", "review the working tree")), HasSubstr("Code was changed, no test was: x/a.py"));
}

TEST(PlaybookReviewPrints, OutputIsToldByAProjectThatPrintsNowhereElse) {
  std::map<std::string, std::string> files{{"x/a.py", "def f(n):\n    print(n)\n    return n\n"}, {"x/b.py", "def g(n):\n    return n\n"}};
  const auto more = [](const auto& call) { return ADiff(call, "x/a.py", {"@@ -1,2 +1,3 @@", " def f(n):", "+    print(n)", "     return n"}); };
  PlaybookRepo repo(files);
  repo.more = more;
  const Report report = repo.Run("reviewer", "review the working tree");
  EXPECT_THAT(Titles(report), HasSubstr("Output in a project whose sources print nowhere else: x/a.py"));
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  files["x/b.py"] = "def g(n):\n    print('g', n)\n";
  PlaybookRepo prints(files);
  prints.more = more;
  EXPECT_THAT(Titles(prints.Run("reviewer", "review the working tree")), Not(HasSubstr("Output in a project")));
}

}  // namespace
}  // namespace paddock::subagents
