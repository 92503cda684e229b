#include "agentcore/tools/tool_spec.h"

#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

std::string Bounds(const Json& schema) {
  std::string text = schema.value("type", "any");
  if (schema.contains("minimum") || schema.contains("maximum")) {
    text += " ";
    if (schema.contains("minimum")) text += DumpJson(schema["minimum"]);
    text += "..";
    if (schema.contains("maximum")) text += DumpJson(schema["maximum"]);
  }
  if (schema.contains("maxLength")) text += " of at most " + DumpJson(schema["maxLength"]) + " bytes";
  return text;
}

}  // namespace

ToolSpec MakeToolSpec(std::string name, std::string use, std::string not_for, const Json& example, Json schema, const Json& defaults) {
  ToolSpec spec;
  std::string parameters;
  for (auto it = schema["properties"].begin(); it != schema["properties"].end(); ++it) {
    bool required = false;
    for (const auto& one : schema.value("required", Json::array())) required = required || one == it.key();
    parameters += "\n- " + it.key() + " (" + Bounds(it.value()) + ", " +
                  (required ? std::string("required") : "default " + DumpJson(defaults[it.key()])) + "): " +
                  it.value()["description"].template get<std::string>();
  }
  spec.description = "Use: " + use + "\nParameters:" + parameters + "\nNot for: " + not_for + "\nExample: " + CallText(name, example);
  spec.name = std::move(name);
  spec.parameters = std::move(schema);
  return spec;
}

ToolError BadArguments(const ToolSpec& spec, const Error& error) {
  std::string example = spec.description.substr(spec.description.rfind("\nExample: ") + 10);
  return {ToolStatus::kInvalidArguments, std::string(TruncateUtf8(error.message, 2000)),
          error.hint.empty() ? "correct the field that is named and call again" : std::string(TruncateUtf8(error.hint, 1000)),
          {"call it like this: " + example}};
}

}  // namespace paddock::agentcore
