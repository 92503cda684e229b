// A conversation with a made-up model and host.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <deque>

#include "agentcore/context/conversation.h"
#include "base/unique_fd.h"

namespace paddock::agentcore {

using testing::HasSubstr;

class FakeModel : public Model {
 public:
  std::string name() const override { return "fake"; }
  bool is_language_model() const override { return language; }
  Result<ModelTurn> Next(const ModelRequest& request, const Deadline&) override {
    requests.push_back(request);
    past.emplace_back(request.past.begin(), request.past.end());
    requests.back().past = {};
    if (answers.empty()) return ModelTurn{};
    auto answer = std::move(answers.front());
    answers.pop_front();
    return answer;
  }
  void Say(std::vector<ToolCall> calls, std::string text = "") { answers.push_back(ModelTurn{std::move(text), std::move(calls), {}}); }
  bool language = false;
  std::deque<Result<ModelTurn>> answers;
  std::vector<ModelRequest> requests;
  std::vector<std::vector<TranscriptTurn>> past;  // of each request
};

class FakeHost : public ConversationHost {
 public:
  Result<int64_t> AdmitTurn(bool report, size_t request_bytes) override {
    asked_bytes.push_back(request_bytes);
    if (!report && work_turns-- <= 0) return Fail(ErrorKind::kLimit, "no turns");
    if (report && report_turns-- <= 0) return Fail(ErrorKind::kLimit, "no report turns");
    return 77;
  }
  size_t RoomForResults(size_t) override { return room; }
  void SettleTurn(const ModelUsage&) override { ++settled; }
  size_t AdmitCalls(size_t wanted) override {
    size_t n = std::min(wanted, calls);
    calls -= n;
    return n;
  }
  size_t ChargeOutput(size_t bytes) override {
    size_t n = std::min(bytes, output);
    output -= n;
    return n;
  }
  Status CheckReport(const Json& arguments) override {
    if (arguments.is_object() && arguments.contains("summary")) return {};
    return Fail(ErrorKind::kInvalid, "$.summary: missing");
  }
  void OnOutcomes(const std::vector<CallOutcome>& o, const std::vector<SeenExcerpt>& s) override {
    outcomes = o;
    seen.insert(seen.end(), s.begin(), s.end());
  }
  void OnTurn(const TranscriptTurn&, const std::vector<std::string>& how) override {
    ++turns;
    mended.insert(mended.end(), how.begin(), how.end());
  }
  std::vector<std::string> mended;
  void OnPhase(Phase phase, const std::string& reason) override { phases.emplace_back(NameOf(phase), reason); }
  std::vector<std::pair<std::string, std::string>> phases;
  int work_turns = 100, report_turns = 100, settled = 0, turns = 0;
  size_t calls = 1000, output = 1u << 20, room = SIZE_MAX;
  std::vector<size_t> asked_bytes;
  std::vector<CallOutcome> outcomes;
  std::vector<SeenExcerpt> seen;
};

inline ToolCall Call(std::string tool, Json arguments = Json::object()) { return {"", std::move(tool), std::move(arguments)}; }
inline ToolCall ReportCall() { return Call("report", Json{{"summary", "done"}}); }

struct ConversationTest : testing::Test {
  TicketConversation Make(int max_turns = 10) {
    ConversationSetup setup;
    setup.system = "pinned";
    setup.goal = "goal";
    setup.tools = {{"read_file", "", {}}, {"list_files", "", {}}};
    setup.max_turns = max_turns;
    return TicketConversation(setup, &model, &host);
  }
  static Result<CellTurn> Next(TicketConversation& c, std::vector<CallReply> replies = {}) {
    return c.Next(std::move(replies), Deadline::Never(), Deadline::Never());
  }
  static CallReply Reply(std::string id, std::string line = "x") {
    ToolResult result;
    result.success = true;
    result.status = ToolStatus::kOk;
    Artifact excerpt;
    excerpt.kind = "excerpt";
    excerpt.path = "f";
    excerpt.line_start = 1;
    excerpt.lines = {std::move(line)};
    result.artifacts = {excerpt};
    return {std::move(id), result};
  }
  FakeModel model;
  FakeHost host;
};

}  // namespace paddock::agentcore
