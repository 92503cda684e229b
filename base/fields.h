// One table of fields a type drives reading, printing and the published JSON Schema.
//
//   struct Evidence { std::string path; int64_t line_start = 0; };
//   inline auto Fields(FieldsOf<Evidence>) {
//     return std::make_tuple(Required("path", &Evidence::path, "file, relative to the repository").MaxLength(4096),
//                            Required("line_start", &Evidence::line_start, "first line, from 1").Min(1));
//   }
//   enum class Severity { kLow, kHigh };
//   inline auto EnumNames(FieldsOf<Severity>) {
//     return std::array{EnumName{Severity::kLow, "low"}, EnumName{Severity::kHigh, "high"}};
//   }
//
//   Result<Evidence> e = FromJson<Evidence>(json);   // kInvalid: "$.line_start: expected an integer >= 1, got 0"
//   Json back = ToJson(*e);
//   Json schema = SchemaOf<Evidence>();              // draft 2020-12
//
// Unknown keys, wrong types and out-of-range values are errors that carry a JSON path. A std::optional field
// prints null when it is not set and accepts null. Members: bool, int64_t, uint64_t, int, double,
// std::string, Json (any value), enums with EnumNames, structs with Fields, std::vector and std::optional
// of those, std::map<std::string, T>. A type that is none of these brings a form of its own, next to it:
//
//   Result<T> ReadForm(FieldsOf<T>, const Json& value, const std::string& path);   // kInvalid, beginning with the path
//   Json WriteForm(const T& value);
//   Json SchemaForm(FieldsOf<T>);
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace paddock {

template <class T>
struct FieldsOf {};  // a tag, so that the tables are found next to their types

template <class E>
struct EnumName {
  E value;
  const char* name;
};

struct FieldRule {
  bool required = false;
  std::optional<double> min = {}, max = {};  // numbers
  std::optional<size_t> max_length = {};     // bytes of a string, items of a list
  bool non_empty = false;                    // strings and lists
  bool identifier = false;                   // strings: [a-z0-9-]{1,64}
};

template <class S, class M>
struct Field {
  const char* name;
  M S::*member;
  const char* doc;
  FieldRule rule;

  constexpr Field Min(double v) const { auto f = *this; f.rule.min = v; return f; }
  constexpr Field Max(double v) const { auto f = *this; f.rule.max = v; return f; }
  constexpr Field MaxLength(size_t n) const { auto f = *this; f.rule.max_length = n; return f; }
  constexpr Field NonEmpty() const { auto f = *this; f.rule.non_empty = true; return f; }
  constexpr Field Identifier() const { auto f = *this; f.rule.identifier = true; return f; }
};

template <class S, class M>
constexpr Field<S, M> Required(const char* name, M S::*member, const char* doc) {
  return {name, member, doc, FieldRule{.required = true}};
}
template <class S, class M>
constexpr Field<S, M> Optional(const char* name, M S::*member, const char* doc) {
  return {name, member, doc, FieldRule{}};
}

namespace fields_detail {

template <class T>
concept HasForm = requires(const T& value, const Json& json, const std::string& path) {
  ReadForm(FieldsOf<T>{}, json, path);
  WriteForm(value);
  SchemaForm(FieldsOf<T>{});
};

template <class T> struct IsVector : std::false_type {};
template <class T> struct IsVector<std::vector<T>> : std::true_type {};
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> struct IsMap : std::false_type {};
template <class T> struct IsMap<std::map<std::string, T>> : std::true_type {};

std::unexpected<Error> Mismatch(const std::string& path, const std::string& expected, const Json& got);
Status CheckNumber(double value, const FieldRule& rule, const std::string& path, const Json& got);
Status CheckText(const std::string& value, const FieldRule& rule, const std::string& path, const Json& got);
Status CheckCount(size_t count, const FieldRule& rule, const std::string& path, const Json& got);
std::unexpected<Error> UnknownKey(const std::string& path, const std::string& key, const std::vector<const char*>& known);
std::string JoinNames(const std::vector<const char*>& names);

template <class T>
Result<T> Read(const Json& value, const std::string& path, const FieldRule& rule);

template <class T>
Result<T> ReadStruct(const Json& value, const std::string& path) {
  if (!value.is_object()) return Mismatch(path, "an object", value);
  T out{};
  auto table = Fields(FieldsOf<T>{});
  Status status;
  auto read_one = [&](const auto& field) {
    if (!status) return;
    auto found = value.find(field.name);
    if (found == value.end()) {
      if (field.rule.required)
        status = Fail(ErrorKind::kInvalid, path + "." + field.name + ": missing", std::string("expected: ") + field.doc);
      return;
    }
    using M = std::remove_reference_t<decltype(out.*(field.member))>;
    auto member = Read<M>(*found, path + "." + field.name, field.rule);
    if (!member) status = std::unexpected(std::move(member).error());
    else out.*(field.member) = *std::move(member);
  };
  std::apply([&](const auto&... field) { (read_one(field), ...); }, table);
  if (!status) return std::unexpected(std::move(status).error());
  std::vector<const char*> known;
  std::apply([&](const auto&... field) { (known.push_back(field.name), ...); }, table);
  for (auto it = value.begin(); it != value.end(); ++it) {
    bool found = false;
    for (const char* name : known) found = found || it.key() == name;
    if (!found) return UnknownKey(path, it.key(), known);
  }
  return out;
}

template <class T>
Result<T> Read(const Json& value, const std::string& path, const FieldRule& rule) {
  if constexpr (std::is_same_v<T, Json>) {
    return value;
  } else if constexpr (HasForm<T>) {
    return ReadForm(FieldsOf<T>{}, value, path);
  } else if constexpr (IsOptional<T>::value) {
    if (value.is_null()) return T{};
    auto inner = Read<typename T::value_type>(value, path, rule);
    if (!inner) return std::unexpected(std::move(inner).error());
    return T(*std::move(inner));
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) return Mismatch(path, "true or false", value);
    return value.template get<bool>();
  } else if constexpr (std::is_enum_v<T>) {
    std::vector<const char*> names;
    for (const auto& entry : EnumNames(FieldsOf<T>{})) {
      if (value.is_string() && value.template get_ref<const std::string&>() == entry.name) return entry.value;
      names.push_back(entry.name);
    }
    return Mismatch(path, "one of " + JoinNames(names), value);
  } else if constexpr (std::is_integral_v<T>) {
    bool fits = value.is_number_unsigned()
                    ? value.template get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<T>::max())
                    : value.is_number_integer() &&
                          (std::is_signed_v<T> &&
                           value.template get<int64_t>() >= static_cast<int64_t>(std::numeric_limits<T>::min()) &&
                           value.template get<int64_t>() <= static_cast<int64_t>(std::numeric_limits<T>::max()));
    if (!fits) return Mismatch(path, "a whole number", value);
    T number = value.template get<T>();
    if (auto ok = CheckNumber(static_cast<double>(number), rule, path, value); !ok)
      return std::unexpected(std::move(ok).error());
    return number;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!value.is_number() || !std::isfinite(value.template get<double>())) return Mismatch(path, "a number", value);
    if (auto ok = CheckNumber(value.template get<double>(), rule, path, value); !ok)
      return std::unexpected(std::move(ok).error());
    return value.template get<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) return Mismatch(path, "a string", value);
    std::string text = value.template get<std::string>();
    if (auto ok = CheckText(text, rule, path, value); !ok) return std::unexpected(std::move(ok).error());
    return text;
  } else if constexpr (IsVector<T>::value) {
    if (!value.is_array()) return Mismatch(path, "a list", value);
    if (auto ok = CheckCount(value.size(), rule, path, value); !ok) return std::unexpected(std::move(ok).error());
    T out;
    out.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) {
      auto item = Read<typename T::value_type>(value[i], path + "[" + std::to_string(i) + "]", FieldRule{});
      if (!item) return std::unexpected(std::move(item).error());
      out.push_back(*std::move(item));
    }
    return out;
  } else if constexpr (IsMap<T>::value) {
    if (!value.is_object()) return Mismatch(path, "an object", value);
    T out;
    for (auto it = value.begin(); it != value.end(); ++it) {
      auto item = Read<typename T::mapped_type>(it.value(), path + "." + it.key(), FieldRule{});
      if (!item) return std::unexpected(std::move(item).error());
      out.emplace(it.key(), *std::move(item));
    }
    return out;
  } else {
    return ReadStruct<T>(value, path);
  }
}

