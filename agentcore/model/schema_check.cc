#include <algorithm>

#include "agentcore/model/arguments.h"
#include "agentcore/model/pattern.h"
#include "agentcore/model/schema_text.h"

namespace paddock::agentcore {
namespace {

constexpr int kMaxDepth = 40;
constexpr size_t kMaxSchemas = 5'000;
constexpr std::string_view kTypes[] = {"string", "number", "integer", "boolean", "array", "object", "null"};

enum class Holds { kWords, kType, kSchema, kSchemas, kNamedSchemas, kNames, kValues, kValue, kNumber, kStep, kCount, kFlag, kPattern, kRef };
struct Keyword {
  std::string_view name;
  Holds holds;
};
constexpr Keyword kKeywords[] = {
    {"type", Holds::kType}, {"properties", Holds::kNamedSchemas}, {"required", Holds::kNames}, {"additionalProperties", Holds::kSchema}, {"items", Holds::kSchema},
    {"prefixItems", Holds::kSchemas}, {"enum", Holds::kValues}, {"const", Holds::kValue}, {"minimum", Holds::kNumber}, {"maximum", Holds::kNumber}, {"exclusiveMinimum", Holds::kNumber},
    {"exclusiveMaximum", Holds::kNumber}, {"multipleOf", Holds::kStep}, {"minLength", Holds::kCount}, {"maxLength", Holds::kCount}, {"pattern", Holds::kPattern}, {"minItems", Holds::kCount},
    {"maxItems", Holds::kCount}, {"uniqueItems", Holds::kFlag}, {"anyOf", Holds::kSchemas}, {"oneOf", Holds::kSchemas}, {"allOf", Holds::kSchemas}, {"not", Holds::kSchema}, {"$ref", Holds::kRef},
    {"$defs", Holds::kNamedSchemas}, {"format", Holds::kWords}, {"title", Holds::kWords}, {"description", Holds::kWords}, {"default", Holds::kWords}, {"examples", Holds::kWords}, {"deprecated", Holds::kWords},
    {"readOnly", Holds::kWords}, {"writeOnly", Holds::kWords}, {"$schema", Holds::kWords}, {"$comment", Holds::kWords},
};

class SchemaChecker {
 public:
  explicit SchemaChecker(const Json& root) : root_(root) {}

  Status Check(const Json& schema, const std::string& path, int depth) {
    if (++schemas_ > kMaxSchemas || depth > kMaxDepth) return Fail(ErrorKind::kLimit, path + ": the schema is too large or too deep");
    if (schema.is_boolean()) return {};
    if (!schema.is_object()) return Fail(ErrorKind::kInvalid, path + ": expected a schema, got " + ShownValue(schema));
    for (auto one = schema.begin(); one != schema.end(); ++one) {
      const std::string at = path + "." + ShownKey(one.key());
      const auto keyword = std::find_if(std::begin(kKeywords), std::end(kKeywords), [&](const Keyword& known) { return known.name == one.key(); });
      if (keyword == std::end(kKeywords)) return Fail(ErrorKind::kInvalid, at + ": this keyword is not understood");
      if (keyword->name == "$defs" && depth > 0) return Fail(ErrorKind::kInvalid, at + ": definitions are read at the top only");
      TRY(CheckKeyword(keyword->holds, one.value(), schema, at, depth));
    }
    return {};
  }

 private:
  Status CheckKeyword(Holds holds, const Json& value, const Json& schema, const std::string& at, int depth) {
    const auto wants = [&](bool is, const char* what) -> Status {
      if (is) return {};
      return Fail(ErrorKind::kInvalid, at + ": expected " + what + ", got " + ShownValue(value));
    };
    switch (holds) {
      case Holds::kWords:
      case Holds::kValue: return {};
      case Holds::kSchema: return Check(value, at, depth + 1);
      case Holds::kSchemas: {
        TRY(wants(value.is_array() && !value.empty(), "a list of schemas"));
        for (size_t i = 0; i < value.size(); ++i) TRY(Check(value[i], at + "[" + std::to_string(i) + "]", depth + 1));
        return {};
      }
      case Holds::kNamedSchemas: {
        TRY(wants(value.is_object(), "an object of schemas"));
        for (auto one = value.begin(); one != value.end(); ++one) TRY(Check(one.value(), at + "." + ShownKey(one.key()), depth + 1));
        return {};
      }
      case Holds::kNames: return wants(value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); }), "a list of names");
      case Holds::kValues: return wants(value.is_array() && !value.empty(), "a list of values");
      case Holds::kNumber: return wants(value.is_number(), "a number");
      case Holds::kStep: return wants(value.is_number() && value.get<double>() > 0, "a number above 0");
      case Holds::kFlag: return wants(value.is_boolean(), "true or false");
      case Holds::kType: {
        const std::vector<std::string> types = TypesOf(schema);
        const bool all = std::all_of(types.begin(), types.end(), [](const std::string& type) { return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes); });
        return wants(!types.empty() && all && (value.is_string() || types.size() == value.size()), "names of types");
      }
      case Holds::kCount: {
        const bool whole = IsOfType(value, "integer") && value.get<double>() >= 0 && value.get<double>() <= 9e15;
        return wants(whole, "a whole number >= 0");
      }
      case Holds::kPattern: {
        TRY(wants(value.is_string(), "a pattern"));
        if (auto pattern = MatchPattern(value.get<std::string>(), ""); !pattern) return Fail(ErrorKind::kInvalid, at + ": the pattern is not understood: " + ShownText(pattern.error().message));
        return {};
      }
      case Holds::kRef: return wants(Target(root_, schema) != nullptr, "\"#/$defs/NAME\" of a schema that is there");
    }
    return {};
  }

  const Json& root_;
  size_t schemas_ = 0;
};

}  // namespace

Status CheckSchema(const Json& schema) { return SchemaChecker(schema).Check(schema, "$", 0); }

}  // namespace paddock::agentcore
