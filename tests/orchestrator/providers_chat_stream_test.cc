#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/providers/chat_stream.h"
#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

using agentcore::Finish;
using agentcore::ModelTurn;
using testing::HasSubstr;

ModelTurn Read(const std::vector<std::string>& chunks) {
  ChatStream stream;
  for (const std::string& chunk : chunks) {
    auto json = ParseChunk(chunk);
    EXPECT_TRUE(json) << chunk << ": " << json.error().message;
    auto took = stream.Take(*json);
    EXPECT_TRUE(took) << chunk;
  }
  return stream.Turn();
}
std::string Delta(const std::string& delta, const std::string& finish = "null") {
  return R"({"choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" + finish + "}]}";
}
std::string Calls(const ModelTurn& turn) {
  std::string out;
  for (const auto& call : turn.calls) out += call.tool + DumpJson(call.arguments) + (call.fault.empty() ? "" : "!") + " ";
  return out;
}

TEST(ChatStream, TextAndUsage) {
  const ModelTurn turn = Read({Delta(R"({"role":"assistant","content":""})"), Delta(R"({"content":"Hel"})"), Delta(R"({"content":"lo"})"), Delta("{}", R"("stop")"),
                               R"({"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}})"});
  EXPECT_EQ(turn.text, "Hello");
  EXPECT_EQ(turn.usage.input_tokens, 12);
  EXPECT_EQ(turn.usage.output_tokens, 3);
  EXPECT_EQ(turn.finish, Finish::kStop);
}

TEST(ChatStream, ACallInPieces) {
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read_file","arguments":""}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"\"x\"}"}}]})"), Delta("{}", R"("tool_calls")")})),
            R"(read_file{"path":"x"} )");
}

TEST(ChatStream, ParallelCallsByIndexInAnyOrder) {
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{\"n\":"}}]})"),
                        Delta(R"({"tool_calls":[{"index":1,"function":{"arguments":"2}"}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]})"), Delta("{}", R"("stop")")})),
            R"(f{"n":1} g{"n":2} )");
}

TEST(ChatStream, WhatLocalServersDo) {
  // Index 0 for all, no ids, whole calls.
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"n\":1}"}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"n\":2}"}}]})"), Delta("{}", R"("stop")")})),
            R"(f{"n":1} f{"n":2} )");
  // Index 0 for all, with ids.
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}]})")})),
            "f{} f{} ");
  // No index at all, arguments as an object.
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"function":{"name":"f","arguments":{"n":1}}},{"function":{"name":"g","arguments":{}}}]})")})), R"(f{"n":1} g{} )");
  // The name again with every piece, with and without the id.
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\""}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}]})")})),
            R"(f{"n":1} )");
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"n\""}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"function":{"name":"f","arguments":":1}"}}]})")})),
            R"(f{"n":1} )");
  // Empty arguments are an empty object; text as parts; thoughts are no text.
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]})")})), "f{} ");
  const ModelTurn turn = Read({Delta(R"({"reasoning_content":"hm","reasoning":"hm","content":[{"type":"text","text":"yes"}]})")});
  EXPECT_EQ(turn.text, "yes");
}

TEST(ChatStream, ACallThatWasCutOffIsNeverRun) {
  const ModelTurn cut = Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"path\":\"x\"}"}}]})"), Delta("{}", R"("length")")});
  EXPECT_EQ(cut.finish, Finish::kLength);
  ASSERT_EQ(cut.calls.size(), 1u);
  EXPECT_THAT(cut.calls[0].fault, HasSubstr("cut off"));
  const ModelTurn broken = Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"path\":\"x"}}]})"), Delta("{}", R"("tool_calls")")});
  EXPECT_THAT(broken.calls[0].fault, HasSubstr("no JSON"));
}

TEST(ChatStream, Refusals) {
  EXPECT_EQ(Read({Delta(R"({"refusal":"I won't"})"), Delta("{}", R"("stop")")}).finish, Finish::kRefused);
  EXPECT_EQ(Read({Delta(R"({"content":"x"})"), Delta("{}", R"("content_filter")")}).finish, Finish::kRefused);
}

TEST(ChatStream, BadTextIsCleanedAtTheDoor) {
  EXPECT_EQ(Read({Delta(R"({"content":"a\ud83db"})")}).text, "a\xEF\xBF\xBD" "b");
  EXPECT_EQ(Read({Delta(R"({"content":"a\udc00\ud83d\ude00"})")}).text, "a\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(Read({Delta("{\"content\":\"a\xFF\xC3\"}")}).text, "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Read({Delta(R"({"content":"\\ud83d"})")}).text, "\\ud83d");
  EXPECT_EQ(Read({Delta(R"({"content":"a\uD83d"})"), Delta(R"({"content":"\ude00b"})")}).text, "a\xF0\x9F\x98\x80" "b") << "a pair may be cut in two";
  EXPECT_EQ(Calls(Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":\"\ud83d"}}]})"),
                        Delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"\ude00\\ud800\"}"}}]})")})),
            "f{\"n\":\"\xF0\x9F\x98\x80\xEF\xBF\xBD\"} ");
}

