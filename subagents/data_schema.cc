#include "subagents/data_schema.h"

#include <algorithm>

#include "agentcore/model/schema_text.h"
#include "agentcore/pipeline/clean.h"
#include "subagents/report.h"

namespace paddock::subagents {
namespace {

int DepthOf(const Json& json, int most) {
  if (!json.is_structured() || most == 0) return 0;
  int depth = 0;
  for (const Json& one : json) depth = std::max(depth, DepthOf(one, most - 1));
  return depth + 1;
}

agentcore::CheckedArguments Check(const Json& schema, const Json& data) {
  Json wanted{{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  AddDataSchema(schema, &wanted);
  agentcore::CheckedArguments checked = agentcore::CheckArguments(wanted, data.is_null() ? Json::object() : Json{{"data", data}});
  checked.arguments = checked.status ? Json(checked.arguments["data"]) : Json(nullptr);
  return checked;
}

}  // namespace

Status CheckDataSchema(const Json& schema, const std::string& at) {
  const auto failed = [&](ErrorKind kind, const std::string& what) { return Fail(kind, at + what, "the README says which part of JSON Schema is taken (A caller's schema)"); };
  if (!schema.is_object()) return failed(ErrorKind::kInvalid, ": expected a JSON Schema, an object, got " + agentcore::ShownValue(schema));
  if (const size_t bytes = DumpJson(schema).size(); bytes > kMaxDataSchemaBytes)
    return failed(ErrorKind::kLimit, ": the schema has " + std::to_string(bytes) + " bytes as JSON; at most " + std::to_string(kMaxDataSchemaBytes) + " are taken");
  if (DepthOf(schema, kMaxDataSchemaDepth + 1) > kMaxDataSchemaDepth)
    return failed(ErrorKind::kLimit, ": the schema is nested deeper than " + std::to_string(kMaxDataSchemaDepth) + " levels");
  if (Status understood = agentcore::CheckSchema(schema); !understood) {
    const std::string& message = understood.error().message;
    return failed(understood.error().kind, message.starts_with('$') ? message.substr(1) : ": " + message);
  }
  if (const auto type = schema.find("type"); type == schema.end() || *type != "object")
    return failed(ErrorKind::kInvalid, ".type: expected \"object\", since data is one, got " + (type == schema.end() ? std::string("nothing") : agentcore::ShownValue(*type)));
  return {};
}

agentcore::CheckedArguments FitData(const Json& schema, const Json& data, const agentcore::Redactor& redactor) {
  agentcore::CheckedArguments checked = Check(schema, data);
  if (!checked.status) return checked;
  const Json cleaned = agentcore::CleanJson(checked.arguments, kMaxDataBytes, redactor, nullptr);
  if (cleaned == checked.arguments) return checked;
  std::vector<std::string> repairs = std::move(checked.repairs);
  checked = Check(schema, cleaned);
  checked.repairs.insert(checked.repairs.begin(), repairs.begin(), repairs.end());
  if (!checked.status) checked.status = Fail(checked.status.error().kind, "made fit for the ticket (nothing invisible, no secrets, at most 256 KiB and 8 levels) it does not fit: " + checked.status.error().message,
                                             checked.status.error().hint);
  return checked;
}

void AddDataSchema(const Json& schema, Json* object) {
  Json data = schema;
  // They are looked for at the top of the whole.
  if (const auto definitions = data.find("$defs"); definitions != data.end()) {
    (*object)["$defs"] = std::move(*definitions);
    data.erase("$defs");
  }
  (*object)["properties"]["data"] = std::move(data);
  (*object)["required"].push_back("data");
}

}  // namespace paddock::subagents
