// Of the traces that are kept at most kMaxTraces: which give way. A test's name alone does to what says more, and to the name of a later
// one: a log of very many failures names them all before it tells of the first.
#pragma once

#include <vector>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

// For one more of this kind.
bool HasRoom(const std::vector<Trace>& traces, TraceKind kind);
void PushTrace(std::vector<Trace>* traces, Trace trace);
// Without those that say nothing, and those that say the same again.
void Tidy(std::vector<Trace>* traces);

}  // namespace paddock::subagents
