// Streams of model servers that are kept in tests/data/streams/PROTOCOL/, read as the parent reads them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "orchestrator/providers/protocol.h"
#include "orchestrator/providers/sse.h"
#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {

struct StreamKind {
  ModelProtocol protocol;
  const char* folder;
};
inline constexpr StreamKind kStreamKinds[] = {{ModelProtocol::kChat, "chat"}, {ModelProtocol::kResponses, "responses"}, {ModelProtocol::kMessages, "messages"}};

// Where the tests' data lies: this build's, or a copy that its user may read.
inline std::string TestData() {
  const char* copy = getenv("PADDOCK_TEST_DATA");
  return copy ? copy : PADDOCK_TEST_DATA;
}

// Their paths, sorted.
inline std::vector<std::string> StreamFiles(const StreamKind& kind) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TestData() + "/streams/" + kind.folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}
inline std::string StreamBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// {"text", "calls": [{"name", "arguments"}], "finish", "usage"}, or {"error": true}. Arguments that may not be used are null.
inline Json ReadRecorded(ModelProtocol protocol, const std::vector<std::string_view>& pieces) {
  const auto stream = MakeProtocol(protocol)->NewStream();
  SseReader reader;
  bool ended = false, failed = false;
  const auto take = [&] {
    while (auto event = reader.Pop()) {
      if (ended || failed) continue;
      ended = event->data == "[DONE]";
      if (ended) continue;
      const auto chunk = ParseChunk(event->data);
      failed = !chunk || event->event == "error" || stream->FaultIn(*chunk);
      if (failed) continue;
      const auto took = stream->Take(*chunk);
      failed = !took;
      ended = took && *took == AnswerStream::Took::kEnd;
    }
  };
  for (std::string_view piece : pieces) {
    EXPECT_TRUE(reader.Feed(piece));
    take();
  }
  reader.Finish();
  take();
  if (failed || !stream->finished()) return Json{{"error", true}};
  const bool has_usage = stream->answer().has_usage;
  const agentcore::ModelTurn turn = stream->Turn();
  Json calls = Json::array();
  for (const agentcore::ToolCall& call : turn.calls) calls.push_back({{"name", call.tool}, {"arguments", call.fault.empty() ? call.arguments : Json()}});
  const Json usage = {{"input_tokens", turn.usage.input_tokens}, {"output_tokens", turn.usage.output_tokens}, {"cached_tokens", turn.usage.cached_tokens.value_or(0)}};
  Json reasoning = Json::array();
  for (const agentcore::ReasoningItem& one : turn.reasoning) reasoning.push_back({one.before_call, one.item});
  return {{"text", turn.text}, {"calls", calls}, {"finish", NameOf(turn.finish)}, {"usage", has_usage ? usage : Json()}, {"reasoning", reasoning}};
}

}  // namespace paddock::orchestrator
