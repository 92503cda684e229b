#include "agentcore/model/arguments.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "agentcore/model/pattern.h"
#include "agentcore/model/schema_text.h"
#include "base/fields.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxCost = 300'000;  // about one a value that is looked at
constexpr size_t kStepsAUnit = 100;   // of a pattern's program
constexpr int kMaxDepth = 80;
constexpr size_t kMaxErrors = 5, kMaxRepairs = 32, kMaxNames = 64, kMaxMessage = 3'000;

class Checker {
 public:
  Checker(const Json& root, bool mends) : root_(root), mends_(mends) {}

  // The value fits, perhaps after a mend.
  bool Check(const Json& schema, Json* value, const std::string& path) {
    if (!Spend(1) || depth_ >= kMaxDepth) return GiveUp(path);
    ++depth_;
    const bool fits = CheckHere(schema, value, path);
    --depth_;
    return fits;
  }

  std::vector<std::string> repairs, errors;
  std::string hint;
  bool gave_up = false;

 private:
  bool CheckHere(const Json& schema, Json* value, const std::string& path) {
    if (schema.is_boolean()) return schema == true || Miss(path, "nothing", *value);
    if (!schema.is_object()) return true;
    if (const Json* target = Target(root_, schema); target && !Check(*target, value, path)) return false;
    if (!CheckType(schema, value, path) || !CheckChoice(schema, *value, path)) return false;
    bool fits = true;
    if (value->is_number()) fits = CheckNumber(schema, *value, path);
    else if (value->is_string()) fits = CheckString(schema, *value, path);
    else if (value->is_array()) fits = CheckList(schema, value, path);
    else if (value->is_object()) fits = CheckObject(schema, value, path);
    return fits && CheckCombined(schema, value, path);
  }

  bool Spend(size_t cost) {
    left_ -= std::min(left_, cost);
    return left_ > 0;
  }
  bool GiveUp(const std::string& path) {
    if (!std::exchange(gave_up, true)) errors = {path + ": too deep or too costly to check"};
    return false;
  }
  bool Miss(const std::string& path, const std::string& expected, const Json& got) { return quiet_ || errors.size() >= kMaxErrors ? false : Say(fields_detail::Mismatch(path, expected, got).error().message); }
  bool Say(std::string error) {
    if (!quiet_ && errors.size() < kMaxErrors && !gave_up) errors.push_back(std::move(error));
    return false;
  }
  void Mended(const std::string& path, const Json& from, const std::string& to) {
    if (repairs.size() < kMaxRepairs) repairs.push_back(path + ": " + ShownValue(from) + " taken as " + to);
    else repairs.back() = "and more";
  }

  // Does it fit as it is? Nothing is said of it, and nothing changed.
  bool Fits(const Json& schema, const Json& value, const std::string& path) {
    const bool quiet = std::exchange(quiet_, true);
    const bool fits = Check(schema, const_cast<Json*>(&value), path);
    quiet_ = quiet;
    return fits;
  }

  bool CheckType(const Json& schema, Json* value, const std::string& path) {
    const std::vector<std::string> types = TypesOf(schema);
    if (types.empty()) return true;
    for (const std::string& type : types)
      if (IsOfType(*value, type)) {
        // 20.0 is an integer by the standard, and not for everybody who reads it.
        if (type != "integer" || !value->is_number_float() || !mends_ || quiet_) return true;
        const Json whole = static_cast<int64_t>(value->get<double>());
        Mended(path, *value, MendText(whole));
        *value = whole;
        return true;
      }
    if (quiet_) return false;
    std::optional<Mend> mend;
    size_t mends = 0;
    for (const std::string& type : mends_ ? types : std::vector<std::string>())
      if (auto one = MendFor(type, schema, *value, path); one && ++mends == 1) mend = std::move(one);
    if (gave_up) return false;
    if (mends != 1) return Miss(path, Expected(schema), *value);
    Mended(path, *value, mend->words);
    *value = std::move(mend->value);
    return true;
  }

  struct Mend {
    Json value;
    std::string words;
  };
  std::optional<Mend> MendFor(const std::string& type, const Json& schema, const Json& value, const std::string& path) {
    if (value.is_string()) {
      const std::string& text = value.get_ref<const std::string&>();
      if (!Spend(1 + text.size() / 64)) return GiveUp(path), std::nullopt;
      if (auto json = ReadAs(type, text)) {
        std::string words = MendText(*json);
        return Mend{*std::move(json), std::move(words)};
      }
      if (text.starts_with('[') && text.ends_with(']')) return std::nullopt;  // a list in other words
    }
    if (type != "array" || value.is_null() || value.is_array() || schema.contains("prefixItems")) return std::nullopt;
    const auto items = schema.find("items");
    if (items != schema.end() && !Fits(*items, value, path)) return std::nullopt;
    return Mend{Json::array({value}), "a list of it"};
  }

