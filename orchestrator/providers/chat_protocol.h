// Chat completions: OpenAI's, and Ollama, llama.cpp, vLLM, LM Studio, gateways. A field that a server refuses (stream_options, tool_choice,
// the name of the output limit, reasoning that it is given back) is left out from then on.
#pragma once

#include <string>

#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {

class ChatProtocol : public Protocol {
 public:
  const char* path() const override { return "/chat/completions"; }
  const char* answer_name() const override { return "chat completion"; }
  HttpHeaders Headers(const std::string& key) const override;
  Json Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const override;
  bool LeaveOut(const std::string& refusal) override;
  std::unique_ptr<AnswerStream> NewStream() const override;

 private:
  std::string output_limit_ = "max_completion_tokens";  // older servers: max_tokens; empty: neither
  bool stream_options_ = true, tool_choice_ = true, effort_ = true, thoughts_ = true;
};

}  // namespace paddock::orchestrator
