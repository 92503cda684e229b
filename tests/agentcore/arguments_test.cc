#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "agentcore/model/arguments.h"
#include "agentcore/model/pattern.h"
#include "agentcore/tools/tool.h"

namespace paddock::agentcore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Json J(std::string_view text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json) << text << ": " << json.error().message;
  return json ? *json : Json();
}
CheckedArguments Check(std::string_view schema, std::string_view arguments) {
  const Json json = J(schema);
  EXPECT_TRUE(CheckSchema(json)) << schema << ": " << CheckSchema(json).error().message;
  return CheckArguments(json, J(arguments));
}
// With the value as the field "a".
CheckedArguments Field(const std::string& schema, const std::string& value) { return Check(R"({"type":"object","required":["a"],"properties":{"a":)" + schema + "}}", R"({"a":)" + value + "}"); }
bool Fits(const std::string& schema, const std::string& value) {
  const CheckedArguments checked = Field(schema, value);
  return checked.status && checked.repairs.empty();
}
std::string Error(const CheckedArguments& checked) { return checked.status ? "" : checked.status.error().message; }

TEST(Arguments, EveryKeyword) {
  struct Case {
    const char* schema;
    std::vector<const char*> good, bad;
  };
  for (const Case& one : std::vector<Case>{
           {R"({})", {"1", "null", "\"x\"", "[]"}, {}},
           {R"(true)", {"1"}, {}},
           {R"(false)", {}, {"1"}},
           {R"({"type":"string"})", {"\"x\"", "\"\""}, {"1", "true", "{}", "[]"}},
           {R"({"type":"integer"})", {"1", "-3", "0"}, {"1.5", "\"x\"", "\"1.5\"", "\"\"", "\" 1\"", "\"0x10\"", "\"01\"", "true", "[1]", "{}"}},
           {R"({"type":"number"})", {"1", "1.5", "-1e3"}, {"\"x\"", "\"NaN\"", "false"}},
           {R"({"type":"boolean"})", {"true", "false"}, {"1", "0", "\"yes\"", "\"True\"", "\"1\""}},
           {R"({"type":"null"})", {"null"}, {"1", "\"null\""}},
           {R"({"type":["string","null"]})", {"\"x\"", "null"}, {"1"}},
           {R"({"type":"array","items":{"type":"integer"}})", {"[]", "[1,2]"}, {"[1,\"x\"]", "\"x\"", "[1.5]"}},
           {R"({"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false})", {"[\"x\",1]", "[\"x\"]", "[]"}, {"[1,1]", "[\"x\",1,2]", "\"x\""}},
           {R"({"type":"array","minItems":1,"maxItems":2})", {"[1]", "[1,2]"}, {"[]", "[1,2,3]"}},
           {R"({"type":"array","uniqueItems":true})", {"[1,2]", "[1,\"1\"]", "[{\"a\":1},{\"a\":2}]"}, {"[1,1]", "[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]"}},
           {R"({"enum":["a","b",3]})", {"\"a\"", "3", "3.0"}, {"\"c\"", "4", "null", "\"3\""}},
           {R"({"const":{"x":[1]}})", {"{\"x\":[1]}", "{\"x\":[1.0]}"}, {"{\"x\":[2]}", "1"}},
           {R"({"minimum":1,"maximum":3})", {"1", "3", "2.5", "\"text\""}, {"0", "4", "0.999"}},
           {R"({"minimum":9007199254740993})", {"9007199254740993"}, {"9007199254740992"}},
           {R"({"exclusiveMinimum":1,"exclusiveMaximum":3})", {"2", "1.5"}, {"1", "3"}},
           {R"({"multipleOf":0.1})", {"0.3", "1", "12.7"}, {"0.35"}},
           {R"({"multipleOf":3})", {"9", "0", "-3", "9.0"}, {"10", "1.5"}},
           {R"({"minLength":2,"maxLength":3})", {"\"ab\"", "\"äöü\"", "\"😀😀😀\"", "1"}, {"\"a\"", "\"abcd\"", "\"ä\"", "\"\""}},
           {R"({"pattern":"^[a-z]+$"})", {"\"abc\"", "1"}, {"\"aBc\"", "\"\"", "\"abc\\n\"", "\"x\\nabc\"", "\"abc\\n$(rm)\""}},
           {R"({"pattern":"b"})", {"\"abc\""}, {"\"ac\""}},
           {R"({"anyOf":[{"type":"string"},{"type":"integer","minimum":5}]})", {"\"x\"", "5"}, {"4", "null", "[]"}},
           {R"({"oneOf":[{"multipleOf":2},{"multipleOf":3}]})", {"2", "3"}, {"6", "5"}},
           {R"({"allOf":[{"minimum":1},{"maximum":3}]})", {"2"}, {"0", "4"}},
           {R"({"not":{"type":"string"}})", {"1"}, {"\"x\""}},
           {R"({"type":"object","required":["x"],"properties":{"x":{"type":"integer"}},"additionalProperties":false})", {"{\"x\":1}"}, {"{}", "{\"x\":1,\"y\":2}", "{\"x\":null}", "{\"X\":1}"}},
           {R"({"type":"object","additionalProperties":{"type":"integer"}})", {"{}", "{\"x\":1}"}, {"{\"x\":\"y\"}"}},
           {R"({"type":"object","properties":{"x":{}}})", {"{\"y\":1}"}, {}},
           {R"({"type":"string","format":"email","title":"t","description":"d","default":1,"examples":[1],"deprecated":true})", {"\"no mail\""}, {"1"}},
       }) {
    for (const char* value : one.good) EXPECT_TRUE(Fits(one.schema, value)) << one.schema << " " << value << " " << Error(Field(one.schema, value));
    for (const char* value : one.bad) EXPECT_FALSE(Field(one.schema, value).status) << one.schema << " " << value;
  }
}