  bool CheckChoice(const Json& schema, const Json& value, const std::string& path) {
    if (const auto constant = schema.find("const"); constant != schema.end() && *constant != value) return Miss(path, ShownValue(*constant), value);
    const auto choices = schema.find("enum");
    if (choices == schema.end() || !choices->is_array()) return true;
    if (!Spend(choices->size())) return GiveUp(path);
    if (std::find(choices->begin(), choices->end(), value) != choices->end()) return true;
    if (!quiet_ && value.is_string() && hint.empty()) hint = NearestHint(value.get_ref<const std::string&>(), NamesIn(schema, "enum", kMaxNames));
    return Miss(path, ChoicesText(*choices), value);
  }

  bool CheckNumber(const Json& schema, const Json& value, const std::string& path) {
    if (!InBounds(schema, value)) return Miss(path, Expected(schema), value);
    return IsMultiple(schema, value) || Miss(path, "a multiple of " + NumberText(NumberIn(schema, "multipleOf").value_or(0)), value);
  }

  bool CheckString(const Json& schema, const Json& value, const std::string& path) {
    const std::string& text = value.get_ref<const std::string&>();
    const auto least = CountIn(schema, "minLength"), most = CountIn(schema, "maxLength");
    if (least || most) {
      if (!Spend(text.size() / 64)) return GiveUp(path);
      const size_t length = static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
      if ((least && length < *least) || (most && length > *most))
        return Miss(path, "a string of " + RangeText(least, most) + " characters", value);
    }
    const auto pattern = schema.find("pattern");
    if (pattern == schema.end() || !pattern->is_string()) return true;
    if (!Spend(200 + pattern->get_ref<const std::string&>().size())) return GiveUp(path);
    const auto match = MatchPattern(pattern->get<std::string>(), text);
    if (!match && match.error().kind == ErrorKind::kLimit) return GiveUp(path);
    if (match && !Spend(match->steps / kStepsAUnit)) return GiveUp(path);
    return !match || match->matches || Miss(path, "a string that matches " + ShownText(pattern->get<std::string>()), value);
  }

  bool CheckList(const Json& schema, Json* value, const std::string& path) {
    const auto least = CountIn(schema, "minItems"), most = CountIn(schema, "maxItems");
    if ((least && value->size() < *least) || (most && value->size() > *most)) return Miss(path, "a list of " + RangeText(least, most) + " items", *value);
    bool fits = true;
    const auto first = schema.find("prefixItems"), items = schema.find("items");
    const size_t fixed = first != schema.end() && first->is_array() ? first->size() : 0;
    for (size_t i = 0; i < value->size() && !gave_up; ++i) {
      const Json* item = i < fixed ? &(*first)[i] : items != schema.end() ? &*items : nullptr;
      if (item && !Check(*item, &(*value)[i], path + "[" + std::to_string(i) + "]")) fits = false;
    }
    if (!fits || !schema.contains("uniqueItems") || schema["uniqueItems"] != true) return fits;
    std::set<std::string> seen;
    for (const Json& one : *value) {
      const std::string text = SameText(one);
      if (!Spend(1 + text.size() / 16)) return GiveUp(path);
      if (!seen.insert(text).second) return Miss(path, "a list without repetitions", *value);
    }
    return true;
  }

  bool CheckObject(const Json& schema, Json* value, const std::string& path) {
    bool fits = true;
    const Json& properties = PropertiesOf(schema);
    const std::vector<std::string> required = NamesIn(schema, "required");
    if (!Spend(value->size() + properties.size() + required.size())) return GiveUp(path);
    for (auto one = properties.begin(); one != properties.end() && !gave_up; ++one) {
      const auto member = value->find(one.key());
      if (member == value->end()) continue;
      const std::string inner = path + "." + ShownKey(one.key());
      const bool is_required = std::find(required.begin(), required.end(), one.key()) != required.end();
      if (mends_ && !quiet_ && member->is_null() && !is_required && !Fits(one.value(), *member, inner)) {
        Mended(inner, nullptr, "left out");
        value->erase(one.key());
        continue;
      }
      if (!Check(one.value(), &*member, inner)) fits = false;
    }
    for (const std::string& name : required)
      if (!value->contains(name)) {
        fits = false;
        if (quiet_) return false;
        const auto about = properties.find(name);
        Say(path + "." + ShownKey(name) + ": missing, expected " + (about == properties.end() ? "a value" : Expected(*about)));
      }
    const auto others = schema.find("additionalProperties");
    if (others == schema.end() || *others == true) return fits;
    for (auto one = value->begin(); one != value->end() && !gave_up; ++one) {
      if (properties.contains(one.key())) continue;
      if (others->is_object()) fits = Check(*others, &one.value(), path + "." + ShownKey(one.key())) && fits;
      else fits = Unknown(path, one.key(), properties);
    }
    return fits;
  }
  bool Unknown(const std::string& path, const std::string& key, const Json& properties) {
    if (quiet_) return false;
    std::vector<std::string> names;
    for (auto one = properties.begin(); one != properties.end() && names.size() < kMaxNames; ++one) names.push_back(one.key());
    if (hint.empty()) hint = NearestHint(key, names);
    return Say(path + ": unknown key \"" + ShownKey(key) + "\"; " + (names.empty() ? "there is none" : "expected one of " + KeysText(names)));
  }

