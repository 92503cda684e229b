// The tools of this build and the one way to call them.
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/symbol_tools.h"
#include "agentcore/tools/tool.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::agentcore {

void ToolRegistry::Add(std::unique_ptr<Tool> tool) { tools_.push_back(std::move(tool)); }

const Tool* ToolRegistry::Find(std::string_view name) const {
  for (const auto& tool : tools_)
    if (tool->spec().name == name) return tool.get();
  return nullptr;
}

std::vector<std::string> ToolRegistry::Names() const {
  std::vector<std::string> names;
  for (const auto& tool : tools_) names.push_back(tool->spec().name);
  return names;
}

ToolRegistry ReadOnlyTools() {
  ToolRegistry registry;
  registry.Add(MakeListFiles());
  registry.Add(MakeReadFile());
  registry.Add(MakeSearchText());
  registry.Add(MakeGitLog());
  registry.Add(MakeGitDiff());
  registry.Add(MakeGitShow());
  registry.Add(MakeGitBlame());
  registry.Add(MakeOutline());
  registry.Add(MakeFindSymbol());
  return registry;
}

namespace {

// The tool of that name, where the arguments are an object at least.
ToolOutcome<const Tool*> ToolFor(const ToolRegistry& registry, std::string_view name, const Json& arguments) {
  const Tool* tool = registry.Find(name);
  if (tool == nullptr) {
    std::string known;
    for (const auto& one : registry.Names()) known += (known.empty() ? "" : ", ") + one;
    std::string nearest = NearestHint(name, registry.Names());
    return std::unexpected(ToolError{ToolStatus::kInvalidArguments,
                                     "there is no tool \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"; the tools are: " + known,
                                     nearest.empty() ? "use one of the tools named" : nearest, {"call one of: " + known}});
  }
  if (!arguments.is_object())
    return std::unexpected(ToolError{ToolStatus::kInvalidArguments, "$: expected an object with the arguments of " + tool->spec().name,
                                     "give the arguments as a JSON object",
                                     {"call it like this: " + tool->spec().description.substr(tool->spec().description.rfind("\nExample: ") + 10)}});
  return tool;
}

}  // namespace

ToolOutcome<void> CheckCall(const ToolRegistry& registry, std::string_view name, const Json& arguments) {
  auto tool = ToolFor(registry, name, arguments);
  if (!tool) return std::unexpected(std::move(tool).error());
  return (*tool)->Check(arguments);
}

ToolResult RunTool(const ToolRegistry& registry, std::string_view name, const Json& arguments, const ToolContext& context) {
  auto found = ToolFor(registry, name, arguments);
  if (!found) return ResultOf(std::move(found).error());
  const Tool* tool = *found;
  try {
    return tool->Run(arguments, context);
  } catch (const std::exception& e) {  // out of memory, or a bug: a result all the same
    return ToolFailure(ToolStatus::kFailed, tool->spec().name + " broke off: " + e.what(), "ask for less at once: a smaller folder, fewer lines",
                       {"repeat the call with a narrower path or a smaller limit"});
  }
}

}  // namespace paddock::agentcore
