// What a model's server says of its context window, where it says anything: GET of its list of models.
#pragma once

#include <cstdint>

#include "base/json.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/http.h"
#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {

// Of a list of models as vLLM (max_model_len), LM Studio (loaded_context_length, max_context_length), OpenRouter (context_length),
// llama.cpp (meta.n_ctx, meta.n_ctx_train) and others give it. 0 where nothing is said of `model`.
int64_t WindowInList(const Json& body, const std::string& model);

// At most two seconds and 4 MiB; 0 whenever that did not work. For a server without TLS LM Studio's own list is tried as well.
int64_t AskForWindow(const Endpoint& endpoint, const Protocol& protocol, HttpTransport* transport, int cancel_fd);

}  // namespace paddock::orchestrator
