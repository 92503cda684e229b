#include "subagents/playbook/known_calls.h"

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_uses.h"

namespace paddock::subagents {
namespace {

// Is it of what the call names before it: of the class itself, or of "Oven" in "Oven::heat("?
bool FitsReceiver(const CallPlace& call, const Place& definition, const Place& caller) {
  if (call.receiver.empty() || definition.path == caller.path) return true;
  return !definition.of.empty() && (call.receiver == "this" || definition.of == LastPart(call.receiver));
}

}  // namespace

std::vector<KnownCall> KnownCallsIn(const RepoView& view, const Symbols& symbols, const std::string& name, const Place& place) {
  std::vector<KnownCall> out;
  for (const auto& call : CallsIn(view, place)) {
    const auto called = PlacesOf(view, symbols, call.name, "");
    const auto definitions = called.Definitions();
    if (definitions.size() != 1 || call.name == name) continue;
    const Place& definition = *definitions[0];
    if ((definition.path == place.path && definition.line == call.line) || IsSidePath(definition.path) || MatchesWhole(definition.what, "variable|enumerator|enumConstant")) continue;
    if (IsEstablishedAt(called, place.path, call.line) && FitsReceiver(call, definition, place)) out.push_back({call.name, call.line, definition});
  }
  return out;
}

}  // namespace paddock::subagents
