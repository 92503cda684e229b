#include "orchestrator/providers/fallback_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/frame_pipe.h"
#include "orchestrator/providers/server_model.h"
#include "tests/orchestrator/fake_transport.h"

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// A server that answers, or fails as it is told.
struct Member : ProviderModel {
  explicit Member(std::string n, std::vector<std::string>* who) : own_name(std::move(n)), asked(who) {}
  std::string name() const override { return own_name + "-model"; }
  bool is_language_model() const override { return true; }
  int64_t context_window() const override { return window; }
  std::optional<int64_t> CostNanos(int64_t in, int64_t) const override { return price ? std::optional(in * *price) : std::nullopt; }
  FaultKind last_fault() const override { return last; }
  agentcore::ModelUsage TakeLostUsage() override { return std::exchange(lost, {}); }
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest&, const Deadline&) override {
    asked->push_back(own_name);
    last = faults.empty() ? FaultKind::kNone : faults.front();
    if (!faults.empty() && faults.size() > 1) faults.pop_front();
    if (last == FaultKind::kNone) {
      agentcore::ModelTurn turn;
      turn.text = own_name;
      turn.usage = {10, 1, false, 0, 5};
      if (refuses) turn.finish = agentcore::Finish::kRefused;
      return turn;
    }
    lost = {100, 0, true, 0, 50};
    return Fail(error, own_name + " failed", "mend " + own_name);
  }
  std::string own_name;
  std::vector<std::string>* asked;
  std::deque<FaultKind> faults;  // the last one stays
  ErrorKind error = ErrorKind::kClosed;
  FaultKind last = FaultKind::kNone;
  agentcore::ModelUsage lost;
  int64_t window = 0;
  std::optional<int64_t> price = 1;
  bool refuses = false;
};

struct FallbackTest : testing::Test {
  FallbackTest() {
    FallbackSetup setup;
    for (const char* name : {"a", "b", "c"}) {
      auto member = std::make_unique<Member>(name, &asked);
      (*name == 'a' ? a : *name == 'b' ? b : c) = member.get();
      setup.chain.push_back({name, std::move(member), std::make_shared<Breaker>(BreakerSettings{3, 30s, 600s, [this] { return now; }})});
    }
    setup.on_switch = [this](const ModelSwitch& what) { switches.push_back(what.from + ">" + what.to + ": " + what.why); };
    model = std::make_unique<FallbackModel>(std::move(setup));
  }
  Result<agentcore::ModelTurn> Ask(Deadline deadline = Deadline::After(20s)) { return model->Next(request, deadline); }
  std::chrono::steady_clock::time_point now{1h};
  std::vector<std::string> asked, switches;
  Member *a = nullptr, *b = nullptr, *c = nullptr;
  std::unique_ptr<FallbackModel> model;
  agentcore::ModelRequest request;
};

TEST_F(FallbackTest, TheFirstIsAskedAlone) {
  EXPECT_EQ(Ask()->text, "a");
  EXPECT_THAT(asked, ElementsAre("a"));
  EXPECT_TRUE(switches.empty());
  EXPECT_TRUE(model->notes().empty());
  EXPECT_EQ(model->name(), "a-model");
}

TEST_F(FallbackTest, WhatMakesItGoOn) {
  for (FaultKind fault : {FaultKind::kServer, FaultKind::kOverloaded, FaultKind::kUnreachable, FaultKind::kKey, FaultKind::kQuota, FaultKind::kNoModel}) {
    a->faults = {fault};
    auto turn = Ask();
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->text, "b");
    a->faults = {};
    now += 600s;
    EXPECT_EQ(Ask()->text, "a");
  }
  EXPECT_EQ(switches.at(0), "a>b: a: a failed");
  EXPECT_EQ(switches.at(1), "b>a: it can be asked again");
}

