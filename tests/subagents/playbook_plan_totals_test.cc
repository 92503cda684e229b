// What the test-planner counted wrongly, or denied a test of, on repositories that nobody had seen.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Files = std::map<std::string, std::string>;

Report Plan(Files files) {
  PlaybookRepo repo(std::move(files));
  Report report = repo.Run("test-planner", "what is untested?");
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
  return report;
}

TEST(PlaybookPlanTotals, AFunctionOfOneLineIsOneWhateverItCalls) {
  const Report report = Plan({{"oven.c", "#include \"oven.h\"\n\nint oven_tab(void) { return oven_expect(oven_char('\\t'), \"tab\"); }\nint oven_dot(void) { return oven_heat(a.b); }\nint oven_heat(int t) {\n  return t;\n}\n"},
                              {"oven.h", "int oven_tab(void);\nint oven_dot(void);\nint oven_heat(int t);\n"}, {"tests/oven_test.c", "int main(void) {\n  return oven_heat(1);\n}\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test names `oven_tab`"), HasSubstr("No test names `oven_dot`")));
  EXPECT_EQ(report.data["total"], 3);
}

TEST(PlaybookPlanTotals, MembersOfWhatIsExportedArePublic) {
  const Report report = Plan({{"package.json", "{\n  \"scripts\": {\n    \"test\": \"mocha\"\n  }\n}\n"},
                              {"lib/oven.js", "const oven = tray => oven.heat(tray);\n\noven.heat = (tray, options = {}) => {\n  return tray;\n};\n\noven.cool = tray => {\n  return tray;\n};\n\nconst inner = {};\ninner.hidden = tray => {\n  return tray;\n};\n\nmodule.exports = oven;\n"},
                              {"test/oven.js", "it('heats', function () {\n  oven.heat(1)\n})\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test names `cool`"), Not(HasSubstr("`hidden`")), Not(HasSubstr("`heat`"))));
}

const char kRustLib[] = "mod grill;\nmod shelf;\npub mod door;\n\npub use shelf::put_in;\n\npub fn heat_up() -> u32 {\n    1\n}\n";
const char kRustTest[] = "#[test]\nfn heats() {\n    heat_up();\n}\n";

