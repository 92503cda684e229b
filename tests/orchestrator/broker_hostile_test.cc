// Cells that have been taken over. Whatever they do, the parent lives, ends them, and keeps what was found.
#include <gmock/gmock.h>

#include "orchestrator/broker/host.h"
#include "orchestrator/broker/rate.h"
#include "tests/orchestrator/fake_cell.h"

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using subagents::NextReason;
using subagents::NextTurnFrame;
using subagents::ResultFrame;
using subagents::TicketStatus;
using subagents::TurnFrame;
using testing::HasSubstr;

struct HostileTest : BrokerFixture {
  void SetUp() override {
    BrokerFixture::SetUp();
    Script(std::string(kReadTurn) + "," + kReportTurn + "," + kReportTurn);
  }
  void ExpectProtocolError(std::function<void(CellSide&)> play, const std::string& detail) {
    SetUp();
    auto out = Serve([&](CellSide& cell) {
      play(cell);
      cell.WaitForEnd();
    });
    EXPECT_EQ(out.status, TicketStatus::kCrashed) << detail;
    EXPECT_EQ(out.ending.kind, "protocol_error") << out.ending.detail;
    EXPECT_THAT(out.ending.detail, HasSubstr(detail));
    EXPECT_LT(took, 20s);
  }
};

TEST_F(HostileTest, GarbageAndWrongFrames) {
  for (const char* line : {"hello", "{", "[]", "{\"type\":1}", "{\"type\":\"next_turn\"}", "\xff\xfe", "{\"type\":\"next_turn\",\"type\":\"x\"}"})
    ExpectProtocolError([&](CellSide& cell) { cell.SendRaw(line); }, "");
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(R"({"type":"ready","witness":[]})"); }, "ready");
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(R"({"type":"shutdown"})"); }, "not asked for");
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(R"({"type":"next_turn","reason":"start","answers":[],"extra":1})"); }, "extra");
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(R"({"type":"event","kind":"anything"})"); }, "kind");
}

TEST_F(HostileTest, AFrameOfAHundredMegabytes) {
  ExpectProtocolError([](CellSide& cell) { cell.SendBytes(std::string(100u << 20, 'x')); }, "more than 8388608 bytes");
}

TEST_F(HostileTest, EightMegabytesOfOpeningBrackets) {
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(std::string((8u << 20) - 100, '[')); }, "frame");
}

TEST_F(HostileTest, AnEventThatIsTooLong) {
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(R"({"type":"event","kind":"tool_started","subject":")" + std::string(70'000, 'x') + "\"}"); }, "64 KiB");
}

TEST_F(HostileTest, AResultThatIsTooLong) {
  ExpectProtocolError([](CellSide& cell) {
    cell.Start();
    auto turn = cell.Receive<TurnFrame>("turn");
    cell.Send("next_turn", NextTurnFrame{NextReason::kResults, {cell.Answer(turn->calls[0].id)}});
    cell.Receive<TurnFrame>("turn");
    cell.SendRaw(R"({"type":"result","tool_calls":1,"failed_calls":0)" + std::string(2u << 20, ' ') + "}");
  }, "1 MiB");
}

