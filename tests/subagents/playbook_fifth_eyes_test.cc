// What a fifth evaluator's repositories showed to be wrong, one test a kind, on repositories made up for it.
#include <gmock/gmock.h>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_claims.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report Plan(Files files) { return ReportOn("test-planner", "plan", std::move(files)); }
Report Ask(const std::string& goal, Files files, std::vector<std::string> symbols = {}) { return ReportOn("investigator", goal, std::move(files), std::move(symbols)); }

std::string ClaimsOf(const std::string& path, const std::vector<std::string>& lines) { return TitlesOf(ChangedFile(path, lines)); }

TEST(PlaybookFifthEyes, AdviceIsGivenWhereItIsCertain) {
  const Report report = Plan({{"oven/heat.py", "def warm(t):\n    if t.fetch(3):\n        return None\n    return t.connect(t)\n\ndef named(t):\n    return t\n"}, {"tests/dummy.py", "from oven.heat import named\n"}, {"tests/test_door.py", "import pytest\n"}});
  EXPECT_THAT(DetailOf(report, "`warm`"), AllOf(HasSubstr("To write: a unit test of each branch."), Not(HasSubstr("network")), Not(HasSubstr("fails")), Not(HasSubstr("dummy.py"))));
}

TEST(PlaybookFifthEyes, ANilIsNoBorder) {
  EXPECT_THAT(ClaimsOf("oven.go", {"-\tif err == nil {", "+\tif err != nil {"}), Not(HasSubstr("bound")));
  EXPECT_THAT(ClaimsOf("oven.c", {"-  if (NULL == x) {", "+  if (NULL != x) {"}), Not(HasSubstr("bound")));
  EXPECT_THAT(ClaimsOf("oven.go", {"-\tif n == 3 {", "+\tif n != 3 {"}), HasSubstr("A bound was changed"));
}

TEST(PlaybookFifthEyes, AnExampleIsNoSecret) {
  EXPECT_THAT(ClaimsOf("README.md", {"+Use a key such as `AKIAIOSFODNN7EXAMPLE`."}), IsEmpty());
  EXPECT_THAT(ClaimsOf("oven.md", {"+An example: AKIAIOSFODNN7ABCDEFG"}), HasSubstr("A secret is added"));
}

TEST(PlaybookFifthEyes, AVersionBuildsNothingOtherwise) {
  EXPECT_THAT(ClaimsOf("package.json", {"-  \"version\": \"1.2.3\",", "+  \"version\": \"1.2.4\","}), IsEmpty());
  EXPECT_THAT(ClaimsOf("pyproject.toml", {"-version = \"1.2\"", "+version = \"1.3\""}), IsEmpty());
  EXPECT_THAT(ClaimsOf("package.json", {"-  \"version\": \"1.2.3\",", "+  \"version\": \"1.2.4\",", "+  \"main\": \"x.js\","}), HasSubstr("built, checked or installed otherwise"));
}

TEST(PlaybookFifthEyes, WhetherOthersAreRunIsTheRunners) { EXPECT_THAT(ClaimsOf("test/a.test.js", {"+test.only('x', f)"}), HasSubstr("Only this test may be run (test.only)")); }

TEST(PlaybookFifthEyes, ADirectiveOfACommentSaysNothing) {
  for (const char* nothing : {"# call-seq:", "#  :call-seq:", "// From html/template/content.go", "# Copied from the other oven", "/* Adapted from heat.c of it */"}) EXPECT_EQ(SaidBy(nothing), "") << nothing;
  EXPECT_EQ(SaidBy("// From now on it is hot"), "From now on it is hot");
}

