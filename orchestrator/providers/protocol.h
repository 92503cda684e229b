// A way to speak to language models over HTTP: what is asked and how an answer is read. No network, no retries, no state but
// what a server would not have.
#pragma once

#include <memory>
#include <string>

#include "agentcore/model/model.h"
#include "orchestrator/providers/answer_stream.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/http.h"

namespace paddock::orchestrator {

class Protocol {
 public:
  virtual ~Protocol() = default;
  // Behind the endpoint's address, beginning with a slash.
  virtual const char* path() const = 0;
  // What the answer is called, for people: "chat completion".
  virtual const char* answer_name() const = 0;
  // The key and the version, as this protocol sends them; without a key none of it.
  virtual HttpHeaders Headers(const std::string& key) const = 0;
  // `who`: reasoning of past answers that others have given is left out.
  virtual Json Body(const agentcore::ModelRequest& request, const ModelSettings& settings, const std::string& who) const = 0;
  // A server that answered 4xx with `refusal` (names of fields and message): whether a question without what it named is another one.
  virtual bool LeaveOut(const std::string& refusal) = 0;
  virtual std::unique_ptr<AnswerStream> NewStream() const = 0;
};

std::unique_ptr<Protocol> MakeProtocol(ModelProtocol protocol);

}  // namespace paddock::orchestrator
