// Anthropic's Messages API, version 2023-06-01. The stable beginning of a conversation is marked for the server's prompt cache; thinking
// blocks go back as they came, with their signatures.
#pragma once

#include <string>

#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {

class MessagesProtocol : public Protocol {
 public:
  const char* path() const override { return "/messages"; }
  const char* answer_name() const override { return "message"; }
  HttpHeaders Headers(const std::string& key) const override;
  Json Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const override;
  bool LeaveOut(const std::string& refusal) override;
  std::unique_ptr<AnswerStream> NewStream() const override;

 private:
  bool cache_control_ = true, tool_choice_ = true, thinking_ = true;
};

}  // namespace paddock::orchestrator
