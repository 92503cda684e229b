// A question as the body of a chat completions request.
//
// The same question gives the same bytes, and a later question of the same conversation begins with them, so that
// prompt caches of servers work. Each call of a past answer gets exactly one tool message, whatever became of it;
// names and arguments that a server would refuse in its own history are made harmless.
#pragma once

#include <string>

#include "agentcore/model/model.h"

namespace paddock::orchestrator {

// What a server will have; narrowed when it refuses a field.
struct ChatDialect {
  std::string output_limit = "max_completion_tokens";  // older servers: max_tokens; empty: neither
  bool stream_options = true;
  bool tool_choice = true;
};

Json ChatRequestBody(const agentcore::ModelRequest& request, const std::string& model, const ChatDialect& dialect);

// A tool's schema without what small servers choke on: large bounds of length and count.
Json SlimSchema(const Json& schema);

}  // namespace paddock::orchestrator
