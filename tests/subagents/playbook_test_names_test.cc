// The test-planner on what is a test, and on what only has the same word as a function.
#include <gmock/gmock.h>

#include <algorithm>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report PlanOf(std::map<std::string, std::string> files) { return PlaybookRepo(std::move(files)).Run("test-planner", "plan", "", 12); }
std::vector<std::string> Untested(const Report& report) {
  std::vector<std::string> out;
  for (const auto& each : report.data["untested"]) out.push_back(each["name"].get<std::string>());
  std::sort(out.begin(), out.end());
  return out;
}
std::string PlaceOf(const Report& report, const std::string& name) {
  for (const auto& each : report.data["untested"])
    if (each["name"] == name) return each["test_file"].get<std::string>() + (each["test_file_exists"].get<bool>() ? "" : " (new)");
  return "not listed: " + name;
}

// A library with a header, of which `demo/show.cc` uses one function.
std::map<std::string, std::string> Library(std::map<std::string, std::string> more) {
  more.merge(std::map<std::string, std::string>{{"oven.h", "int Bake(int heat);\nint Cool(int heat);\n"}, {"oven.cc", "int Bake(int heat) {\n  return heat;\n}\n\nint Cool(int heat) {\n  return heat;\n}\n"},
                                                {"demo/show.cc", "#include \"oven.h\"\nint main() {\n  return Bake(3);\n}\n"}});
  return more;
}

// Found on a library whose example is what its build runs as the test of its classes.
TEST(PlaybookTestFiles, WhatTheBuildRunsAsATestIsOneWhereverItLies) {
  struct {
    const char *path, *text;
  } builds[] = {{"demo/meson.build", "exe = executable('show_' + name, lib,\n  'show.cc')\ntest('show', exe)\n"},
                {"demo/CMakeLists.txt", "add_executable(show show.cc)\ntarget_link_libraries(show oven)\nadd_test(NAME it_shows COMMAND show)\n"},
                {"Makefile.am", "check_PROGRAMS = demo/show\nTESTS = $(check_PROGRAMS)\ndemo_show_SOURCES = demo/show.cc \\\n  oven.cc\n"},
                {"Makefile", "all: oven.o\n\ntest: demo/show\n\t./demo/show\n\ninstall:\n\tcp oven.h /usr\n"},
                {"demo/runtest.sh", "#!/bin/sh\ng++ -I.. show.cc ../oven.cc -o show\n./show > out.txt\n"}};
  for (const auto& [path, text] : builds) {
    const Report report = PlanOf(Library({{path, text}, {"meson.build", "subdir('demo')\n"}, {"CMakeLists.txt", "add_subdirectory(demo)\n"}}));
    EXPECT_THAT(Untested(report), ElementsAre("Cool")) << path << report.summary;
    EXPECT_EQ(report.data["tested"], 1) << path;
    EXPECT_EQ(PlaceOf(report, "Cool"), "demo/show.cc") << path;
  }
  EXPECT_THAT(Untested(PlanOf(Library({{"demo/meson.build", "executable('show', 'show.cc')\n"}}))), ElementsAre("Bake", "Cool")) << "it is built, and no test runs it";
  EXPECT_THAT(Untested(PlanOf(Library({{"CMakeLists.txt", "add_executable(ovenctl ctl.cc)\nadd_test(NAME version COMMAND ovenctl --version)\n"}, {"ctl.cc", "int main() {\n  return Cool(1);\n}\n"}}))), ElementsAre("Bake", "Cool"))
      << "the project's own program, run by a test";
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookTestFiles, WhatTheTestScriptNamesIsATest) {
  const std::string library = "exports.heat = function (t) {\n  return t\n}\nexports.cool = function (t) {\n  return t\n}\n";
  EXPECT_THAT(Untested(PlanOf({{"package.json", "{\n  \"scripts\": {\n    \"test\": \"eslint lib && mocha verify/\"\n  }\n}\n"}, {"lib/oven.js", library}, {"verify/all.js", "it('heats', () => {\n  oven.heat(1)\n})\n"}})), ElementsAre("cool"));
  EXPECT_THAT(Untested(PlanOf({{"package.json", "{\n  \"scripts\": {\n    \"test\": \"node check.js\"\n  }\n}\n"}, {"lib/oven.js", library}, {"check.js", "assert(oven.heat(1))\n"}})), ElementsAre("cool"));
  EXPECT_THAT(Untested(PlanOf({{"package.json", "{\n  \"scripts\": {\n    \"test\": \"jest lib\"\n  }\n}\n"}, {"lib/oven.js", library}, {"lib/use.js", "oven.heat(1)\n"}})), ElementsAre("cool", "heat")) << "the sources lie there";
}

