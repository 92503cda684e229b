// The test-planner on what is public by more than the form of a line: where a module's name or an export decides.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report Plan(Files files) { return ReportOn("test-planner", "which public functions have no test?", std::move(files), 12); }

// Found on a library of which 14 of 15 untested "public functions" stood in modules of a name with "_".
TEST(PlaybookPublicByExport, AModuleOfANameWithAnUnderscoreIsPublicWhereItIsHandedOn) {
  const Report report = Plan({{"x/__init__.py", "from ._core import (\n    bake,  # it bakes\n    Oven,\n)\nfrom ._all import *\n"},
                              {"x/_core.py", "def bake(t):\n    return t\n\ndef of_core(t):\n    return t\n\nclass Oven:\n    def cool(self):\n        return self\n\nclass Shelf:\n    def of_shelf(self):\n        return self\n"},
                              {"x/_all.py", "def of_all(t):\n    return t\n"},
                              {"x/_inner/plain.py", "def of_inner(t):\n    return t\n"},
                              {"x/oven.py", "from x._core import of_core\n\ndef heat_up(t):\n    return of_core(t)\n"},
                              {"tests/test_oven.py", "import pytest\n\ndef test_bake():\n    bake(1)\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`heat_up`"), HasSubstr("`cool`"), HasSubstr("`of_all`"), Not(HasSubstr("`of_core`")), Not(HasSubstr("`of_shelf`")), Not(HasSubstr("`of_inner`"))));
  EXPECT_EQ(report.data["total"], 4) << report.summary;
  EXPECT_THAT(report.summary, HasSubstr("a name with `_` define is counted only where it is handed on"));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

// Found on a web framework whose dozens of public functions stand in objects.
TEST(PlaybookPublicByExport, FunctionsOfAnExportedObjectArePublic) {
  const Report report = Plan({{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"node --test\"\n  }\n}\n"},
                              {"lib/oven.js", "module.exports = {\n  heat (t) {\n    const inner = {\n      deeper (u) {\n        return u\n      }\n    }\n    return inner\n  },\n\n  get size () {\n    return 1\n  },\n\n  bake: function (t) {\n    return t\n  }\n}\n\nconst hidden = {\n  shut (t) {\n    return t\n  }\n}\n"},
                              {"lib/door.js", "const proto = module.exports = {\n  async open (t) {\n    return t\n  }\n}\n"},
                              {"test/oven.test.js", "const { bake } = require('../lib/oven')\ntest('x', () => {\n  bake(1)\n})\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`heat`"), HasSubstr("`size`"), HasSubstr("`open`"), Not(HasSubstr("deeper")), Not(HasSubstr("shut"))));
  EXPECT_EQ(report.data["total"], 4) << report.summary << Titles(report);
  EXPECT_EQ(report.data["tested"], 1) << report.summary;
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

// Found on a C library: "3 branches" of two, for a line of its comment begins with "if".
TEST(PlaybookPublicByExport, AWordOfALongCommentIsNoBranch) {
  const Report report = Plan({{"Makefile", "test: all\n\t./x\n"}, {"oven.h", "int oven_heat(int t);\nint oven_cool(int t);\n"}, {"oven.c", "int oven_heat(int t) {\n    /* it ends\n       if we find nothing\n    */\n    if (t)\n        return 1;\n    return 0;\n}\n"}, {"tests/cool_test.c", "int main(void) {\n    return oven_cool(1);\n}\n"}});
  EXPECT_THAT(DetailOf(report, "`oven_heat`"), HasSubstr("8 lines, 1 branch")) << Titles(report);
}

// Found on a library with two classes of one name in two packages, each with its test.
TEST(PlaybookPublicByExport, OfTwoTestsOfOneNameTheOneInItsOwnPackageIsMeant) {
  const std::string old_test = "package cli;\n\npublic class FormTest {\n    @Test\n    public void testIt() {\n        form.width(1);\n        form.height(1);\n        form.depth(1);\n    }\n}\n";
  const std::string of_form = "    public int width(int t) {\n        return t;\n    }\n\n    public int height(int t) {\n        return t;\n    }\n\n    public int depth(int t) {\n        return t;\n    }\n\n    public int table(int t) {\n        return t;\n    }\n}\n";
  const Report report = Plan({{"pom.xml", "<project>\n</project>\n"}, {"src/main/java/cli/help/Form.java", "package cli.help;\n\npublic class Form {\n" + of_form}, {"src/test/java/cli/FormTest.java", old_test}, {"src/test/java/cli/help/FormTest.java", "package cli.help;\n\npublic class FormTest {\n    @Test\n    public void testOther() {\n        other(1);\n    }\n}\n"}});
  ASSERT_EQ(report.data["untested"].size(), 1u) << Titles(report) << report.summary;
  EXPECT_EQ(report.data["untested"][0]["test_file"], "src/test/java/cli/help/FormTest.java");
}

}  // namespace
}  // namespace paddock::subagents
