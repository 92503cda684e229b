#include "base/json.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

TEST(ParseJson, ReadsAValueAndKeepsTheOrderOfKeys) {
  auto value = ParseJson(R"({"b":1,"a":[true,null,"x",1.5,-2]})");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(DumpJson(*value), R"({"b":1,"a":[true,null,"x",1.5,-2]})");
}

TEST(ParseJson, NamesADuplicateKeyWithItsPath) {
  auto value = ParseJson(R"({"a":[{"b":1,"b":2}]})");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(value.error().message, "duplicate key: $.a[0].b");
}

TEST(ParseJson, SaysWhereTheSyntaxIsWrong) {
  auto value = ParseJson("{\"a\":\n {\"b\":1,}");
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().message.find("line 2, column 9"), std::string::npos) << value.error().message;
}

TEST(ParseJson, StopsEightMegabytesOfOpeningBracketsAtTheDepthLimit) {
  auto value = ParseJson(std::string(8u << 20, '['));
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind, ErrorKind::kLimit);
}

TEST(ParseJson, BoundsBytesValuesAndKeys) {
  EXPECT_EQ(ParseJson("[1,2,3]", {.max_bytes = 6}).error().kind, ErrorKind::kLimit);
  EXPECT_EQ(ParseJson("[1,2,3]", {.max_values = 3}).error().kind, ErrorKind::kLimit);
  EXPECT_TRUE(ParseJson("[1,2,3]", {.max_values = 4}));
  EXPECT_EQ(ParseJson(R"({"a":1,"b":2})", {.max_keys = 1}).error().kind, ErrorKind::kLimit);
}

TEST(ParseJson, RefusesInvalidUtf8TrailingTextAndComments) {
  EXPECT_FALSE(ParseJson("\"\xff\""));
  EXPECT_FALSE(ParseJson("1 2"));
  EXPECT_FALSE(ParseJson("// x\n1"));
  EXPECT_TRUE(ParseJson("// x\n1", {.comments = true}));
}

}  // namespace
}  // namespace paddock
