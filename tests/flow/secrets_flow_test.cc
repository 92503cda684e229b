// A repository with secrets in it, and a ticket with one: nothing of them is in what is printed, recorded or shown,
// and what was shown in their place can be cited. No secret stands here in one piece.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using subagents::Verification;
using testing::HasSubstr;

const std::string kToken = std::string("gh") + "p_" + "k3Xv9QmT2bLw7RzY5cHn8JdP4sFg6AuE1oNi";
const std::string kPassword = std::string("oD!c7B2") + "TOVdfNLV9";
const std::string kGoalSecret = std::string("xo") + "xb-" + "123456789012-210987654321-aZ3bY5cX7dW9eV1fU2gT4hS6";
const std::string kBody[] = {"MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmUZ2kFZ7rDm2pXbQv", "qN8wVtR3xLz0KfYhGdUa5JmBcEo9PsTi7WnXv1ZlQ4jHk2CrDgMbSeApFuIyO6t8",
                             "Rw3XzVq7KpLm9NbTcYd1HsGfJa5ZoUe2WiQx8RvBtMnCk0EyPl4DhSgFjIuAo6Tq"};

class SecretsFlow : public FlowTest {
 protected:
  SecretsFlow() {
    Write("repo/.env", "MODE=fast\nGITHUB_TOKEN=" + kToken + "\nDB_PASSWORD=" + kPassword + "\n");
    Write("repo/deploy/id_rsa", "-----BEGIN RSA PRIVATE " "KEY-----\n" + kBody[0] + "\n" + kBody[1] + "\n" + kBody[2] + "\n-----END RSA PRIVATE " "KEY-----\n");
  }
  std::string Everything(const Outcome& outcome) {
    std::string all = outcome.out + outcome.err;
    for (const auto& entry : fs::recursive_directory_iterator(Path("state")))
      if (entry.is_regular_file()) {
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        all += text.str();
      }
    return all;
  }
};

TEST_F(SecretsFlow, NothingOfThemLeavesAndWhatWasShownCanBeCited) {
  const std::string script = Script(R"([
    {"calls": [{"tool": "read_file", "arguments": {"path": ".env"}},
               {"tool": "read_file", "arguments": {"path": "deploy/id_rsa", "line_start": 3, "line_end": 3}},
               {"tool": "search_text", "arguments": {"pattern": "[A-Z]"}},
               {"tool": "read_file", "arguments": {"path": "deploy/id_rsa"}}]},
    {"report": {"summary": "there is )" + kToken + R"( in it", "next_actions": ["revoke )" + kToken + R"("], "data": {"password": ")" + kPassword + R"("}, "findings": [
      {"title": "a token", "detail": "DB_PASSWORD=)" + kPassword + R"(", "evidence": [
        {"path": ".env", "line_start": 2, "line_end": 2, "quote": "GITHUB_TOKEN=[redacted github-token]"},
        {"path": ".env", "line_start": 1, "line_end": 3, "quote": "MODE=fast\nGITHUB_TOKEN=[redacted github-token]\nDB_PASSWORD=)" + kPassword + R"("},
        {"path": "deploy/id_rsa", "line_start": 3, "line_end": 3, "quote": "[redacted private-key]"},
        {"path": ".env", "line_start": 1, "line_end": 1, "quote": "MODE=fast"}]}]}}])");
  Command command = Investigate({"--model", script, "--context", "the bot is " + kGoalSecret});
  const Outcome outcome = Perform(command);
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  const subagents::ResultTicket ticket = TicketOf(outcome);
  ASSERT_EQ(ticket.findings.size(), 1u);
  for (const auto& evidence : ticket.findings[0].evidence) {
    EXPECT_EQ(evidence.verification, Verification::kVerified) << evidence.quote << ": " << evidence.note;
    EXPECT_EQ(evidence.sha256.has_value(), evidence.quote == "MODE=fast") << evidence.quote;
  }
  const std::string all = Everything(outcome);
  for (const std::string& secret : {kToken, kPassword, kGoalSecret, kBody[0], kBody[1], kBody[2]}) EXPECT_EQ(all.find(secret.substr(0, secret.size() - 4)), std::string::npos) << secret;
  EXPECT_THAT(all, HasSubstr("[redacted private-key]"));
  EXPECT_THAT(ticket.notes, testing::Contains(testing::AllOf(HasSubstr("secrets were redacted ("), HasSubstr("1 github-token"), HasSubstr("1 slack-token"), HasSubstr("private-key"), HasSubstr("before the model saw them"))));
}

TEST_F(SecretsFlow, AToolCallShowsNone) {
  const Outcome outcome = Perform(Paddock({"tool", "call", "read_file", R"({"path":".env"})", "--repo", Path("repo")}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("GITHUB_TOKEN=[redacted github-token]"));
  EXPECT_THAT(outcome.out, HasSubstr("2 secrets were redacted (1 github-token, 1 password)"));
  EXPECT_EQ((outcome.out + outcome.err).find(kPassword), std::string::npos);
}

}  // namespace
}  // namespace paddock::flow
