#include "orchestrator/providers/cassette.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/frame_pipe.h"
#include "orchestrator/providers/server_model.h"
#include "tests/orchestrator/fake_transport.h"

namespace paddock::orchestrator {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kKey = std::string("key-") + "for-tests-0123456789";

struct CassetteTest : testing::Test {
  CassetteTest() {
    char name[] = "/tmp/cassette-XXXXXX";
    folder = mkdtemp(name);
    path = folder + "/tape";
  }
  ~CassetteTest() override { std::filesystem::remove_all(folder); }

  std::unique_ptr<HttpTransport> Real() { return std::make_unique<FakeTransport>(&seen); }
  static HttpRequest Ask(const std::string& body, const std::string& url = "http://here/v1/chat/completions") {
    HttpRequest request;
    request.url = url;
    request.headers = {{"Accept", "text/event-stream"}, {"Authorization", "Bearer " + kKey}};
    request.body = body;
    return request;
  }
  // What came of it, to its end.
  struct Got {
    int status = 0;
    std::vector<std::string> pieces;
    std::string error;
    bool operator==(const Got&) const = default;
  };
  static Got Play(HttpTransport* transport, const HttpRequest& request, HttpWait wait = {Deadline::After(20s)}) {
    Got got;
    auto exchange = transport->Start(request, wait);
    if (!exchange) return got.error = exchange.error().message, got;
    auto head = (*exchange)->Head(wait);
    if (!head) return got.error = head.error().message, got;
    got.status = head->status;
    for (;;) {
      auto piece = (*exchange)->Body(wait);
      if (!piece) return got.error = piece.error().message, got;
      if (!*piece) return got;
      got.pieces.push_back(**piece);
    }
  }
  std::vector<Got> Record(const std::vector<HttpRequest>& requests) {
    auto cassette = RecordCassette(path);
    EXPECT_TRUE(cassette) << cassette.error().message;
    auto transport = (*cassette)->Transport(Real(), kKey);
    std::vector<Got> all;
    for (const auto& request : requests) all.push_back(Play(transport.get(), request));
    return all;
  }
  std::string File() const {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  FakeTransport::Seen seen;
  std::string folder, path;
};

TEST_F(CassetteTest, GivesBackByteForByteWithoutANetwork) {
  const std::string bytes("a\0\xff\xc3\n\"", 6);
  seen.answers.push_back({.headers = {{"content-type", "text/event-stream"}, {"x", "y"}}, .pieces = {"da", "ta: {}\n\n", bytes}});
  seen.answers.push_back({.status = 429, .headers = {{"retry-after", "60"}}, .pieces = {"slow down"}});
  seen.answers.push_back({.pieces = {"half"}, .then = Error{ErrorKind::kClosed, "cut", "hint", 0}});
  seen.answers.push_back({.no_head = Error{ErrorKind::kTimeout, "silent", "", 0}});
  const std::vector<HttpRequest> requests{Ask("one"), Ask("two"), Ask("three"), Ask("four")};
  const auto recorded = Record(requests);
  EXPECT_THAT(recorded[0].pieces, ElementsAre("da", "ta: {}\n\n", bytes));
  EXPECT_EQ(seen.requests[0].headers.size(), 2u) << "the server gets the key";
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);

