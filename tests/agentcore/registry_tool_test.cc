#include <gmock/gmock.h>

#include "tests/agentcore/git_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using RegistryTest = GitTest;

TEST_F(RegistryTest, HoldsTheTools) {
  EXPECT_THAT(tools_.Names(), ElementsAre("list_files", "read_file", "search_text", "git_log", "git_diff", "git_show", "git_blame", "outline", "find_symbol"));
  EXPECT_EQ(tools_.Find("write_file"), nullptr);
  ExpectFailure(Run("raed_file", Json::object()), ToolStatus::kInvalidArguments);
  EXPECT_THAT(Run("raed_file", Json::object()).recovery_hint, HasSubstr("read_file"));
  ExpectFailure(Run("no such tool at all", Json::object()), ToolStatus::kInvalidArguments);
  for (const Json& bad : {Json(nullptr), Json(3), Json("x"), Json::array()}) ExpectFailure(Run("read_file", bad), ToolStatus::kInvalidArguments);
}

// Purpose, parameters with units and bounds, when not to use it, an example that is accepted.
TEST_F(RegistryTest, DescriptionsSayAllThatAModelNeeds) {
  Commit("empty", 0);
  Write("src/main.c", "int main;\n");
  Commit("main", 1);
  for (const auto& name : tools_.Names()) {
    const ToolSpec& spec = tools_.Find(name)->spec();
    const std::string& text = spec.description;
    EXPECT_TRUE(text.starts_with("Use: ")) << text;
    size_t last = 0;
    for (const char* part : {"\nParameters:\n", "\nNot for: ", "\nExample: "}) {
      size_t at = text.find(part, last);
      ASSERT_NE(at, std::string::npos) << name << part;
      last = at;
    }
    EXPECT_LT(text.size(), 4096u);
    const std::string parameters = text.substr(text.find("\nParameters:"), text.find("\nNot for: ") - text.find("\nParameters:"));
    EXPECT_EQ(spec.parameters["additionalProperties"], false);
    for (auto it = spec.parameters["properties"].begin(); it != spec.parameters["properties"].end(); ++it) {
      size_t at = parameters.find("\n- " + it.key() + " (");
      ASSERT_NE(at, std::string::npos) << name << " " << it.key();
      std::string line = parameters.substr(at + 1, parameters.find('\n', at + 1) - at - 1);
      EXPECT_TRUE(line.find("default ") != std::string::npos || line.find("required") != std::string::npos) << line;
      if (it.value()["type"] == "integer") {
        EXPECT_THAT(line, HasSubstr(DumpJson(it.value()["minimum"]) + ".." + DumpJson(it.value()["maximum"])));
      }
    }
    auto example = ParseJson(text.substr(text.find('{', text.find("\nExample: "))));
    ASSERT_TRUE(example.has_value());
    EXPECT_TRUE(Run(name.c_str(), *example).success) << Run(name.c_str(), *example).error;
  }
}

TEST_F(RegistryTest, ResultsPassTheirOwnSchemaWhateverTheNames) {
  Write("\xff\xfe\n", "x\xff\n");
  for (const auto& [tool, arguments] : {std::pair{"list_files", Json::object()}, std::pair{"search_text", Json{{"pattern", "x"}}}}) {
    ToolResult result = Run(tool, arguments);
    EXPECT_TRUE(result.success);
    auto parsed = ParseJson(DumpJson(ToJson(result)));
    ASSERT_TRUE(parsed.has_value());
    auto back = FromJson<ToolResult>(*parsed);
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(ToJson(*back), ToJson(result));  // nothing was lost on the wire
  }
}

}  // namespace
}  // namespace paddock::agentcore
