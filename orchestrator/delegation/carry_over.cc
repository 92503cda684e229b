#include "orchestrator/delegation/carry_over.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/delegation/tool_needs.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

using subagents::DefinitionFault;
using subagents::Loss;
using subagents::LossKind;

constexpr size_t kMaxName = 64;

std::string Seen(const std::string& text, size_t most) { return VisibleText(TruncateUtf8(text, most), Newlines::kEscape); }

bool IsName(const std::string& name) {
  return !name.empty() && name.size() <= kMaxName && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos;
}

bool IsPlain(const std::string& text) { return IsValidUtf8(text) && VisibleText(text, Newlines::kKeep) == text; }

int64_t Allowed(int64_t asked, int64_t usual, const char* what, bool own, std::vector<Loss>* losses) {
  if (asked <= 0) return usual;
  if (own || asked <= usual) return asked;
  losses->push_back({LossKind::kSetting, std::to_string(asked) + " " + what, "a repository's own gets at most " + std::to_string(usual), 0});
  return usual;
}

}  // namespace

std::string FileHash(const subagents::ForeignDefinition& file) {
  const bool unread = file.text.empty() && !file.faults.empty() && file.faults.front().line == 0;
  return unread ? std::string() : Sha256Hex(BytesFromWire(file.text));
}

std::string DigestOf(const std::vector<subagents::ForeignDefinition>& files) {
  std::vector<std::string> lines;
  for (const subagents::ForeignDefinition& file : files) lines.push_back(FileHash(file) + " " + file.path + "\n");
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return Sha256Hex(all);
}

CarriedOver CarryOver(const subagents::ForeignDefinition& foreign, const CarryRules& rules) {
  CarriedOver out;
  out.format = foreign.format;
  out.path = Seen(foreign.path, 1000);
  out.sha256 = FileHash(foreign);
  out.bytes = BytesFromWire(foreign.text).size();
  for (const DefinitionFault& fault : foreign.faults) out.faults.push_back({fault.line, Seen(fault.message, 500)});
  for (const Loss& loss : foreign.losses) out.losses.push_back({loss.kind, Seen(loss.what, 100), Seen(loss.why, 200), loss.line});
  const bool paddock = foreign.format == subagents::DefinitionFormat::kPaddock;
  subagents::Definition& definition = out.definition;
  const auto fault = [&](const std::string& what) { out.faults.push_back({0, what}); };
  if (IsName(foreign.name)) definition.name = foreign.name;
  else if (out.faults.empty()) fault("its name is none: expected 1 to 64 characters of a-z, 0-9 and -");
  if (IsPlain(foreign.purpose) && foreign.purpose.find('\n') == foreign.purpose.npos) definition.purpose = foreign.purpose;
  else fault("its description holds what can't be seen");
  if (definition.purpose.empty() && out.faults.empty()) fault("it has no description");
  if (!IsPlain(foreign.prompt)) fault("its prompt holds what can't be seen");
  else if (foreign.prompt.empty() && out.faults.empty()) fault("it has no prompt");
  else definition.prompt = foreign.prompt;
  out.own_prompt = definition.prompt.size();
  if (!paddock) definition.prompt += "\n" + std::string(subagents::SharedRules());
  definition.profile = "read-only";
  for (const std::string& tool : foreign.tools) {
    if (std::find(definition.tools.begin(), definition.tools.end(), tool) != definition.tools.end()) continue;
    if (std::find(rules.tools.begin(), rules.tools.end(), tool) != rules.tools.end()) {
      definition.tools.push_back(tool);
      if (const std::string needed = ProfileForTool(tool); needed != "read-only") definition.profile = needed;
    } else if (paddock) {
      fault("there is no tool named \"" + Seen(tool, 64) + "\"");
    } else if (out.losses.size() < subagents::kMaxLosses) {
      out.losses.push_back({LossKind::kMissing, Seen(tool, 64), "this build has no such tool", 0});
    }
  }
  if (definition.tools.empty() && out.faults.empty()) fault("none of the tools that it asks for is here");
  if (paddock && IsName(foreign.profile)) definition.profile = foreign.profile;
  definition.budget.turns = Allowed(foreign.turns, kForeignTurns, "turns", rules.own, &out.losses);
  definition.budget.seconds = Allowed(foreign.seconds, kForeignSeconds, "seconds", rules.own, &out.losses);
  return out;
}

}  // namespace paddock::orchestrator
