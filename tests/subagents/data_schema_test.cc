// A caller's schema for `data`: what is taken of it, and what fits.
#include "subagents/data_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "subagents/report_tool.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;

Json Read(const std::string& text) { return *ParseJson(text); }

std::string Fault(const Json& schema) {
  const Status status = CheckDataSchema(schema, "file.json: $");
  return status ? "" : status.error().message;
}

agentcore::CheckedArguments Fit(const std::string& schema, const std::string& data) { return FitData(Read(schema), Read(data), agentcore::OrCommonKinds(nullptr)); }
std::string Misfit(const std::string& schema, const std::string& data) {
  const auto fitted = Fit(schema, data);
  return fitted.status ? "" : fitted.status.error().message;
}

TEST(DataSchema, OfTheSubsetIsTaken) {
  EXPECT_EQ(Fault(Read(R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/b"}}, "required": ["a"], "$defs": {"b": {"enum": ["x", "y"]}}})")), "");
}

TEST(DataSchema, AFaultSaysWhereAndWhat) {
  EXPECT_THAT(Fault(Read(R"({"type": "object", "properties": {"a": {"if": {}}}})")), HasSubstr("file.json: $.properties.a.if: this keyword is not understood"));
  EXPECT_THAT(Fault(Read(R"({"type": "object", "properties": {"a": {"pattern": "("}}})")), HasSubstr("$.properties.a.pattern: the pattern is not understood"));
  EXPECT_THAT(Fault(Read(R"({"type": "string"})")), HasSubstr("file.json: $.type: expected \"object\""));
  EXPECT_THAT(Fault(Read(R"({"properties": {}})")), HasSubstr("file.json: $.type: expected \"object\""));
  EXPECT_THAT(Fault(Read("[1]")), HasSubstr("file.json: $: expected a JSON Schema"));
}

TEST(DataSchema, TooLargeOrTooDeepIsAFault) {
  EXPECT_THAT(Fault(Json{{"type", "object"}, {"description", std::string(kMaxDataSchemaBytes, 'x')}}), HasSubstr("at most 16384"));
  Json deep = Json::object();
  for (int i = 0; i < 20; ++i) deep = Json{{"type", "object"}, {"properties", {{"a", deep}}}};
  EXPECT_THAT(Fault(deep), HasSubstr("deeper than 32 levels"));
}

TEST(DataSchema, WhatDoesNotFitIsNamedByItsPath) {
  constexpr char kSchema[] = R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["a"], "additionalProperties": false, "$defs": {"n": {"type": "integer", "minimum": 2}}})";
  EXPECT_EQ(Misfit(kSchema, R"({"a": 2})"), "");
  EXPECT_THAT(Misfit(kSchema, R"({"a": 1})"), HasSubstr("$.data.a: expected a whole number >= 2"));
  EXPECT_THAT(Misfit(kSchema, R"({"b": 1})"), HasSubstr("$.data.a: missing"));
  EXPECT_THAT(Misfit(kSchema, "null"), HasSubstr("$.data: missing"));
}

TEST(DataSchema, SmallSlipsAreMended) {
  const auto fitted = Fit(R"({"type": "object", "properties": {"a": {"type": "integer"}}})", R"({"a": "20"})");
  EXPECT_TRUE(fitted.status);
  EXPECT_EQ(fitted.arguments, Read(R"({"a": 20})"));
}

TEST(DataSchema, ItFitsAsItGoesIntoTheTicket) {
  constexpr char kShort[] = R"({"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}})";
  EXPECT_EQ(Misfit(kShort, R"({"a": "abc"})"), "");
  EXPECT_THAT(Misfit(kShort, "{\"a\": \"a\\u0007c\"}"), HasSubstr("made fit for the ticket"));
  const auto cleaned = Fit(R"({"type": "object"})", "{\"a\": \"a\\u0007c\"}");
  EXPECT_EQ(cleaned.arguments["a"], "a\\u{7}c");
}

TEST(DataSchema, StandsInTheReportToolWithItsDefinitionsAtTheTop) {
  const auto spec = ReportTool({.data = Read(R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"enum": ["x"]}}})")});
  EXPECT_EQ(spec.parameters["$defs"]["b"], Read(R"({"enum": ["x"]})"));
  EXPECT_FALSE(spec.parameters["properties"]["data"].contains("$defs"));
  EXPECT_THAT(spec.parameters["required"].get<std::vector<std::string>>(), testing::Contains("data"));
  EXPECT_TRUE(agentcore::CheckSchema(spec.parameters)) << agentcore::CheckSchema(spec.parameters).error().message;
  EXPECT_THAT(spec.description, HasSubstr("schema of data"));
}

}  // namespace
}  // namespace paddock::subagents