TEST(Arguments, References) {
  const char* tree = R"({"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"value":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"additionalProperties":false}}})";
  EXPECT_TRUE(Check(tree, R"({"tree":{"value":1,"kids":[{"value":2},{"kids":[]}]}})").status);
  EXPECT_THAT(Error(Check(tree, R"({"tree":{"kids":[{},{"kids":[{"value":"x"}]}]}})")), HasSubstr("$.tree.kids[1].kids[0].value: expected a whole number, got \"x\""));
  EXPECT_TRUE(Check(R"({"properties":{"a":{"$ref":"#/$defs/x~1y~0"}},"$defs":{"x/y~":{"type":"integer"}}})", R"({"a":1})").status);
  // What stands beside a reference counts too.
  EXPECT_FALSE(Check(R"({"properties":{"a":{"$ref":"#/$defs/n","maximum":3}},"$defs":{"n":{"type":"integer"}}})", R"({"a":4})").status);
}

TEST(Arguments, SmallSlipsAreMendedAndSaid) {
  struct Case {
    const char *schema, *value, *mended, *said;
  };
  for (const Case& one : std::vector<Case>{
           {R"({"type":"integer"})", R"("20")", "20", R"($.a: "20" taken as the number 20)"},
           {R"({"type":"number"})", R"("-1.5")", "-1.5", R"($.a: "-1.5" taken as the number -1.5)"},
           {R"({"type":"integer"})", "20.0", "20", "$.a: 20.0 taken as the number 20"},
           {R"({"type":"integer"})", R"("20.0")", "20", R"($.a: "20.0" taken as the number 20)"},
           {R"({"type":"boolean"})", R"("true")", "true", R"($.a: "true" taken as true)"},
           {R"({"type":"array","items":{"type":"string"}})", R"("x")", R"(["x"])", R"($.a: "x" taken as a list of it)"},
           {R"({"type":"array","items":{"type":"integer"}})", "5", "[5]", "$.a: 5 taken as a list of it"},
           {R"({"type":"array","items":{"type":"string"}})", R"("[\"x\",\"y\"]")", R"(["x","y"])", R"($.a: "[\"x\",\"y\"]" taken as the list in it)"},
           {R"({"type":"object","properties":{"n":{"type":"integer"}}})", R"("{\"n\":1}")", R"({"n":1})", R"($.a: "{\"n\":1}" taken as the object in it)"},
           {R"({"anyOf":[{"type":"integer"},{"type":"null"}]})", R"("7")", "7", R"($.a: "7" taken as the number 7)"},
           {R"({"type":["integer","null"]})", R"("7")", "7", R"($.a: "7" taken as the number 7)"},
       }) {
    const CheckedArguments checked = Field(one.schema, one.value);
    EXPECT_TRUE(checked.status) << one.schema << Error(checked);
    EXPECT_EQ(DumpJson(checked.arguments), std::string(R"({"a":)") + one.mended + "}");
    EXPECT_THAT(checked.repairs, ElementsAre(one.said));
  }
  const char* schema = R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":["string","null"]}},"required":["b"],"additionalProperties":false})";
  const CheckedArguments left_out = Check(schema, R"({"a":null,"b":"x","c":null})");
  EXPECT_EQ(DumpJson(left_out.arguments), R"({"b":"x","c":null})") << "where null is a value it stays";
  EXPECT_THAT(left_out.repairs, ElementsAre("$.a: null taken as left out"));
  const CheckedArguments deep = Check(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}}})", R"({"l":[{"n":1},{"n":"2"}]})");
  EXPECT_THAT(deep.repairs, ElementsAre(R"($.l[1].n: "2" taken as the number 2)"));
  for (const char* none : {"null", "\"\"", "\" \"", "{}"}) {
    EXPECT_EQ(DumpJson(Check(R"({"type":"object"})", none).arguments), "{}");
    EXPECT_TRUE(Check(R"({"type":"object"})", none).status);
  }
  EXPECT_EQ(DumpJson(Check("{}", R"("{\"x\":1}")").arguments), R"({"x":1})");
}

TEST(Arguments, NothingElseIsMended) {
  const char* schema = R"({"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","maximum":100}},"required":["path"],"additionalProperties":false})";
  const CheckedArguments wrong_name = Check(schema, R"({"pth":"x"})");
  EXPECT_EQ(Error(wrong_name), "$.path: missing, expected a string; $: unknown key \"pth\"; expected one of path, limit");
  EXPECT_EQ(wrong_name.status.error().hint, "did you mean \"path\"?");
  EXPECT_EQ(DumpJson(wrong_name.arguments), R"({"pth":"x"})");
  EXPECT_EQ(Error(Check(schema, R"({"path":5})")), "$.path: expected a string, got 5");
  EXPECT_EQ(Error(Check(schema, R"({"path":"x","limit":"200"})")), "$.limit: expected a whole number <= 100, got 200");
  EXPECT_EQ(Error(Check(schema, R"({"path":["x"]})")), "$.path: expected a string, got a list of 1");
  EXPECT_EQ(Error(Check(schema, R"({"path":null})")), "$.path: expected a string, got null");
  EXPECT_EQ(Error(Check(schema, R"(["x"])")), "$: expected an object, got a list of 1");
  EXPECT_THAT(Error(Check(schema, R"("x")")), HasSubstr("$: expected an object"));
  const CheckedArguments choice = Field(R"({"enum":["files","lines"]})", R"("file")");
  EXPECT_EQ(Error(choice), "$.a: expected one of \"files\", \"lines\", got \"file\"");
  EXPECT_EQ(choice.status.error().hint, "did you mean \"files\"?");
  EXPECT_FALSE(Field(R"({"type":"array","items":{"type":"string"}})", R"("['x', 'y']")").status) << "a list in another language's words";
  // Two mends would do.
  EXPECT_FALSE(Field(R"({"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}}]})", R"("7")").status);
  EXPECT_FALSE(Field(R"({"type":["integer","array"]})", R"("7")").status);
  // A mend that breaks what was looked at before it.
  EXPECT_FALSE(Field(R"({"allOf":[{"not":{"type":"integer"}},{"type":"integer"}]})", R"("7")").status);
  // The one form of its type says what is wrong.
  EXPECT_EQ(Error(Field(R"({"anyOf":[{"type":"integer","minimum":5},{"type":"boolean"}]})", "3")), "$.a: expected a whole number >= 5, got 3");
  EXPECT_EQ(Error(Field(R"({"anyOf":[{"type":"integer"},{"type":"boolean"}]})", "[]")), "$.a: expected a whole number, or true or false, got a list of 0");
  EXPECT_THAT(Error(Check(schema, "{\"path\":\"x\",\"\\u001b[2J\":1}")), Not(HasSubstr("\x1b")));
}

TEST(Arguments, TheToolsOfThisBuild) {
  const ToolRegistry tools = ReadOnlyTools();
  for (const std::string& name : tools.Names()) EXPECT_TRUE(CheckSchema(tools.Find(name)->spec().parameters)) << name;
  const CheckedArguments checked = CheckArguments(tools.Find("read_file")->spec().parameters, J(R"({"path":"README.md","offset":"3","limit":null})"));
  EXPECT_EQ(DumpJson(checked.arguments), R"({"path":"README.md","offset":3})");
  EXPECT_TRUE(CheckCall(tools, "read_file", checked.arguments));
}

TEST(Arguments, SchemasThatAreNotUnderstood) {
  for (auto [schema, said] : std::vector<std::pair<const char*, const char*>>{
           {R"({"properties":{"a":{"if":{}}}})", "$.properties.a.if: this keyword is not understood"}, {R"({"patternProperties":{}})", "$.patternProperties"}, {R"({"type":"strin"})", "$.type: expected names of types"},
           {R"({"type":[]})", "$.type"}, {R"({"type":["string",1]})", "$.type"}, {R"({"items":[{}]})", "$.items: expected a schema"}, {R"x({"pattern":"(?=a)"})x", "$.pattern: the pattern is not understood"}, {R"x({"pattern":"("})x", "$.pattern"},
           {R"({"$ref":"#/definitions/a"})", "$.$ref"}, {R"({"$ref":"#/$defs/a"})", "$.$ref"}, {R"({"$ref":"http://x/y"})", "$.$ref"}, {R"({"required":"a"})", "$.required"}, {R"({"enum":[]})", "$.enum"}, {R"({"minLength":-1})", "$.minLength"},
           {R"({"maxItems":1.5})", "$.maxItems"}, {R"({"multipleOf":0})", "$.multipleOf"}, {R"({"anyOf":[]})", "$.anyOf"}, {R"({"anyOf":[{},{"contains":{}}]})", "$.anyOf[1].contains"}, {R"({"properties":[]})", "$.properties"},
           {R"(5)", "$: expected a schema"}, {R"({"minimum":"1"})", "$.minimum"}, {R"({"uniqueItems":1})", "$.uniqueItems"}, {R"({"properties":{"a":{"$defs":{}}}})", "at the top only"}}) {
    const Status status = CheckSchema(J(schema));
    ASSERT_FALSE(status) << schema;
    EXPECT_THAT(status.error().message, HasSubstr(said)) << schema;
    // Such keywords do no harm.
    for (const char* value : {R"({"a":1})", R"({"a":[1,"x"]})", R"({"a":{"b":null}})"}) CheckArguments(J(schema), J(value));
  }
}

// Each would take minutes or the stack, and ctest's own limit ends that.
TEST(Arguments, Bounds) {
  const char* loop = R"({"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}})";
  EXPECT_EQ(CheckArguments(J(loop), J(R"({"a":1})")).status.error().kind, ErrorKind::kLimit);
  const char* doubling = R"({"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}})";
  EXPECT_EQ(CheckArguments(J(doubling), J(R"({"a":1})")).status.error().kind, ErrorKind::kLimit);
  const Json deep = J(R"({"$ref":"#/$defs/a","$defs":{"a":{"additionalProperties":{"oneOf":[{"type":"integer"},{"$ref":"#/$defs/a"}]}}}})");
  std::string value = "\"1\"";
  for (int i = 0; i < 25; ++i) value = "{\"a\":" + value + "}";
  CheckArguments(deep, J(value));
  std::string large = "[";
  for (int i = 0; i < 50'000; ++i) large += std::to_string(i % 1000) + ",";
  const Json list = J("{\"a\":" + large + "0]}");
  EXPECT_FALSE(CheckArguments(J(R"({"properties":{"a":{"uniqueItems":true,"items":{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"integer"}]}}}})"), list).status);
  const Json text = Json{{"a", std::string(250'000, 'a')}};
  Json schema = J(R"({"properties":{"a":{"allOf":[]}}})");
  for (int i = 0; i < 3000; ++i) schema["properties"]["a"]["allOf"].push_back(Json{{"pattern", "(a*)*b|(a|a)*c"}});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(CheckArguments(schema, text).status);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  const CheckedArguments many = CheckArguments(J(R"({"properties":{"a":{"items":{"type":"integer"}}}})"), Json{{"a", Json(std::vector<std::string>(1000, "1"))}});
  EXPECT_TRUE(many.status);
  EXPECT_EQ(many.repairs.size(), 32u);
  EXPECT_EQ(many.repairs.back(), "and more");
  const CheckedArguments wrong = CheckArguments(J(R"({"properties":{"a":{"items":{"type":"integer"}}}})"), Json{{"a", Json(std::vector<std::string>(1000, "x"))}});
  EXPECT_LT(Error(wrong).size(), 400u);
}

// Found by somebody who asked for `data` by a costly pattern: a match went on for minutes, past the deadline and a wish to stop.
TEST(Arguments, ACostlyPatternIsGivenUpSoon) {
  const auto schema = [](const std::string& pattern) { return Json{{"type", "object"}, {"properties", {{"a", {{"type", "array"}, {"items", {{"type", "string"}, {"pattern", pattern}}}}}}}}; };
  const Json large{{"a", {std::string(200'000, 'a')}}};
  Json many{{"a", Json::array()}};
  for (int i = 0; i < 2'000; ++i) many["a"].push_back(std::string(16'000, 'a'));
  for (const char* pattern : {"(x|y|[^z]{1,200}){1,3}$1", "(x|y|[^z]{1,20}){1,3}$1", "(a|b|[^c]{1,9}){1,2}$z"}) {
    EXPECT_FALSE(CheckArguments(schema(pattern), large).status) << pattern;
    EXPECT_FALSE(CheckArguments(schema(pattern), many).status) << pattern;
    (void)MatchPattern(pattern, std::string(kMaxMatchedText, 'a'));
  }
  EXPECT_FALSE(MatchPattern("a", std::string(kMaxMatchedText + 1, 'a')));
}

}  // namespace
}  // namespace paddock::agentcore
