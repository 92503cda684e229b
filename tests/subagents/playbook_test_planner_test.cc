// The test-planner on small made-up repositories.
#include <gmock/gmock.h>

#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct PlanCase {
  const char* name;
  std::map<std::string, std::string> files;
  std::vector<std::string> untested;  // in their order
  int tested;
  const char* test_file;  // of the first
  bool any_order = false;  // `untested` is sorted by name
};
void PrintTo(const PlanCase& one, std::ostream* out) { *out << one.name; }

class PlaybookTestPlanner : public testing::TestWithParam<PlanCase> {};

TEST_P(PlaybookTestPlanner, FindsWhatNoTestNames) {
  PlaybookRepo repo(GetParam().files);
  Report report = repo.Run("test-planner", "what is untested?", "", 10);
  SCOPED_TRACE(Titles(report) + report.summary);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  std::vector<std::string> names;
  for (const auto& each : report.data["untested"]) names.push_back(each["name"].get<std::string>());
  if (GetParam().any_order) std::sort(names.begin(), names.end());
  EXPECT_EQ(names, GetParam().untested);
  EXPECT_EQ(report.data["tested"], GetParam().tested);
  EXPECT_EQ(report.data["total"], GetParam().tested + static_cast<int>(names.size()));
  EXPECT_EQ(report.data["untested"].at(0)["test_file"], GetParam().test_file);
  EXPECT_THAT(report.summary, HasSubstr("No language model was used"));
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

const PlanCase kCases[] = {
    {"Python",
     {{"pyproject.toml", "[project]\nname = \"x\"\n[tool.pytest.ini_options]\n"},
      {"x/oven.py", "def small():\n    return 1\n\ndef bake(t):\n    if t > 3:\n        raise ValueError(t)\n    for i in range(t):\n        heat(i)\n    def inner():\n        pass\n    return t\n\ndef _hidden():\n    pass\n\nclass Oven:\n    def __init__(self):\n        pass\n\n    def cool(self):\n        return self\n\nclass _Private:\n    def nothing(self):\n        pass\n"},
      {"tests/test_oven.py", "import pytest\n\ndef test_cool():\n    Oven().cool()\n"}},
     {"bake", "small"}, 1, "tests/test_oven.py"},
    {"C",
     {{"Makefile", "test: all\n\t./x\n"}, {"src/oven.c", "static int hidden(int t) {\n    return t;\n}\n\nint oven_heat(int t) {\n    if (t)\n        return -1;\n    return hidden(t);\n}\n\nint oven_cool(int t) {\n    return t;\n}\n\nint not_in_a_header(int t) {\n    return t;\n}\n"},
      {"src/oven.h", "/* oven_heat() heats, and not_there() is\n   a word of prose. */\nint oven_heat(int t);\nint oven_cool(int t);\n"}, {"tests/cool_test.c", "int main(void) {\n    return oven_cool(1);\n}\n"}},
     {"oven_heat"}, 1, "tests/cool_test.c"},
    // Found on a library whose header says of each function where it is exported.
    {"MacroAroundTheType",
     {{"Makefile", "test: all\n\t./x\n"}, {"oven.c", "OVEN_API(int) oven_heat(int t)\n{\n    return t;\n}\n\nOVEN_API(char *) oven_name(void)\n{\n    return 0;\n}\n"},
      {"oven.h", "OVEN_API(int) oven_heat(int t);\nOVEN_API(char *) oven_name(void);\n"}, {"tests/heat_test.c", "int main(void) {\n    return oven_heat(1);\n}\n"}},
     {"oven_name"}, 1, "tests/heat_test.c"},
    // Found on a library in whose sources the type stands in the line before, and some parameters in the line behind.
    {"TypeInTheLineBefore",
     {{"Makefile", "test: all\n\t./x\n"}, {"oven.c", "OVEN_API(int)\noven_heat(int t)\n{\n    return t;\n}\n\nOVEN_API(char *)\noven_name(int t,\n        int u)\n{\n    return 0;\n}\n\nstatic int\noven_hidden(int t)\n{\n    return t;\n}\n\nOVEN_API(int)\noven_clamp(int t)\n{\n    return t;\n}\n"},
      {"oven.h", "OVEN_API(int)\noven_heat(int t);\n\nOVEN_API(char *)\noven_name(int t,\n        int u);\n"}, {"oven_private.h", "OVEN_API(int)\noven_clamp(int t);\n"}, {"tests/heat_test.c", "int main(void) {\n    return oven_heat(1);\n}\n"}},
     {"oven_name"}, 1, "tests/heat_test.c"},
    // Found on a library of which 12 of 20 named methods stood below "private".
    {"RubyPrivate",
     {{"Gemfile", "source 'x'\n"}, {"Rakefile", "task :test\n"},
      {"lib/oven.rb", "class Oven\n  def bake(t)\n    t\n  end\n\n  def self.made(t)\n    t\n  end\n\n  def shut(t)\n    t\n  end\n  private :shut\n\n  private\n\n  def secret(t)\n    t\n  end\n\n  def self.of_class(t)\n    t\n  end\n\n  class Door\n    def open(t)\n      t\n    end\n\n    protected\n\n    def lock(t)\n      t\n    end\n\n    public\n\n    def close_it(t)\n      t\n    end\n  end\n\n  def hidden_too(t)\n    t\n  end\nend\n\nclass Shelf\nprivate\n  def outdented(t)\n    t\n  end\nend\n\nclass Tray\n  def pull(t)\n    t\n  end\nend\n"},
      {"test/test_oven.rb", "class TestOven < Minitest::Test\n  def test_it\n    bake(1)\n  end\nend\n"}},
     {"close_it", "made", "of_class", "open", "pull"}, 1, "test/test_oven.rb", true},
    // Found on a library whose helpers stand outside of the list.
    {"PythonAll",
     {{"pyproject.toml", "[project]\nname = \"x\"\n[tool.pytest.ini_options]\n"},
      {"x/oven.py", "__all__ = [\n    'bake',  # it bakes\n    \"Oven\",\n]\n\ndef bake(t):\n    return t\n\ndef helper(t):\n    return t\n\ntry:\n    import grill\nexcept ImportError:\n    def under_a_condition(t):\n        return t\n\nclass Oven:\n    def cool(self):\n        return self\n\nclass Helper:\n    def nothing(self):\n        return self\n"},
      {"x/made.py", "from .oven import __all__ as names\n__all__ = names + ['rest']\n\ndef rest(t):\n    return t\n\ndef dynamic(t):\n    return t\n"},
      {"x/short.py", "__all__ = ('one',)\n__all__ += ['two']\n\ndef one(t):\n    return t\n\ndef two(t):\n    return t\n\ndef three(t):\n    return t\n"},
      {"tests/test_oven.py", "import pytest\n\ndef test_bake():\n    bake(1)\n"}},
     {"cool", "dynamic", "one", "rest", "two"}, 1, "tests/test_made.py", true},
    {"Go", {{"go.mod", "module x\n"}, {"oven.go", "package x\n\nfunc Heat(t int) int {\n\treturn t\n}\n\nfunc hidden() {\n}\n\nfunc (o *Oven) Cool() {\n\tif o == nil {\n\t\treturn\n\t}\n}\n\nfunc (o Oven) String() string {\n\treturn \"\"\n}\n"}, {"door_test.go", "package x\n\nfunc TestHeat(t *testing.T) {\n\tHeat(1)\n}\n"}},
     {"Cool"}, 1, "door_test.go"},
    {"Rust", {{"Cargo.toml", "[package]\nname = \"x\"\n"}, {"src/lib.rs", "pub fn heat() -> u32 {\n    1\n}\n\npub fn cool() -> u32 {\n    heat()\n}\n\nfn hidden() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it_heats() {\n        heat();\n    }\n}\n"}},
     {"cool"}, 1, "src/lib.rs"},
    {"Java",
     {{"pom.xml", "<project>\n</project>\n"}, {"src/main/java/Oven.java", "public class Oven {\n    public Oven() {\n    }\n\n    public int heat(int t) {\n        return t;\n    }\n\n    public String toString() {\n        return \"\";\n    }\n}\n"},
      {"src/test/java/DoorTest.java", "public class DoorTest {\n    @Test\n    public void opens() {\n    }\n}\n"}},
     {"heat"}, 0, "src/test/java/OvenTest.java"},
    {"JavaScript", {{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"mocha\"\n  }\n}\n"}, {"lib/oven.js", "exports.heat = function (t) {\n  return t\n}\n\nfunction hidden() {\n}\n\nexports.cool = function (t) {\n  return t\n}\n"}, {"test/oven.js", "it('heats', function () {\n  oven.heat(1)\n})\n"}},
     {"cool"}, 1, "test/oven.js"},
    // Found on a library with a function a file.
    {"JavaScriptOfOneExport",
     {{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"tap\"\n  }\n}\n"}, {"lib/heat.js", "const heat = (t, options) => {\n  return t\n}\nconst hidden = (t) => {\n  return t\n}\nmodule.exports = heat\n"},
      {"lib/cool.js", "const cool = (t) => {\n  return t\n}\nconst freeze = t => {\n  if (t) {\n    return t\n  }\n}\nmodule.exports = {\n  cool,\n  freeze,\n}\n"},
      {"lib/oven.js", "class Oven {\n  bake (t) {\n    if (t) {\n      return t\n    }\n  }\n\n  _secret (t) {\n    return t\n  }\n}\nclass Door {\n  open (t) {\n    return t\n  }\n}\nmodule.exports = Oven\n"},
      {"test/heat.js", "const heat = require('../lib/heat')\nt.equal(heat(1), 1)\n"}},
     {"freeze", "bake", "cool"}, 1, "test/cool.js"},
};
INSTANTIATE_TEST_SUITE_P(Languages, PlaybookTestPlanner, testing::ValuesIn(kCases), [](const auto& one) { return std::string(one.param.name); });

TEST(PlaybookTestPlannerReport, SaysWhatToWriteAndWhere) {
  PlaybookRepo repo(kCases[0].files);
  Report report = repo.Run("test-planner", "plan tests", "", 10);
  ASSERT_GE(report.findings.size(), 2u);
  EXPECT_THAT(report.findings[0].title, HasSubstr("Tests run with `"));
  EXPECT_EQ(report.findings[1].title, "No test names `bake` (x/oven.py:4)");
  for (const char* part : {"8 lines, 2 branches", "a unit test of each branch", "1 case in which it fails", "in tests/test_oven.py (it names at least 1 other function of x/oven.py)", "Run with `python3 -m pytest`"})
    EXPECT_THAT(report.findings[1].detail, HasSubstr(part));
  EXPECT_EQ(report.findings[1].evidence.size(), 2u) << "and the line that raises";
}

TEST(PlaybookTestPlannerReport, HistoryAndSymbolsDecideTheOrder) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "def first():\n    x = 1\n    y = 1\n    z = 1\n    return x\n"}, {"b.py", "def second():\n    x = 1\n    y = 1\n    return x\n"}, {"tests/test_c.py", "import pytest\n"}});
  auto order = [&] {
    std::string names;
    const Report report = repo.Run("test-planner", "plan", "", 10);
    for (const auto& each : report.data["untested"]) names += each["name"].get<std::string>() + " ";
    return names;
  };
  EXPECT_EQ(order(), "first second ");
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "git_log") return ResultWith({RowsArtifact("commits", ".", {"c1", "c2", "c3"}), RowsArtifact("changes", ".", {"b.py\t3\t9\t1\tc1", "a.py\t1\t2\t0\tc1"})});
    return std::nullopt;
  };
  EXPECT_EQ(order(), "second first ") << "what changes often comes first";
}