TEST(PlaybookFifthEyes, ADocumentThatHasTheWordIsNotDenied) {
  Files files = {{"oven.py", "class Oven:\n    pass\n\ndef heat_up(t):\n    return t\n"}};
  EXPECT_THAT(Ask("`Oven`", files).summary, HasSubstr("no document names `Oven`"));
  files["docs/api.rst"] = ".. autoclass:: Oven\n";
  files["doc/use.rdoc"] = "Call heat_up.\n";
  EXPECT_THAT(Ask("`Oven`", files).summary, HasSubstr("docs/api.rst"));
  EXPECT_THAT(Ask("`heat_up`", files).summary, HasSubstr("Documentation: doc/use.rdoc."));
  files["docs/api.rst"] = "The Oven is hot.\n";
  EXPECT_THAT(Ask("`Oven`", files).summary, Not(HasSubstr("no document names")));
}

TEST(PlaybookFifthEyes, CallersThatAreNotAllAreSaidToBeSome) {
  const Files files = {{"oven.rb", "def heat_up(t)\n  t\nend\n\ndef one\n  heat_up(1)\nend\n\nheat_up(2)\n"}};
  EXPECT_THAT(DetailOf(Ask("`heat_up`", files, {"oven.rb", "1\t3\tmethod\theat_up\t\t", "5\t7\tmethod\tone\t\t"}), "is called in"), HasSubstr("In `one` and others."));
  const Files same = {{"oven.rb", "class A\n  def heat_up(t)\n    t\n  end\nend\n\nclass B\n  def heat_up(t)\n    A.new.heat_up(t)\n  end\nend\n"}};
  EXPECT_THAT(DetailOf(Ask("`heat_up`", same, {"oven.rb", "2\t4\tmethod\theat_up\tA\t", "8\t10\tmethod\theat_up\tB\t"}), "is called in"), HasSubstr("In `heat_up`."));
}

// A source with its own test, as it is compiled for that alone.
const char kOvenOfC[] = "#include \"oven.h\"\n\nint oven_heat(int t) {\n  return t;\n}\n\nint oven_cool(int t) {\n  return t;\n}\n\n#ifdef OVEN_TEST_MAIN\nint ovenTest(void) {\n#if 1\n  check(oven_heat(1) == 1);\n#endif\n  return 0;\n}\n#endif\n";
const char kHeaderOfC[] = "int oven_heat(int t);\nint oven_cool(int t);\nint ovenTest(void);\n";