TEST_F(HostileTest, TenThousandEventsAtOnce) {
  ExpectProtocolError([](CellSide& cell) {
    std::string event = subagents::EncodeFrame("event", subagents::EventFrame{"tool_started", "", "x", "y", 0});
    for (int i = 0; i < 10'000 && cell.SendRaw(event); ++i) continue;
  }, "events a second");
  EXPECT_LE(progress.size(), 6'000u);
}

TEST_F(HostileTest, ABurstOfAThousandIsFine) {
  auto out = Serve([](CellSide& cell) {
    for (int i = 0; i < 1'000; ++i) cell.Send("event", subagents::EventFrame{"tool_started", "", "x", "y", 0});
    cell.Start();
    cell.ServeToTheEnd();
  });
  EXPECT_EQ(out.status, TicketStatus::kCompleted) << out.ending.detail;
}

TEST_F(HostileTest, WrongIdsAndTurnsOutOfTurn) {
  ExpectProtocolError([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
    cell.Send("next_turn", NextTurnFrame{NextReason::kResults, {cell.Answer("call-1-2")}});
  }, "call-1-1");
  EXPECT_FALSE(read.Covers("a.c", 1, 1));
  ExpectProtocolError([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
    cell.Send("next_turn", NextTurnFrame{NextReason::kResults, {}});
  }, "answered 0 calls");
  ExpectProtocolError([](CellSide& cell) {
    cell.Start();
    cell.Send("next_turn", NextTurnFrame{NextReason::kStart, {}});
  }, "second start");
  ExpectProtocolError([](CellSide& cell) { cell.Send("next_turn", NextTurnFrame{NextReason::kResults, {cell.Answer("call-1-1")}}); }, "before the start");
}

TEST_F(HostileTest, TheSameAnswersTwice) {
  ExpectProtocolError([&](CellSide& cell) {
    cell.Start();
    auto turn = cell.Receive<TurnFrame>("turn");
    NextTurnFrame next{NextReason::kResults, {cell.Answer(turn->calls[0].id)}};
    cell.Send("next_turn", next);
    cell.Send("next_turn", next);
  }, "");
}

TEST_F(HostileTest, AResultBeforeTheEndIsNoResult) {
  ExpectProtocolError([](CellSide& cell) { cell.SendRaw(R"({"type":"result","tool_calls":0,"failed_calls":0})"); }, "result");
  ExpectProtocolError([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
    cell.Send("result", ResultFrame{1, 0});
  }, "result");
}

TEST_F(HostileTest, LyingFactsAreNotedAndTheModelsReportIsKept) {
  auto play = [](ResultFrame facts) {
    return [facts](CellSide& cell) {
      cell.Start();
      auto turn = cell.Receive<TurnFrame>("turn");
      cell.Send("next_turn", NextTurnFrame{NextReason::kResults, {cell.Answer(turn->calls[0].id)}});
      cell.Receive<TurnFrame>("turn");
      cell.Send("result", facts);
    };
  };
  for (ResultFrame facts : {ResultFrame{2, 0}, ResultFrame{0, 0}, ResultFrame{1, 1}, ResultFrame{INT64_MAX, INT64_MAX}}) {
    SetUp();
    auto out = Serve(play(facts));
    EXPECT_EQ(out.status, TicketStatus::kCrashed);
    EXPECT_EQ(out.ending.kind, "protocol_error");
    EXPECT_THAT(out.notes, testing::Contains(HasSubstr("the parent saw answers of 1 (0 failed)")));
    EXPECT_TRUE(out.report);
  }
  SetUp();
  EXPECT_EQ(Serve(play({1, 0})).status, TicketStatus::kCompleted);
}

TEST_F(HostileTest, AFaultIsACrashWithItsReason) {
  auto out = Serve([](CellSide& cell) {
    cell.Start();
    cell.Receive<TurnFrame>("turn");
    cell.Send("fault", subagents::FaultFrame{"no\x1b memory"});
  });
  EXPECT_EQ(out.status, TicketStatus::kCrashed);
  EXPECT_EQ(out.ending.detail, "the cell gave up: no\\u{1B} memory");
}

TEST_F(HostileTest, ACellThatDoesNotReadCantHoldTheParent) {
  wall = 3s;
  std::string calls;
  for (int i = 0; i < 6; ++i)
    calls += std::string(i ? "," : "") + R"({"tool":"read_file","arguments":{"path":")" + std::string(200'000, 'p') + "\"}}";
  Script("{\"calls\":[" + calls + "]}," + kReportTurn);
  auto out = Serve([](CellSide& cell) {
    cell.Send("next_turn", NextTurnFrame{NextReason::kStart, {}});
  }, /*lives_on=*/true);
  // Its pipe is closed but the jail lives: told apart from the case below.
  EXPECT_EQ(out.ending.kind, "closed_pipe");
  Script("{\"calls\":[" + calls + "]}," + kReportTurn);
  auto held = Serve([&](CellSide& cell) {
    cell.Send("next_turn", NextTurnFrame{NextReason::kStart, {}});
    cell.WaitUntilParentGone();  // its own end stays open and unread
  });
  EXPECT_EQ(held.status, TicketStatus::kTimeout) << held.ending.detail;
  EXPECT_TRUE(held.report);
  EXPECT_LT(took, 20s);
}

TEST_F(HostileTest, ACellThatClosesOnlyThePipeItIsToldThingsBy) {
  Pipe to = *MakePipe(), from = *MakePipe(), end = *MakePipe();
  Ledger ledger(budget);
  ServeSetup setup;
  setup.link = {to.write.get(), from.read.get(), end.read.get()};
  setup.conversation.max_turns = 5;
  setup.model = model.get();
  setup.ledger = &ledger;
  setup.read_lines = &read;
  setup.events = &sink;
  setup.pool = &pool;
  setup.deadline = Deadline::After(60s);
  to.read.reset();
  auto started = std::chrono::steady_clock::now();
  auto out = ServeCell(setup);
  EXPECT_EQ(out.status, TicketStatus::kCrashed);
  EXPECT_EQ(out.ending.kind, "closed_pipe");
  EXPECT_LT(std::chrono::steady_clock::now() - started, 20s);
}

TEST_F(HostileTest, ABigTurnGetsThroughToACellThatReadsSlowly) {
  std::string calls;
  for (int i = 0; i < 6; ++i)
    calls += std::string(i ? "," : "") + R"({"tool":"read_file","arguments":{"path":")" + std::string(200'000, 'p') + "\"}}";
  Script("{\"calls\":[" + calls + "]}," + kReportTurn);
  auto out = Serve([](CellSide& cell) { cell.Start(); cell.ServeToTheEnd(); });
  EXPECT_EQ(out.status, TicketStatus::kCompleted);
  EXPECT_EQ(out.usage.tool_calls, 6);
}

struct LargeFrame : testing::Test {
  LargeFrame() { (void)SetNonBlocking(from.write.get()); }
  std::string frame = std::string(4u << 20, 'x');
  Pipe to = *MakePipe(), from = *MakePipe();
  CellLink link{to.write.get(), from.read.get(), -1};
};

TEST_F(LargeFrame, WaitsForItsPlaceAndGivesItBack) {
  FramePool pool(1);
  ASSERT_TRUE(pool.TakePlace());
  CellChannel channel(link, -1, subagents::kMaxFrameBytes, &pool);
  std::jthread writer([&] { (void)WriteFrame(from.write.get(), frame, Deadline::After(20s)); });
  // Until the writer, on a busy machine, has written enough for the frame to need a place.
  const Deadline soon = Deadline::After(20s);
  do {
    EXPECT_EQ(channel.Wait(Deadline::After(30ms)).event, CellChannel::Event::kTimeout);
  } while (!pool.wanted() && !soon.passed());
  EXPECT_TRUE(pool.wanted());
  pool.GivePlace();
  const auto arrival = channel.Wait(Deadline::After(20s));
  EXPECT_EQ(arrival.text.size(), frame.size());
  EXPECT_EQ(pool.taken(), 1) << "until its frame is gone";
  channel.Done();
  EXPECT_EQ(pool.taken(), 0);
  EXPECT_FALSE(pool.wanted());
}

TEST_F(LargeFrame, ThatDoesNotEndLosesItsPlaceWhenOthersWait) {
  FramePool pool(1);
  CellChannel channel(link, -1, subagents::kMaxFrameBytes, &pool);
  std::jthread writer([&] { (void)WriteFrame(from.write.get(), frame, Deadline::After(20s)); });
  pool.Wait(true);
  const auto arrival = channel.Wait(Deadline::After(20s));
  EXPECT_EQ(arrival.event, CellChannel::Event::kFrame) << "a frame that ends is taken, whoever waits";
  const std::string half(1u << 20, 'x');
  std::jthread other([&] {
    for (size_t sent = 0; sent < half.size();) {
      pollfd wait{from.write.get(), POLLOUT, 0};
      poll(&wait, 1, 1000);
      ssize_t n = write(from.write.get(), half.data() + sent, half.size() - sent);
      if (n > 0) sent += static_cast<size_t>(n);
      else if (errno == EPIPE) return;
    }
  });
  const auto begun = Deadline::Clock::now();
  const auto broken = channel.Wait(Deadline::After(20s));
  EXPECT_EQ(broken.event, CellChannel::Event::kBroken);
  EXPECT_THAT(broken.text, HasSubstr("did not end"));
  EXPECT_LT(Deadline::Clock::now() - begun, 8s);
}

TEST(TokenBucket, ABurstAndThenARate) {
  auto start = TokenBucket::Clock::now();
  TokenBucket bucket(500, 1000, start);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(bucket.Take(start));
  EXPECT_FALSE(bucket.Take(start));
  EXPECT_TRUE(bucket.Take(start + 2ms));
  EXPECT_FALSE(bucket.Take(start + 2ms));
}

std::string Random(size_t length) {
  std::string out;
  while (out.size() < length) out += "q9Xb#T7rL2";
  return out.substr(0, length);
}

// A long secret becomes a short mark: what stood behind it is shown, and is whole when it is looked for.
TEST(ForTerminal, NoPieceOfAKnownSecretIsLeftWhereATextIsCut) {
  const std::string key = "q7zKettle93sings41BlueHorse";
  const agentcore::Redactor redactor({{"api-key", key}});
  for (size_t shown : {size_t{200}, size_t{4096}, size_t{65536}})
    for (size_t into = 1; into < key.size(); ++into)
      for (const std::string& before : {std::string(shown - into, 'a'), "password='" + Random(shown - into - 12) + "' "}) {
        const std::string out = ForTerminal(before + key, redactor);
        for (size_t i = 0; i + 8 <= key.size(); ++i) EXPECT_EQ(out.find(key.substr(i, 8)), std::string::npos) << out;
      }
}

}  // namespace
}  // namespace paddock::orchestrator
