// The parent's side of a conversation between a hostile cell and a hostile model: it ends by itself, only calls that may be
// run reach the cell, every call has one outcome, and what a model is asked never holds the secret.
//
// A line of one byte each: most turns, calls, room. Then lines by turns: what the model says (JSON of a turn, or text) and
// what the cell gives for each call (JSON of a result, or a line of a file); $ stands for the secret, but in calls.
#include <set>

#include "agentcore/context/conversation.h"
#include "orchestrator/providers/protocol.h"
#include "subagents/report.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

namespace {

// Of letters that no mark and no message of ours holds, so that finding it means that it leaked.
constexpr char kSecret[] = "qzxjkvwqzxjkvw7";

struct World {
  fuzz::Input* input;
  size_t most_turns, most_calls, room;
  size_t turns = 0, calls = 0;
  int64_t window = 0;  // of the model

  std::string Line() { return With(input->Line()); }
  static std::string With(const std::string& text) {
    std::string out;
    for (char c : text) c == '$' ? out += kSecret : out += c;
    return out;
  }
};

class Talker : public Model {
 public:
  explicit Talker(World* world) : world_(world) {}
  std::string name() const override { return "fuzz"; }
  bool is_language_model() const override { return true; }
  int64_t context_window() const override { return world_->window; }
  Result<ModelTurn> Next(const ModelRequest& request, const Deadline&) override {
    Check(request);
    asked_ = request.report.name == kReportTool ? request.turn : 0;
    // A model knows no secret; only its text is tried with one, as arguments go back to it as it said them.
    const std::string line = world_->input->Line();
    if (line == "fail") return Fail(ErrorKind::kClosed, "the model is gone");
    if (line == "refuse") return Fail(ErrorKind::kDenied, "the model will not");
    // Not by its own table, which is stricter than a provider.
    ModelTurn turn;
    auto json = ParseJson(line);
    if (!json || !json->is_object()) {
      turn.text = World::With(WireFromBytes(line));
      if (IsBlank(turn.text)) empty_.insert(asked_);
      return turn;
    }
    if (auto text = json->find("text"); text != json->end() && text->is_string()) turn.text = World::With(text->get<std::string>());
    if (auto calls = json->find("calls"); calls != json->end() && calls->is_array())
      for (const Json& one : *calls) {
        ToolCall call;
        if (one.is_object() && one.contains("tool") && one["tool"].is_string()) call.tool = one["tool"].get<std::string>();
        if (one.is_object() && one.contains("arguments")) call.arguments = one["arguments"];
        if (one.is_object() && one.contains("fault") && one["fault"].is_string()) call.fault = one["fault"].get<std::string>();
        turn.calls.push_back(std::move(call));
      }
    if (turn.calls.empty() && IsBlank(turn.text)) empty_.insert(asked_);
    if (json->contains("length")) turn.finish = Finish::kLength;
    if (json->contains("refused")) turn.finish = Finish::kRefused;
    return turn;
  }

