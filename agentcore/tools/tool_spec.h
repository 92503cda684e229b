// A tool's spec and its arguments from one field table: what a model is told and what is accepted can't differ.
//
// Every description has the same four parts, each at the start of a line: "Use:", "Parameters:" (made from the
// table: type, bounds, default, meaning), "Not for:", "Example:".
#pragma once

#include <string>

#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"
#include "base/fields.h"

namespace paddock::agentcore {

// `defaults` is the arguments' struct as it stands when nothing is given, as JSON.
ToolSpec MakeToolSpec(std::string name, std::string use, std::string not_for, const Json& example, Json schema, const Json& defaults);
ToolError BadArguments(const ToolSpec& spec, const Error& error);

template <class Arguments>
ToolSpec ToolSpecOf(std::string name, std::string use, std::string not_for, const Json& example) {
  return MakeToolSpec(std::move(name), std::move(use), std::move(not_for), example, SchemaOf<Arguments>(), ToJson(Arguments{}));
}

// kInvalidArguments names the field; an unknown one is answered with the nearest.
template <class Arguments>
ToolOutcome<Arguments> ReadArguments(const ToolSpec& spec, const Json& arguments) {
  auto parsed = FromJson<Arguments>(arguments);
  if (!parsed) return std::unexpected(BadArguments(spec, parsed.error()));
  return *std::move(parsed);
}

}  // namespace paddock::agentcore
