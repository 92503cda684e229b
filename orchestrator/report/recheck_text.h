// What became of a ticket's citations, for a person: those that are not as they were, or don't hold, a line each.
#pragma once

#include <string>

#include "orchestrator/delegation/recheck.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {

std::string RecheckText(const Recheck& recheck, const TextStyle& style);

}  // namespace paddock::orchestrator
