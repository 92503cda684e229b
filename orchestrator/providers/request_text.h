// What a question says in each protocol alike.
//
// The same question gives the same bytes, and a later question of the same conversation begins with them, so that
// prompt caches of servers work. Each call of a past answer gets exactly one result, whatever became of it; names and
// arguments that a server would refuse in its own history are made harmless.
#pragma once

#include <functional>
#include <string>

#include "agentcore/model/model.h"

namespace paddock::orchestrator {

// One side's words in a conversation, in the order in which they were said.
struct Said {
  // The answer of a past turn; null for a question.
  const agentcore::ModelTurn* answer = nullptr;
  // A question: results of the last answer's calls, then words.
  struct Outcome {
    std::string id, text;
    bool failed = false;
  };
  std::vector<Outcome> outcomes;
  std::string words;
};

// The conversation after the system prompt: question, answer, question, ... It ends with a question.
std::vector<Said> Dialogue(const agentcore::ModelRequest& request);

// A name that a server takes in a history: 1 to 64 of [A-Za-z0-9_-].
std::string SafeName(const std::string& name);
// Arguments of a call as a server takes them in a history: an object.
Json SafeArguments(const agentcore::ToolCall& call);

// A tool's schema without what small servers choke on: large bounds of length and count.
Json SlimSchema(const Json& schema);

}  // namespace paddock::orchestrator
