// A cell played by the test: a thread at the other end of two pipes. Its jail has "ended" when the function
// returns, unless it is told to live on until the broker has finished.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include "agentcore/model/scripted.h"
#include "orchestrator/broker/broker.h"

namespace paddock::orchestrator {

class CellSide {
 public:
  CellSide(int in, int out) : in_(in, subagents::kMaxFrameBytes), out_(out) { (void)SetNonBlocking(out); }

  bool SendRaw(std::string_view line) { return WriteFrame(out_, line, Deadline::After(std::chrono::seconds(20))).has_value(); }
  template <class Frame>
  bool Send(const char* type, const Frame& frame) { return SendRaw(subagents::EncodeFrame(type, frame)); }
  bool SendBytes(std::string_view bytes) {  // no newline at the end of it all
    for (; !bytes.empty(); bytes.remove_prefix(std::min<size_t>(bytes.size(), 60'000))) {
      pollfd wait{out_, POLLOUT, 0};
      if (::poll(&wait, 1, 20'000) <= 0) return false;
      std::string_view part = bytes.substr(0, 60'000);
      while (!part.empty()) {
        ssize_t n = ::write(out_, part.data(), part.size());
        if (n < 0 && errno == EAGAIN) {
          ::poll(&wait, 1, 20'000);
          continue;
        }
        if (n <= 0) return false;
        part.remove_prefix(static_cast<size_t>(n));
      }
    }
    return true;
  }
  // The next frame of a type; others before it are kept in `skipped`.
  template <class Frame>
  std::optional<Frame> Receive(const std::string& type) {
    for (;;) {
      auto line = in_.Next(Deadline::After(std::chrono::seconds(20)));
      if (!line) return std::nullopt;
      auto raw = subagents::DecodeFrame(*line);
      if (raw->type != type) {
        skipped.push_back(raw->type);
        continue;
      }
      return *FromJson<Frame>(raw->body);
    }
  }
  // Anything more? False when the parent has closed its end.
  bool WaitForEnd() { return in_.Next(Deadline::After(std::chrono::seconds(20))).has_value(); }
  // Without reading anything.
  void WaitUntilParentGone() {
    pollfd gone{out_, 0, 0};  // POLLERR when nobody reads any more
    ::poll(&gone, 1, 20'000);
  }

  static subagents::CallAnswer Answer(const std::string& id, const std::string& path = "a.c", std::vector<std::string> lines = {"int main() {"}) {
    agentcore::ToolResult result;
    result.success = true;
    result.status = agentcore::ToolStatus::kOk;
    agentcore::Artifact excerpt;
    excerpt.kind = "excerpt";
    excerpt.path = path;
    excerpt.line_start = 1;
    excerpt.lines = std::move(lines);
    result.artifacts = {excerpt};
    return {id, result};
  }
  bool Start() {
    return Receive<subagents::TaskFrame>("task") && Send("next_turn", subagents::NextTurnFrame{subagents::NextReason::kStart, {}});
  }
  // Plays a cell that does all as it should, from the first turn to the result.
  void ServeToTheEnd(int64_t calls = 0) {
    for (;;) {
      auto turn = Receive<subagents::TurnFrame>("turn");
      if (!turn) return;
      if (turn->final) break;
      subagents::NextTurnFrame next{subagents::NextReason::kResults, {}};
      for (auto& call : turn->calls) next.answers.push_back(Answer(call.id));
      calls += static_cast<int64_t>(turn->calls.size());
      if (!Send("next_turn", next)) return;
    }
    Send("result", subagents::ResultFrame{calls, 0});
  }

  std::vector<std::string> skipped;

 private:
  FrameReader in_;
  int out_;
};

struct MemorySink : EventSink {
  void Record(const std::string& type, Json fields) override { events.emplace_back(type, std::move(fields)); }
  void Flush() override { ++flushes; }
  int Count(const std::string& type) const {
    int n = 0;
    for (auto& event : events) n += event.first == type;
    return n;
  }
  std::vector<std::pair<std::string, Json>> events;
  int flushes = 0;
};

inline constexpr char kReadTurn[] = R"({"calls":[{"tool":"read_file","arguments":{"path":"a.c"}}]})";
inline constexpr char kReportTurn[] = R"({"report":{"summary":"it is a program","findings":[{"title":"main","evidence":
  [{"path":"a.c","line_start":1,"line_end":1,"quote":"int main"}]}]}})";

struct BrokerFixture : testing::Test {
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }

  void Script(const std::string& turns, const std::string& more = "") {
    auto script = agentcore::ParseScript("{\"schema\":\"paddock/script/1\",\"turns\":[" + turns + "]" + more + "}", "test");
    ASSERT_TRUE(script) << script.error().message;
    model = std::make_unique<agentcore::ScriptedModel>(*script);
  }
  // Serves a cell that does `play`. With `lives_on`, the jail ends only after the broker is done.
  ServeOutcome Serve(std::function<void(CellSide&)> play, bool lives_on = false) {
    Pipe to = *MakePipe(), from = *MakePipe(), end = *MakePipe();
    ServeSetup setup;
    setup.link = {to.write.get(), from.read.get(), end.read.get()};
    setup.task.tools = {"read_file", "list_files"};
    setup.conversation.goal = "what is it";
    setup.conversation.tools = {{"read_file", "", {}}, {"list_files", "", {}}};
    setup.conversation.max_turns = static_cast<int>(budget.turns);
    setup.model = model.get();
    Ledger the_ledger(budget);
    setup.ledger = &the_ledger;
    setup.read_lines = &read;
    setup.events = &sink;
    setup.pool = &pool;
    setup.watcher = [&](const Progress& p) { progress.push_back(p); };
    setup.cancel_fd = cancel_fd;
    setup.wall = wall;
    setup.result_grace = result_grace;
    setup.deadline = Deadline::After(wall);
    setup.data_schema = data_schema;
    std::thread cell([&, in = std::move(to.read), out = std::move(from.write), alive = std::move(end.write)]() mutable {
      {
        CellSide side(in.get(), out.get());
        play(side);
        skipped = side.skipped;
      }
      out.reset();
      if (lives_on) {
        pollfd gone{in.get(), 0, 0};  // POLLHUP when the broker's end is closed
        ::poll(&gone, 1, 20'000);
      }
    });
    auto started = std::chrono::steady_clock::now();
    ServeOutcome outcome = ServeCell(setup);
    took = std::chrono::steady_clock::now() - started;
    to.write.reset();
    from.read.reset();
    cell.join();
    for (size_t i = 0; i < kLimitCount; ++i) {
      auto line = the_ledger.Get(static_cast<Limit>(i));
      EXPECT_EQ(line.reserved, 0) << LimitName(static_cast<Limit>(i));
      EXPECT_LE(line.used, line.limit);
    }
    EXPECT_EQ(pool.taken(), 0);
    return outcome;
  }

  std::unique_ptr<agentcore::Model> model;
  subagents::Budget budget;
  ReadLines read;
  MemorySink sink;
  FramePool pool{2};
  std::vector<Progress> progress;
  std::vector<std::string> skipped;
  std::chrono::milliseconds wall{60'000};
  std::chrono::milliseconds result_grace{5'000};
  std::chrono::nanoseconds took{0};
  int cancel_fd = -1;
  Json data_schema = nullptr;
};

}  // namespace paddock::orchestrator
