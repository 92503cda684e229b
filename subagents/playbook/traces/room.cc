#include "subagents/playbook/traces/room.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <string>
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

void Tidy(std::vector<Trace>* traces) {
  // The signal is told of before what it means is.
  static constexpr std::string_view kSignal = "DEADLYSIGNAL";
  const bool named = std::any_of(traces->begin(), traces->end(), [](const Trace& trace) { return trace.format == "sanitizer" && !trace.message.ends_with(kSignal); });
  static const RE2 check(R"((?:[\w.]*\.)?Assertion(?:Failed)?Error\b.*)");
  static const RE2 parent(R"(\d+ subtests? failed)");  // told of by themselves
  for (Trace& trace : *traces)
    if (trace.kind == TraceKind::kCrash && RE2::FullMatch(trace.message, check)) trace.kind = TraceKind::kAssertion;
  std::set<std::string> seen;
  std::erase_if(*traces, [&](const Trace& trace) {
    if (trace.frames.empty() && trace.message.empty() && trace.test.empty()) return true;
    if (trace.format == "node:test" && RE2::FullMatch(trace.message, parent)) return true;
    if (named && trace.frames.empty() && trace.message.ends_with(kSignal)) return true;
    std::string key = std::to_string(static_cast<int>(trace.kind)) + "\n" + trace.test + "\n" + trace.message;
    if (!trace.frames.empty()) key += "\n" + trace.frames[0].file + ":" + std::to_string(trace.frames[0].line) + "\n" + trace.folder;
    return !seen.insert(key).second;
  });
}

}  // namespace paddock::subagents
