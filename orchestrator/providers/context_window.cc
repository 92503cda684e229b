#include "orchestrator/providers/context_window.h"

#include "orchestrator/providers/asked_window.h"
#include "orchestrator/providers/known_windows.h"

namespace paddock::orchestrator {
namespace {

constexpr int64_t kAssumedTokens = 32'768;

}  // namespace

ContextWindow SettledWindow(const ModelSettings& settings) {
  if (settings.context_window) return {*settings.context_window, WindowSource::kConfig};
  return {KnownWindow(settings.model), WindowSource::kKnown};
}

ContextWindow FindWindow(const Endpoint& endpoint, const Protocol& protocol, HttpTransport* transport, int cancel_fd) {
  if (const ContextWindow settled = SettledWindow(endpoint.settings); settled.tokens > 0) return settled;
  if (const int64_t asked = AskForWindow(endpoint, protocol, transport, cancel_fd); asked > 0) return {asked, WindowSource::kAsked};
  return {kAssumedTokens, WindowSource::kAssumed};
}

}  // namespace paddock::orchestrator
