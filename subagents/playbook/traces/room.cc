#include "subagents/playbook/traces/room.h"

#include <algorithm>
#include <utility>

namespace paddock::subagents {
namespace {

bool GivesWay(const Trace& trace) { return trace.kind == TraceKind::kWeak || (trace.kind == TraceKind::kTest && trace.frames.empty() && trace.message.empty()); }

}  // namespace

bool HasRoom(const std::vector<Trace>& traces, TraceKind kind) {
  return traces.size() < kMaxTraces || (kind != TraceKind::kWeak && std::any_of(traces.begin(), traces.end(), GivesWay));
}

void PushTrace(std::vector<Trace>* traces, Trace trace) {
  if (traces->size() >= kMaxTraces)
    if (const auto last = std::find_if(traces->rbegin(), traces->rend(), GivesWay); last != traces->rend()) traces->erase(std::next(last).base());
  traces->push_back(std::move(trace));
}

}  // namespace paddock::subagents
