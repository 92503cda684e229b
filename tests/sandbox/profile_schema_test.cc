#include "tests/sandbox/profile_schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sandbox/profile_json.h"

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

// docs/profiles.md has every field and every shipped profile.
TEST(PublishedProfileSchema, IsDescribedForPeople) {
  std::ifstream file(std::filesystem::path(PADDOCK_TEST_DATA) / "../../docs/profiles.md", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const Json schema = SchemaOf<Profile>();
  for (auto field = schema["properties"].begin(); field != schema["properties"].end(); ++field) {
    auto has = [&](const std::string& name) { EXPECT_NE(text.str().find("| `" + name + "` |"), std::string::npos) << name; };
    const Json inner = field->value("properties", Json::object());
    if (inner.empty()) has(field.key());
    for (auto member = inner.begin(); member != inner.end(); ++member) has(field.key() + "." + member.key());
  }
  for (const std::string& name : ShippedProfileNames()) EXPECT_NE(text.str().find("\n**" + name + "**: "), std::string::npos) << name;
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