TEST(PlaybookTestPlannerReport, NothingIsMadeUp) {
  PlaybookRepo repo(kCases[0].files);
  repo.fail_all = true;
  Report report = repo.Run("test-planner", "plan", "", 10);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_FALSE(report.complete);
  for (int turns : {1, 2, 3, 4, 5}) {
    PlaybookRepo cut(kCases[0].files);
    report = cut.Run("test-planner", "plan", "", turns);
    EXPECT_TRUE(cut.EveryCitationHolds(report));
    EXPECT_TRUE(turns == 5 || report.data["untested"].empty()) << "as long as the tests weren't searched";
  }
  PlaybookRepo empty(std::map<std::string, std::string>{{"README.md", "Nothing.\n"}});
  EXPECT_THAT(empty.Run("test-planner", "plan", "", 10).summary, HasSubstr("No public function was found"));
}

namespace {

Report PlanOf(std::map<std::string, std::string> files) { return PlaybookRepo(std::move(files)).Run("test-planner", "plan", "", 10); }
std::string TestFileOf(const Report& report, const std::string& name) {
  for (const auto& each : report.data["untested"])
    if (each["name"] == name) return each["test_file"].get<std::string>() + (each["test_file_exists"].get<bool>() ? "" : " (new)");
  return "not listed: " + name;
}

}  // namespace

