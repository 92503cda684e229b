#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/providers/messages_stream.h"
#include "orchestrator/providers/server_fault.h"
#include "orchestrator/providers/wire_json.h"
#include "tests/orchestrator/answer_text.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;
using agentcore::ModelTurn;
using testing::HasSubstr;

ModelTurn Read(const std::vector<std::string>& events) { return ReadAnswer<MessagesStream>(events); }

const std::string kStart = R"({"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":2,"output_tokens":1}}})";
const std::string kStop = R"({"type":"message_stop"})";
std::string Begin(int index, const std::string& block) { return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + block + "}"; }
std::string Delta(int index, const std::string& delta) { return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + delta + "}"; }
std::string End(const std::string& reason) { return R"({"type":"message_delta","delta":{"stop_reason":")" + reason + R"("},"usage":{"output_tokens":9}})"; }

TEST(MessagesStream, TextAndUsage) {
  const ModelTurn turn = Read({kStart, R"({"type":"ping"})", Begin(0, R"({"type":"text","text":""})"), Delta(0, R"({"type":"text_delta","text":"Hel"})"),
                               Delta(0, R"({"type":"text_delta","text":"lo"})"), R"({"type":"content_block_stop","index":0})", End("end_turn"), kStop});
  EXPECT_EQ(turn.text, "Hello");
  EXPECT_EQ(turn.usage.input_tokens, 14) << "what the cache has is part of it";
  EXPECT_EQ(turn.usage.cached_tokens, 7);
  EXPECT_EQ(turn.usage.output_tokens, 9) << "counts are those so far";
  EXPECT_EQ(turn.finish, Finish::kStop);
}

TEST(MessagesStream, CallsInPieces) {
  EXPECT_EQ(CallsText(Read({kStart, Begin(0, R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}})"), Delta(0, R"({"type":"input_json_delta","partial_json":""})"),
                            Begin(1, R"({"type":"tool_use","id":"toolu_2","name":"g","input":{}})"), Delta(1, R"({"type":"input_json_delta","partial_json":"{\"n\":"})"),
                            Delta(0, R"({"type":"input_json_delta","partial_json":"{\"n\":1}"})"), Delta(1, R"({"type":"input_json_delta","partial_json":"2}"})"), End("tool_use"), kStop})),
            R"(f{"n":1} g{"n":2} )");
  EXPECT_EQ(CallsText(Read({kStart, Begin(0, R"({"type":"tool_use","id":"t","name":"f","input":{}})"), End("tool_use"), kStop})), "f{} ") << "no pieces: no arguments";
}

TEST(MessagesStream, TruncatedArgumentsAreAFault) {
  const ModelTurn turn = Read({kStart, Begin(0, R"({"type":"tool_use","id":"t","name":"f","input":{}})"), Delta(0, R"({"type":"input_json_delta","partial_json":"{\"path\": \"READ"})"), End("tool_use"), kStop});
  EXPECT_EQ(turn.calls.at(0).arguments, Json::object());
  EXPECT_THAT(turn.calls.at(0).fault, HasSubstr("no JSON"));
}

TEST(MessagesStream, ThinkingIsKeptAsItCame) {
  const ModelTurn turn = Read({kStart, Begin(0, R"({"type":"thinking","thinking":"","signature":""})"), Delta(0, R"({"type":"thinking_delta","thinking":"hm, "})"),
                               Delta(0, R"({"type":"thinking_delta","thinking":"yes"})"), Delta(0, R"({"type":"signature_delta","signature":"c2ln"})"),
                               Begin(1, R"({"type":"redacted_thinking","data":"xyz"})"), Begin(2, R"({"type":"tool_use","id":"t","name":"f","input":{}})"), End("tool_use"), kStop});
  ASSERT_EQ(turn.reasoning.size(), 2u);
  EXPECT_EQ(turn.reasoning[0].item, (Json{{"type", "thinking"}, {"thinking", "hm, yes"}, {"signature", "c2ln"}}));
  EXPECT_EQ(turn.reasoning[1].item, (Json{{"type", "redacted_thinking"}, {"data", "xyz"}}));
  EXPECT_EQ(turn.reasoning[1].before_call, 0u);
  EXPECT_TRUE(turn.text.empty()) << "thoughts are no text";
}

TEST(MessagesStream, ReasonsToStop) {
  for (const char* reason : {"max_tokens", "model_context_window_exceeded"}) {
    const ModelTurn turn = Read({kStart, Begin(0, R"({"type":"tool_use","id":"t","name":"f","input":{}})"), Delta(0, R"({"type":"input_json_delta","partial_json":"{}"})"), End(reason), kStop});
    EXPECT_EQ(turn.finish, Finish::kLength) << reason;
    EXPECT_THAT(turn.calls.at(0).fault, HasSubstr("cut off")) << reason;
  }
  EXPECT_EQ(Read({kStart, End("refusal"), kStop}).finish, Finish::kRefused);
  for (const char* reason : {"end_turn", "stop_sequence", "pause_turn", "something_new"}) EXPECT_EQ(Read({kStart, End(reason), kStop}).finish, Finish::kStop) << reason;
}

TEST(MessagesStream, AnAnswerWithoutAReasonIsNotWhole) {
  MessagesStream stream;
  ASSERT_TRUE(stream.Take(*ParseChunk(kStart)));
  EXPECT_FALSE(stream.finished());
  EXPECT_FALSE(stream.Take(*ParseChunk(kStop)));
}

TEST(MessagesStream, Faults) {
  MessagesStream stream;
  const Json busy = Json{{"type", "error"}, {"error", {{"type", "overloaded_error"}, {"message", "Overloaded"}}}};
  ASSERT_TRUE(stream.FaultIn(busy));
  EXPECT_TRUE(FaultInStream(*stream.FaultIn(busy)).retryable);
  for (const char* type : {"authentication_error", "permission_error", "invalid_request_error", "request_too_large", "not_found_error", "billing_error"}) {
    const Json fault = Json{{"type", "error"}, {"error", {{"type", type}, {"message", "no"}}}};
    EXPECT_FALSE(FaultInStream(*stream.FaultIn(fault)).retryable) << type;
  }
}

TEST(MessagesStream, WhatNobodyKnowsIsPassedOver) {
  const ModelTurn turn = Read({kStart, R"({"type":"new_event","x":1})", Begin(0, R"({"type":"server_tool_use","id":"s"})"), Delta(0, R"({"type":"input_json_delta","partial_json":"{}"})"),
                               Begin(1, R"({"type":"text","text":""})"), Delta(1, R"({"type":"citations_delta","citation":{}})"), Delta(1, R"({"type":"text_delta","text":"Hi"})"),
                               Delta(9, R"({"type":"text_delta","text":"lost"})"), End("end_turn"), kStop});
  EXPECT_EQ(turn.text, "Hi");
  EXPECT_TRUE(turn.calls.empty());
}

TEST(MessagesStream, AWholeAnswer) {
  MessagesStream stream;
  ASSERT_TRUE(stream.TakeWhole(*ParseChunk(R"({"type":"message","content":[{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{"n":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":2}})")));
  const ModelTurn turn = stream.Turn();
  EXPECT_EQ(turn.text, "Hi");
  EXPECT_EQ(CallsText(turn), R"(f{"n":1} )");
  EXPECT_EQ(turn.usage.input_tokens, 3);
  EXPECT_FALSE(MessagesStream().TakeWhole(*ParseChunk(R"({"object":"list"})")));
}

}  // namespace
}  // namespace paddock::orchestrator
