// The line of a value, in texts as people write them and as they break them.
#include "base/json_line.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

constexpr char kText[] = R"(// a comment with "limits": {
{
  "name": "x", /* two
  lines */ "limits": {"wall": "1s",
    "cpu": "} ] , \" : {"},
  "list": [1, [2,
    3], {
      "a": null}],
  "a.b": 1,
  "a": {"b": 2,
        "b[0]": 3},
  "\u0065scaped": 4
}
)";

size_t LineOf(std::string_view text, std::string_view path) {
  const JsonPlace place = PlaceInJson(text, path);
  EXPECT_TRUE(place.found) << path;
  return place.line;
}

TEST(PlaceInJson, FindsMembersAndItems) {
  EXPECT_EQ(LineOf(kText, "$"), 2u);
  EXPECT_EQ(LineOf(kText, "$.name"), 3u);
  EXPECT_EQ(LineOf(kText, "$.limits"), 4u);
  EXPECT_EQ(LineOf(kText, "$.limits.wall"), 4u);
  EXPECT_EQ(LineOf(kText, "$.limits.cpu"), 5u);
  EXPECT_EQ(LineOf(kText, "$.list"), 6u);
  EXPECT_EQ(LineOf(kText, "$.list[1]"), 6u);
  EXPECT_EQ(LineOf(kText, "$.list[1][1]"), 7u);
  EXPECT_EQ(LineOf(kText, "$.list[2].a"), 8u);
}

TEST(PlaceInJson, FollowsTheLongestKeyThatFits) {
  EXPECT_EQ(LineOf(kText, "$.a.b"), 9u);
  EXPECT_EQ(LineOf(kText, "$.a"), 10u);
  EXPECT_EQ(LineOf(R"({"a": {"b[0]": 3, "b": [
                       4]}})", "$.a.b[0]"), 1u);
  EXPECT_EQ(LineOf(kText, "$.escaped"), 12u);
}

TEST(PlaceInJson, GivesTheNearestPlaceOfWhatIsNotThere) {
  for (const auto& [path, line] : {std::pair{"$.limits.memory", 4}, {"$.limits.cpu.more", 5}, {"$.list[7]", 6}, {"$.list[x]", 6}, {"$.nam", 2}, {"name", 2}, {"", 2}}) {
    const JsonPlace place = PlaceInJson(kText, path);
    EXPECT_FALSE(place.found) << path;
    EXPECT_EQ(place.line, static_cast<size_t>(line)) << path;
  }
}

TEST(PlaceInJson, CommentEndsAtACarriageReturnToo) { EXPECT_EQ(LineOf("{\"a\" // one\r: 1,\n\"b\": 2}", "$.b"), 2u); }

TEST(PlaceInJson, TakesTheLastOfTwo) {
  EXPECT_EQ(LineOf("{\"a\": 1,\n\"a\": 2}", "$.a"), 2u);
}

TEST(PlaceInJson, TakesBrokenTextAsFarAsItGoes) {
  EXPECT_EQ(LineOf("{\"a\": 1,\n\"b\": [1,\n 2", "$.b[1]"), 3u);
  for (const char* broken : {"", "{", "[", "{\"", "{\"a", "{\"a\\", "{\"a\":", "/*", "/", "{\"a\":1,", "]", "}", "{\"a\":]", "{\"a\\u\":1}"}) {
    EXPECT_EQ(PlaceInJson(broken, "$.b[3].c").line, 1u) << broken;
    EXPECT_EQ(PlaceInJson(broken, "$[0]").line, 1u) << broken;
  }
}

}  // namespace
}  // namespace paddock
