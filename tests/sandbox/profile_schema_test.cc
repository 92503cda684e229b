#include "tests/sandbox/profile_schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace paddock::sandbox {
namespace {

TEST(PublishedProfileSchema, IsThatOfTheCode) {
  const auto path = (std::filesystem::path(PADDOCK_TEST_DATA) / "../../profiles/profile.schema.json").lexically_normal();
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  EXPECT_TRUE(text.str() == PublishedProfileSchema())
      << "the published schema is stale; regenerate it with:\n  cmake --build " << bin.parent_path().string() << " --target paddock-profile-schema && "
      << (bin / "paddock-profile-schema").string() << " " << path.string();
}

TEST(PublishedProfileSchema, KnowsEveryLayer) {
  auto schema = ParseJson(PublishedProfileSchema());
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ((*schema)["properties"]["require"]["items"]["enum"].size(), EnumNames(FieldsOf<Layer>{}).size());
  EXPECT_EQ((*schema)["required"], Json::array({"schema", "name"}));
  EXPECT_EQ((*schema)["additionalProperties"], false);
}

}  // namespace
}  // namespace paddock::sandbox