TEST_F(FallbackTest, WhatItCostsThatOneFailedIsCharged) {
  a->faults = {FaultKind::kServer};
  auto turn = Ask();
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->usage.input_tokens, 110);
  EXPECT_EQ(turn->usage.cost_nanos, 55);
  b->faults = c->faults = {FaultKind::kServer};
  EXPECT_FALSE(Ask());
  EXPECT_EQ(model->TakeLostUsage().input_tokens, 200) << "a is left alone";
  EXPECT_EQ(model->TakeLostUsage().input_tokens, 0);
}

TEST_F(FallbackTest, WhatDoesNot) {
  a->faults = {FaultKind::kOther};
  a->error = ErrorKind::kCancelled;
  EXPECT_EQ(Ask().error().kind, ErrorKind::kCancelled);
  a->error = ErrorKind::kInvalid;
  EXPECT_FALSE(Ask());
  a->faults = {FaultKind::kServer};
  EXPECT_FALSE(Ask(Deadline::After(0s))) << "no time is left";
  auto gone = *MakePipe();
  request.abandon_fd = gone.read.get();
  gone.write.reset();
  EXPECT_FALSE(Ask()) << "nobody waits";
  request.abandon_fd = -1;
  a->faults = {};
  a->refuses = true;
  EXPECT_EQ(Ask()->finish, agentcore::Finish::kRefused);
  EXPECT_THAT(asked, testing::Each("a"));
  EXPECT_TRUE(switches.empty());
}

TEST_F(FallbackTest, TooLongGoesOnlyWhereThereIsMoreRoom) {
  a->faults = {FaultKind::kTooLong};
  a->error = ErrorKind::kLimit;
  a->window = 1000, b->window = 1000, c->window = 1000;
  EXPECT_FALSE(Ask());
  EXPECT_THAT(asked, ElementsAre("a"));
  c->window = 2000;
  auto turn = Ask();
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->text, "c");
  EXPECT_THAT(switches.at(0), HasSubstr("b: its window is no larger"));
  for (int i = 0; i < 3; ++i) Ask();
  EXPECT_EQ(asked.back(), "c");
  EXPECT_EQ(asked[asked.size() - 2], "a") << "that is no failure of a's";
}

TEST_F(FallbackTest, OneThatWasGivenUpIsLeftAloneForAWhile) {
  a->faults = {FaultKind::kServer};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ask()->text, "b");
  EXPECT_THAT(asked, ElementsAre("a", "b", "b", "b"));
  EXPECT_EQ(switches.size(), 1u) << "told once";
  now += 30s;
  asked.clear();
  EXPECT_EQ(Ask()->text, "b");
  EXPECT_THAT(asked, ElementsAre("a", "b")) << "a trial";
  a->faults = {};
  now += 30s;
  EXPECT_EQ(Ask()->text, "a");
}

TEST_F(FallbackTest, AKeyOrQuotaThatIsRefusedIsLeftAloneForLong) {
  a->faults = {FaultKind::kQuota};
  EXPECT_EQ(Ask()->text, "b");
  now += 599s;
  EXPECT_EQ(Ask()->text, "b");
  EXPECT_THAT(asked, ElementsAre("a", "b", "b"));
  now += 1s;
  a->faults = {};
  EXPECT_EQ(Ask()->text, "a");
}

TEST_F(FallbackTest, WhereNoneCanBeAskedItSaysWhyOfEach) {
  a->faults = b->faults = {FaultKind::kServer};
  c->faults = {FaultKind::kKey};
  c->error = ErrorKind::kDenied;
  auto first = Ask();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().kind, ErrorKind::kDenied);
  EXPECT_THAT(first.error().message, testing::AllOf(HasSubstr("a: a failed"), HasSubstr("b: b failed"), HasSubstr("c: c failed")));
  EXPECT_EQ(first.error().hint, "mend c");
  asked.clear();
  auto turn = Ask();
  ASSERT_FALSE(turn);
  EXPECT_TRUE(asked.empty());
  EXPECT_THAT(turn.error().message, HasSubstr("left alone for another 30 s"));
}

