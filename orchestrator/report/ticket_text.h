// A result ticket for a person: short, aligned, readable without colour. Everything that came from the
// repository is made visible first.
#pragma once

#include <string>

#include "subagents/ticket.h"

namespace paddock::orchestrator {

struct TextStyle {
  bool unicode = true;   // marks as signs; else as words
  bool color = false;    // ANSI colours for the marks
  size_t width = 100;    // columns
};

std::string TicketText(const subagents::ResultTicket& ticket, const TextStyle& style);

}  // namespace paddock::orchestrator