TEST(PlaybookTestPlannerReport, ATestCommandDeepInALongBuildFileIsFound) {
  std::string cmake = "project(x)\n";
  for (int i = 0; i < 600; ++i) cmake += "set(a" + std::to_string(i) + ")\n";
  const Report report = PlanOf({{"CMakeLists.txt", cmake + "enable_testing()\nadd_test(a a)\n"}, {"src/a.cc", "int Bake(int heat) {\n  return heat;\n}\n"}, {"src/b.cc", "\n"}});
  EXPECT_EQ(report.data["command"], "ctest --test-dir build") << report.summary;
}

TEST(PlaybookTestPlannerReport, HeadersAreOfTheLanguageWithMoreFiles) {
  const std::map<std::string, std::string> files{{"include/x/chrono.h", "int WeekOf(int day) {\n  return day / 7;\n}\n"}, {"include/x/other.h", "int OtherWay(int day) {\n  return day / 7;\n}\n"}, {"src/a.cc", "\n"}, {"src/b.cc", "\n"},
                                                 {"test/c-test.c", "int main(void) { return 0; }\n"}, {"test/chrono-test.cc", "TEST(A, B) {}\n"}, {"test/zip-test.cc", "TEST(A, C) {}\n"}};
  const Report report = PlanOf(files);
  EXPECT_EQ(TestFileOf(report, "WeekOf"), "test/chrono-test.cc");
  EXPECT_EQ(TestFileOf(report, "OtherWay"), "test/other-test.cc (new)");
}

