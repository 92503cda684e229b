#include "agentcore/tools/symbol_tools.h"

#include <gmock/gmock.h>

#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/symbols.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SymbolTest : public WorkspaceTest {
 protected:
  static std::string Find(const ToolResult& result) { return result.artifacts.empty() ? "<none> " + result.error + result.output : result.artifacts[0].path; }
  SymbolTest() {
    Write("src/math.cc", "namespace math {\nclass Adder {\n  int sum_;\n public:\n  int Add(int a,\n          int b) {\n    return a + b;\n  }\n};\n}\n#define LIMIT 3\n");
    Write("src/tool.py", "class Adder:\n  def add(self, a, b):\n    return a + b\n\ndef main():\n  pass\n");
  }
};

TEST_F(SymbolTest, AnOutlineIsOneArtifactAFile) {
  const ToolResult result = Run("outline", Json::object());
  ASSERT_EQ(result.artifacts.size(), 2u) << result.error;
  EXPECT_EQ(result.artifacts[0].kind, "symbols");
  EXPECT_EQ(result.artifacts[0].path, "src/math.cc");
  EXPECT_EQ(result.artifacts[0].facts["language"], "C++");
  EXPECT_THAT(result.artifacts[0].lines, testing::Contains("5\t8\tfunction\tAdd\tmath::Adder\t(int a,int b)"));
  EXPECT_THAT(result.artifacts[1].lines, ElementsAre("1\t3\tclass\tAdder\t\t", "2\t3\tmember\tadd\tAdder\t(self, a, b)", "5\t6\tfunction\tmain\t\t()"));
  EXPECT_THAT(Lines(Run("outline", Json{{"kind", "macro"}})), ElementsAre("11\t11\tmacro\tLIMIT\t\t"));
  const ToolResult few = Run("outline", Json{{"limit", 1}});
  EXPECT_EQ(Fact(few, "truncated"), true);
  EXPECT_EQ(Lines(few).size(), 1u);
}

// Found with a file that ctags can't bear: all that it was given at the same time had no definitions any more.
TEST_F(SymbolTest, AFileAtWhichCtagsCrashesHidesNoOther) {
  std::string deep = "/* Add */ ";  // only files that hold the name are looked at
  for (int i = 0; i < 300'000; ++i) deep += "namespace a {";
  Write("src/deep.c", deep);
  const ToolResult result = Run("find_symbol", Json{{"name", "Add"}});
  ASSERT_FALSE(result.artifacts.empty()) << result.output;
  EXPECT_EQ(result.artifacts[0].path, "src/math.cc");
  EXPECT_EQ(result.status, ToolStatus::kPartial);
  EXPECT_THAT(result.output, HasSubstr("ctags crashed at src/deep.c"));
}

TEST_F(SymbolTest, ADefinitionComesWithALineToCite) {
  const ToolResult result = Run("find_symbol", Json{{"name", "Add"}});
  ASSERT_EQ(result.artifacts.size(), 2u) << result.error;
  EXPECT_THAT(result.artifacts[0].lines, ElementsAre("5\t8\tfunction\tAdd\tmath::Adder\t(int a,int b)"));
  EXPECT_EQ(result.artifacts[1].kind, "excerpt");
  EXPECT_EQ(result.artifacts[1].path, "src/math.cc");
  EXPECT_EQ(result.artifacts[1].line_start, 5);
  EXPECT_THAT(result.artifacts[1].lines, ElementsAre("  int Add(int a,"));
  EXPECT_EQ(Run("find_symbol", Json{{"name", "Adder"}}).artifacts.size(), 4u);
  EXPECT_EQ(Run("find_symbol", Json{{"name", "Adder::Add"}}).artifacts.size(), 2u);
  EXPECT_EQ(Run("find_symbol", Json{{"name", "Adder.add"}}).artifacts.size(), 2u);
  EXPECT_THAT(Run("find_symbol", Json{{"name", "Other::Add"}}).artifacts, IsEmpty());
  EXPECT_EQ(Run("find_symbol", Json{{"name", "Ad"}, {"prefix", true}}).artifacts.size(), 5u);
  const ToolResult none = Run("find_symbol", Json{{"name", "nowhere"}});
  EXPECT_TRUE(none.success);
  EXPECT_THAT(none.next_actions, testing::Contains(HasSubstr("search_text")));
}

TEST_F(SymbolTest, NamesOfFilesAreNeitherOptionsNorRows) {
  const std::string odd = "a\tb\n\\\"\xff.py";
  Write(odd, "def odd(): pass\n");
  Write("--options=evil.py", "def dash(): pass\n");
  Write("-x.py", "def short(): pass\n");
  EXPECT_EQ(Find(Run("find_symbol", Json{{"name", "odd"}})), PathToText(odd));
  EXPECT_EQ(Find(Run("find_symbol", Json{{"name", "dash"}})), "--options=evil.py");
  EXPECT_EQ(Find(Run("find_symbol", Json{{"name", "short"}})), "-x.py");
}

// Harmless settings, which would give a language of their own and another format.
TEST_F(SymbolTest, TheRepositorysSettingsOfCtagsAreNotRead) {
  for (const char* name : {".ctags.d/evil.ctags", "ctags.d/evil.ctags", ".ctags"}) Write(name, "--langdef=Evil\n--map-Evil=+.py\n--regex-Evil=/(a)/\\1/e,evil/\n--output-format=xref\n");
  const ToolResult result = Run("outline", Json{{"path", "src/tool.py"}});
  ASSERT_TRUE(result.success) << result.error;
  EXPECT_EQ(result.artifacts.at(0).facts["language"], "Python");
  EXPECT_EQ(Lines(result).size(), 3u);
}

TEST_F(SymbolTest, WhatIsHiddenIsNotLookedAt) {
  const auto hidden = *HiddenNames::Parse({"tool.py"});
  context_.hidden = &hidden;
  EXPECT_EQ(Run("outline", Json::object()).artifacts.size(), 1u);
  ExpectFailure(Run("outline", Json{{"path", "src/tool.py"}}), ToolStatus::kDenied);
  ExpectFailure(Run("find_symbol", Json{{"name", "main"}, {"path", "src/tool.py"}}), ToolStatus::kDenied);
}

TEST(Tags, EscapesAndFieldsAreTakenApart) {
  const auto symbols = ParseTags("a\\tb\t./x\\ny.c\t3;\"\tkind:function\tline:3\tlanguage:C\tscope:struct:n::S\tsignature:(int\\ta)\tend:9\n!_TAG\tx\ty\nbroken\n");
  ASSERT_EQ(symbols.size(), 1u);
  EXPECT_EQ(symbols[0].name, "a\tb");
  EXPECT_EQ(symbols[0].path, "x\ny.c");
  EXPECT_EQ(symbols[0].scope, "n::S");
  EXPECT_EQ(symbols[0].signature, "(int\ta)");
  EXPECT_EQ(symbols[0].end, 9);
  EXPECT_EQ(SymbolRow(symbols[0]), "3\t9\tfunction\ta b\tn::S\t(int a)");
}

}  // namespace
}  // namespace paddock::agentcore
