#include "subagents/schemas.h"

#include "subagents/foreign_definition.h"
#include "subagents/frames.h"
#include "subagents/report.h"
#include "subagents/ticket.h"
#include "subagents/tool_call.h"

namespace paddock::subagents {
namespace {

Json Document(const char* title, const char* description, Json schema) {
  Json out = Json::object();
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["title"] = title;
  out["description"] = description;
  for (auto it = schema.begin(); it != schema.end(); ++it) out[it.key()] = it.value();
  return out;
}

// Tickets name their schema: the published one demands that name.
template <class Ticket>
Json TicketSchema(const char* name) {
  Json schema = SchemaOf<Ticket>();
  schema["properties"]["schema"]["const"] = name;
  return schema;
}

struct FrameSchemas {
  Json one_of = Json::array();
  Json defs = Json::object();

  template <class Frame>
  void Add(const char* type, const char* description) {
    Json body = SchemaOf<Frame>();
    Json properties = Json::object();
    properties["type"] = Json{{"const", type}};
    for (auto it = body["properties"].begin(); it != body["properties"].end(); ++it) properties[it.key()] = it.value();
    Json required = Json::array({"type"});
    if (body.contains("required"))
      for (const auto& name : body["required"]) required.push_back(name);
    defs[type] = Json{{"description", description},
                      {"type", "object"},
                      {"properties", std::move(properties)},
                      {"required", std::move(required)},
                      {"additionalProperties", false}};
    one_of.push_back(Json{{"$ref", std::string("#/$defs/") + type}});
  }
};

Json Frames() {
  FrameSchemas frames;
  frames.Add<ReadyFrame>("ready", "cell to parent, first: the denials that the cell witnessed");
  frames.Add<GoFrame>("go", "parent to cell: the receipt holds");
  frames.Add<TaskFrame>("task", "parent to cell, once: what this cell is");
  frames.Add<NextTurnFrame>("next_turn", "subagent to parent: results, and the wish for a turn");
  frames.Add<TurnFrame>("turn", "parent to subagent: the calls to run, or the end");
  frames.Add<WrapUpFrame>("wrap_up", "parent to subagent, at any time: run no more calls, ask for the report");
  frames.Add<EventFrame>("event", "subagent to parent, for people who watch; at most 64 KiB");
  frames.Add<ResultFrame>("result", "subagent to parent, last: the facts of the tools; at most 1 MiB");
  frames.Add<CallFrame>("call", "parent to workbench: a call to run, beside those that are open; at most 8 at a time");
  frames.Add<CallAnswer>("answer", "workbench to parent: what a call gave, in the order in which they end");
  frames.Add<CiteFrame>("cite", "parent to checker: which lines are to be read");
  frames.Add<RangeFrame>("range", "checker to parent: the raw lines, or why there are none");
  frames.Add<HiddenFrame>("hidden", "hide cell to parent, last: what the profile hides of the workspace");
  frames.Add<LookFrame>("look", "parent to definitions cell: where definitions of agents are looked for");
  frames.Add<ForeignDefinition>("definition", "definitions cell to parent: what one file says");
  frames.Add<LookedFrame>("looked", "definitions cell to parent: the end of an answer to look");
  frames.Add<ModelRequestFrame>("model_request", "parent to playbook: what a model would be shown");
  frames.Add<ModelTurnFrame>("model_turn", "playbook to parent: the answer");
  frames.Add<FaultFrame>("fault", "cell to parent: why the cell gives up");
  return Json{{"oneOf", std::move(frames.one_of)}, {"$defs", std::move(frames.defs)}};
}

}  // namespace

std::map<std::string, std::string> PublishedSchemas() {
  std::map<std::string, std::string> files;
  auto add = [&](const char* file, const Json& schema) { files[file] = PrettyJson(schema) + "\n"; };
  add("task-ticket.schema.json",
      Document("paddock task ticket", "What is delegated to a subagent. maxLength counts bytes of UTF-8.",
               TicketSchema<TaskTicket>(kTaskTicketSchema)));
  add("result-ticket.schema.json",
      Document("paddock result ticket",
               "What comes of a task ticket, exactly one for each. The parent sets the status and checks the evidence.",
               TicketSchema<ResultTicket>(kResultTicketSchema)));
  add("report.schema.json",
      Document("paddock report", "The arguments of a subagent's own report call. maxLength counts bytes of UTF-8.",
               SchemaOf<Report>()));
  add("tool-call.schema.json",
      Document("paddock tool call", "What `paddock tool call --json` prints: one call of one tool, in a jail of its own.",
               TicketSchema<ToolCallReport>(kToolCallSchema)));
  add("tool-list.schema.json",
      Document("paddock tool list", "What `paddock tool list --json` prints: the tools of this build.", TicketSchema<ToolList>(kToolListSchema)));
  add("frames.schema.json",
      Document("paddock frames",
               "What cell and parent say to each other, one JSON object a line, at most 8 MiB. Texts of files are "
               "wire text. maxLength counts bytes of UTF-8.",
               Frames()));
  return files;
}

}  // namespace paddock::subagents
