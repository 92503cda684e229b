#include "agentcore/tools/tool_lint.h"

#include <optional>

#include "agentcore/model/arguments.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kLeastWords = 20, kMostDescription = 4'000;  // bytes

// What stands behind a heading at the start of a line, up to the next heading.
std::optional<std::string> Part(const std::string& description, const std::string& heading) {
  const std::string text = "\n" + description;
  size_t at = text.find("\n" + heading);
  if (at == std::string::npos) return std::nullopt;
  at += 1 + heading.size();
  size_t end = text.size();
  for (const char* next : {"\nUse:", "\nParameters:", "\nNot for:", "\nExample:"})
    if (size_t found = text.find(next, at); found != std::string::npos) end = std::min(end, found);
  return text.substr(at, end - at);
}

bool HasBounds(const Json& field) {
  for (const char* key : {"minimum", "maximum", "maxLength", "enum", "maxItems", "pattern", "const"})
    if (field.contains(key)) return true;
  const Json type = field.value("type", Json());
  return type == "boolean" || type == "object" || !type.is_string();
}

}  // namespace

std::vector<std::string> LintTool(const ToolSpec& tool) {
  std::vector<std::string> faults;
  const auto fault = [&](const std::string& text) { faults.push_back(tool.name + ": " + text); };
  if (tool.name.empty() || tool.name.size() > 64 || tool.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
    fault("a name has 1 to 64 of a-z, 0-9, _ and -");
  if (tool.description.size() > kMostDescription) fault("the description has " + std::to_string(tool.description.size()) + " bytes, more than " + std::to_string(kMostDescription));
  for (const char* heading : {"Use:", "Not for:"}) {
    auto part = Part(tool.description, heading);
    if (!part || part->size() < kLeastWords) fault(std::string("\"") + heading + "\" is missing, or says too little");
  }
  if (auto checked = CheckSchema(tool.parameters); !checked) fault("the schema: " + checked.error().message);
  const Json properties = tool.parameters.value("properties", Json::object());
  const auto parameters = Part(tool.description, "Parameters:");
  for (auto it = properties.begin(); it != properties.end(); ++it) {
    if (!parameters || parameters->find(it.key()) == std::string::npos) fault("\"Parameters:\" does not name " + it.key());
    if (it.value().value("description", "").size() < 4) fault("the schema does not say what " + it.key() + " is");
    if (!HasBounds(it.value())) fault("the schema has no bounds for " + it.key());
  }
  const auto example = Part(tool.description, "Example:");
  const size_t brace = example ? example->find('{') : std::string::npos;
  if (brace == std::string::npos) {
    fault("\"Example:\" is missing, or holds no arguments");
  } else if (auto arguments = ParseJson(std::string_view(*example).substr(brace)); !arguments) {
    fault("the example's arguments are no JSON: " + arguments.error().message);
  } else if (auto checked = CheckArguments(tool.parameters, *arguments); !checked.status) {
    fault("the example would be refused: " + checked.status.error().message);
  } else if (!checked.repairs.empty()) {
    fault("the example would be mended: " + checked.repairs.front());
  }
  return faults;
}

}  // namespace paddock::agentcore
