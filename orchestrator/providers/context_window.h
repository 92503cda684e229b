// How many tokens a question and its answer may have together.
#pragma once

#include <array>
#include <cstdint>

#include "base/fields.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/http.h"
#include "orchestrator/providers/protocol.h"

namespace paddock::orchestrator {

enum class WindowSource { kConfig, kKnown, kAsked, kAssumed };
inline auto EnumNames(FieldsOf<WindowSource>) {
  return std::array{EnumName{WindowSource::kConfig, "config"}, EnumName{WindowSource::kKnown, "known"}, EnumName{WindowSource::kAsked, "server"}, EnumName{WindowSource::kAssumed, "assumed"}};
}

struct ContextWindow {
  int64_t tokens = 0;
  WindowSource from = WindowSource::kAssumed;
};

// By the settings, or known of a model of that name; tokens is 0 for others.
ContextWindow SettledWindow(const ModelSettings& settings);
// Else the server is asked (asked_window.h), and 32,768 assumed where that doesn't help.
ContextWindow FindWindow(const Endpoint& endpoint, const Protocol& protocol, HttpTransport* transport, int cancel_fd);

}  // namespace paddock::orchestrator
