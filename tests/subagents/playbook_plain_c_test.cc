// What a newcomer with a small repository in plain C, which has no tests and a story for a README, found to be missing or wrong.
#include <gmock/gmock.h>

#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/overview_goal.h"
#include "subagents/playbook/sentences.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Files kOven = {
    {"Makefile", "all: oven\n"},
    {"README.md", "# Oven\n\nTLDR: This is just an oven for small breads. I made it for a few friends last winter.\n\n## The story\n\nYesterday I talked with friends, and I wanted to show them that baking is the best craft. So this is a story.\n"},
    {"oven.c", "#include \"oven.h\"\n\n/* A door of the oven. */\nstruct door {\n    int open;\n};\n\nvoid door_shut(struct door *door) {\n    door->open = 0;\n    if (door->open) die(\"the door is open\");\n}\n\nint oven_heat(int t) {\n    int door = t;\n    if (door > 3)\n        return 1;\n    return door;\n}\n"},
    {"oven.h", "struct door;\nvoid door_shut(struct door *door);\nint oven_heat(int t);\n"},
    {"main.c", "#include \"oven.h\"\n\nint main(void) {\n    struct door *d = 0;\n    door_shut(d);\n    int door = oven_heat(3);\n    return door;\n}\n"}};

std::string PartsOf(const GoalName& name) { return name.kind + "|" + name.owner + "|" + name.name + (name.is_text ? "|text" : ""); }

TEST(PlaybookPlainC, ABackquotedKeywordAndANameAreThatKindOfThing) {
  const struct {
    const char *quoted, *parts;
  } cases[] = {{"struct client", "struct||client"}, {"class Cart", "class||Cart"}, {"enum Color {", "enum||Color"}, {"func Pay()", "func||Pay"}, {"func (c *Cart) Pay(x int) error", "func|Cart.|Pay"}, {"async def pay(self)", "def||pay"},
               {"pub(crate) fn pay<T>(x: T)", "fn||pay"}, {"type Cart struct", "type||Cart"}, {"interface Shop", "interface||Shop"}, {"def self.pay", "def||pay"}, {"#define MAX(x) (x)", "define||MAX"}, {"module A::Shop", "module|A::|Shop"},
               {"make check", "||make check|text"}, {"class of its own", "||class of its own|text"}, {"client", "||client"}, {"if (x) return;", "||if (x) return;|text"}};
  for (const auto& one : cases) {
    const auto names = ReadGoal(std::string("how does `") + one.quoted + "` work?").names;
    ASSERT_EQ(names.size(), 1u) << one.quoted;
    EXPECT_EQ(PartsOf(names[0]), one.parts) << one.quoted;
  }
}

TEST(PlaybookPlainC, AStructIsFoundAndNotTheVariablesOfItsName) {
  const Report report = ReportOn("investigator", "what is `struct door`?", kOven);
  EXPECT_THAT(report.summary, HasSubstr("`struct door` is defined in oven.c:4."));
  EXPECT_THAT(Titles(report), Not(HasSubstr("oven.c:13")));
  ASSERT_EQ(report.data["names"].size(), 1u);
  std::string uses;
  for (const auto& use : report.data["names"][0]["uses"]) uses += use["path"].get<std::string>() + ":" + use["first"].dump() + " ";
  EXPECT_EQ(uses, "main.c:4 oven.c:8 oven.h:2 ") << Titles(report);
  EXPECT_TRUE(report.complete);
  // Of another kind there is none, which is said.
  EXPECT_THAT(ReportOn("investigator", "what is `class oven_heat`?", kOven).summary, HasSubstr("No class of the name `oven_heat` was seen."));
  // Functions of the name are told apart from the class.
  const Report python = ReportOn("investigator", "how does `class Oven` work?", {{"oven.py", "class Oven:\n    pass\n"}, {"make.py", "def Oven(t):\n    return t\n"}});
  EXPECT_THAT(python.summary, AllOf(HasSubstr("`class Oven` is defined in oven.py:1"), HasSubstr("1 other place defines a `Oven` of something else")));
}

TEST(PlaybookPlainC, QuotedWordsAreSearchedForAsTheTextTheyAre) {
  const Report report = ReportOn("investigator", "where is `the door is open` said?", kOven);
  EXPECT_THAT(report.summary, HasSubstr("The text `the door is open` stands in 1 line of 1 file: oven.c."));
  EXPECT_THAT(Titles(report), HasSubstr("The text `the door is open` stands in oven.c (1 line)\n"));
  EXPECT_EQ(report.data["names"][0]["uses"][0]["first"], 10);
  EXPECT_TRUE(report.complete);
  const Report none = ReportOn("investigator", "where is `the roof is on fire now` said?", kOven);
  EXPECT_THAT(none.summary, HasSubstr("the text `the roof is on fire now` stands in no file that was searched"));
  EXPECT_FALSE(none.complete);
  // What stands nowhere as it is may be a name in words.
  EXPECT_THAT(ReportOn("investigator", "how does \"oven heat\" work?", kOven).summary, HasSubstr("`oven_heat` is defined in oven.c:13"));
}

TEST(PlaybookPlainC, WhereThereAreNoTestsTheFirstFunctionsToTestAreNamed) {
  const Report report = ReportOn("test-planner", "what to test", kOven);
  EXPECT_THAT(report.summary, AllOf(HasSubstr("2 public functions were found."), HasSubstr("No test in C was recognized"), HasSubstr("The largest of those: `oven_heat` (oven.c), `door_shut` (oven.c).")));
  EXPECT_THAT(Titles(report), AllOf(HasSubstr("`oven_heat` (oven.c:13) is public, and no test in C was recognized"), Not(HasSubstr("No test names"))));
}

