#include "agentcore/tools/tool_lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentcore/context/compaction.h"

namespace paddock::agentcore {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ToolLint, EveryToolTellsAModelEnough) {
  const ToolRegistry registry = ReadOnlyTools();
  for (const std::string& name : registry.Names()) EXPECT_THAT(LintTool(registry.Find(name)->spec()), IsEmpty()) << name;
  EXPECT_THAT(LintTool(NotesRequest("", Memory(100), {}, "").report), IsEmpty());
}

ToolSpec Sound() {
  ToolSpec tool;
  tool.name = "look";
  tool.description = "Use: look at a thing by its number.\nParameters:\n- n (integer 1..9, required): which one\nNot for: things that have no number.\nExample: look {\"n\": 3}";
  tool.parameters = Json::parse(R"({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9, "description": "which one"}}, "required": ["n"]})");
  return tool;
}

TEST(ToolLint, ASoundOneHasNoFaults) { EXPECT_THAT(LintTool(Sound()), IsEmpty()); }

TEST(ToolLint, EachOfTheFourPartsIsMissed) {
  for (const char* part : {"Use:", "Parameters:", "Not for:", "Example:"}) {
    ToolSpec tool = Sound();
    tool.description.replace(tool.description.find(part), std::string(part).size(), "Other:");
    EXPECT_THAT(LintTool(tool), Contains(HasSubstr(part))) << part;
  }
}

TEST(ToolLint, ParametersWithoutMeaningOrBoundsAreNamed) {
  ToolSpec tool = Sound();
  tool.parameters["properties"]["n"] = Json{{"type", "integer"}};
  EXPECT_THAT(LintTool(tool), ElementsAre(HasSubstr("does not say what n is"), HasSubstr("no bounds for n")));
}

TEST(ToolLint, AnExampleThatTheToolWouldRefuseIsAFault) {
  ToolSpec tool = Sound();
  tool.description.replace(tool.description.find("{\"n\": 3}"), 8, "{\"n\": 30}");
  EXPECT_THAT(LintTool(tool), ElementsAre(HasSubstr("would be refused")));
}

}  // namespace
}  // namespace paddock::agentcore