TEST_F(FallbackTest, NotesSayWhoAnswered) {
  a->faults = {FaultKind::kServer, FaultKind::kNone};
  Ask();
  now += 30s;
  Ask();
  Ask();
  EXPECT_THAT(model->notes(), ElementsAre(HasSubstr("a (a-model): 2, b (b-model): 1")));
}

TEST_F(FallbackTest, BoundsAreThoseOfTheWorst) {
  a->window = 9000, b->window = 0, c->window = 5000;
  EXPECT_EQ(model->context_window(), 5000);
  b->price = 7;
  EXPECT_EQ(model->CostNanos(10, 0), 70);
  c->price.reset();
  EXPECT_FALSE(model->CostNanos(10, 0));
}

// Two real ones: a server that is down for good, and one that answers.
struct TwoServers {
  explicit TwoServers(int attempts = 4, bool replays = false) {
    for (int i = 0; i < 8; ++i) down.answers.push_back({.no_head = Error{ErrorKind::kClosed, "can't be reached", "", 0}});
    for (int i = 0; i < 8; ++i) up.answers.push_back({.pieces = {"data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}});
    FallbackSetup setup;
    setup.replays = replays;
    for (auto* seen : {&down, &up}) {
      ServerModelSetup one;
      one.endpoint.url = "http://127.0.0.1:1/v1";
      one.endpoint.settings.model = seen == &down ? "first" : "second";
      one.transport = std::make_unique<FakeTransport>(seen, replays);
      one.retry = {attempts, 0ms, 0ms};
      setup.chain.push_back({one.endpoint.settings.model, std::make_unique<ServerModel>(std::move(one)), breakers.emplace_back(std::make_shared<Breaker>())});
    }
    setup.on_switch = [this](const ModelSwitch& what) { why.push_back(what.from + ">" + what.to + ": " + what.why); };
    model = std::make_unique<FallbackModel>(std::move(setup));
  }
  Result<agentcore::ModelTurn> Ask() {
    agentcore::ModelRequest request;
    request.goal = "hello";
    return model->Next(request, Deadline::After(20s));
  }
  FakeTransport::Seen down, up;
  std::vector<std::shared_ptr<Breaker>> breakers;
  std::vector<std::string> why;
  std::unique_ptr<FallbackModel> model;
};

TEST(Fallback, ADeadServerIsTriedTwiceAndThenLeftAlone) {
  TwoServers two;
  for (int i = 0; i < 3; ++i) {
    auto turn = two.Ask();
    ASSERT_TRUE(turn) << turn.error().message;
    EXPECT_EQ(turn->text, "Hello");
  }
  EXPECT_EQ(two.down.requests.size(), 2u);
  EXPECT_THAT(two.why, ElementsAre(HasSubstr("can't be reached (asked 2 times)")));
}

TEST(Fallback, WhereTheOtherCanNotBeAskedItHasAllItsAttempts) {
  TwoServers two;
  two.breakers[1]->GivenUp("down too", true);
  EXPECT_FALSE(two.Ask());
  EXPECT_EQ(two.down.requests.size(), 4u);
}

TEST(Fallback, InAReplayTheRecordSaysWhoWasAsked) {
  TwoServers two(4, true);
  two.breakers[0]->GivenUp("of no matter in a replay", true);
  two.down.answers.clear();  // nothing was put to it
  for (int i = 0; i < 2; ++i) EXPECT_EQ(two.Ask()->text, "Hello");
  EXPECT_THAT(two.why, ElementsAre(HasSubstr("first>second: first: it was not asked this then")));
  two.up.answers.clear();
  auto turn = two.Ask();
  ASSERT_FALSE(turn);
  EXPECT_EQ(two.why.size(), 1u);
  EXPECT_THAT(turn.error().message, testing::AllOf(HasSubstr("first: asked more often"), HasSubstr("second: asked more often")));
}

}  // namespace
}  // namespace paddock::orchestrator
