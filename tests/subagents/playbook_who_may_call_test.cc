// The test-planner on what is public: definitions within a namespace's block, the parts of a class, and what a comment says is private.
#include <gmock/gmock.h>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string Defined(const char* path, const char* line) {
  const auto defined = DefinedOn(path, line);
  return defined ? defined->kind + " " + defined->name : "";
}

// Found on a parser of formulas, all of which stands a tab deep in its namespace: 28 of about 200 functions.
TEST(PlaybookWhoMayCall, ADefinitionMayStandDeepInANamespace) {
  for (const char* line : {"\tvalue_type Oven::Heat() const", "\tvoid Oven::Heat(const string_type& a, const std::map<int, int>& b)", "  const char** Oven::Heat(", "    std::vector<int> Oven::Heat(int t,", "\tint Oven::Heat(int t) { return t; }", "\tOven& Oven::Heat(int t)"})
    EXPECT_EQ(Defined("oven.cpp", line), "function Heat") << line;
  for (const char* line : {"\treturn Oven::Heat(", "\tOven::Heat(1,", "\tint t = Oven::Heat(1,", "\tint t(Oven::Heat(1,", "\tout << Oven::Heat(1,", "\ta && Oven::Heat(1)", "\t1, Oven::Heat(1)", "\telse Oven::Heat(1", "\tint Oven::Heat(int t);", "\tdoor.Oven::Heat(1,", "\tdoor->Oven::Heat(1,", "\tthrow Oven::Heat(1,"})
    EXPECT_EQ(Defined("oven.cpp", line), "") << line;
  const Files files = {{"oven.cpp", "#include \"oven.h\"\n\nnamespace oven\n{\n\tint Oven::Heat(int t) const\n\t{\n\t\tint a =\n\t\t\tOven::Cool(t);\n\t\treturn a;\n\t}\n\n\tint Oven::Cool(int t) const\n\t{\n\t\treturn t;\n\t}\n}\n"},
                       {"oven.h", "namespace oven\n{\n\tclass Oven\n\t{\n\tpublic:\n\t\tint Heat(int t) const;\n\t\tint Cool(int t) const;\n\t};\n}\n"},
                       {"tests/oven_test.cpp", "TEST(Oven, Is) {\n  Door door;\n}\n"}};
  const Report report = ReportOn("test-planner", "what is untested?", files);
  EXPECT_EQ(report.data["total"], 2) << report.summary;
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`Heat` (oven.cpp:5)"), HasSubstr("`Cool` (oven.cpp:12)")));
  EXPECT_THAT(ReportOn("investigator", "where is `Heat` defined?", files).summary, HasSubstr("`Heat` is defined in oven.cpp:5"));
}

// Found on a store of keys and values: the first functions to test were private members.
TEST(PlaybookWhoMayCall, APrivateMemberIsNotPublic) {
  const Files files = {{"oven.cc", "#include \"oven.h\"\n\nint Oven::Heat(int t) {\n  return t;\n}\n\nint Oven::Burn(int t) {\n  return t;\n}\n\nint Oven::Shelf::Bend(int t) {\n  return t;\n}\n\nint Pan::Fry(int t) {\n  return t;\n}\n\nint Oven::Cool(int t) {\n  return t;\n}\n\nint Pan::Rust(int t) {\n  return t;\n}\n"},
                       {"oven.h", "class Pan;\n\nstruct Lid;\n\nclass EXPORTED Oven : public Stove {\n public:\n  Oven();\n  struct Options {\n    int t;\n  };\n  int Heat(int t);\n\n private:\n  class Shelf {\n   public:\n    int Bend(int t);\n  };\n  friend class Pan;\n  int Burn(int t)\n      GUARDED_BY(lock_);\n\n public:\n  int Cool(int t);\n};\n\nclass Pan {\n  int Rust(int t);\n\n public:\n  int Fry(int t);\n  int Clean(int t) {\n    return t;\n  }\n\n protected:\n  int Scrub(int t) {\n    return t;\n  }\n};\n"},
                       {"oven_test.cc", "TEST(Oven, Is) {\n  Door door;\n}\n"}};
  const Report report = ReportOn("test-planner", "what is untested?", files);
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`Heat`"), HasSubstr("`Cool`"), HasSubstr("`Fry`"), HasSubstr("`Clean`"), Not(HasSubstr("`Burn`")), Not(HasSubstr("`Bend`")), Not(HasSubstr("`Rust`")), Not(HasSubstr("`Scrub`"))));
  EXPECT_EQ(report.data["total"], 4) << Titles(report);
}

// Found on a framework for servers: a function under "@api private" was told as public and untested.
TEST(PlaybookWhoMayCall, WhatItsCommentSaysIsPrivateIsNotPublic) {
  const struct {
    const char *path, *text, *test, *test_text;
  } cases[] = {{"lib/oven.js", "/**\n * Heats.\n *\n * @api private\n */\n\nexports.burn = function (t) {\n  return t;\n};\n\n/**\n * Heats.\n */\nexports.heat = function (t) {\n  return t;\n};\n\nexports._rust = function (t) {\n  return t;\n};\n", "test/oven.js", "it('x', function () {\n})\n"},
               {"lib/oven.js", "module.exports = class Oven {\n  /**\n   * @private\n   */\n  burn(t) {\n    return t;\n  }\n\n  /** Heats. */\n  heat(t) {\n    return t;\n  }\n\n  /** @internal */\n  async _rust(t) {\n    return t;\n  }\n};\n", "test/oven.js", "it('x', function () {\n})\n"},
               {"lib/oven.rb", "class Oven\n  # Burns.\n  # @api private\n  def burn(t)\n    t\n  end\n\n  # Heats.\n  def heat(t)\n    t\n  end\n\n  def _rust(t) # :nodoc:\n    t\n  end\nend\n", "test/oven_test.rb", "class OvenTest < Minitest::Test\nend\n"},
               {"src/Oven.php", "<?php\nclass Oven\n{\n    /**\n     * @internal\n     */\n    public function burn($t)\n    {\n        return $t;\n    }\n\n    public function heat($t)\n    {\n        return $t;\n    }\n}\n", "tests/OvenTest.php", "<?php\nclass OvenTest extends TestCase\n{\n}\n"}};
  for (const auto& one : cases) {
    const Report report = ReportOn("test-planner", "what is untested?", {{"package.json", "{\n  \"scripts\": {\n    \"test\": \"mocha\"\n  }\n}\n"}, {one.path, one.text}, {one.test, one.test_text}});
    EXPECT_THAT(Titles(report), AllOf(HasSubstr("`heat`"), Not(HasSubstr("`burn`")), Not(HasSubstr("`_rust`")))) << one.text;
    EXPECT_EQ(report.data["total"], 1) << Titles(report);
  }
  // Such a word of another thing hides nothing.
  const Report other = ReportOn("test-planner", "what is untested?", {{"lib/oven.js", "/**\n * @private\n */\nconst burns = 1;\n\n// no @private one\nexports.heat = function (t) {\n  return t;\n};\n\nfunction f() {\n  // @private\n}\nexports.cool = function (t) {\n  return t;\n};\n"}, {"test/oven.js", "it('x', function () {\n})\n"}});
  EXPECT_EQ(other.data["total"], 2) << Titles(other);
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

}  // namespace
}  // namespace paddock::subagents