  auto cassette = ReplayCassette(path);
  ASSERT_TRUE(cassette) << cassette.error().message;
  auto transport = (*cassette)->Transport(nullptr, "");
  for (size_t i : {2, 0, 3, 1}) EXPECT_EQ(Play(transport.get(), requests[i]), recorded[i]) << i;
  EXPECT_THAT((*cassette)->notes(), ElementsAre(HasSubstr("not asked for")));
}

TEST_F(CassetteTest, TheKeyIsNeverInIt) {
  std::string event = "data: {\"choices\":[{\"delta\":{\"content\":\"" + kKey.substr(0, 9) + "\"}}]}\n\n", rest = "data: {\"choices\":[{\"delta\":{\"content\":\"" + kKey.substr(9) + "\"}}]}\n\n";
  seen.answers.push_back({.status = 401, .headers = {{"x-echo", "was " + kKey}}, .pieces = {"no such key: " + kKey.substr(0, 7), kKey.substr(7) + "."}});
  seen.answers.push_back({.pieces = {event, rest}});
  seen.answers.push_back({.pieces = {"fine"}});
  seen.answers.push_back({.no_head = Error{ErrorKind::kClosed, "can't reach it with " + kKey, "", 0}});
  Record({Ask("one"), Ask("two"), Ask("three"), Ask("four", "http://here/v1/chat?key=" + kKey)});
  const std::string file = File();
  EXPECT_EQ(file.find(kKey), std::string::npos) << file;
  EXPECT_EQ(file.find(kKey.substr(9)), std::string::npos) << "in pieces";
  std::vector<bool> marked;
  std::istringstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (auto json = ParseJson(line); json->contains("redacted")) marked.push_back((*json)["redacted"]);
  EXPECT_THAT(marked, ElementsAre(true, true, false, true));
  auto cassette = ReplayCassette(path);
  EXPECT_THAT(Play((*cassette)->Transport(nullptr, "").get(), Ask("one")).pieces, ElementsAre("no such key: [redacted api-key]."));
}

TEST_F(CassetteTest, ARequestThatDiffersIsToldWhere) {
  seen.answers.resize(2);
  Record({Ask(R"({"model":"m","messages":[{"role":"system","content":"pinned"},{"role":"user","content":"what is this?"}]})"), Ask(R"({"model":"m","messages":[]})")});
  auto cassette = ReplayCassette(path);
  auto transport = (*cassette)->Transport(nullptr, "");
  const auto told = [&](const std::string& body, const std::string& url = "http://here/v1/chat/completions") {
    auto exchange = transport->Start(Ask(body, url), {});
    EXPECT_FALSE(exchange);
    EXPECT_EQ(exchange.error().kind, ErrorKind::kProtocol);
    return exchange.error().message;
  };
  EXPECT_THAT(told(R"({"model":"m","messages":[{"role":"system","content":"pinned"},{"role":"user","content":"what was this?"}]})"),
              testing::AllOf(HasSubstr("exchange 1"), HasSubstr("$.messages[1].content differs at byte 5"), HasSubstr("is this?"), HasSubstr("was this?")));
  EXPECT_THAT(told(R"({"model":"m","messages":[{"role":"system","content":"pinned"}]})"), HasSubstr("$.messages has 1 items, 2 were recorded"));
  EXPECT_THAT(told(R"({"model":"m","messages":[{"role":"system"},{}]})"), HasSubstr("$.messages[0].content is not asked any more"));
  EXPECT_THAT(told(R"({"model":"m", "messages":[]})"), HasSubstr("the body differs at byte 13")) << "byte for byte";
  EXPECT_THAT(told("no json"), HasSubstr("the body differs at byte 0"));
  EXPECT_THAT(told("x", "http://there/v1"), HasSubstr("the address differs"));
  EXPECT_EQ(Play(transport.get(), Ask(R"({"model":"m","messages":[]})")).status, 200);
  EXPECT_THAT((*cassette)->notes(), testing::Contains(HasSubstr("1 of the 2 recorded exchanges")));
}

TEST_F(CassetteTest, IdsOfMarksDoNotHideWhatDiffers) {
  const auto asked = [](const std::string& id, const std::string& text) {
    const std::string mark = R"(untrusted_content id=\")" + id + R"(\")";
    return R"({"messages":[{"content":"<)" + mark + ">" + text + "</" + mark + R"(>"}]})";
  };
  seen.answers.resize(1);
  Record({Ask(asked("0123456789abcdef", "one"))});
  auto cassette = ReplayCassette(path);
  auto transport = (*cassette)->Transport(nullptr, "");
  EXPECT_THAT(transport->Start(Ask(asked("fedcba9876543210", "two")), {}).error().message, HasSubstr("now \"00000000\">two"));
  EXPECT_THAT(transport->Start(Ask(asked("fedcba9876543210", "one")), {}).error().message, HasSubstr("fedcba98")) << "where they alone differ";
}

TEST_F(CassetteTest, EqualRequestsAreGivenBackInOrderAndOnce) {
  for (const char* text : {"first", "second"}) seen.answers.push_back({.pieces = {text}});
  Record({Ask("same"), Ask("same")});
  auto cassette = ReplayCassette(path);
  auto one = (*cassette)->Transport(nullptr, ""), other = (*cassette)->Transport(nullptr, "");
  EXPECT_THAT(Play(one.get(), Ask("same")).pieces, ElementsAre("first"));
  EXPECT_THAT(Play(other.get(), Ask("same")).pieces, ElementsAre("second"));
  EXPECT_THAT(Play(one.get(), Ask("same")).error, HasSubstr("all 2 exchanges"));
}

TEST_F(CassetteTest, ManyAtOnce) {
  constexpr int kEach = 20;
  FakeTransport::Seen servers[4];
  {
    auto cassette = *RecordCassette(path);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) servers[t].answers.push_back({.pieces = {std::to_string(t) + "-" + std::to_string(i)}});
        auto transport = cassette->Transport(std::make_unique<FakeTransport>(&servers[t]), "");
        for (int i = 0; i < kEach; ++i) Play(transport.get(), Ask("thread " + std::to_string(t)));
      });
    for (auto& thread : threads) thread.join();
  }
  auto cassette = *ReplayCassette(path);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto transport = cassette->Transport(nullptr, "");
      for (int i = 0; i < kEach; ++i) EXPECT_THAT(Play(transport.get(), Ask("thread " + std::to_string(t))).pieces, ElementsAre(std::to_string(t) + "-" + std::to_string(i)));
    });
  for (auto& thread : threads) thread.join();
}

