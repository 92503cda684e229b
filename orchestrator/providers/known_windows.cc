#include "orchestrator/providers/known_windows.h"

#include <string_view>

namespace paddock::orchestrator {
namespace {

struct Family {
  std::string_view name;  // whole, or up to one of "-:@"
  int64_t tokens;
};

// The longest that fits counts.
constexpr Family kFamilies[] = {
    // platform.openai.com/docs/models
    {"gpt-5", 400'000}, {"gpt-5.1", 400'000}, {"gpt-5-chat", 128'000}, {"gpt-4.1", 1'047'576}, {"gpt-4o", 128'000}, {"gpt-4-turbo", 128'000}, {"gpt-4", 8'192},
    {"gpt-4-32k", 32'768}, {"gpt-3.5-turbo", 16'385}, {"gpt-3.5-turbo-instruct", 4'096}, {"o1", 200'000}, {"o1-mini", 128'000}, {"o1-preview", 128'000},
    {"o3", 200'000}, {"o4-mini", 200'000}, {"codex-mini", 200'000},
    // docs.anthropic.com/en/docs/about-claude/models (1,000,000 of some needs a header of its own, or is of later versions)
    {"claude-opus-4", 200'000}, {"claude-sonnet-4", 200'000}, {"claude-haiku-4", 200'000}, {"claude-3", 200'000},
    // ai.google.dev/gemini-api/docs/models
    {"gemini-2.5-pro", 1'048'576}, {"gemini-2.5-flash", 1'048'576}, {"gemini-2.0-flash", 1'048'576}, {"gemini-1.5-flash", 1'048'576}, {"gemini-1.5-pro", 1'048'576},
    // docs.mistral.ai, api-docs.deepseek.com (64K until V3.1), docs.x.ai
    {"mistral-large-latest", 128'000}, {"mistral-medium-latest", 128'000}, {"deepseek-chat", 64'000}, {"deepseek-reasoner", 64'000}, {"grok-4", 256'000},
};

}  // namespace

int64_t KnownWindow(const std::string& model) {
  const std::string_view name = std::string_view(model).substr(model.rfind('/') + 1);
  const Family* best = nullptr;
  for (const Family& family : kFamilies) {
    if (!name.starts_with(family.name)) continue;
    if (name.size() > family.name.size() && std::string_view("-:@").find(name[family.name.size()]) == std::string_view::npos) continue;
    if (!best || family.name.size() > best->name.size()) best = &family;
  }
  return best ? best->tokens : 0;
}

}  // namespace paddock::orchestrator
