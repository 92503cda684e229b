#include "subagents/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "subagents/builtin.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kGood[] = R"(---
# a comment
name: explorer
purpose: Maps: everything.
tools: [list_files, read_file]

profile: read-only
turns: 12
seconds: 300
---

You look.

Twice.
)";

std::string With(const std::string& from, const std::string& to) {
  std::string text = kGood;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The message of the error, which must be there and be the user's.
std::string ErrorOf(const std::string& text, const DefinitionNames& known = {}) {
  auto definition = ParseDefinition(text, "x.md", known);
  if (definition) return "no error";
  EXPECT_EQ(definition.error().kind, ErrorKind::kInvalid);
  return definition.error().message;
}

TEST(Definition, IsReadFromMarkdown) {
  auto definition = ParseDefinition(kGood, "x.md");
  ASSERT_TRUE(definition) << definition.error().message;
  EXPECT_EQ(definition->name, "explorer");
  EXPECT_EQ(definition->purpose, "Maps: everything.");
  EXPECT_THAT(definition->tools, ElementsAre("list_files", "read_file"));
  EXPECT_EQ(definition->profile, "read-only");
  EXPECT_EQ(definition->model, "");
  EXPECT_EQ(definition->budget.turns, 12);
  EXPECT_EQ(definition->budget.seconds, 300);
  EXPECT_EQ(definition->prompt, "You look.\n\nTwice.\n");
}

TEST(Definition, TakesListsWithAndWithoutBracketsQuotesAndCarriageReturns) {
  auto definition = ParseDefinition(With("[list_files, read_file]", "list_files,read_file"), "x.md");
  ASSERT_TRUE(definition) << definition.error().message;
  EXPECT_THAT(definition->tools, ElementsAre("list_files", "read_file"));
  definition = ParseDefinition(With("Maps: everything.", "\"Maps # all\""), "x.md");
  ASSERT_TRUE(definition) << definition.error().message;
  EXPECT_EQ(definition->purpose, "Maps # all");
  std::string crlf;
  for (char c : std::string(kGood)) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  definition = ParseDefinition(crlf, "x.md");
  ASSERT_TRUE(definition) << definition.error().message;
  EXPECT_EQ(definition->prompt, "You look.\n\nTwice.\n");
}

TEST(Definition, NamesFileLineAndWhatWasExpected) {
  EXPECT_THAT(ErrorOf(With("name: explorer", "name: Explorer!")), testing::AllOf(HasSubstr("x.md:3: name: expected"), HasSubstr("Explorer!")));
  EXPECT_THAT(ErrorOf(With("turns: 12", "turns: 0")), HasSubstr("x.md:8: turns: expected a whole number from 1 to 1000"));
  EXPECT_THAT(ErrorOf(With("turns: 12", "turns: 12x")), HasSubstr("x.md:8: turns"));
  EXPECT_THAT(ErrorOf(With("seconds: 300", "seconds: 99999999999999999999")), HasSubstr("x.md:9: seconds"));
  EXPECT_THAT(ErrorOf(With("turns: 12", "turns:")), HasSubstr("x.md:8: turns: expected a value"));
}

TEST(Definition, RefusesUnknownKeysAndNamesTheNearest) {
  auto definition = ParseDefinition(With("purpose:", "porpose:"), "x.md");
  ASSERT_FALSE(definition);
  EXPECT_THAT(definition.error().message, HasSubstr("x.md:4: unknown key \"porpose\"; expected one of name, purpose"));
  EXPECT_THAT(definition.error().hint, HasSubstr("purpose"));
}

TEST(Definition, RefusesDuplicatesAndMissingKeys) {
  EXPECT_THAT(ErrorOf(With("turns: 12\n", "turns: 12\nturns: 13\n")), HasSubstr("x.md:9: duplicate key \"turns\", first given in line 8"));
  for (const char* line : {"name: explorer\n", "purpose: Maps: everything.\n", "tools: [list_files, read_file]\n",
                           "profile: read-only\n", "turns: 12\n", "seconds: 300\n"})
    EXPECT_THAT(ErrorOf(With(line, "")), HasSubstr("missing key")) << line;
}

TEST(Definition, RefusesBadLists) {
  EXPECT_THAT(ErrorOf(With("[list_files, read_file]", "[list_files, read_file")), HasSubstr("x.md:5: tools"));
  EXPECT_THAT(ErrorOf(With("[list_files, read_file]", "[]")), HasSubstr("at least one"));
  EXPECT_THAT(ErrorOf(With("[list_files, read_file]", "[a, , b]")), HasSubstr("expected names"));
  EXPECT_THAT(ErrorOf(With("[list_files, read_file]", "[a, b, a]")), HasSubstr("given twice"));
  EXPECT_THAT(ErrorOf(With("[list_files, read_file]", "[\"a\"]")), HasSubstr("expected names"));
  EXPECT_THAT(ErrorOf(With("tools: [list_files, read_file]", "tools:\n  - list_files")), HasSubstr("x.md:5: tools: expected a value"));
  EXPECT_THAT(ErrorOf(With("tools: [list_files, read_file]", "  - list_files")), HasSubstr("expected `key: value`"));
}

TEST(Definition, RefusesToolsAndProfilesThatAreNotThere) {
  DefinitionNames known{{"list_files", "read_file"}, {"read-only"}};
  ASSERT_TRUE(ParseDefinition(kGood, "x.md", known));
  auto tool = ParseDefinition(With("read_file", "reed_file"), "x.md", known);
  ASSERT_FALSE(tool);
  EXPECT_THAT(tool.error().message, HasSubstr("x.md:5: tools: unknown name \"reed_file\"; expected one of list_files, read_file"));
  EXPECT_THAT(tool.error().hint, HasSubstr("read_file"));
  EXPECT_THAT(ErrorOf(With("profile: read-only", "profile: read-write"), known), HasSubstr("x.md:7: profile: unknown name"));
}

TEST(Definition, RefusesAFileThatIsNotOne) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("x.md:1: expected a line of three dashes"));
  EXPECT_THAT(ErrorOf("# Explorer\n"), HasSubstr("x.md:1:"));
  EXPECT_THAT(ErrorOf("\xEF\xBB\xBF" + std::string(kGood)), HasSubstr("x.md:1:"));
  EXPECT_THAT(ErrorOf("---\nname: a\n"), HasSubstr("does not end"));
  EXPECT_THAT(ErrorOf(With("\nYou look.\n\nTwice.\n", "")), HasSubstr("x.md:11: expected the system prompt"));
  EXPECT_THAT(ErrorOf(kGood + std::string(300'000, 'a')), HasSubstr("at most"));
  EXPECT_THAT(ErrorOf(kGood + std::string(100'000, 'a')), HasSubstr("prompt: expected at most"));
}

TEST(Definition, RefusesWhatAReaderCannotSee) {
  EXPECT_THAT(ErrorOf(With("You look.", "You\xE2\x80\xAE look.")), HasSubstr("x.md:12: a control or invisible"));
  EXPECT_THAT(ErrorOf(With("You look.", "You\xF3\xA0\x81\x81 look.")), HasSubstr("x.md:12:"));
  EXPECT_THAT(ErrorOf(With("Maps", "Ma\x1B[2Jps")), HasSubstr("x.md:4:"));
  EXPECT_THAT(ErrorOf(With("You look.", "You \xff look.")), HasSubstr("invalid UTF-8"));
}

TEST(Builtin, DefinitionsAreAllGood) {
  DefinitionNames known{{"list_files", "read_file", "search_text", "git_log", "git_diff", "git_show", "git_blame", "outline", "find_symbol"}, {"read-only", "read-only-tools"}};
  ASSERT_THAT(BuiltinDefinitionNames(), testing::Contains("explorer"));
  for (const auto& name : BuiltinDefinitionNames()) {
    auto definition = BuiltinDefinition(name, known);
    ASSERT_TRUE(definition) << definition.error().message;
    EXPECT_EQ(definition->name, name);
  }
}

TEST(Builtin, ExplorerIsReadOnlyAndWarnedOfItsInput) {
  auto explorer = BuiltinDefinition("explorer");
  ASSERT_TRUE(explorer) << explorer.error().message;
  EXPECT_THAT(explorer->tools, ElementsAre("list_files", "read_file", "search_text", "outline", "find_symbol", "git_log"));
  EXPECT_EQ(explorer->profile, "read-only-tools");
  EXPECT_EQ(explorer->budget.turns, 12);
  EXPECT_EQ(explorer->budget.seconds, 300);
  for (const char* word : {"`line_start`", "`line_end`", "`quote`", "`report`", "never an instruction"})
    EXPECT_THAT(explorer->prompt, HasSubstr(word));
}

TEST(Builtin, TextIsThatOfTheFileByteForByte) {
  for (const auto& name : BuiltinDefinitionNames()) {
    auto path = std::filesystem::path(PADDOCK_TEST_DATA) / "../../subagents" / (name + ".md");
    std::ifstream file(path.lexically_normal(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(BuiltinDefinitionText(name), text.str()) << name;
  }
}

TEST(Builtin, ListsTheKnownNamesForAnUnknownOne) {
  auto missing = BuiltinDefinition("explorre");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("known: architect, debugger, explorer, "));
  EXPECT_THAT(missing.error().hint, HasSubstr("explorer"));
}

}  // namespace
}  // namespace paddock::subagents
