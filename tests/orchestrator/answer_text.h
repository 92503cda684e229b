// Reads the events of one answer, and shows its calls in a line.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "orchestrator/providers/answer_stream.h"
#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {

template <class Stream>
agentcore::ModelTurn ReadAnswer(const std::vector<std::string>& events) {
  Stream stream;
  for (const std::string& event : events) {
    auto json = ParseChunk(event);
    EXPECT_TRUE(json) << event;
    if (!json) continue;
    EXPECT_EQ(stream.FaultIn(*json), nullptr) << event;
    auto took = stream.Take(*json);
    EXPECT_TRUE(took) << event;
  }
  return stream.Turn();
}

// "read_file{"path":"x"} ", with ! behind a call that must not be run.
inline std::string CallsText(const agentcore::ModelTurn& turn) {
  std::string out;
  for (const auto& call : turn.calls) out += call.tool + DumpJson(call.arguments) + (call.fault.empty() ? "" : "!") + " ";
  return out;
}

}  // namespace paddock::orchestrator
