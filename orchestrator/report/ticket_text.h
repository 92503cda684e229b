// A result ticket for a person: short, aligned, readable without colour. Everything that came from the
// repository is made visible first.
#pragma once

#include <string>

#include "orchestrator/report/text_style.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// `replayed`: its answers are a cassette's, and nothing was spent. `with_data`: the caller asked for it in a shape.
std::string TicketText(const subagents::ResultTicket& ticket, const TextStyle& style, bool replayed = false, bool with_data = false);

}  // namespace paddock::orchestrator
