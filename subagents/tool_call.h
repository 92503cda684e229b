// What `paddock tool call --json` and `paddock tool list --json` print. Published as JSON Schema in
// subagents/schema/, made from these tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agentcore/tools/tool_result.h"
#include "subagents/ticket.h"

namespace paddock::subagents {

inline constexpr char kToolCallSchema[] = "paddock/tool-call/1";
inline constexpr char kToolListSchema[] = "paddock/tools/1";

// One call of one tool, in a jail of its own.
struct ToolCallReport {
  std::string schema = kToolCallSchema;
  std::string tool;
  Json arguments = Json::object();
  TicketStatus status = TicketStatus::kFailedToStart;
  std::optional<agentcore::ToolResult> result;  // cleaned and bounded; null when the cell never answered
  Ending ending;
  Usage usage;
  Json receipt = nullptr;
  std::vector<std::string> notes;
};
inline auto Fields(FieldsOf<ToolCallReport>) {
  return std::make_tuple(
      Required("schema", &ToolCallReport::schema, "paddock/tool-call/1"),
      Required("tool", &ToolCallReport::tool, "name of the tool"),
      Required("arguments", &ToolCallReport::arguments, "as they went to the tool, an object"),
      Required("status", &ToolCallReport::status, "how the run ended, set by the parent: completed also where the tool itself failed, see result"),
      Required("result", &ToolCallReport::result, "what the tool gave, cleaned and bounded; null when the cell never answered"),
      Required("ending", &ToolCallReport::ending, "how the cell ended"),
      Required("usage", &ToolCallReport::usage, "what was used"),
      Required("receipt", &ToolCallReport::receipt, "what was in force, as read by the parent; null when it was not reached"),
      Required("notes", &ToolCallReport::notes, "what a reader should know"));
}

struct ToolDescription {
  std::string name;
  std::string description;
  Json parameters = Json::object();
};
inline auto Fields(FieldsOf<ToolDescription>) {
  return std::make_tuple(Required("name", &ToolDescription::name, "name of the tool"),
                         Required("description", &ToolDescription::description, "what a model is told: use, parameters, what it is not for, an example"),
                         Required("parameters", &ToolDescription::parameters, "JSON Schema of the arguments"));
}

struct ToolList {
  std::string schema = kToolListSchema;
  std::vector<ToolDescription> tools;
};
inline auto Fields(FieldsOf<ToolList>) {
  return std::make_tuple(Required("schema", &ToolList::schema, "paddock/tools/1"),
                         Required("tools", &ToolList::tools, "the tools of this build"));
}

}  // namespace paddock::subagents
