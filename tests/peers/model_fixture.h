// A subagent driven by the model's server of a test, and aimock's fixtures for it.
#pragma once

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "tests/flow/flow_fixture.h"
#include "tests/peers/model_server.h"

namespace paddock::peers {

using flow::Outcome;
using flow::StatusOf;
using flow::TicketOf;
using testing::HasSubstr;

inline const std::string kKey = std::string("key-") + "for-tests-0123456789";

// aimock's fixtures, by the number of answers that the model gave before.
inline std::string At(int turn, const std::string& response, const std::string& more = "") {
  return R"({"match": {"turnIndex": )" + std::to_string(turn) + R"(}, "response": )" + response + more + "}";
}
inline std::string Calls(const std::string& calls, const std::string& more = "") { return R"({"toolCalls": [)" + calls + "]" + more + "}"; }
inline const std::string kReadCall = R"({"name": "read_file", "arguments": "{\"path\": \"README.md\"}"})";
inline const std::string kListCall = R"({"name": "list_files", "arguments": "{\"path\": \".\"}"})";
inline const std::string kReportCall = R"({"name": "report", "arguments": "{\"summary\": \"It is a thing. 😀\", \"findings\": [{\"title\": \"It is a thing\", \"evidence\": [{\"path\": \"README.md\", \"line_start\": 1, \"line_end\": 1, \"quote\": \"# Thing\"}]}]}"})";
inline std::string Fixtures(std::initializer_list<std::string> items) {
  std::string list;
  for (const std::string& item : items) list += (list.empty() ? "" : ", ") + item;
  return "[" + list + "]";
}
inline const std::string kReadThenReport = Fixtures({At(0, Calls(kReadCall)), At(1, Calls(kReportCall))});

class Model : public flow::FlowTest {
 protected:
  flow::Command Ask(std::vector<std::string> more = {}, const std::string& model = "m", const std::string& path = "/v1") {
    more.insert(more.end(), {"--base-url", server.origin() + path, "--model", model, "--key-env", "MODEL_KEY"});
    flow::Command command = Investigate(std::move(more));
    command.environment["MODEL_KEY"] = kKey;
    return command;
  }
  subagents::ResultTicket Run(const flow::Command& command) {
    outcome = Perform(command);
    return TicketOf(outcome);
  }
  // Everything that was written: output, record.
  std::string AllText() const {
    std::string text = outcome.out + outcome.err;
    for (const std::string& name : FlowTest::List("state")) text += Read("state/" + name);
    return text;
  }
  void ExpectFinding(const subagents::ResultTicket& ticket) {
    EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out << outcome.err;
    EXPECT_EQ(ticket.citations_verified, 1) << outcome.out;
    EXPECT_EQ(ticket.summary, "It is a thing. 😀");
    EXPECT_TRUE(ticket.language_model);
  }
  ModelServer server;
  Outcome outcome;
};

}  // namespace paddock::peers