// Found on libraries of which "dict", "get" and "start" were named in tests: the language's own.
TEST(PlaybookTestWords, OfSomethingElseAreNoTestsNames) {
  struct {
    const char *source, *text, *test, *line;
    int tested, word_only;
  } cases[] = {
      {"x/oven.py", "class Oven:\n    def dict(self):\n        return 1\n", "tests/test_oven.py", "    env = dict(other)\n", 0, 1},
      {"x/oven.py", "class Oven:\n    def dict(self):\n        return 1\n", "tests/test_oven.py", "    env = oven.dict()\n", 1, 0},
      {"x/oven.py", "def listdir(a):\n    return 1\n", "tests/test_oven.py", "    assert os.listdir(path) == []\n", 0, 1},
      {"x/os.py", "def listdir(a):\n    return 1\n", "tests/test_os.py", "    assert os.listdir(path) == []\n", 1, 0},
      {"x/oven.py", "def bake(a):\n    return 1\n", "tests/test_oven.py", "    run('bake', 'it')  # and bake it\n", 0, 1},
      {"x/oven.py", "def bake(a):\n    return 1\n", "tests/test_oven.py", "    Oven(bake=1)\n", 0, 1},
      {"x/oven.py", "def bake(a):\n    return 1\n", "tests/test_oven.py", "from x.oven import bake\n", 1, 0},
      {"x/oven.py", "def bake(a):\n    return 1\n", "tests/test_oven.py", "    assert all(map(bake, things))\n", 1, 0},
      {"x/oven.py", "def bake(a):\n    return 1\n", "tests/test_oven.py", "def bake(a):\n    return 2\n\ndef test_a():\n    bake(1)\n", 0, 1},
      {"oven.go", "package x\n\nfunc Timeout(t int) int {\n\treturn t\n}\n", "oven_test.go", "\tc := http.Server{Timeout: 5}\n", 0, 1},
      {"oven.go", "package x\n\nfunc Timeout(t int) int {\n\treturn t\n}\n", "oven_test.go", "\tr.Use(Timeout(5))\n", 1, 0},
      {"oven.go", "package x\n\nfunc NotFound(t int) int {\n\treturn t\n}\n", "oven_test.go", "\th := http.NotFound(w, r)\n", 0, 1},
      {"lib/oven.js", "exports.error = function (t) {\n  return t\n}\n", "test/oven.test.js", "  test('when error then exit', () => {\n  console.error(1)\n", 0, 1},
      {"lib/oven.js", "exports.error = function (t) {\n  return t\n}\n", "test/oven.test.js", "  oven.error('x')\n", 1, 0},
      {"src/main/java/Oven.java", "public class Oven {\n    public void println(int t) {\n    }\n}\n", "src/test/java/OvenTest.java", "        System.out.println(1);\n", 0, 1},
      {"oven.cc", "int Bake(int heat) {\n  return heat;\n}\n", "tests/oven_test.cc", "TEST(Oven, Bake) {\n", 0, 1},
  };
  for (const auto& [source, text, test, line, tested, word_only] : cases) {
    const Report report = PlanOf({{source, text}, {test, line}});
    EXPECT_EQ(report.data["tested"], tested) << source << " " << line;
    EXPECT_EQ(report.data["word_only"].size(), static_cast<size_t>(word_only)) << source << " " << line;
    EXPECT_EQ(report.data["total"], 1) << line;
    if (word_only > 0) {
      EXPECT_THAT(report.summary, HasSubstr("of 1 only the word stands in a test")) << line;
    }
  }
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookTestWords, ATestOfTypesRunsNothing) {
  const Report report = PlanOf({{"package.json", "{\n  \"scripts\": {\n    \"test\": \"node --test && tsd\"\n  }\n}\n"}, {"lib/oven.js", "exports.heat = function (t) {\n  return t\n}\n"}, {"typings/index.test-d.ts", "expectType<number>(oven.heat(1));\n"},
                                {"tests/door.test.js", "door.open()\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("No test that is run names `heat`"));
  EXPECT_THAT(DetailOf(report, "`heat`"), HasSubstr("compiled and never run: typings/index.test-d.ts"));
  EXPECT_EQ(PlaceOf(report, "heat"), "tests/oven.test.js (new)");
}

// Found on a package whose tests/__init__.py was proposed for what its own __init__.py defines.
TEST(PlaybookTestPlaces, AreOfTheSameSubject) {
  const std::map<std::string, std::string> files{{"pyproject.toml", "[project]\nname = \"oven\"\n"}, {"oven/__init__.py", "def load_grill(t):\n    return t\n\ndef warm(t):\n    return t\n"}, {"tests/__init__.py", ""}, {"tests/conftest.py", "import pytest\n"},
                                                 {"tests/test_grill.py", "import pytest\n"}};
  const Report report = PlanOf(files);
  EXPECT_EQ(PlaceOf(report, "load_grill"), "tests/test_grill.py");
  EXPECT_EQ(PlaceOf(report, "warm"), "tests/test_oven.py (new)");
}

TEST(PlaybookTestPlaces, ANewNameIsAsOthersAreAndAsTheSourceIs) {
  const Report report = PlanOf({{"lib/warmUp.js", "exports.warm = function (t) {\n  return t\n}\n"}, {"tests/args.literal.test.js", "door.open()\n"}});
  EXPECT_EQ(PlaceOf(report, "warm"), "tests/warmUp.test.js (new)");
}

TEST(PlaybookTestPlaces, ADeclarationOverTwoLinesIsNoOtherFunction) {
  const Report report = PlanOf({{"oven.h", "int Free(int heat,\n  int time);\n"}, {"oven.cc", "int Free(int heat, int time) {\n  return heat;\n}\n"}, {"tests/door_test.cc", "\n"}});
  EXPECT_THAT(Untested(report), ElementsAre("Free"));
  EXPECT_THAT(Untested(PlanOf({{"oven.hpp", "inline int Free(int heat) {\n  return heat;\n}\n"}, {"src/a.cc", "\n"}, {"tests/door_test.cc", "\n"}})), ElementsAre("Free")) << "a header alone";
}

// Found on a library all of whose names begin as one of its tests is called.
TEST(PlaybookTestPlaces, WhatBeginsAllNamesIsNoSubject) {
  const Report report = PlanOf({{"oven.h", "int oven_heat(int t);\nint oven_cool(int t);\n"}, {"src/heating.c", "int oven_heat(int t) {\n  return t;\n}\n"}, {"test/oven_test.c", "int main(void) { return 0; }\n"}});
  EXPECT_THAT(PlaceOf(report, "oven_heat"), Not(HasSubstr("oven_test.c")));
}

}  // namespace
}  // namespace paddock::subagents