  bool CheckCombined(const Json& schema, Json* value, const std::string& path) {
    if (const auto all = schema.find("allOf"); all != schema.end() && all->is_array())
      for (const Json& one : *all)
        if (!Check(one, value, path)) return false;
    if (const auto no = schema.find("not"); no != schema.end() && Fits(*no, *value, path)) return gave_up ? false : Miss(path, "something else (not " + Expected(*no) + ")", *value);
    for (const char* key : {"anyOf", "oneOf"})
      if (const auto list = schema.find(key); list != schema.end() && list->is_array() && !list->empty() && !CheckOneOf(*list, value, path, key[0] == 'o')) return false;
    return !gave_up;
  }

  bool CheckOneOf(const Json& list, Json* value, const std::string& path, bool only_one) {
    size_t fitting = 0;
    const Json* form = nullptr;
    for (const Json& one : list) {
      if (Fits(one, *value, path) && ++fitting == 1) form = &one;
      if (gave_up) return false;
      if (form && !only_one) break;
    }
    if (fitting == 1) return quiet_ || Check(*form, value, path);
    if (fitting > 1) return Miss(path, "only one of " + std::to_string(list.size()) + " forms", *value);
    if (quiet_) return false;
    // Mended it may fit one; two would be a guess.
    const std::vector<std::string> errors_before = errors, repairs_before = repairs;
    const std::string hint_before = hint;
    std::optional<Json> mended;
    std::vector<std::string> mended_repairs, of_its_type;
    size_t types = 0;
    for (const Json& one : list) {
      if (!Spend(Weight(*value))) return GiveUp(path);
      errors.clear();
      repairs = repairs_before;
      Json copy = *value;
      const bool fits = Check(one, &copy, path);
      if (gave_up) return false;
      if (fits) {
        ++fitting;
        mended = std::move(copy);
        mended_repairs = repairs;
      } else if (TypeFits(one, *value)) {
        ++types;
        of_its_type = errors;
      }
    }
    errors = errors_before;
    repairs = repairs_before;
    if (fitting == 1) {
      hint = hint_before;
      repairs = std::move(mended_repairs);
      *value = *std::move(mended);
      return true;
    }
    if (fitting == 0 && types == 1)  // that is the one that was meant
      for (std::string& error : of_its_type) Say(std::move(error));
    else Miss(path, FormsText(list), *value);
    return false;
  }

  const Json& root_;
  const bool mends_;
  size_t left_ = kMaxCost;
  int depth_ = 0;
  bool quiet_ = false;  // only asked whether it fits
};

}  // namespace

CheckedArguments CheckArguments(const Json& schema, Json arguments) {
  static const Json kObject = {{"type", "object"}};  // which a schema needn't say
  if (arguments.is_null() || (arguments.is_string() && arguments.get_ref<const std::string&>().find_first_not_of(" \t\r\n") == std::string::npos)) arguments = Json::object();
  CheckedArguments out;
  Checker checker(schema, true), as_it_is(schema, false);
  out.arguments = arguments;
  bool fits = checker.Check(kObject, &out.arguments, "$") && checker.Check(schema, &out.arguments, "$");
  out.repairs = std::move(checker.repairs);
  // A mend may break what was looked at before it: then none is made.
  if (fits && !out.repairs.empty() && !as_it_is.Check(schema, &out.arguments, "$")) {
    fits = false;
    checker.errors = as_it_is.errors;
    checker.gave_up = as_it_is.gave_up;
  }
  if (fits) return out;
  out.repairs.clear();
  out.arguments = std::move(arguments);
  std::string message;
  for (const std::string& error : checker.errors) message += (message.empty() ? "" : "; ") + error;
  if (message.empty()) message = "$: does not fit";
  out.status = Fail(checker.gave_up ? ErrorKind::kLimit : ErrorKind::kInvalid, std::string(TruncateUtf8(message, kMaxMessage)), std::string(TruncateUtf8(VisibleText(checker.hint, Newlines::kEscape), kMaxMessage)));
  return out;
}

}  // namespace paddock::agentcore
