#include "agentcore/model/schema_text.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr double kMaxWhole = 9007199254740992.0;  // 2^53
constexpr size_t kMaxChoices = 20;
constexpr JsonLimits kInString{.max_bytes = 256u << 10, .max_depth = 32, .max_values = 20'000};

std::string TypeText(const std::string& type) {
  if (type == "integer") return "a whole number";
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list";
  if (type == "object") return "an object";
  return type == "null" ? "null" : "a " + type;
}

std::string Shortened(std::string text, size_t most) { return text.size() > most ? std::string(TruncateUtf8(text, most - 3)) + "..." : text; }

void AppendSame(const Json& value, std::string* out) {
  if (value.is_object()) {
    std::vector<std::string> keys;
    for (auto one = value.begin(); one != value.end(); ++one) keys.push_back(one.key());
    std::sort(keys.begin(), keys.end());
    *out += '{';
    for (const std::string& key : keys) {
      *out += DumpJson(key) + ":";
      AppendSame(value[key], out);
      *out += ',';
    }
    *out += '}';
  } else if (value.is_array()) {
    *out += '[';
    for (const Json& one : value) {
      AppendSame(one, out);
      *out += ',';
    }
    *out += ']';
  } else {
    *out += value.is_number_float() && IsOfType(value, "integer") ? std::to_string(static_cast<int64_t>(value.get<double>())) : DumpJson(value);
  }
}

}  // namespace

std::vector<std::string> TypesOf(const Json& schema) {
  if (!schema.is_object() || !schema.contains("type")) return {};
  const Json& type = schema["type"];
  if (type.is_string()) return {type.get<std::string>()};
  return NamesIn(schema, "type");
}

bool IsOfType(const Json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") {
    if (value.is_number_integer()) return true;
    if (!value.is_number_float()) return false;
    const double number = value.get<double>();
    return number == std::floor(number) && std::abs(number) <= kMaxWhole;
  }
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

std::optional<Json> ReadAs(const std::string& type, const std::string& text) {
  if (type == "string" || type == "null" || text.empty() || std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos) return std::nullopt;
  auto json = ParseJson(text, kInString);
  if (!json || !IsOfType(*json, type)) return std::nullopt;
  if (type == "integer" && json->is_number_float()) *json = static_cast<int64_t>(json->get<double>());
  return *std::move(json);
}

bool TypeFits(const Json& schema, const Json& value) {
  const std::vector<std::string> types = TypesOf(schema);
  return std::any_of(types.begin(), types.end(), [&](const std::string& type) { return IsOfType(value, type); });
}