TEST(PlaybookTestPlannerReport, FoldersOfSourceNamedDocOrToolsHoldCode) {
  const Report report = PlanOf({{"go.mod", "module x\n"}, {"a.go", "package x\n"}, {"doc/man.go", "package doc\n\nfunc GenMan(a int) int {\n\treturn a\n}\n"}, {"tools/t.go", "package tools\n\nfunc Sharpen(a int) int {\n\treturn a\n}\n"},
                                {"tools/t.py", "def blunt(a):\n    return a\n"}, {"examples/e.go", "package e\n\nfunc Shown(a int) int {\n\treturn a\n}\n"}});
  EXPECT_EQ(TestFileOf(report, "GenMan"), "doc/man_test.go (new)");
  EXPECT_EQ(TestFileOf(report, "Sharpen"), "tools/t_test.go (new)");
  EXPECT_EQ(TestFileOf(report, "Shown"), "not listed: Shown");
  EXPECT_EQ(TestFileOf(report, "blunt"), "not listed: blunt");
}

TEST(PlaybookTestPlannerReport, ASourceNamedTestIsNoPlaceForTests) {
  std::map<std::string, std::string> files{{"src/plan.cc", "int PlanAll(int day) {\n  return day;\n}\nint PlanOne(int day) {\n  return day;\n}\n"}, {"src/test_plan.cc", "int Use() { return PlanOne(1); }\n"}};
  EXPECT_EQ(TestFileOf(PlanOf(files), "PlanAll"), "src/test_plan.cc") << "there is no other way of telling";
  for (const char* name : {"a", "b", "c", "d"}) files["tests/" + std::string(name) + "_test.cc"] = "TEST(A, B) {}\n";
  const Report report = PlanOf(files);
  EXPECT_EQ(TestFileOf(report, "PlanAll"), "tests/plan_test.cc (new)");
  EXPECT_EQ(TestFileOf(report, "PlanOne"), "tests/plan_test.cc (new)") << "what a source calls is not tested by it";
}

TEST(PlaybookTestPlannerReport, NamesThatEndInNoWordAreFound) {
  const Report report = PlanOf({{"lib/oven.rb", "class Oven\n  def hot?\n    true\n  end\n  def heat=(t)\n    @t = t\n  end\n  def cool!\n    @t = 0\n  end\n  def cold?\n    false\n  end\nend\n"}, {"test/test_oven.rb", "def test_a\n  oven.heat = 3\n  assert oven.hot?\n  oven.cool!\nend\n"}});
  EXPECT_EQ(report.data["tested"], 3) << report.summary;
  EXPECT_EQ(TestFileOf(report, "cold?"), "test/test_oven.rb");
}