template <class T>
Json Write(const T& value) {
  if constexpr (std::is_same_v<T, Json>) {
    return value;
  } else if constexpr (HasForm<T>) {
    return WriteForm(value);
  } else if constexpr (IsOptional<T>::value) {
    return value ? Write(*value) : Json(nullptr);
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& entry : EnumNames(FieldsOf<T>{}))
      if (entry.value == value) return Json(entry.name);
    return Json(nullptr);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return Json(value);
  } else if constexpr (IsVector<T>::value) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(Write<typename T::value_type>(item));
    return list;
  } else if constexpr (IsMap<T>::value) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = Write(item);
    return object;
  } else {
    Json object = Json::object();
    std::apply([&](const auto&... field) { ((object[field.name] = Write(value.*(field.member))), ...); },
               Fields(FieldsOf<T>{}));
    return object;
  }
}

void ApplyRule(const FieldRule& rule, Json* schema);

template <class T>
Json Schema(const FieldRule& rule) {
  Json schema = Json::object();
  if constexpr (std::is_same_v<T, Json>) {
    return schema;  // anything
  } else if constexpr (HasForm<T>) {
    return SchemaForm(FieldsOf<T>{});
  } else if constexpr (IsOptional<T>::value) {
    schema["anyOf"] = Json::array({Schema<typename T::value_type>(rule), Json{{"type", "null"}}});
    return schema;
  } else if constexpr (std::is_same_v<T, bool>) {
    schema["type"] = "boolean";
  } else if constexpr (std::is_enum_v<T>) {
    schema["enum"] = Json::array();
    for (const auto& entry : EnumNames(FieldsOf<T>{})) schema["enum"].push_back(entry.name);
  } else if constexpr (std::is_integral_v<T>) {
    schema["type"] = "integer";
    if (std::is_unsigned_v<T>) schema["minimum"] = 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    schema["type"] = "number";
  } else if constexpr (std::is_same_v<T, std::string>) {
    schema["type"] = "string";
  } else if constexpr (IsVector<T>::value) {
    schema["type"] = "array";
    schema["items"] = Schema<typename T::value_type>(FieldRule{});
  } else if constexpr (IsMap<T>::value) {
    schema["type"] = "object";
    schema["additionalProperties"] = Schema<typename T::mapped_type>(FieldRule{});
  } else {
    schema["type"] = "object";
    schema["properties"] = Json::object();
    Json required = Json::array();
    auto describe = [&](const auto& field) {
      using M = std::remove_cvref_t<decltype(std::declval<T>().*(field.member))>;
      Json member = Schema<M>(field.rule);
      member["description"] = field.doc;
      schema["properties"][field.name] = std::move(member);
      if (field.rule.required) required.push_back(field.name);
    };
    std::apply([&](const auto&... field) { (describe(field), ...); }, Fields(FieldsOf<T>{}));
    if (!required.empty()) schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
  }
  ApplyRule(rule, &schema);
  return schema;
}

}  // namespace fields_detail

template <class T>
Result<T> FromJson(const Json& value, const std::string& path = "$") {
  return fields_detail::Read<T>(value, path, FieldRule{});
}

template <class T>
Json ToJson(const T& value) {
  return fields_detail::Write(value);
}

template <class T>
Json SchemaOf() {
  return fields_detail::Schema<T>(FieldRule{});
}

// The printed name of an enum value that has EnumNames.
template <class E>
const char* NameOf(E value) {
  for (const auto& entry : EnumNames(FieldsOf<E>{}))
    if (entry.value == value) return entry.name;
  return "?";
}

}  // namespace paddock