std::optional<double> NumberIn(const Json& schema, const char* key) {
  const auto found = schema.is_object() ? schema.find(key) : schema.end();
  if (!schema.is_object() || found == schema.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<size_t> CountIn(const Json& schema, const char* key) {
  const std::optional<double> number = NumberIn(schema, key);
  if (!number || *number < 0 || *number > kMaxWhole || *number != std::floor(*number)) return std::nullopt;
  return static_cast<size_t>(*number);
}

std::vector<std::string> NamesIn(const Json& schema, const char* key, size_t most) {
  std::vector<std::string> names;
  const auto found = schema.find(key);
  if (found == schema.end() || !found->is_array()) return names;
  for (const Json& one : *found)
    if (one.is_string() && names.size() < most) names.push_back(one.get<std::string>());
  return names;
}

const Json& PropertiesOf(const Json& schema) {
  static const Json none = Json::object();
  const auto found = schema.find("properties");
  return found != schema.end() && found->is_object() ? *found : none;
}

bool InBounds(const Json& schema, const Json& number) {
  // By the library's own comparison, which is exact between whole numbers.
  const auto bound = [&](const char* key) {
    const auto found = schema.find(key);
    return found != schema.end() && found->is_number() ? &*found : nullptr;
  };
  if (const Json* least = bound("minimum"); least && number < *least) return false;
  if (const Json* most = bound("maximum"); most && number > *most) return false;
  if (const Json* over = bound("exclusiveMinimum"); over && !(number > *over)) return false;
  if (const Json* under = bound("exclusiveMaximum"); under && !(number < *under)) return false;
  return true;
}

bool IsMultiple(const Json& schema, const Json& number) {
  const std::optional<double> step = NumberIn(schema, "multipleOf");
  if (!step || *step <= 0) return true;
  if (number.is_number_integer() && schema["multipleOf"].is_number_integer()) {
    const int64_t by = schema["multipleOf"].get<int64_t>();
    return by <= 0 || (number.is_number_unsigned() ? number.get<uint64_t>() % static_cast<uint64_t>(by) == 0 : number.get<int64_t>() % by == 0);
  }
  const double value = number.get<double>(), times = value / *step;
  return std::fmod(value, *step) == 0 || std::abs(times - std::round(times)) < 1e-9 * std::max(1.0, std::abs(times));
}

const Json* Target(const Json& root, const Json& schema) {
  const auto ref = schema.find("$ref");
  if (ref == schema.end() || !ref->is_string() || !root.is_object() || !root.contains("$defs") || !root["$defs"].is_object()) return nullptr;
  const std::string& text = ref->get_ref<const std::string&>();
  constexpr std::string_view kBegin = "#/$defs/";
  if (!text.starts_with(kBegin)) return nullptr;
  std::string name;
  for (size_t i = kBegin.size(); i < text.size(); ++i) {
    if (text[i] == '/') return nullptr;
    const bool escaped = text[i] == '~' && i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1');
    name += escaped ? (text[++i] == '0' ? '~' : '/') : text[i];
  }
  const Json& known = root["$defs"];
  const auto found = known.find(name);
  return found == known.end() ? nullptr : &*found;
}

std::string SameText(const Json& value) {
  std::string out;
  AppendSame(value, &out);
  return out;
}

size_t Weight(const Json& value) {
  if (value.is_string()) return 1 + value.get_ref<const std::string&>().size() / 64;
  size_t weight = 1;
  if (value.is_structured())
    for (const Json& one : value) weight += Weight(one);
  return weight;
}

std::string Expected(const Json& schema) {
  if (!schema.is_object()) return "a value";
  if (schema.contains("const")) return ShownValue(schema["const"]);
  if (schema.contains("enum") && schema["enum"].is_array()) return ChoicesText(schema["enum"]);
  std::string text;
  for (const std::string& type : TypesOf(schema)) text += (text.empty() ? "" : " or ") + ShownText(TypeText(type));
  if (text.empty()) text = schema.contains("anyOf") && schema["anyOf"].is_array() ? FormsText(schema["anyOf"]) : "a value";
  std::string bounds;
  for (auto [key, sign] : {std::pair{"minimum", " >= "}, {"exclusiveMinimum", " > "}, {"maximum", " <= "}, {"exclusiveMaximum", " < "}})
    if (auto number = NumberIn(schema, key)) bounds += (bounds.empty() ? "" : " and") + std::string(sign) + NumberText(*number);
  return text + bounds;
}

std::string FormsText(const Json& list) {
  std::string text;
  for (size_t i = 0; i < list.size() && i < kMaxChoices; ++i) {
    const Json& one = list[i];
    std::string form = one.is_object() && !one.contains("anyOf") ? Expected(one) : "a value";
    text += (text.empty() ? "" : ", or ") + form;
  }
  return Shortened(text, 400);
}

std::string ChoicesText(const Json& choices) {
  std::string text = "one of ";
  for (size_t i = 0; i < choices.size() && i < kMaxChoices; ++i) text += (i ? ", " : "") + ShownValue(choices[i]);
  return Shortened(text + (choices.size() > kMaxChoices ? ", ..." : ""), 400);
}

std::string KeysText(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + ShownKey(name);
  return Shortened(text, 600);
}

std::string MendText(const Json& value) {
  if (value.is_object()) return "the object in it";
  if (value.is_array()) return "the list in it";
  return (value.is_number() ? "the number " : "") + value.dump();
}

std::string RangeText(std::optional<size_t> least, std::optional<size_t> most) {
  if (!most) return "at least " + std::to_string(least.value_or(0));
  if (!least) return "at most " + std::to_string(*most);
  return std::to_string(*least) + " to " + std::to_string(*most);
}

std::string NumberText(double number) { return number == std::floor(number) && std::abs(number) < 1e15 ? std::to_string(static_cast<int64_t>(number)) : Json(number).dump(); }

std::string ShownText(const std::string& text) { return Shortened(VisibleText(TruncateUtf8(text, 240), Newlines::kEscape), 60); }
std::string ShownKey(const std::string& key) { return ShownText(key); }
std::string ShownValue(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_string() && value.get_ref<const std::string&>().size() > 240) return ShownText(DumpJson(std::string(TruncateUtf8(value.get_ref<const std::string&>(), 200))));
  return ShownText(DumpJson(value));
}

}  // namespace paddock::agentcore