TEST(PlaybookPlainC, AStoryIsNoPurpose) {
  const Report report = ReportOn("explorer", "what is this?", kOven);
  EXPECT_THAT(report.summary, testing::StartsWith("This is just an oven for small breads. Main language: C."));
  const Report story = ReportOn("explorer", "what is this?", {{"README.md", "# Oven\n\nA few years ago I was cold, and I wanted an oven. Baking is the best craft, my friends said.\n"}, {"a.c", "int x;\n"}});
  EXPECT_THAT(Titles(story) + story.summary, Not(HasSubstr("I wanted")));
  EXPECT_THAT(story.summary, Not(HasSubstr("craft, my")));
}

TEST(PlaybookPlainC, APurposeIsOfTheThingItself) {
  const auto purpose = [](const std::string& readme) { return ReportOn("explorer", "what is the oven?", {{"README.md", readme}, {"a.c", "int x;\n"}}); };
  EXPECT_THAT(purpose("# Oven\n\nA small, hot, free place for breads, used by many.\n\nThe result is a kitchen that is full of smoke and of people.\n").summary, testing::StartsWith("A small, hot, free place for breads, used by many."));
  EXPECT_THAT(purpose("# Oven\n\n[Stove](https://example.org/stove) is a fast and widely known place for breads.\n").summary, Not(HasSubstr("widely known")));
}

TEST(PlaybookPlainC, SentencesAreWhole) {
  EXPECT_THAT(SentencesOf("It bakes, e.g. bread. It has 1.5 doors! Is it hot? Yes"), ElementsAre("It bakes, e.g. bread.", "It has 1.5 doors!", "Is it hot?", "Yes"));
  const std::string first = "An oven that bakes bread, and that knows when it is done.";
  EXPECT_EQ(WholeSentences(first + " And more of it.", 60), first);
  EXPECT_EQ(WholeSentences(first, 60), first);
  EXPECT_EQ(WholeSentences(first, 30), "An oven that bakes bread, and …");
}

TEST(PlaybookPlainC, AnOverviewSaysWhereItIsNoAnswer) {
  for (const char* goal : {"what?", "What is this repository, how is it built and tested, and where does it start?", "map this repository", "give me an overview", "How do I run the tests?", "what does oven depend on", "explain what oven is", "which are the most changed files?", "?"})
    EXPECT_TRUE(IsOfOverview(goal, {"oven"})) << goal;
  for (const char* goal : {"fix the bug in oven.c", "why do the tests fail?", "build it", "please run the tests", "where are retries decided?", "how does `main` work?", "add a test", "is it safe?", "How does it work?", "rename x", "translate it into German"})
    EXPECT_FALSE(IsOfOverview(goal, {"oven"})) << goal;
  const Report report = ReportOn("explorer", "fix the bug in oven.c", kOven);
  EXPECT_THAT(report.summary, testing::StartsWith("The goal was not worked on as asked: without a language model this is an overview of the repository, whatever is asked. This is just an oven"));
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(ReportOn("explorer", "what is this?", kOven).complete);
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookPlainC, RubysFilesAreFollowed) {
  ImportIndex index;
  for (const char* path : {"lib/oven.rb", "lib/oven/door.rb", "lib/oven/heat.rb", "gems/shop/lib/shop.rb", "gems/shop/lib/shop/till.rb", "lib/oven/json.rb"}) index.Add(path);
  const auto path = [&](const char* from, const char* line) {
    const auto found = ImportReader(index, from).Read(line, 1);
    return found.empty() ? std::string() : found[0].path + (found[0].deferred ? " later" : "");
  };
  EXPECT_EQ(path("lib/oven.rb", "require_relative \"oven/door\""), "lib/oven/door.rb");
  EXPECT_EQ(path("lib/oven/door.rb", "require_relative('../oven')"), "lib/oven.rb");
  EXPECT_EQ(path("lib/oven.rb", "require 'oven/heat.rb' if heated?"), "lib/oven/heat.rb");
  EXPECT_EQ(path("gems/shop/lib/shop.rb", "  require 'shop/till'"), "gems/shop/lib/shop/till.rb");
  EXPECT_EQ(path("gems/shop/lib/shop.rb", "require 'oven/heat'"), "lib/oven/heat.rb");
  EXPECT_EQ(path("lib/oven.rb", "  autoload :Door, 'oven/door'"), "lib/oven/door.rb later");
  EXPECT_EQ(path("lib/oven.rb", "  autoload :Door, File.expand_path(\"oven/door\", __dir__)"), "lib/oven/door.rb later");
  EXPECT_EQ(path("lib/oven.rb", "    require 'oven/door'"), "lib/oven/door.rb later");
  EXPECT_EQ(path("lib/oven.rb", "require File.join(root, 'oven/door')"), "");
  for (const char* line : {"require 'json'", "require \"#{x}/door\"", "require name", "# require 'oven/door'", "required 'oven/door'"}) EXPECT_EQ(path("lib/oven.rb", line), "") << line;
  const Report report = ReportOn("architect", "the structure", {{"lib/oven.rb", "require_relative 'oven/door'\n"}, {"lib/oven/door.rb", "require 'oven/heat'\n"}, {"lib/oven/heat.rb", "module Oven\nend\n"}}, 12);
  EXPECT_THAT(report.data["edges"].dump(), HasSubstr("\"lib\",\"lib/oven\""));
  EXPECT_THAT(report.summary, AllOf(Not(HasSubstr("At the bottom")), Not(HasSubstr("no import was read"))));
}

}  // namespace
}  // namespace paddock::subagents
