#include "subagents/foreign_definition.h"

#include <utility>

namespace paddock::subagents {

DefinitionFormat FormatOfPath(std::string_view path) {
  const std::string whole = "/" + std::string(path);
  const std::pair<const char*, DefinitionFormat> folders[] = {{"/.claude/", DefinitionFormat::kClaude},     {"/.gemini/", DefinitionFormat::kGemini}, {"/.opencode/", DefinitionFormat::kOpencode},
                                                              {"/opencode/", DefinitionFormat::kOpencode}, {"/.codex/", DefinitionFormat::kCodex},   {"/paddock/subagents/", DefinitionFormat::kPaddock}};
  for (const auto& [folder, format] : folders)
    if (whole.find(folder) != whole.npos) return format;
  return path.ends_with(".toml") ? DefinitionFormat::kCodex : DefinitionFormat::kAny;
}

}  // namespace paddock::subagents
