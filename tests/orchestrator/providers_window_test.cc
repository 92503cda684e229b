// How much a model takes at a time: by the settings, by its name, by its server, or assumed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/providers/asked_window.h"
#include "orchestrator/providers/known_windows.h"
#include "orchestrator/providers/server_model.h"
#include "tests/orchestrator/fake_transport.h"

namespace paddock::orchestrator {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(KnownWindow, ByTheBeginningOfTheName) {
  EXPECT_EQ(KnownWindow("claude-sonnet-4-5"), 200'000);
  EXPECT_EQ(KnownWindow("claude-haiku-4-5@20251001"), 200'000);
  EXPECT_EQ(KnownWindow("openai/gpt-4o-mini"), 128'000);
  EXPECT_EQ(KnownWindow("gpt-4-0613"), 8'192);
  EXPECT_EQ(KnownWindow("gpt-4-turbo-2024-04-09"), 128'000) << "the longest that fits";
  EXPECT_EQ(KnownWindow("gpt-5-chat-latest"), 128'000);
  EXPECT_EQ(KnownWindow("gpt-4.1-nano"), 1'047'576);
  for (const char* unknown : {"", "gpt-4.5", "gpt-45", "qwen3-coder", "gpt-oss-120b", "my-gpt-4o", "llama3.1:8b", "o30"}) EXPECT_EQ(KnownWindow(unknown), 0) << unknown;
}

TEST(AskedWindow, AsServersSayIt) {
  const auto of = [](const std::string& entry, const std::string& model = "m") { return WindowInList(*ParseJson(R"({"object": "list", "data": [{"id": "other", "context_length": 7777}, )" + entry + "]}"), model); };
  EXPECT_EQ(of(R"({"id": "m", "object": "model", "max_model_len": 40960})"), 40960);
  EXPECT_EQ(of(R"({"id": "m", "max_context_length": 131072, "loaded_context_length": 4096})"), 4096) << "what is loaded counts";
  EXPECT_EQ(of(R"({"id": "m", "max_context_length": 131072})"), 131072);
  EXPECT_EQ(of(R"({"id": "m", "context_length": 200000, "top_provider": {"context_length": 1}})"), 200000);
  EXPECT_EQ(of(R"({"id": "m", "meta": {"n_ctx_train": 32768, "n_ctx": 8192}})"), 8192);
  EXPECT_EQ(of(R"({"id": "m", "meta": {"n_ctx_train": 32768}})"), 32768);
  for (const char* nothing : {R"({"id": "m"})", R"({"id": "m", "context_length": "lots"})", R"({"id": "m", "context_length": -5})", R"({"id": "m", "context_length": 1e30})", R"({"id": "m", "context_length": 12})",
                              R"({"id": "m", "meta": 5})", R"("m")", R"({"id": "else", "context_length": 5000})"})
    EXPECT_EQ(of(nothing), 0) << nothing;
  EXPECT_EQ(WindowInList(*ParseJson(R"({"data": [{"id": "/models/q.gguf", "meta": {"n_ctx_train": 32768}}]})"), "any"), 32768) << "a server of one model takes any name";
  for (const char* body : {"[]", "5", "{}", R"({"data": 5})", R"({"data": []})", R"({"data": [5]})"}) EXPECT_EQ(WindowInList(*ParseJson(body), "m"), 0) << body;
}

struct WindowTest : testing::Test {
  void Make(const std::string& url = "https://api.example.com/v1", const std::string& name = "m") {
    ServerModelSetup setup;
    setup.endpoint.url = url;
    setup.endpoint.key = "the-key";
    setup.endpoint.settings.model = name;
    setup.endpoint.settings.context_window = configured;
    setup.transport = std::make_unique<FakeTransport>(&seen);
    model = std::make_unique<ServerModel>(std::move(setup));
  }
  void Answer(const std::string& body, int status = 200) { seen.answers.push_back({.status = status, .headers = {{"content-type", "application/json"}}, .pieces = {body}}); }
  FakeTransport::Seen seen;
  std::optional<int64_t> configured;
  std::unique_ptr<ServerModel> model;
};

TEST_F(WindowTest, TheServerIsAskedOnce) {
  Make();
  Answer(R"({"data": [{"id": "m", "max_model_len": 40960}]})");
  EXPECT_EQ(model->context_window(), 40960);
  EXPECT_EQ(model->context_window(), 40960);
  EXPECT_EQ(model->window().from, WindowSource::kAsked);
  ASSERT_EQ(seen.requests.size(), 1u);
  EXPECT_EQ(seen.requests[0].method, "GET");
  EXPECT_EQ(seen.requests[0].url, "https://api.example.com/v1/models");
  EXPECT_THAT(seen.requests[0].headers, Contains(std::pair<std::string, std::string>("Authorization", "Bearer the-key")));
  EXPECT_TRUE(model->notes().empty());
}

TEST_F(WindowTest, SettingsAndKnownNamesNeedNoQuestion) {
  configured = 5000;
  Make("https://api.example.com/v1", "gpt-4o");
  EXPECT_EQ(model->context_window(), 5000);
  configured.reset();
  Make("https://api.example.com/v1", "gpt-4o");
  EXPECT_EQ(model->context_window(), 128'000);
  EXPECT_TRUE(seen.requests.empty());
}

TEST_F(WindowTest, WhatDoesNotHelpIsSilentAndAssumed) {
  Make();
  Answer("not found", 404);
  EXPECT_EQ(model->context_window(), 32'768);
  EXPECT_THAT(model->notes(), Contains(testing::AllOf(HasSubstr("32768 tokens were assumed"), HasSubstr("context_window"))));
  for (PreparedAnswer bad : {PreparedAnswer{.pieces = {"<html>"}}, PreparedAnswer{.silent = true}, PreparedAnswer{.no_head = Error{ErrorKind::kClosed, "gone", "", 0}}, PreparedAnswer{.pieces = {std::string(5u << 20, ' ')}}}) {
    Make();
    seen.answers.push_back(bad);
    EXPECT_EQ(model->context_window(), 32'768);
  }
}

TEST_F(WindowTest, LmStudioHasAListOfItsOwn) {
  Make("http://127.0.0.1:1234/v1");
  Answer(R"({"data": [{"id": "m", "owned_by": "organization_owner"}]})");
  Answer(R"({"data": [{"id": "m", "state": "loaded", "max_context_length": 131072, "loaded_context_length": 8192}]})");
  EXPECT_EQ(model->context_window(), 8192);
  EXPECT_EQ(seen.requests.at(1).url, "http://127.0.0.1:1234/api/v0/models");
}

TEST_F(WindowTest, NobodyIsAskedBeforeItIsWanted) {
  Make();
  seen.answers.push_back({.pieces = {"data: {\"choices\":[{\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}});
  agentcore::ModelRequest request;
  request.goal = "hello";
  EXPECT_TRUE(model->Next(request, Deadline::After(std::chrono::seconds(20))));
  EXPECT_THAT(model->notes(), Not(Contains(HasSubstr("assumed"))));
}

}  // namespace
}  // namespace paddock::orchestrator