 private:
  // What a question shows are outcomes of the calls before it, each once. (Beside a report that was refused others have none;
  // the request fills that in.)
  static void CheckOutcomes(const ModelTurn& answer, const std::vector<CallOutcome>& shown) {
    std::set<std::string> called;
    for (const ToolCall& call : answer.calls) REQUIRE(called.insert(call.id).second, call.id);
    for (const CallOutcome& outcome : shown) REQUIRE(called.erase(outcome.call.id) == 1, outcome.call.id);
  }
  void Check(const ModelRequest& request) const {
    REQUIRE(request.turn >= 1 && request.turn <= request.max_turns, "more turns than there are");
    // Empty answers are not kept, and a window that is full lets old turns go.
    int before = 0;
    for (const TranscriptTurn& turn : request.past) {
      REQUIRE(turn.turn > before && turn.turn < request.turn && (world_->window > 0 || turn.turn == before + 1 || Empty(before + 1, turn.turn)), "a turn is missing");
      before = turn.turn;
    }
    for (size_t i = 0; i < request.past.size(); ++i)
      CheckOutcomes(request.past[i].answer, i + 1 < request.past.size() ? request.past[i + 1].shown : request.latest);
    for (auto protocol : {orchestrator::ModelProtocol::kResponses, orchestrator::ModelProtocol::kMessages}) Body(protocol, request);
    const Json body = Body(orchestrator::ModelProtocol::kChat, request);
    const std::string text = DumpJson(body);
    // Providers refuse a history in which a call has no tool message, or one whose arguments are no JSON text.
    std::set<std::string> open;
    for (const Json& message : body["messages"]) {
      if (message["role"] == "tool") REQUIRE(open.erase(message["tool_call_id"].get<std::string>()) == 1, text);
      else REQUIRE(open.empty(), text);
      if (!message.contains("tool_calls")) continue;
      for (const Json& call : message["tool_calls"]) {
        REQUIRE(open.insert(call["id"].get<std::string>()).second, text);
        const auto arguments = ParseJson(call["function"]["arguments"].get<std::string>());
        REQUIRE(arguments && arguments->is_object(), text);
        const std::string name = call["function"]["name"].get<std::string>();
        REQUIRE(!name.empty() && name.size() <= 64 && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == name.npos, name);
      }
    }
    REQUIRE(open.empty(), text);
  }
  // Were all turns from `first` until `end` empty answers?
  bool Empty(int first, int end) const {
    for (int turn = first; turn < end; ++turn)
      if (!empty_.contains(turn)) return false;
    return true;
  }
  static Json Body(orchestrator::ModelProtocol protocol, const ModelRequest& request) {
    orchestrator::ModelSettings settings;
    settings.model = "m";
    Json body = orchestrator::MakeProtocol(protocol)->Body(request, settings, "who");
    const std::string text = DumpJson(body);
    REQUIRE(IsValidUtf8(text) && ParseJson(text, fuzz::kWide).has_value(), "a request that is no JSON");
    REQUIRE(text.find(kSecret) == text.npos, text.substr(text.find(kSecret) > 400 ? text.find(kSecret) - 400 : 0, 800));
    return body;
  }
  World* world_;
  int asked_ = 0;
  std::set<int> empty_;  // turns that said nothing
};

class Host : public ConversationHost {
 public:
  explicit Host(World* world) : world_(world) {}
  Result<int64_t> AdmitTurn(bool, size_t) override {
    REQUIRE(open_ == 0, "a turn was not settled");
    if (world_->turns >= world_->most_turns) return Fail(ErrorKind::kLimit, "no turns are left");
    ++world_->turns, ++open_;
    return 100;
  }
  void SettleTurn(const ModelUsage&) override { --open_; }
  size_t RoomForResults(size_t) override { return world_->room; }
  size_t AdmitCalls(size_t wanted) override {
    const size_t granted = std::min(wanted, world_->most_calls - world_->calls);
    world_->calls += granted;
    return granted;
  }
  size_t ChargeOutput(size_t bytes) override { return std::min(bytes, world_->room); }
  Status CheckReport(const Json& arguments) override {
    if (auto report = FromJson<subagents::Report>(arguments); !report) return std::unexpected(report.error());
    return {};
  }
  void OnOutcomes(const std::vector<CallOutcome>& outcomes, const std::vector<SeenExcerpt>&) override {
    for (const CallOutcome& outcome : outcomes) REQUIRE(IsValidUtf8(outcome.text) && outcome.text.find(kSecret) == std::string::npos, outcome.text);
  }
  void OnTurn(const TranscriptTurn&, const std::vector<std::string>&) override {}
  Result<int64_t> AdmitNotes(size_t) override { return 100; }
  int open() const { return open_; }

