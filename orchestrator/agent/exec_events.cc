#include "orchestrator/agent/exec_events.h"

namespace paddock::orchestrator {
namespace {

// A reader is to bear fields that it doesn't know: those of a later paddock.
void Open(Json* schema) {
  if (auto closed = schema->find("additionalProperties"); closed != schema->end() && *closed == false) schema->erase(closed);
  if (schema->is_structured())
    for (Json& part : *schema) Open(&part);
}

template <class Event>
void AddEvent(Json* one_of, Json* defs) {
  Json body = SchemaOf<Event>();
  Open(&body["properties"]);
  Json properties{{"type", {{"const", Event::kType}}}, {"at_ms", {{"description", "milliseconds since the run began"}, {"type", "integer"}, {"minimum", 0}}}};
  for (auto it = body["properties"].begin(); it != body["properties"].end(); ++it) properties[it.key()] = it.value();
  if (properties.contains("schema")) properties["schema"]["const"] = kExecEventsSchema;
  Json required = Json::array({"type", "at_ms"});
  for (const auto& name : body["required"]) required.push_back(name);
  (*defs)[Event::kType] = Json{{"description", Event::kDoc}, {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  one_of->push_back(Json{{"$ref", std::string("#/$defs/") + Event::kType}});
}

template <class... Events>
void AddEvents(const std::variant<Events...>*, Json* one_of, Json* defs) {
  (AddEvent<Events>(one_of, defs), ...);
}

}  // namespace

Json EventJson(const ExecEvent& event, int64_t at_ms) {
  return std::visit(
      [&]<class Event>(const Event& one) {
        Json out{{"type", Event::kType}, {"at_ms", at_ms}};
        const Json fields = ToJson(one);
        for (auto it = fields.begin(); it != fields.end(); ++it) out[it.key()] = it.value();
        return out;
      },
      event);
}

std::string PublishedExecEventsSchema() {
  Json one_of = Json::array(), defs = Json::object();
  AddEvents(static_cast<const ExecEvent*>(nullptr), &one_of, &defs);
  Json known = Json::array();
  for (auto it = defs.begin(); it != defs.end(); ++it) known.push_back(it.key());
  one_of.push_back(Json{{"description", "a type of a later version: leave it out"},
                        {"type", "object"},
                        {"properties", {{"type", {{"type", "string"}, {"not", {{"enum", std::move(known)}}}}}}},
                        {"required", {"type"}}});
  const Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "paddock exec events"},
                 {"description", "What `paddock exec --json` prints: one event a line, the first of type run_started, the last of type result. maxLength counts bytes of UTF-8. "
                                  "Types and fields that are not named here may come."},
                 {"oneOf", std::move(one_of)},
                 {"$defs", std::move(defs)}};
  return PrettyJson(out) + "\n";
}

}  // namespace paddock::orchestrator