TEST(PlaybookPlanTotals, APrivateModuleHasNothingPublic) {
  const Report report = Plan({{"Cargo.toml", "[package]\nname = \"x\"\n"}, {"src/lib.rs", kRustLib}, {"src/grill.rs", "pub fn burn() -> u32 {\n    1\n}\n"}, {"src/grill/deep.rs", "pub fn burn_deep() -> u32 {\n    1\n}\n"},
                              {"src/shelf.rs", "pub fn put_in() -> u32 {\n    1\n}\n"}, {"src/door/mod.rs", "mod hinge;\npub fn open_up() -> u32 {\n    1\n}\n"}, {"src/door/hinge.rs", "pub fn squeak() -> u32 {\n    1\n}\n"}, {"tests/all.rs", kRustTest}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`put_in`"), HasSubstr("`open_up`"), Not(HasSubstr("burn")), Not(HasSubstr("squeak"))));
  EXPECT_EQ(report.data["total"], 3);
  // A program has no outside.
  EXPECT_THAT(Titles(Plan({{"Cargo.toml", "[package]\nname = \"x\"\n"}, {"src/main.rs", "mod grill;\nfn main() {}\n"}, {"src/grill.rs", "pub fn burn() -> u32 {\n    1\n}\n"}, {"tests/all.rs", kRustTest}})), HasSubstr("`burn`"));
}

TEST(PlaybookPlanTotals, LenIsLeftOutWhereThingsAreSorted) {
  const std::string len = "package x\n\nfunc (o *Oven) Len() int {\n\treturn 1\n}\n", sorts = "\nfunc (o *Oven) Less(i, j int) bool {\n\treturn i < j\n}\n\nfunc (o *Oven) Swap(i, j int) {\n}\n";
  const Files test = {{"go.mod", "module x\n"}, {"door_test.go", "package x\n\nfunc TestDoor(t *testing.T) {\n}\n"}};
  Files files = test;
  files["oven.go"] = len;
  EXPECT_THAT(Titles(Plan(files)), HasSubstr("No test names `Len`"));
  files["oven.go"] = len + sorts;
  EXPECT_THAT(Titles(Plan(files)), Not(HasSubstr("`Len`")));
}

TEST(PlaybookPlanTotals, AreOfWhatWasRecognised) {
  const Report report = Plan({{"oven.py", "def heat(t):\n    return t\n\ndef cool(t):\n    return t\n"}, {"tests/test_oven.py", "import pytest\nfrom oven import heat\nheat(1)\n"}});
  EXPECT_THAT(report.summary, HasSubstr("Of 2 public functions that were recognised 1 is named in the code of tests"));
}

TEST(PlaybookPlanTotals, ATestOutsideOfTheModuleOfTestsIsOne) {
  const Report report = Plan({{"Cargo.toml", "[package]\nname = \"x\"\n"},
                              {"src/lib.rs", "pub fn heat_up(t: u32) -> u32 {\n    t\n}\n\npub fn cool_down(t: u32) -> u32 {\n    t\n}\n\n#[test]\n#[cfg_attr(miri, ignore)]\nfn heats() {\n    check(3, heat_up);\n}\n\npub fn shut(t: u32) -> u32 {\n    cool_down(t)\n}\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test names `cool_down`"), HasSubstr("No test names `shut`"), Not(HasSubstr("`heat_up`"))));
}

TEST(PlaybookPlanTotals, AUseForTestsAloneBeginsNoTests) {
  const Report report = Plan({{"Cargo.toml", "[package]\nname = \"x\"\n"},
                              {"src/lib.rs", "#[cfg(test)]\nuse std::fs;\n\npub fn heat_up(t: u32) -> u32 {\n    t\n}\n\npub fn shut(t: u32) -> u32 {\n    heat_up(t)\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn shuts() {\n        shut(1);\n    }\n}\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test names `heat_up`"), Not(HasSubstr("`shut`"))));
}

TEST(PlaybookPlanTotals, AnExampleInADocCommentIsTold) {
  const Report report = Plan({{"Cargo.toml", "[package]\nname = \"x\"\n"}, {"src/lib.rs", "/// Heats.\n///\n/// ```\n/// assert_eq!(x::heat_up(1), 1);\n/// ```\npub fn heat_up(t: u32) -> u32 {\n    t\n}\n\n/// See [`shut`] and heat_up.\npub fn shut(t: u32) -> u32 {\n    t\n}\n"}, {"tests/all.rs", "#[test]\nfn nothing() {}\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test but a doc comment names `heat_up`"), HasSubstr("No test names `shut`")));
  EXPECT_THAT(DetailOf(report, "`heat_up`"), HasSubstr("src/lib.rs:4"));
  EXPECT_THAT(report.summary, HasSubstr("2 in none (of these 1 in code of a doc comment)"));
}

TEST(PlaybookPlanTotals, BranchesThatCantBeCountedAreNoNumber) {
  const struct {
    const char *path, *text, *test, *test_text;
  } cases[] = {{"src/lib.rs", "pub fn heat_up(t: u32) -> u32 {\n    if t == 3 {\n        return 1;\n    }\n    match t {\n        1 => 2,\n        2 => 3,\n        _ => 4,\n    }\n}\n", "tests/all.rs", "#[test]\nfn nothing() {}\n"},
               {"lib/oven.js", "exports.heat_up = function (t) {\n  if (t) {\n    return 1;\n  }\n  return t > 3 ? 1 : 2;\n}\n", "test/oven.js", "it('x', function () {\n})\n"},
               {"oven.py", "def heat_up(t):\n    if t:\n        return 1\n    return 1 if t > 3 else 2\n", "tests/test_oven.py", "import pytest\n"},
               {"lib/oven.rb", "def heat_up(t)\n  if t\n    x\n  end\n  return 1 unless t\nend\n", "test/oven_test.rb", "class OvenTest < Minitest::Test\nend\n"}};
  for (const auto& one : cases) {
    const Report report = Plan({{"Cargo.toml", "[package]\nname = \"x\"\n"}, {one.path, one.text}, {one.test, one.test_text}});
    const std::string detail = DetailOf(report, "No test names `heat_up`");
    EXPECT_THAT(detail, AllOf(HasSubstr("a unit test of each branch"), HasSubstr(" lines"), Not(HasSubstr("1 branch")), Not(HasSubstr("2 branches")))) << one.path;
  }
}

TEST(PlaybookPlanTotals, AnExampleInADocstringDefinesNothing) {
  const Report report = Plan({{"oven.py", "class Oven:\n    \"\"\"Heats.\n\n    For example::\n\n        def example_of_it(t):\n            return t\n    \"\"\"\n\n    def bake(self):\n        return 1\n"}, {"tests/test_oven.py", "import pytest\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`bake`"), Not(HasSubstr("example_of_it"))));
}

TEST(PlaybookPlanTotals, WhatIsHandedOnByItsNameIsPublic) {
  const Report report = Plan({{"package.json", "{\n  \"scripts\": {\n    \"test\": \"mocha\"\n  }\n}\n"}, {"lib/oven.js", "function heat(t) {\n  return t;\n}\n\nfunction hidden(t) {\n  return t;\n}\n\nmodule.exports.heat = heat;\n"}, {"test/oven.js", "it('x', function () {\n})\n"}});
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("No test names `heat`"), Not(HasSubstr("`hidden`"))));
}

}  // namespace
}  // namespace paddock::subagents