 private:
  World* world_;
  int open_ = 0;
};

ToolResult ResultOf(const std::string& line) {
  if (auto json = ParseJson(line))
    if (auto result = FromJson<ToolResult>(*json)) return *std::move(result);
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kOk;
  Artifact artifact;
  artifact.kind = "excerpt";
  artifact.path = "a.txt";
  artifact.line_start = 1;
  artifact.lines = {WireFromBytes(line)};
  result.artifacts.push_back(std::move(artifact));
  return result;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  if (std::string_view(reinterpret_cast<const char*>(data), size).find(kSecret) != std::string_view::npos) return 0;
  World world{&input, input.Byte() % 12, input.Byte() % 20, 64 * input.Byte()};
  if (world.room / 64 % 3 == 1) world.window = 2'000;
  static const Redactor redactor(std::vector<KnownSecret>{{"known", kSecret}});
  ConversationSetup setup;
  setup.system = "You look.";
  setup.goal = world.Line() + " ";
  setup.context = world.Line();
  if (!IsValidUtf8(setup.goal) || !IsValidUtf8(setup.context)) return 0;  // the command line has seen to that
  setup.max_turns = 8;
  setup.text_is_final = world.room / 64 % 5 == 2;
  setup.redactor = &redactor;
  setup.bounds = {16'000, 2'000};
  setup.max_turn_bytes = 32'000;
  std::set<std::string> offered;
  for (const char* name : {"list_files", "read_file", "search_text"}) {
    setup.tools.push_back({name, "Looks.", Json{{"type", "object"}}});
    offered.insert(name);
  }
  Talker model(&world);
  Host host(&world);
  TicketConversation talk(setup, &model, &host);
  std::set<std::string> ids;
  std::vector<CallReply> answers;
  for (int rounds = 0;; ++rounds) {
    REQUIRE(rounds <= 12, "it does not end");
    auto turn = talk.Next(std::move(answers), Deadline::Never(), Deadline::Never());
    REQUIRE(turn.has_value(), turn ? "" : turn.error().message);
    if (turn->final) break;
    REQUIRE(!turn->calls.empty() && turn->calls.size() <= kMaxCallsPerTurn && turn->calls.size() == talk.calls_open(), "calls of a turn");
    answers.clear();
    for (const ToolCall& call : turn->calls) {
      REQUIRE(ids.insert(call.id).second && call.id.size() <= 64 && call.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == call.id.npos, call.id);
      REQUIRE(offered.contains(call.tool) && call.arguments.is_object() && call.fault.empty(), call.tool);
      answers.push_back({call.id, ResultOf(world.Line())});
    }
    const std::string word = input.Line();
    if (word == "lost") {
      talk.ReportWithoutCell(WrapUp::kCellLost, Deadline::Never());
      break;
    }
    if (word == "wrap") talk.StartWrapUp(WrapUp::kDeadline);
    if (word != "lie") continue;
    // Answers of something else: refused, and nothing of them is taken.
    auto lies = answers;
    lies.back().id += "x";
    REQUIRE(!talk.Next(lies, Deadline::Never(), Deadline::Never()) && talk.calls_open() == answers.size(), "a lie was taken");
    lies = answers;
    lies.push_back(lies.front());
    REQUIRE(!talk.Next(lies, Deadline::Never(), Deadline::Never()) && talk.calls_open() == answers.size(), "an answer too many was taken");
  }
  REQUIRE(talk.end() != ConversationEnd::kOpen, "an open end");
  REQUIRE(host.open() == 0, "a turn was not settled");
  REQUIRE(talk.turns() <= 8 && world.turns <= world.most_turns && world.calls <= world.most_calls, "more than was admitted");
  REQUIRE(talk.report().has_value() == (talk.end() == ConversationEnd::kReport), "a report");
  if (talk.end() != ConversationEnd::kReport && talk.end() != ConversationEnd::kAnswer) fuzz::RequireGood(talk.error(), 100'000);
  if (talk.report()) REQUIRE(host.CheckReport(*talk.report()).has_value(), DumpJson(*talk.report()));
  return 0;
}
