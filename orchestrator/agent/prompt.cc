#include "orchestrator/agent/prompt.h"

#include <string_view>

#include "base/embedded_file.h"

namespace paddock::orchestrator {

extern const EmbeddedFile kAgentPrompts[];
extern const unsigned long kAgentPromptsCount;

namespace {

std::string Text(std::string_view name) {
  for (unsigned long i = 0; i < kAgentPromptsCount; ++i)
    if (kAgentPrompts[i].name == name) return std::string(kAgentPrompts[i].text);
  return "";
}

}  // namespace

std::string MainPrompt(const PromptKind& kind) {
  std::string text = Text("main.md");
  if (kind.quarantine) text += "\n" + Text("quarantine.md");
  if (kind.plan) text += "\n" + Text("plan.md");
  return text;
}

}  // namespace paddock::orchestrator
