// OpenAI's Responses API. Nothing is stored at the server: the whole conversation goes along each time, with the reasoning encrypted
// by the server and given back as it came.
#pragma once

#include <string>

#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {

class ResponsesProtocol : public Protocol {
 public:
  const char* path() const override { return "/responses"; }
  const char* answer_name() const override { return "response"; }
  HttpHeaders Headers(const std::string& key) const override;
  Json Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const override;
  bool LeaveOut(const std::string& refusal) override;
  std::unique_ptr<AnswerStream> NewStream() const override;

 private:
  bool include_ = true, store_ = true, tool_choice_ = true, output_limit_ = true, effort_ = true;
};

}  // namespace paddock::orchestrator
