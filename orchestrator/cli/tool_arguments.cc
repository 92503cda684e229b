#include "orchestrator/cli/tool_arguments.h"

#include <charconv>

#include "base/nearest.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

std::string Shown(std::string_view text) { return VisibleText(TruncateUtf8(text, 100), Newlines::kEscape); }

std::string TypeOf(const Json& schema) {
  if (schema.contains("anyOf") && schema["anyOf"].is_array() && !schema["anyOf"].empty()) return TypeOf(schema["anyOf"][0]);
  return schema.contains("type") && schema["type"].is_string() ? schema["type"].get<std::string>() : "string";
}

template <class Number>
bool ReadNumber(const std::string& text, Number* number) {
  auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return fault == std::errc() && end == text.data() + text.size() && !text.empty();
}

Result<Json> ReadValue(const std::string& type, const std::string& key, const std::string& text) {
  const auto expected = [&](const char* what) {
    return Fail(ErrorKind::kInvalid, "--arg " + Shown(key) + ": expected " + what + ", got \"" + Shown(text) + "\"");
  };
  if (type == "boolean") {
    if (text == "true" || text == "false") return Json(text == "true");
    return expected("true or false");
  }
  if (type == "integer") {
    int64_t number = 0;
    return ReadNumber(text, &number) ? Result<Json>(number) : expected("a whole number");
  }
  if (type == "number") {
    double number = 0;
    return ReadNumber(text, &number) ? Result<Json>(number) : expected("a number");
  }
  if (type == "object") {
    auto value = ParseJson(text);
    if (!value) return Fail(ErrorKind::kInvalid, "--arg " + Shown(key) + ": " + value.error().message, "expected a JSON object");
    return value;
  }
  if (!IsValidUtf8(text))
    return Fail(ErrorKind::kInvalid, "--arg " + Shown(key) + ": not valid UTF-8", "write a path as list_files prints it: a byte that is no text is \\xNN");
  return Json(text);
}

}  // namespace

Result<Json> ArgumentsFromWords(const Json& schema, const std::vector<std::string>& words, const std::function<Result<std::string>()>& standard_input) {
  const Json& properties = schema.at("properties");
  std::vector<std::string> known;
  std::string list;
  for (auto it = properties.begin(); it != properties.end(); ++it) {
    known.push_back(it.key());
    list += (list.empty() ? "" : ", ") + it.key();
  }
  Json arguments = Json::object();
  bool input_taken = false;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos || key.empty())
      return Fail(ErrorKind::kInvalid, "--arg " + Shown(word) + ": expected key=value", "the keys of this tool are: " + list);
    if (!properties.contains(key)) {
      const std::string hint = NearestHint(key, known);
      return Fail(ErrorKind::kInvalid, "--arg " + Shown(key) + ": unknown key; known: " + list, hint);
    }
    std::string value = word.substr(equals + 1);
    if (value == "-") {
      if (input_taken) return Fail(ErrorKind::kInvalid, "--arg " + key + "=-: standard input was taken already", "only one value can come from it");
      input_taken = true;
      value = TRY(standard_input());
      if (value.ends_with('\n')) value.pop_back();  // a shell or an editor put it there
    }
    const Json& property = properties.at(key);
    if (TypeOf(property) == "array") {
      if (!arguments.contains(key)) arguments[key] = Json::array();
      arguments[key].push_back(TRY(ReadValue(TypeOf(property.value("items", Json::object())), key, value)));
      continue;
    }
    if (arguments.contains(key)) return Fail(ErrorKind::kInvalid, "--arg " + key + ": given twice", "it takes one value");
    arguments[key] = TRY(ReadValue(TypeOf(property), key, value));
  }
  return arguments;
}

Result<Json> ArgumentsFromJson(const std::string& text) {
  auto value = ParseJson(text, {.max_bytes = 1u << 20});
  if (!value) return Fail(ErrorKind::kInvalid, "the arguments are no JSON: " + value.error().message, "for example '{\"path\": \"README.md\"}', or --arg path=README.md");
  if (!value->is_object()) return Fail(ErrorKind::kInvalid, "the arguments: expected a JSON object, got " + Shown(DumpJson(*value)), "for example '{\"path\": \"README.md\"}'");
  return value;
}

}  // namespace paddock::orchestrator
