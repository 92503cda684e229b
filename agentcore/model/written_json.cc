#include "agentcore/model/written_json.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr JsonLimits kLimits{.max_bytes = 256u << 10, .max_depth = 32, .max_values = 20'000};
constexpr std::string_view kNameKeys[] = {"name", "tool", "function", "tool_name", "function_name", "action"};
constexpr std::string_view kArgumentKeys[] = {"arguments", "parameters", "input", "args", "tool_input", "action_input"};
constexpr std::string_view kOtherKeys[] = {"id", "type", "call_id", "tool_call_id", "index"};
constexpr std::string_view kListKeys[] = {"tool_calls", "calls", "function_calls"};

bool IsOneOf(std::string_view key, std::span<const std::string_view> keys) { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

// What describes a tool, and calls none.
bool IsSchema(const Json& value) {
  return value.is_object() && value.contains("properties") && value["properties"].is_object() && (!value.contains("type") || value["type"] == "object");
}

// Nothing when it has no shape of a call.
std::optional<WrittenCall> CallOf(const Json& object, JsonPlace place) {
  const auto refuse = [&](std::string why) -> std::optional<WrittenCall> {
    if (place == JsonPlace::kBare) return std::nullopt;
    return WrittenCall{"", Json::object(), std::move(why)};
  };
  if (!object.is_object()) return refuse("a call is a JSON object with \"name\" and \"arguments\"");
  const Json *name = nullptr, *arguments = nullptr;
  for (auto it = object.begin(); it != object.end(); ++it) {
    const bool names = IsOneOf(it.key(), kNameKeys), gives = IsOneOf(it.key(), kArgumentKeys);
    if ((names && name) || (gives && arguments)) return refuse("it names the tool or its arguments twice");
    if (names) name = &*it;
    else if (gives) arguments = &*it;
    else if (!IsOneOf(it.key(), kOtherKeys)) return refuse("beside \"name\" and \"arguments\" there is \"" + std::string(TruncateUtf8(it.key(), 64)) + "\"");
  }
  if (name && name->is_object() && !arguments && object.contains("function") && !name->contains("function")) return CallOf(*name, place);
  if (!name || !name->is_string() || name->get_ref<const std::string&>().empty()) return refuse("it names no tool");
  if (place == JsonPlace::kBare) {
    if (!arguments || IsSchema(*arguments)) return std::nullopt;
    if (!arguments->is_object() && !arguments->is_string()) return std::nullopt;
  }
  WrittenCall call;
  call.name = name->get<std::string>();
  TakeArguments(arguments ? *arguments : Json(), &call);
  call.words = DumpJson(object);
  return call;
}

}  // namespace

Result<Json> ParseWritten(std::string_view text) { return ParseJson(text, kLimits); }

void TakeArguments(const Json& written, WrittenCall* call) {
  if (written.is_object()) {
    call->arguments = written;
    return;
  }
  if (written.is_null()) return;
  if (written.is_string()) {
    const std::string& text = written.get_ref<const std::string&>();
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return;
    auto json = ParseWritten(text);
    if (json && json->is_object()) {
      call->arguments = *std::move(json);
      return;
    }
    if (!json) {
      call->fault = "its arguments are no JSON (" + json.error().message + ")";
      return;
    }
  }
  call->fault = "its arguments are no JSON object";
}

std::optional<std::vector<WrittenCall>> CallsOfJson(const Json& value, JsonPlace place) {
  std::vector<WrittenCall> calls;
  const Json* list = value.is_array() ? &value : nullptr;
  if (value.is_object() && value.size() == 1 && IsOneOf(value.begin().key(), kListKeys) && value.begin()->is_array()) list = &*value.begin();
  if (!list) {
    auto call = CallOf(value, place);
    if (!call) return std::nullopt;
    calls.push_back(*std::move(call));
    return calls;
  }
  for (const Json& one : *list) {
    auto call = CallOf(one, place);
    if (!call) return std::nullopt;
    calls.push_back(*std::move(call));
  }
  if (calls.empty() && place == JsonPlace::kBare) return std::nullopt;
  return calls;
}

}  // namespace paddock::agentcore