TEST(PlaybookFifthEyes, TestsWithinASourceOfCAreTests) {
  const Report plan = Plan({{"oven.c", kOvenOfC}, {"oven.h", kHeaderOfC}});
  EXPECT_THAT(Titles(plan), AllOf(HasSubstr("No test names `oven_cool`"), Not(HasSubstr("`oven_heat`")), Not(HasSubstr("ovenTest"))));
  EXPECT_THAT(plan.summary, HasSubstr("Of 2 public functions that were recognised 1 is named in the code of tests"));
  EXPECT_THAT(DetailOf(plan, "`oven_cool`"), HasSubstr("in oven.c (it has its own tests)"));
  const Report report = Ask("`oven_heat`", {{"oven.c", kOvenOfC}, {"oven.h", kHeaderOfC}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`oven_heat` is called in the test oven.c (1 line)"), Not(HasSubstr("is called in oven.c"))));
  PlaybookRepo repo(Files{{"oven.c", kOvenOfC}, {"oven.h", kHeaderOfC}, {"tests/door_test.c", "int main(void) {\n  return 0;\n}\n"}});
  repo.more = [](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> { return DiffResult({{"oven.c", {"@@ -3,2 +3,2 @@", "-int oven_heat(int u) {", "-  return u;", "+int oven_heat(int t) {", "+  return t;", "@@ -13,1 +13,2 @@", " #if 1", "+  check(oven_heat(1) == 1);"}}}); };
  const Report review = repo.Run("reviewer", "review the working tree");
  EXPECT_THAT(Titles(review) + review.summary, AllOf(HasSubstr("Reviewed"), Not(HasSubstr("No line was added to a test")), Not(HasSubstr("no test was"))));
}

TEST(PlaybookFifthEyes, WhereNoTestWasRecognizedNoFunctionIsSaidToBeUntested) {
  const Report report = Plan({{"oven.h", "int oven_heat(int t);\n"}, {"oven.c", "int oven_heat(int t) {\n  return t;\n}\n"}});
  EXPECT_THAT(Titles(report), Not(HasSubstr("No test names")));
  EXPECT_THAT(report.summary, AllOf(HasSubstr("1 public function was found."), HasSubstr("No test in C was recognized"), Not(HasSubstr("First:"))));
  EXPECT_THAT(report.next_actions, IsEmpty());
}

TEST(PlaybookFifthEyes, TheOwnerIsTheInnermostClass) {
  const Report report = Ask("`candidate`", {{"lib/oven.rb", "class Oven\n  module Completion\n    def candidate(t)\n      t\n    end\n  end\nend\n"}}, {"lib/oven.rb", "3\t5\tmethod\tcandidate\tOven\t"});
  EXPECT_THAT(DetailOf(report, "is defined in"), HasSubstr("In Completion."));
}

TEST(PlaybookFifthEyes, AMemberOfATypeIsDeclared) {
  const Report report = Ask("`setHeat`", {{"source/oven.ts", "export class Oven {\n  setHeat(t: number): void {\n    this.t = t;\n  }\n}\n"}, {"source/types.ts", "export type Hot<T> = {\n  size: number;\n  setHeat: (t: number) => void;\n};\n\nexport interface Warm {\n  setHeat: (t: number) => void\n}\n"}});
  EXPECT_THAT(report.data["names"][0]["definitions"].dump(), testing::StrEq("[\"source/oven.ts:2\"]")) << Titles(report);
  EXPECT_EQ(report.data["names"][0]["declarations"].size(), 2u);
}

TEST(PlaybookFifthEyes, MethodsOfAnExportedClassArePublic) {
  const Report report = Plan({{"source/index.ts", "export default class Oven<T> extends Box<T> {\n\t#t = 1;\n\n\tasync heat<U>(t: T, options?: Partial<U>): Promise<U> {\n\t\treturn t;\n\t}\n\n\tprivate hidden(t: T): void {\n\t\tthis.t = t;\n\t}\n\n\tget size(): number {\n\t\treturn 1;\n\t}\n}\n"},
                              {"source/later.ts", "function later(t: number) {\n\treturn t;\n}\n\nexport default later;\n"}, {"test/test.ts", "test('x', () => {\n\tconst oven = new Oven();\n\tassert(oven.size);\n});\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test names `heat`"), HasSubstr("No test names `later`"), Not(HasSubstr("hidden"))));
  EXPECT_EQ(report.data["total"], 3);
}

TEST(PlaybookFifthEyes, NamesThatWereNotLookedAtAreTold) {
  const Files files = {{"oven.py", "def heat_up(t):\n    return t\n\ndef remove(t):\n    return t\n"}};
  EXPECT_THAT(Ask("does heat_up change what we remove?", files).summary, HasSubstr("Not looked at: `remove`."));
  EXPECT_THAT(Ask("how do remove and heat_up work?", files).summary, AllOf(HasSubstr("`remove` is defined in oven.py:4"), Not(HasSubstr("Not looked at"))));
  EXPECT_THAT(Ask("how does heat_up bake?", files).summary, Not(HasSubstr("Not looked at")));
  Files many;
  std::string goal;
  for (const char* name : {"a_a", "b_b", "c_c", "d_d", "e_e", "f_f", "g_g"}) many["oven.py"] += std::string("def ") + name + "():\n    pass\n\n", goal += std::string(" `") + name + "`";
  EXPECT_THAT(Ask("compare" + goal, many).summary, AllOf(HasSubstr("`g_g`"), HasSubstr("Not looked at: `g_g`, `f_f`"), Not(HasSubstr("`f_f` stands in no file"))));
}

}  // namespace
}  // namespace paddock::subagents