TEST_F(CassetteTest, FilesThatAreNone) {
  EXPECT_EQ(ReplayCassette(path).error().kind, ErrorKind::kNotFound);
  for (const char* text : {"", "{", "{}\n", R"({"schema": "paddock/cassette/9", "wrap_seed": "x"})", "{\"schema\": \"paddock/cassette/1\", \"wrap_seed\": \"x\"}\n{\"n\": 1", "{\"schema\": \"paddock/cassette/1\", \"wrap_seed\": \"x\"}\n{\"n\": 1}"}) {
    std::ofstream(path) << text;
    auto cassette = ReplayCassette(path);
    ASSERT_FALSE(cassette) << text;
    EXPECT_EQ(cassette.error().kind, ErrorKind::kInvalid);
    EXPECT_THAT(cassette.error().message, HasSubstr(path));
  }
  EXPECT_EQ(RecordCassette(path).error().kind, ErrorKind::kInvalid) << "it is there already";
  EXPECT_FALSE(RecordCassette(folder + "/none/tape"));
}

TEST_F(CassetteTest, AWishToStopEndsAReplay) {
  seen.answers.push_back({.pieces = {"x"}});
  Record({Ask("one")});
  auto stop = *MakePipe();
  stop.write.reset();
  auto cassette = ReplayCassette(path);
  EXPECT_EQ(Play((*cassette)->Transport(nullptr, "").get(), Ask("one"), {Deadline::Never(), stop.read.get(), -1}).error, "told to stop");
}

// A server that asks for patience, then answers; replayed without it.
TEST_F(CassetteTest, AReplayedModelWaitsForNobody) {
  const std::string hello = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  agentcore::ModelRequest request;
  request.goal = "hello";
  const auto ask = [&](Cassette* cassette, bool waits) {
    ServerModelSetup setup;
    setup.endpoint.url = "http://here/v1";
    setup.endpoint.settings.model = "m";
    setup.transport = cassette->Transport(waits ? Real() : nullptr, "");
    setup.waits = waits;
    auto turn = ServerModel(std::move(setup)).Next(request, Deadline::After(4h));
    return turn ? turn->text : turn.error().message;
  };
  seen.answers.push_back({.status = 429, .headers = {{"retry-after", "0"}}, .pieces = {"slow down"}});
  seen.answers.push_back({.pieces = {hello}});
  EXPECT_EQ(ask(RecordCassette(path)->get(), true), "Hello");
  std::string file = File();
  file.replace(file.find("\"retry-after\",\"0\""), 17, "\"retry-after\",\"3600\"");
  std::ofstream(path) << file;
  const auto before = Deadline::Clock::now();
  EXPECT_EQ(ask(ReplayCassette(path)->get(), false), "Hello");
  EXPECT_LT(Deadline::Clock::now() - before, 60s);
}

}  // namespace
}  // namespace paddock::orchestrator
