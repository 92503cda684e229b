#include "base/fields.h"

#include "base/nearest.h"
#include "base/text.h"

namespace paddock::fields_detail {
namespace {

std::string Shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  std::string text = VisibleText(DumpJson(value), Newlines::kEscape);
  if (text.size() > 60) text = std::string(TruncateUtf8(text, 57)) + "...";
  return text;
}

std::string Number(double value) {
  std::string text = Json(value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<int64_t>(value)) : Json(value)).dump();
  return text;
}

}  // namespace

std::unexpected<Error> Mismatch(const std::string& path, const std::string& expected, const Json& got) {
  return Fail(ErrorKind::kInvalid, path + ": expected " + expected + ", got " + Shown(got));
}

Status CheckNumber(double value, const FieldRule& rule, const std::string& path, const Json& got) {
  if ((rule.min && value < *rule.min) || (rule.max && value > *rule.max)) {
    std::string expected = "a number";
    if (rule.min) expected += " >= " + Number(*rule.min);
    if (rule.min && rule.max) expected += " and";
    if (rule.max) expected += " <= " + Number(*rule.max);
    return Mismatch(path, expected, got);
  }
  return {};
}

Status CheckText(const std::string& value, const FieldRule& rule, const std::string& path, const Json& got) {
  if (rule.non_empty && value.empty()) return Mismatch(path, "a string that is not empty", got);
  if (rule.max_length && value.size() > *rule.max_length)
    return Mismatch(path, "at most " + std::to_string(*rule.max_length) + " bytes of text", got);
  if (rule.identifier) {
    bool good = !value.empty() && value.size() <= 64;
    for (char c : value) good = good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
    if (!good) return Mismatch(path, "1 to 64 characters of a-z, 0-9 and -", got);
  }
  return {};
}

Status CheckCount(size_t count, const FieldRule& rule, const std::string& path, const Json& got) {
  if (rule.non_empty && count == 0) return Mismatch(path, "a list that is not empty", got);
  if (rule.max_length && count > *rule.max_length)
    return Mismatch(path, "at most " + std::to_string(*rule.max_length) + " items", got);
  return {};
}

std::string JoinNames(const std::vector<const char*>& names) {
  std::string joined;
  for (const char* name : names) joined += (joined.empty() ? "" : ", ") + std::string(name);
  return joined;
}

std::unexpected<Error> UnknownKey(const std::string& path, const std::string& key, const std::vector<const char*>& known) {
  std::vector<std::string> names(known.begin(), known.end());
  std::string shown = VisibleText(TruncateUtf8(key, 64), Newlines::kEscape);
  std::string hint = NearestHint(key, names);
  return Fail(ErrorKind::kInvalid, path + ": unknown key \"" + shown + "\"; expected one of " + JoinNames(known), hint);
}

void ApplyRule(const FieldRule& rule, Json* schema) {
  Json& out = *schema;
  const bool list = out.contains("items");
  const bool text = out.contains("type") && out["type"] == "string";
  auto number = [](double v) { return v == std::floor(v) ? Json(static_cast<int64_t>(v)) : Json(v); };
  if (rule.min) out["minimum"] = number(*rule.min);
  if (rule.max) out["maximum"] = number(*rule.max);
  if (rule.max_length && text) out["maxLength"] = *rule.max_length;
  if (rule.max_length && list) out["maxItems"] = *rule.max_length;
  if (rule.non_empty && text) out["minLength"] = 1;
  if (rule.non_empty && list) out["minItems"] = 1;
  if (rule.identifier) out["pattern"] = "^[a-z0-9-]{1,64}$";
}

}  // namespace paddock::fields_detail
