#include "base/fields.h"

#include <gtest/gtest.h>

namespace paddock {

namespace fields_test {

enum class Color { kRed, kGreen };
inline auto EnumNames(FieldsOf<Color>) { return std::array{EnumName{Color::kRed, "red"}, EnumName{Color::kGreen, "green"}}; }

// "none" or a number: a form of its own.
struct Level {
  int64_t number = 0;
};
inline Result<Level> ReadForm(FieldsOf<Level>, const Json& value, const std::string& path) {
  if (value == "none") return Level{};
  return Level{TRY(FromJson<int64_t>(value, path))};
}
inline Json WriteForm(const Level& level) { return level.number == 0 ? Json("none") : Json(level.number); }
inline Json SchemaForm(FieldsOf<Level>) { return Json{{"type", Json::array({"string", "integer"})}}; }
struct Leveled {
  std::optional<Level> level;
  std::vector<Level> more;
};
inline auto Fields(FieldsOf<Leveled>) {
  return std::make_tuple(Optional("level", &Leveled::level, "one"), Optional("more", &Leveled::more, "several"));
}

struct Inner {
  int64_t line = 0;
};
inline auto Fields(FieldsOf<Inner>) { return std::make_tuple(Required("line", &Inner::line, "from 1").Min(1).Max(10)); }

struct Outer {
  std::string id;
  bool flag = false;
  Color color = Color::kRed;
  uint64_t big = 0;
  int small = 0;
  double ratio = 0;
  std::vector<Inner> inners;
  std::optional<int64_t> maybe;
  std::map<std::string, std::string> set;
  Json any = nullptr;
  std::string text;
};
inline auto Fields(FieldsOf<Outer>) {
  return std::make_tuple(Required("id", &Outer::id, "a name").Identifier(), Optional("flag", &Outer::flag, "yes or no"),
                         Optional("color", &Outer::color, "which"), Optional("big", &Outer::big, "64 bits"),
                         Optional("small", &Outer::small, "32 bits"), Optional("ratio", &Outer::ratio, "a part").Max(1),
                         Optional("inners", &Outer::inners, "some").MaxLength(2), Optional("maybe", &Outer::maybe, "or null"),
                         Optional("set", &Outer::set, "pairs"), Optional("any", &Outer::any, "anything"),
                         Optional("text", &Outer::text, "words").NonEmpty().MaxLength(4));
}

Result<Outer> Read(const std::string& text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json) << json.error().message;
  return FromJson<Outer>(*json);
}
std::string MessageOf(const std::string& text) {
  auto read = Read(text);
  if (read) return "no error";
  EXPECT_EQ(read.error().kind, ErrorKind::kInvalid);
  return read.error().message;
}

TEST(Fields, ATypeMayBringItsOwnForm) {
  auto read = FromJson<Leveled>(*ParseJson(R"({"level":"none","more":[3,"none"]})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->more[0].number, 3);
  EXPECT_EQ(DumpJson(ToJson(*read)), R"({"level":"none","more":[3,"none"]})");
  EXPECT_EQ(FromJson<Leveled>(*ParseJson(R"({"more":["some"]})")).error().message, "$.more[0]: expected a whole number, got \"some\"");
  const Json schema = SchemaOf<Leveled>();
  EXPECT_EQ(schema["properties"]["more"]["items"]["type"], Json::array({"string", "integer"}));
}

TEST(Fields, GoInAndComeOut) {
  const std::string text =
      R"({"id":"a-1","flag":true,"color":"green","big":18446744073709551615,"small":-2147483648,"ratio":0.5,)"
      R"("inners":[{"line":1},{"line":10}],"maybe":-3,"set":{"k":"v"},"any":{"x":[1]},"text":"abc"})";
  auto outer = Read(text);
  ASSERT_TRUE(outer) << outer.error().message;
  EXPECT_EQ(outer->color, Color::kGreen);
  EXPECT_EQ(outer->big, ~uint64_t{0});
  EXPECT_EQ(outer->inners[1].line, 10);
  EXPECT_EQ(DumpJson(ToJson(*outer)), text);
}

TEST(Fields, ThatAreMissingKeepTheirDefaults) {
  auto outer = Read(R"({"id":"a","maybe":null})");
  ASSERT_TRUE(outer) << outer.error().message;
  EXPECT_FALSE(outer->flag);
  EXPECT_FALSE(outer->maybe);
  EXPECT_EQ(ToJson(*outer)["maybe"], nullptr);
}

TEST(Fields, SayWhereAndWhatWasExpected) {
  EXPECT_EQ(MessageOf("[]"), "$: expected an object, got a list of 0");
  EXPECT_EQ(MessageOf("{}"), "$.id: missing");
  EXPECT_EQ(MessageOf(R"({"id":"A"})"), "$.id: expected 1 to 64 characters of a-z, 0-9 and -, got \"A\"");
  EXPECT_EQ(MessageOf(R"({"id":""})"), "$.id: expected 1 to 64 characters of a-z, 0-9 and -, got \"\"");
  EXPECT_EQ(MessageOf(R"({"id":"a","flag":1})"), "$.flag: expected true or false, got 1");
  EXPECT_EQ(MessageOf(R"({"id":"a","color":"blue"})"), "$.color: expected one of red, green, got \"blue\"");
  EXPECT_EQ(MessageOf(R"({"id":"a","inners":[{"line":1},{"line":0}]})"), "$.inners[1].line: expected a number >= 1 and <= 10, got 0");
  EXPECT_EQ(MessageOf(R"({"id":"a","inners":[{},{},{}]})"), "$.inners: expected at most 2 items, got a list of 3");
  EXPECT_EQ(MessageOf(R"({"id":"a","ratio":1.5})"), "$.ratio: expected a number <= 1, got 1.5");
  EXPECT_EQ(MessageOf(R"({"id":"a","text":""})"), "$.text: expected a string that is not empty, got \"\"");
  EXPECT_EQ(MessageOf(R"({"id":"a","text":"12345"})"), "$.text: expected at most 4 bytes of text, got \"12345\"");
  EXPECT_EQ(MessageOf(R"({"id":"a","set":{"k":1}})"), "$.set.k: expected a string, got 1");
}

TEST(Fields, TakeNoNumberThatDoesNotFit) {
  EXPECT_EQ(MessageOf(R"({"id":"a","small":2147483648})"), "$.small: expected a whole number, got 2147483648");
  EXPECT_EQ(MessageOf(R"({"id":"a","small":-2147483649})"), "$.small: expected a whole number, got -2147483649");
  EXPECT_EQ(MessageOf(R"({"id":"a","big":-1})"), "$.big: expected a whole number, got -1");
  EXPECT_EQ(MessageOf(R"({"id":"a","maybe":18446744073709551615})"), "$.maybe: expected a whole number, got 18446744073709551615");
  EXPECT_EQ(MessageOf(R"({"id":"a","small":1.0})"), "$.small: expected a whole number, got 1.0");
}

TEST(Fields, RefuseUnknownKeysAndNameTheNearest) {
  auto read = Read(R"({"id":"a","colour":"red"})");
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().message.starts_with("$: unknown key \"colour\"; expected one of id, flag, color")) << read.error().message;
  EXPECT_EQ(read.error().hint, "did you mean \"color\"?");
}

TEST(Fields, ShowHostileValuesHarmlessly) {
  const std::string message = MessageOf("{\"id\":\"a\",\"color\":\"\\u001b[2J\\u202e" + std::string(200, 'x') + "\"}");
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_LT(message.size(), 200u);
}

TEST(Fields, MakeTheirSchema) {
  const Json schema = SchemaOf<Outer>();
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], Json::array({"id"}));
  EXPECT_EQ(schema["properties"]["id"]["pattern"], "^[a-z0-9-]{1,64}$");
  EXPECT_EQ(schema["properties"]["color"]["enum"], Json::array({"red", "green"}));
  EXPECT_EQ(schema["properties"]["big"]["minimum"], 0);
  EXPECT_EQ(schema["properties"]["inners"]["maxItems"], 2);
  EXPECT_EQ(schema["properties"]["inners"]["items"]["properties"]["line"]["maximum"], 10);
  EXPECT_EQ(schema["properties"]["maybe"]["anyOf"][1]["type"], "null");
  EXPECT_EQ(schema["properties"]["text"]["minLength"], 1);
}

}  // namespace fields_test
}  // namespace paddock
