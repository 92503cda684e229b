// Findings with their checked evidence, and what is left to do, for a person: one form for a ticket and for a run of the main agent.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/report/text_style.h"
#include "subagents/report.h"

namespace paddock::orchestrator {

// Each with its citations, marked, and the first lines of their quotes; an empty line after each.
void AddFindings(std::string* out, const std::vector<subagents::Finding>& findings, const TextStyle& style);
void AddNextActions(std::string* out, const std::vector<std::string>& actions, const TextStyle& style);
// "12 of 13 citations verified (92 %)"; "no citations".
std::string VerifiedText(int64_t verified, int64_t citations);
// The same as a sentence, and which are contradicted. Nothing where there are none.
void AddCitations(std::string* out, const std::vector<subagents::Finding>& findings, int64_t citations, int64_t verified, const TextStyle& style);

}  // namespace paddock::orchestrator
