// What a definitions cell says, checked: it may have been taken over by what it read.
#include "orchestrator/delegation/carry_over.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

using subagents::DefinitionFormat;
using subagents::ForeignDefinition;
using subagents::LossKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const CarryRules kRepository{{"list_files", "read_file", "search_text", "git_log"}, false};
const CarryRules kOwn{{"list_files", "read_file", "search_text", "git_log"}, true};

ForeignDefinition Sound() {
  ForeignDefinition one;
  one.format = DefinitionFormat::kClaude;
  one.path = ".claude/agents/x.md";
  one.text = "the file";
  one.name = "x";
  one.purpose = "Looks.";
  one.prompt = "You look.\n";
  one.tools = {"read_file"};
  return one;
}

TEST(CarryOver, MakesASubagentThatIsBoundLikeOthers) {
  const CarriedOver one = CarryOver(Sound(), kRepository);
  EXPECT_TRUE(one.usable());
  EXPECT_EQ(one.definition.name, "x");
  EXPECT_EQ(one.definition.profile, "read-only");
  EXPECT_EQ(one.definition.model, "");
  EXPECT_EQ(one.definition.budget.turns, 12);
  EXPECT_EQ(one.definition.budget.seconds, 300);
  EXPECT_EQ(one.definition.prompt, "You look.\n\n" + std::string(subagents::SharedRules()));
  EXPECT_EQ(one.definition.prompt.substr(0, one.own_prompt), "You look.\n");
  EXPECT_EQ(one.bytes, 8u);
}

TEST(CarryOver, OnlyGetsNarrower) {
  ForeignDefinition wide = Sound();
  wide.turns = 1000;
  wide.seconds = 86'400;
  wide.profile = "build";
  wide.model = "expensive";
  wide.tools = {"read_file", "read_file", "write_file", "run", "git_log", "../tool"};
  const CarriedOver one = CarryOver(wide, kRepository);
  EXPECT_THAT(one.definition.tools, ElementsAre("read_file", "git_log"));
  EXPECT_EQ(one.definition.profile, "read-only-tools");
  EXPECT_EQ(one.definition.budget.turns, 12);
  EXPECT_EQ(one.definition.budget.seconds, 300);
  EXPECT_EQ(one.definition.model, "");
  EXPECT_EQ(one.losses.size(), 5u);
  EXPECT_EQ(CarryOver(wide, kOwn).definition.budget.turns, 1000) << "the user's own may";
  wide.turns = 3;
  EXPECT_EQ(CarryOver(wide, kRepository).definition.budget.turns, 3);
}

TEST(CarryOver, NothingThatTheCellSaysIsBelieved) {
  const auto unusable = [](auto change) {
    ForeignDefinition one = Sound();
    change(&one);
    return !CarryOver(one, kOwn).usable();
  };
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->name = "../x"; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->name = ""; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->name = "X y"; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->purpose = "a\xE2\x80\xAE"; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->purpose = "a\nb"; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->purpose = ""; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->prompt = "a\x1b[2J"; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->prompt = ""; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->tools = {"fly"}; }));
  EXPECT_TRUE(unusable([](ForeignDefinition* one) { one->faults = {{1, "broken"}}; }));
  ForeignDefinition odd = Sound();
  odd.losses = {{LossKind::kTool, "a\x1b[2J", std::string(1000, 'w'), 1}};
  odd.path = "p\x07";
  const CarriedOver one = CarryOver(odd, kOwn);
  EXPECT_EQ(VisibleText(one.losses[0].what + one.path, Newlines::kEscape), one.losses[0].what + one.path);
  EXPECT_LE(one.losses[0].why.size(), 200u);
}

TEST(CarryOver, OneHashIsOfAllFiles) {
  std::vector<ForeignDefinition> files = {Sound(), Sound()};
  files[1].path = "y.md";
  const std::string digest = DigestOf(files);
  std::swap(files[0], files[1]);
  EXPECT_EQ(DigestOf(files), digest) << "in whatever order";
  files[0].text += " ";
  EXPECT_NE(DigestOf(files), digest);
  files[0].text = "the file";
  files[0].path = "z.md";
  EXPECT_NE(DigestOf(files), digest);
  files.pop_back();
  EXPECT_NE(DigestOf(files), digest);
  ForeignDefinition unread = Sound();
  unread.text = "";
  unread.faults = {{0, "leads out"}};
  EXPECT_EQ(FileHash(unread), "");
  unread.faults = {{1, "no frontmatter"}};
  EXPECT_EQ(FileHash(unread).size(), 64u) << "an empty file";
}

}  // namespace
}  // namespace paddock::orchestrator
