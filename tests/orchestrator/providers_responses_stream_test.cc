#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/providers/responses_stream.h"
#include "orchestrator/providers/server_fault.h"
#include "orchestrator/providers/wire_json.h"
#include "tests/orchestrator/answer_text.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;
using agentcore::ModelTurn;
using testing::HasSubstr;

ModelTurn Read(const std::vector<std::string>& events) { return ReadAnswer<ResponsesStream>(events); }

const std::string kCompleted = R"({"type":"response.completed","response":{"status":"completed","output":[],"usage":{"input_tokens":12,"input_tokens_details":{"cached_tokens":8},"output_tokens":3}}})";
std::string Added(int index, const std::string& item) { return R"({"type":"response.output_item.added","output_index":)" + std::to_string(index) + R"(,"item":)" + item + "}"; }
std::string Done(int index, const std::string& item) { return R"({"type":"response.output_item.done","output_index":)" + std::to_string(index) + R"(,"item":)" + item + "}"; }
std::string Arguments(int index, const std::string& piece) {
  return DumpJson(Json{{"type", "response.function_call_arguments.delta"}, {"output_index", index}, {"delta", piece}});
}
std::string Text(int index, const std::string& piece) { return DumpJson(Json{{"type", "response.output_text.delta"}, {"output_index", index}, {"content_index", 0}, {"delta", piece}}); }

TEST(ResponsesStream, TextAndUsage) {
  const ModelTurn turn = Read({R"({"type":"response.created","response":{}})", Added(0, R"({"type":"message"})"), Text(0, "Hel"), Text(0, "lo"),
                               Done(0, R"({"type":"message","content":[{"type":"output_text","text":"Hello"}]})"), kCompleted});
  EXPECT_EQ(turn.text, "Hello");
  EXPECT_EQ(turn.usage.input_tokens, 12);
  EXPECT_EQ(turn.usage.cached_tokens, 8);
  EXPECT_EQ(turn.usage.output_tokens, 3);
  EXPECT_EQ(turn.finish, Finish::kStop);
}

TEST(ResponsesStream, CallsInPiecesSideBySide) {
  EXPECT_EQ(CallsText(Read({Added(0, R"({"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":""})"), Added(1, R"({"type":"function_call","call_id":"c2","name":"g","arguments":""})"),
                            Arguments(1, "{\"n\":"), Arguments(0, "{\"n\":1"), Arguments(1, "2}"), Arguments(0, "}"),
                            R"({"type":"response.function_call_arguments.done","output_index":0,"arguments":"{\"n\":1}"})",
                            Done(1, R"({"type":"function_call","call_id":"c2","name":"g","arguments":"{\"n\":2}"})"), kCompleted})),
            R"(f{"n":1} g{"n":2} )");
}

TEST(ResponsesStream, WhatIsSaidWholeOutranksThePieces) {
  EXPECT_EQ(CallsText(Read({Added(0, R"({"type":"function_call","call_id":"c1","name":"f","arguments":""})"), Arguments(0, "{\"n\":"),
                            Done(0, R"({"type":"function_call","call_id":"c1","name":"f","arguments":"{\"n\":7}"})"), kCompleted})),
            R"(f{"n":7} )");
}

TEST(ResponsesStream, AServerThatSaysItAllAtTheEnd) {
  const ModelTurn turn = Read({R"({"type":"response.completed","response":{"status":"completed","output":[{"type":"reasoning","summary":[]},
      {"type":"message","content":[{"type":"output_text","text":"Hi"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}})"});
  EXPECT_EQ(turn.text, "Hi");
  EXPECT_EQ(CallsText(turn), "f{} ");
  EXPECT_EQ(turn.reasoning.size(), 1u);
}

TEST(ResponsesStream, ReasoningIsKeptAsItCameAndWhere) {
  const std::string secret = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA","status":"completed"})";
  const ModelTurn turn = Read({Added(0, R"({"type":"reasoning"})"), R"({"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"hm"})", Done(0, secret),
                               Done(1, R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}"})"), Done(2, secret),
                               Done(3, R"({"type":"function_call","call_id":"d","name":"g","arguments":"{}"})"), kCompleted});
  ASSERT_EQ(turn.reasoning.size(), 2u);
  EXPECT_EQ(turn.reasoning[0].before_call, 0u);
  EXPECT_EQ(turn.reasoning[1].before_call, 1u);
  EXPECT_EQ(turn.reasoning[0].item, (Json{{"type", "reasoning"}, {"id", "rs_1"}, {"summary", Json::array()}, {"encrypted_content", "gAAA"}}));
}

TEST(ResponsesStream, ACallOfAnAnswerThatWasCutOffIsNeverRun) {
  const ModelTurn turn = Read({Done(0, R"({"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":1"})"),
                               R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}})"});
  EXPECT_EQ(turn.finish, Finish::kLength);
  EXPECT_THAT(turn.calls.at(0).fault, HasSubstr("cut off"));
}

TEST(ResponsesStream, Refusals) {
  const ModelTurn turn = Read({R"({"type":"response.refusal.delta","output_index":0,"delta":"I will not"})", kCompleted});
  EXPECT_EQ(turn.finish, Finish::kRefused);
  EXPECT_EQ(turn.text, "I will not");
  EXPECT_EQ(Read({R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}})"}).finish, Finish::kRefused);
}

TEST(ResponsesStream, Faults) {
  ResponsesStream stream;
  const Json failed = Json{{"type", "response.failed"}, {"response", {{"error", {{"code", "server_error"}, {"message", "oops"}}}}}};
  ASSERT_TRUE(stream.FaultIn(failed));
  EXPECT_THAT(FaultInStream(*stream.FaultIn(failed)).error.message, HasSubstr("server_error"));
  EXPECT_TRUE(FaultInStream(*stream.FaultIn(failed)).retryable);
  const Json error = Json{{"type", "error"}, {"code", "insufficient_quota"}, {"message", "pay"}};
  ASSERT_TRUE(stream.FaultIn(error));
  EXPECT_FALSE(FaultInStream(*stream.FaultIn(error)).retryable);
  EXPECT_FALSE(stream.FaultIn(*ParseJson(kCompleted)));
}

TEST(ResponsesStream, UnknownEventsAreNothing) {
  for (const char* text : {"{}", R"({"type":"response.new_thing.delta","delta":"x"})", R"({"type":"response.output_item.done","item":{"type":"web_search_call"}})", R"({"type":7})"}) {
    ResponsesStream stream;
    auto took = stream.Take(*ParseChunk(text));
    ASSERT_TRUE(took) << text;
    EXPECT_EQ(*took, AnswerStream::Took::kNothing) << text;
  }
  for (const char* text : {"[]", "1", "null"}) EXPECT_FALSE(ResponsesStream().Take(*ParseChunk(text))) << text;
  EXPECT_FALSE(ResponsesStream().TakeWhole(*ParseChunk(R"({"object":"list","data":[]})")));
}

}  // namespace
}  // namespace paddock::orchestrator
