#include "orchestrator/run/run_text.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMostText = 400;  // of one name or reason: a line stays one that is read
constexpr size_t kMostCalls = 3;   // that are shown one by one

std::string Shown(std::string_view text) { return std::string(TruncateUtf8(VisibleText(text, Newlines::kEscape), kMostText)); }

std::string WithHint(std::string text, const std::string& hint) { return hint.empty() ? text : text + "; " + Shown(hint); }

std::string LimitOf(const RunReport& report, std::string_view name) {
  for (const BoundLimit& limit : report.limits)
    if (limit.limit == name) return " of " + Shown(limit.value);
  return "";
}

std::string EndingText(const RunReport& report) {
  const RunEnding& ending = report.ending;
  const std::string program = report.command.empty() ? "the program" : Shown(BytesFromWire(report.command[0]));
  switch (ending.kind) {
    case RunEndingKind::kExit:
      return "";
    case RunEndingKind::kSignal:
      return ending.hint.empty() ? "" : WithHint("ended by " + ending.signal.value_or("a signal"), ending.hint);
    case RunEndingKind::kTimeout:
      if (ending.which == TimeLimit::kCpu) return WithHint("ended: its limit of processor time" + LimitOf(report, "cpu") + " was reached", ending.hint);
      return WithHint("ended: its time" + LimitOf(report, "wall") + " is up", ending.hint);
    case RunEndingKind::kOutOfMemory:
      return WithHint("ended: out of memory, limit" + LimitOf(report, "memory"), ending.hint);
    case RunEndingKind::kExecError:
      return WithHint(ending.detail.empty() ? program + ": " + ending.error_name.value_or("could not be started") : Shown(ending.detail), ending.hint);
    case RunEndingKind::kCancelled:
      return "ended after " + ending.signal.value_or("a signal");
    case RunEndingKind::kViolationLimit:
      return WithHint("ended: more calls were denied than the limit" + LimitOf(report, "violations"), ending.hint);
    case RunEndingKind::kSetupError:
    case RunEndingKind::kOutputError:
    case RunEndingKind::kJailLost:
      return WithHint(Shown(ending.detail), ending.hint);
  }
  return "";
}

std::string CallText(const DeniedCall& denied) {
  std::string text = Shown(denied.call);
  if (denied.path) text += " \"" + Shown(*denied.path) + "\"";
  if (denied.count > 1) text += " (" + std::to_string(denied.count) + " times)";
  return text;
}

// Each rule and each way to allow is said once.
std::string DenialsText(const RunReport& report) {
  std::vector<DeniedCall> shown;
  uint64_t count = report.violation_count;
  for (const DeniedCall& denied : report.violations) {
    if (denied.usual) count -= std::min<uint64_t>(count, denied.count);
    else shown.push_back(denied);
  }
  if (shown.empty()) return "";
  std::string text = "denied " + std::to_string(count) + (count == 1 ? " call: " : " calls: ");
  const std::string rule = shown.front().rule;
  std::vector<std::string> ways;
  bool never = false;
  for (size_t i = 0; i < shown.size(); ++i) {
    const DeniedCall& denied = shown[i];
    if (i < kMostCalls) text += (i ? ", " : "") + CallText(denied);
    never |= !denied.allow;
    if (denied.allow && std::find(ways.begin(), ways.end(), denied.grant) == ways.end()) ways.push_back(denied.grant);
  }
  if (shown.size() > kMostCalls) text += ", and " + std::to_string(shown.size() - kMostCalls) + " others";
  if (!rule.empty()) text += ", by " + Shown(rule);
  if (!ways.empty()) text += "; " + AllowText(report.allowed, ways) + " in a profile of your own would allow " + (never ? "some of it" : "it");
  if (ways.empty()) text += "; no profile can allow " + std::string(shown.size() == 1 ? "it" : "them");
  return text;
}

}  // namespace

std::string RunText(const RunReport& report) {
  std::string text = EndingText(report), lines;
  auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  };
  if (const uint64_t dropped = report.usage.output_dropped) add(std::to_string(dropped) + " bytes of output were dropped, limit" + LimitOf(report, "output") + "; \"limits\": {\"output\": ...} in a profile sets it");
  add(DenialsText(report));
  // Where something went wrong it may be for want of these.
  const int64_t hidden = report.receipt && report.exit_status != 0 ? report.receipt->hidden : 0;
  if (hidden) add(std::to_string(hidden) + (hidden == 1 ? " path is" : " paths are") + " hidden, as the profile asks");
  // Each may be long, and is mended by itself.
  for (const std::string& note : report.notes) lines += "paddock: " + Shown(note) + "\n";
  return (text.empty() ? "" : "paddock: " + text + "\n") + lines;
}

}  // namespace paddock::orchestrator