TEST(ChatStream, NoChunks) {
  for (const char* text : {"", "{", "nonsense", "{malformed json: <<<chaos>>>", "{\"a\":1,}"}) EXPECT_FALSE(ParseChunk(text)) << text;
  ChatStream stream;
  for (const char* text : {"[]", "1", "\"x\"", "null"}) EXPECT_FALSE(stream.Take(*ParseChunk(text))) << text;
  // Odd, and harmless.
  for (const char* text : {"{}", R"({"choices":null})", R"({"choices":[null]})", R"({"choices":[{"delta":null}]})", R"({"choices":[{"delta":{"tool_calls":[null,1,{}]}}]})",
                           R"({"usage":{"prompt_tokens":-1,"completion_tokens":"x"}})", R"({"choices":[{"delta":{"tool_calls":{"index":{}}}}]})"})
    EXPECT_TRUE(stream.Take(*ParseChunk(text))) << text;
}

TEST(ChatStream, AnswersAreBounded) {
  ChatStream stream;
  const Json chunk = *ParseChunk(Delta("{\"content\":\"" + std::string(100'000, 'x') + "\"}"));
  Result<AnswerStream::Took> took = AnswerStream::Took::kNothing;
  int i = 0;
  for (; i < 1000 && took; ++i) took = stream.Take(chunk);
  EXPECT_LT(i, 60);
  ChatStream calls;
  took = AnswerStream::Took::kNothing;
  for (i = 0; i < 1000 && took; ++i)
    took = calls.Take(*ParseChunk(Delta(R"({"tool_calls":[{"index":)" + std::to_string(i) + R"(,"function":{"name":"f","arguments":"{}"}}]})")));
  EXPECT_EQ(i, 129);
}

TEST(ChatStream, PartsWithoutIdsCostTheSameEach) {
  ChatStream stream;
  ASSERT_TRUE(stream.Take(*ParseChunk(Delta(R"({"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"a\":\")" + std::string(3'500'000, 'x') + R"("}}]})"))));
  std::string parts;
  for (int i = 0; i < 20'000; ++i) parts += std::string(i ? "," : "") + R"({"index":0,"function":{"name":"f"}})";
  const Json chunk = *ParseChunk(Delta(R"({"tool_calls":[)" + parts + "]}"));
  // Parsing the arguments again for each would take minutes, and ctest's own limit ends that.
  ASSERT_TRUE(stream.Take(chunk));
  EXPECT_EQ(stream.Turn().calls.size(), 1u);
}

TEST(ChatStream, AUsageThatCantBeOneIsNone) {
  for (const char* count : {"-5", "1e308", "1e12", "true", "\"7\"", "null", "0"}) {
    ChatStream stream;
    ASSERT_TRUE(stream.Take(*ParseChunk(std::string(R"({"choices":[],"usage":{"prompt_tokens":)") + count + R"(,"completion_tokens":1}})")));
    EXPECT_FALSE(stream.answer().has_usage) << count;
  }
}

TEST(ChatStream, AWholeAnswer) {
  ChatStream stream;
  ASSERT_TRUE(stream.TakeWhole(*ParseChunk(R"({"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":6}})")));
  EXPECT_EQ(Calls(stream.Turn()), R"(f{"n":1} )");
  ChatStream other;
  EXPECT_FALSE(other.TakeWhole(*ParseChunk(R"({"object":"list","data":[]})")));
}

// Servers of long ids: they are kept as far as they are compared.
TEST(ChatStream, ACallWithALongIdStaysOneCall) {
  const std::string id(300, 'i');
  const auto part = [&](const std::string& function) { return Delta(R"({"tool_calls":[{"index":0,"id":")" + id + R"(","function":)" + function + "}]}"); };
  const ModelTurn turn = Read({part(R"({"name":"read_file","arguments":"{\"path\":"})"), part(R"({"arguments":" \"a\"}"})")});
  EXPECT_EQ(Calls(turn), "read_file{\"path\":\"a\"} ");
}

TEST(ChatStream, ALongNameIsCutBetweenCharacters) {
  std::string name = "n";
  for (int i = 0; i < 200; ++i) name += "\xC3\xA9";
  const ModelTurn turn = Read({Delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":")" + name + R"(","arguments":"{}"}}]})")});
  ASSERT_EQ(turn.calls.size(), 1u);
  EXPECT_EQ(turn.calls[0].tool, name.substr(0, 255));
}

}  // namespace
}  // namespace paddock::orchestrator
