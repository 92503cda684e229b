// Halves of surrogate pairs and bytes that are no text, in everything that a model says: cleaned before anybody sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "orchestrator/providers/protocol.h"
#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

constexpr char kLost[] = "\xEF\xBF\xBD";

// A whole answer in a protocol's events; `text`, `name`, `arguments` (JSON in a string, its quotes escaped) and `thought` as they stand on the wire.
std::vector<std::string> Events(ModelProtocol protocol, const std::string& text, const std::string& name, const std::string& arguments, const std::string& thought) {
  switch (protocol) {
    case ModelProtocol::kChat:
      return {R"({"choices":[{"delta":{"reasoning_content":")" + thought + R"("}}]})", R"({"choices":[{"delta":{"content":")" + text + R"("}}]})",
              R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":")" + name + R"(","arguments":")" + arguments + R"("}}]}}]})", R"({"choices":[{"delta":{},"finish_reason":"tool_calls"}]})"};
    case ModelProtocol::kResponses:
      return {R"({"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":")" + thought + R"("}]}})",
              R"({"type":"response.output_text.delta","output_index":1,"delta":")" + text + R"("})",
              R"({"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"c","name":")" + name + R"(","arguments":")" + arguments + R"("}})",
              R"({"type":"response.completed","response":{"status":"completed","output":[]}})"};
    case ModelProtocol::kMessages:
      return {R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":")" + thought + R"(","signature":"s"}})", R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":")" + text + R"("}})",
              R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":")" + name + R"(","input":{}}})", R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":")" + arguments + R"("}})",
              R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})", R"({"type":"message_stop"})"};
  }
  return {};
}

agentcore::ModelTurn Read(ModelProtocol protocol, const std::vector<std::string>& events) {
  const auto stream = MakeProtocol(protocol)->NewStream();
  for (const std::string& event : events) {
    auto json = ParseChunk(event);
    EXPECT_TRUE(json) << event << json.error().message;
    EXPECT_TRUE(json && stream->Take(*json)) << event;
  }
  EXPECT_TRUE(stream->finished());
  return stream->Turn();
}

// All that is said of it, for a look at its bytes.
std::string AllOf(const agentcore::ModelTurn& turn) {
  std::string all = turn.text;
  for (const auto& call : turn.calls) all += "\n" + call.tool + call.arguments.dump(-1, ' ', false, Json::error_handler_t::strict) + call.fault;
  for (const auto& one : turn.reasoning) all += "\n" + one.item.dump(-1, ' ', false, Json::error_handler_t::strict);
  return all;
}

class BadText : public testing::TestWithParam<ModelProtocol> {};

TEST_P(BadText, LoneHalvesInEveryPlace) {
  for (const std::string half : {"\\ud83d", "\\uDE00", "\\udbff", "\\uDC00\\uD800"}) {
    const std::string lost = half.size() > 6 ? std::string(kLost) + kLost : kLost;
    const auto turn = Read(GetParam(), Events(GetParam(), "t" + half, "n" + half, "{\\\"k" + half + "\\\":[\\\"v" + half + "\\\"]}", "r" + half));
    EXPECT_EQ(turn.text, "t" + lost);
    ASSERT_EQ(turn.calls.size(), 1u);
    EXPECT_EQ(turn.calls[0].tool, "n" + lost);
    EXPECT_EQ(turn.calls[0].fault, "");
    EXPECT_EQ(DumpJson(turn.calls[0].arguments), "{\"k" + lost + "\":[\"v" + lost + "\"]}");
    ASSERT_EQ(turn.reasoning.size(), 1u);
    EXPECT_THAT(DumpJson(turn.reasoning[0].item), testing::HasSubstr("r" + lost));
    const std::string all = AllOf(turn);
    EXPECT_TRUE(IsValidUtf8(all));
    EXPECT_EQ(all.find("\xF4\x8F"), std::string::npos) << "a half that waits for the other: " << all;
  }
}

TEST_P(BadText, EscapesInsideTheArguments) {
  // As the model writes them: the wire has another backslash.
  const auto turn = Read(GetParam(), Events(GetParam(), "", "f", R"({\"a\":\"\\ud83d\",\"b\":\"\\ud83d\\ude00\",\"c\":\"\\\\ud83d\",\"\\udc00\":1})", ""));
  ASSERT_EQ(turn.calls.size(), 1u);
  EXPECT_EQ(DumpJson(turn.calls[0].arguments), std::string("{\"a\":\"") + kLost + "\",\"b\":\"\xF0\x9F\x98\x80\",\"c\":\"\\\\ud83d\",\"" + kLost + "\":1}") << turn.calls[0].fault;
}

TEST_P(BadText, WholePairsStay) {
  const std::string pair = "\\ud83d\\ude00", shown = "\xF0\x9F\x98\x80";
  const auto turn = Read(GetParam(), Events(GetParam(), pair, "n" + pair, "{\\\"" + pair + "\\\":\\\"" + pair + "\\\"}", pair));
  EXPECT_EQ(turn.text, shown);
  EXPECT_EQ(turn.calls.at(0).tool, "n" + shown);
  EXPECT_EQ(DumpJson(turn.calls.at(0).arguments), "{\"" + shown + "\":\"" + shown + "\"}");
  EXPECT_THAT(DumpJson(turn.reasoning.at(0).item), testing::HasSubstr(shown));
}

TEST_P(BadText, BytesThatAreNoText) {
  // A byte that never is, a character cut off, a half in UTF-8, an overlong slash, too large a number.
  for (const std::string bytes : {"\xFF", "\xE4\xB8", "\xED\xA0\xBD", "\xC0\xAF", "\xF5\x80\x80\x80"}) {
    const auto turn = Read(GetParam(), Events(GetParam(), "t" + bytes, "n" + bytes, "{\\\"k" + bytes + "\\\":\\\"v" + bytes + "\\\"}", "r" + bytes));
    EXPECT_TRUE(IsValidUtf8(AllOf(turn)));
    EXPECT_THAT(turn.text, testing::StartsWith(std::string("t") + kLost));
    EXPECT_THAT(turn.calls.at(0).tool, testing::StartsWith(std::string("n") + kLost));
    EXPECT_EQ(turn.calls.at(0).fault, "");
    EXPECT_THAT(DumpJson(turn.calls.at(0).arguments), testing::HasSubstr(std::string("v") + kLost));
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, BadText, testing::Values(ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages),
                         [](const auto& one) { return std::string(one.param == ModelProtocol::kChat ? "chat" : one.param == ModelProtocol::kResponses ? "responses" : "messages"); });

}  // namespace
}  // namespace paddock::orchestrator
