// A caller's schema for `data`, through the command line.
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr char kSchema[] = R"({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})";
constexpr char kRead[] = R"({"calls": [{"tool": "read_file", "arguments": {"path": "README.md"}}]})";

std::string Reporting(const std::string& data) { return R"({"report": {"summary": "It is a thing.", "data": )" + data + "}}"; }

class DataFlow : public FlowTest {
 protected:
  void SetUp() override { Write("schema.json", kSchema); }
  Outcome With(const std::string& schema, const std::string& turns) { return Perform(Investigate({"--schema", Path(schema), "--model", Script("[" + std::string(kRead) + "," + turns + "]")})); }
};

TEST_F(DataFlow, DataFitsTheSchemaOfTheFile) {
  const auto ticket = TicketOf(With("schema.json", Reporting(R"({"name": "a\u0007b"})")));
  EXPECT_EQ(StatusOf(ticket), "completed");
  EXPECT_EQ(ticket.data, Json({{"name", "a\\u{7}b"}}));
}

TEST_F(DataFlow, TwiceUnfitIsPartialAndNothingElseIsLost) {
  const Outcome outcome = With("schema.json", Reporting("{}") + "," + Reporting("[]"));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(StatusOf(ticket), "partial");
  EXPECT_EQ(ticket.summary, "It is a thing.");
  EXPECT_TRUE(ticket.data.is_null());
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("data is null")));
}

TEST_F(DataFlow, ATicketBringsItsSchemaAlong) {
  Write("ticket.json", R"({"schema": "paddock/task/1", "subagent": "explorer", "goal": "what?", "response_schema": )" + std::string(kSchema) + "}");
  const std::string script = Script("[" + std::string(kRead) + "," + Reporting(R"({"name": "it"})") + "]");
  const auto ticket = TicketOf(Perform(Paddock({"investigate", "--ticket", Path("ticket.json"), "--repo", Path("repo"), "--json", "--model", script})));
  EXPECT_EQ(ticket.data, Json({{"name", "it"}}));
}

TEST_F(DataFlow, APersonSeesTheDataThatWasAskedFor) {
  const std::string script = Script("[" + std::string(kRead) + "," + Reporting(R"({"name": "it"})") + "]");
  const Outcome outcome = Perform(Paddock({"investigate", "explorer", "what?", "--repo", Path("repo"), "--schema", Path("schema.json"), "--model", script}));
  EXPECT_THAT(outcome.out, HasSubstr("data:\n{\n  \"name\": \"it\"\n}\n"));
}

TEST_F(DataFlow, APlaybookSaysThatItCantAndIsNoFailure) {
  const auto ticket = TicketOf(Perform(Investigate({"--schema", Path("schema.json")})));
  EXPECT_EQ(StatusOf(ticket), "completed");
  EXPECT_TRUE(ticket.data.is_null());
  EXPECT_FALSE(ticket.findings.empty());
  EXPECT_THAT(ticket.notes, Contains(HasSubstr("a playbook drove this run, and can't shape its data")));
}

TEST_F(DataFlow, AFaultySchemaStartsNothing) {
  const std::pair<const char*, const char*> faulty[] = {
      {R"({"type": "object", "properties": {"a": {"if": {}}}})", "faulty.json: $.properties.a.if: this keyword is not understood"},
      {R"({"type": "array"})", "faulty.json: $.type: expected \"object\""},
      {"{", "faulty.json: "},
  };
  for (const auto& [schema, message] : faulty) {
    Write("faulty.json", schema);
    const Outcome outcome = With("faulty.json", Reporting("{}"));
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
  EXPECT_EQ(With("nowhere.json", Reporting("{}")).status, 2);
  EXPECT_THAT(List("state"), testing::IsEmpty());
}

}  // namespace
}  // namespace paddock::flow
