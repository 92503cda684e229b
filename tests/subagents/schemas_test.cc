#include "subagents/schemas.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json.h"

namespace paddock::subagents {
namespace {

const std::filesystem::path kFolder = (std::filesystem::path(PADDOCK_TEST_DATA) / "../../subagents/schema").lexically_normal();

std::string Regenerate() {
  auto root = std::filesystem::weakly_canonical(kFolder / "../..");
  auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "paddock-schemas";
  return "the published schemas are stale; regenerate them with:\n  cmake --build " +
         program.parent_path().parent_path().string() + " --target paddock-schemas && " + program.string() + " " +
         (root / "subagents/schema").string();
}

TEST(PublishedSchemas, AreThoseOfTheCode) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    files[entry.path().filename()] = text.str();
  }
  auto wanted = PublishedSchemas();
  for (const auto& [name, text] : wanted) {
    EXPECT_TRUE(files.contains(name)) << name << " is missing; " << Regenerate();
    if (files.contains(name)) {
      EXPECT_TRUE(files[name] == text) << name << ": " << Regenerate();
    }
  }
  for (const auto& [name, text] : files) EXPECT_TRUE(wanted.contains(name)) << name << " is not published by the code";
}

TEST(PublishedSchemas, SayWhatTheyAre) {
  for (const auto& [name, text] : PublishedSchemas()) {
    auto schema = ParseJson(text);
    ASSERT_TRUE(schema) << name << ": " << schema.error().message;
    EXPECT_EQ((*schema)["$schema"], "https://json-schema.org/draft/2020-12/schema") << name;
    EXPECT_FALSE((*schema)["title"].get<std::string>().empty()) << name;
    EXPECT_FALSE((*schema)["description"].get<std::string>().empty()) << name;
  }
}

TEST(PublishedSchemas, TellFramesApartByTheirType) {
  auto schema = ParseJson(PublishedSchemas().at("frames.schema.json"));
  ASSERT_TRUE(schema);
  const Json& cite = (*schema)["$defs"]["cite"];
  EXPECT_EQ(cite["properties"]["type"]["const"], "cite");
  EXPECT_EQ(cite["required"], Json::array({"type", "n", "path", "line_start", "line_end"}));
  EXPECT_EQ(cite["additionalProperties"], false);
  EXPECT_EQ((*schema)["oneOf"].size(), (*schema)["$defs"].size());
}

}  // namespace
}  // namespace paddock::subagents