TEST(PlaybookTestPlannerReport, SizesAreOfWhatWasSeen) {
  std::string far = "inline auto IsBig() -> bool {\n#ifdef _WIN32\n  return false;\n#else\n  return true;\n#endif\n}\n\n";
  std::string body = "inline auto Endless() -> bool {\n";
  for (int i = 0; i < 300; ++i) body += "  Step(" + std::to_string(i) + ");\n";
  const Report report = PlanOf({{"src/a.cc", far + body + "}\n"}, {"src/b.cc", "\n"}, {"tests/b_test.cc", "TEST(A, B) {}\n"}});
  for (const auto& finding : report.findings) {
    if (finding.title.find("IsBig") != std::string::npos) {
      EXPECT_THAT(finding.detail, testing::StartsWith("7 lines"));
    }
    if (finding.title.find("Endless") != std::string::npos) {
      EXPECT_THAT(finding.detail, testing::StartsWith("To write: ")) << "its end was not read";
    }
  }
  EXPECT_EQ(report.data["untested"].size(), 2u);
}

TEST(PlaybookFileKinds, Paths) {
  for (const char* path : {"tests/a.py", "src/test/java/A.java", "a_test.go", "lib/__tests__/a.js", "a.spec.ts", "FooTest.java", "t/a.t", "spec/a_spec.rb", "conftest.py", "regress/x.sh", "xmltest.cpp", "src/selftests.c"}) EXPECT_TRUE(IsTestPath(path)) << path;
  for (const char* path : {"src/a.py", "contest.py", "latest.js", "attest/a.go", "src/protest.c", "Testament.java", "latest.cc", "src/gtest.cc", "greatest.c", "xmltest.h", "examples/cfgtest.c"}) EXPECT_FALSE(IsTestPath(path)) << path;
  EXPECT_EQ(TestedStem("tests/test_oven.py"), "oven");
  EXPECT_EQ(TestedStem("src/test/OvenTest.java"), "oven");
  EXPECT_EQ(TestedStem("oven_test.go"), "oven");
  EXPECT_EQ(TestedStem("oven.spec.ts"), "oven");
  EXPECT_EQ(TestedStem("src/bake/_oven.py"), "oven");
  EXPECT_EQ(TestedStem("src/bake/__init__.py"), "__init__");
  EXPECT_TRUE(IsBuildPath(".github/workflows/a.yml"));
  EXPECT_FALSE(IsBuildPath(".github/ISSUE_TEMPLATE/a.md"));
}

TEST(PlaybookDefinitions, Lines) {
  struct {
    const char *path, *line, *name, *kind;
  } cases[] = {{"a.c", "int f(int x) {", "f", "function"}, {"a.c", "void *g(void)", "g", "function"}, {"a.c", "char *h(const char *s) { return s; }", "h", "function"}, {"a.c", "int f(int x);", "f", "declaration"}, {"a.c", "#define MAX(a) a", "MAX", "macro"},
               {"a.cc", "Result<int> Box::Open(int x) const {", "Open", "function"}, {"a.h", "struct point {", "point", "type"}, {"a.c", "    return f(x);", "", ""}, {"a.c", "    f(x);", "", ""}, {"a.h", "see f(), which does it", "", ""}, {"a.h", "mod a prime (mod is slow!).  If not,", "", ""}, {"a.h", "you want f() here for that.", "", ""}, {"a.h", "Code by Some Body (www.example.org)", "", ""}, {"a.h", "oven_heat(oven_t *oven, int t);", "oven_heat", "declaration"}, {"a.c", "module_init(oven_start);", "", ""},
               {"a.py", "class A(B):", "A", "class"}, {"a.py", "    async def f(self):", "f", "function"}, {"a.js", "const f = async (x) => {", "f", "function"}, {"a.js", "app.use = function use(fn) {", "use", "function"}, {"a.js", "  if (x) {", "", ""},
               {"a.go", "func (b *Box) Open(x int) error {", "Open", "function"}, {"a.rs", "pub(crate) async fn f<T>(x: T) {", "f", "function"}, {"A.java", "    public static <T> List<T> of(T one) {", "of", "function"}, {"A.java", "        return of(one);", "", ""},
               {"a.rb", "  def self.open?(x)", "open?", "function"}, {"a.pl", "sub f {", "f", "function"}, {"a.sh", "f() {", "f", "function"}, {"a.py", "# def f():", "", ""}, {"a.txt", "def f():", "", ""}};
  for (const auto& one : cases) {
    const auto defined = DefinedOn(one.path, one.line);
    EXPECT_EQ(defined ? defined->name : "", one.name) << one.path << ": " << one.line;
    EXPECT_EQ(defined ? defined->kind : "", one.kind) << one.path << ": " << one.line;
  }
}

}  // namespace
}  // namespace paddock::subagents
