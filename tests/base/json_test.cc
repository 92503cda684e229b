#include "base/json.h"

#include <gtest/gtest.h>

#include "base/text.h"

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

TEST(ParseJson, ANulByteIsNotTheEnd) {
  using namespace std::string_view_literals;
  for (std::string_view text : {"{}\0{\"type\":\"go\"}"sv, "[1]\0"sv, "\0"sv, "[\"a\0b\"]"sv}) {
    auto value = ParseJson(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().kind, ErrorKind::kInvalid);
  }
  EXPECT_NE(ParseJson("[\n1]\0"sv).error().message.find("line 2, column 3: a NUL byte"), std::string::npos);
  EXPECT_TRUE(ParseJson("\"\\u0000\""));
}

TEST(ParseJson, MessagesAreBoundedAndVisible) {
  const std::string long_key(100'000, 'k');
  for (const std::string& text : {std::string("[\"\xff\"]"), std::string("{\"\xE2\x80\xAE\" \x1b[31m}"), std::string("{\"a\\u001b\":1,\"a\\u001b\":2}"),
                                  "{\"" + long_key + "\":1,\"" + long_key + "\":2}", "{\"" + long_key + "\":{\"a\":1,\"a\":2}}", "[\"" + std::string(300, '\xC3')}) {
    auto value = ParseJson(text);
    ASSERT_FALSE(value);
    const std::string& message = value.error().message;
    EXPECT_LE(message.size(), 2000u);
    EXPECT_EQ(VisibleText(message, Newlines::kEscape), message);
  }
}

}  // namespace
}  // namespace paddock
