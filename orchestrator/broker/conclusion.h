// How a conversation ended, in the words of a ticket. The same for a subagent and for the main agent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agentcore/context/conversation.h"
#include "orchestrator/broker/host.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

struct Conclusion {
  subagents::TicketStatus status = subagents::TicketStatus::kCrashed;
  subagents::Ending ending;
  std::optional<subagents::Report> report;  // there whenever the model gave one, whatever the status
  std::vector<std::string> notes;
  std::string redacted;                     // "2 secrets were redacted (2 password)"; empty when none was
};

// What ended it from outside, and outranks how it ended by itself: a cell's end, a wish to stop, the time.
struct Break {
  subagents::TicketStatus status;
  std::string kind, detail, hint;
};

// `notes` come first among those of the conclusion.
Conclusion ConcludeConversation(const agentcore::TicketConversation& conversation, BrokerHost* host, const HostSetup& setup, const agentcore::Redactor& redactor,
                                const std::optional<Break>& broken, std::vector<std::string> notes);

// What a cell or a model said, within a text of ours. Redacted whole: a long secret becomes a short mark, and what
// stood far behind it is shown. (Frames and answers are bounded.)
std::string ShownText(std::string_view text, const agentcore::Redactor& redactor, size_t max = 1024);

}  // namespace paddock::orchestrator
