#include "orchestrator/providers/protocol.h"

#include "orchestrator/providers/chat_protocol.h"
#include "orchestrator/providers/messages_protocol.h"
#include "orchestrator/providers/responses_protocol.h"

namespace paddock::orchestrator {

std::unique_ptr<Protocol> MakeProtocol(ModelProtocol protocol) {
  switch (protocol) {
    case ModelProtocol::kChat: break;
    case ModelProtocol::kResponses: return std::make_unique<ResponsesProtocol>();
    case ModelProtocol::kMessages: return std::make_unique<MessagesProtocol>();
  }
  return std::make_unique<ChatProtocol>();
}

}  // namespace paddock::orchestrator
