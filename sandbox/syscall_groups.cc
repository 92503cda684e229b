#include "sandbox/syscall_groups.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "base/embedded_file.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "sandbox/never_granted.h"
#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {

extern const EmbeddedFile kProfileFiles[];
extern const unsigned long kProfileFilesCount;

namespace {

constexpr std::string_view kFile = "syscall-groups.json";
constexpr std::string_view kStart = "@start";

// A rule is a name or {"call", "arguments"}. A call that has several rules is allowed when one of them fits.
struct ArgumentEntry {
  int64_t argument = 0;
  std::optional<Json> mask;
  std::vector<Json> values;
};
auto Fields(FieldsOf<ArgumentEntry>) {
  return std::make_tuple(Required("argument", &ArgumentEntry::argument, "number of the argument, from 0").Min(0).Max(5),
                         Optional("mask", &ArgumentEntry::mask, "bits that count; all 64 where it is not said"),
                         Required("values", &ArgumentEntry::values, "allowed values of the masked argument").NonEmpty().MaxLength(kMostValues));
}
struct CallEntry {
  std::string call;
  std::vector<ArgumentEntry> arguments;
};
auto Fields(FieldsOf<CallEntry>) {
  return std::make_tuple(Required("call", &CallEntry::call, "name of the system call").NonEmpty(),
                         Required("arguments", &CallEntry::arguments, "conditions, all of them").NonEmpty().MaxLength(6));
}

// 12, or "0xc".
Result<uint64_t> Word(const Json& json) {
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    if (text.starts_with("0x") && text.size() > 2)
      if (auto read = std::from_chars(text.data() + 2, end, value, 16); read.ec == std::errc{} && read.ptr == end) return value;
  }
  return Fail(ErrorKind::kInvalid, std::string(kFile) + ": expected a number or \"0x…\", got " + json.dump());
}

Result<Json> ReadGroups() {
  for (unsigned long i = 0; i < kProfileFilesCount; ++i) {
    if (kProfileFiles[i].name != kFile) continue;
    auto groups = ParseJson(kProfileFiles[i].text, {.comments = true});
    if (!groups) groups.error().message = std::string(kFile) + ": " + groups.error().message;
    return groups;
  }
  return Fail(ErrorKind::kNotFound, "this build has no " + std::string(kFile));
}

const Result<Json>& Groups() {
  static const Result<Json> groups = ReadGroups();
  return groups;
}

enum class Nested { kYes, kNo };  // are the groups that a group names a part of it?

// Collects the rules of names, each group once.
class Resolver {
 public:
  Resolver(const Json& groups, Nested nested) : groups_(groups), nested_(nested) {}

  Status Add(const std::string& name) {
    if (!name.starts_with("@")) {
      rules_.push_back({TRY(SystemCallNumber(name)), name, {}});
      return {};
    }
    auto group = groups_.find(name);
    if (group == groups_.end())
      return Fail(ErrorKind::kInvalid, "no group of system calls named \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"",
                  NearestHint(name, CallGroupNames()));
    if (!seen_.insert(name).second) return {};
    for (const Json& entry : *group) {
      if (!entry.is_string()) rules_.push_back(TRY(Rule(entry)));
      else if (std::string one = entry.get<std::string>(); nested_ == Nested::kYes || !one.starts_with("@")) TRY(Add(one));
    }
    return {};
  }

  CallRules Take() { return Together(std::move(rules_)); }

 private:
  static Result<CallRule> Rule(const Json& entry) {
    CallEntry call = TRY(FromJson<CallEntry>(entry));
    Conditions conditions;
    for (const ArgumentEntry& argument : call.arguments) {
      ArgumentRule rule{static_cast<int>(argument.argument), argument.mask ? TRY(Word(*argument.mask)) : ~uint64_t{0}, {}};
      for (const Json& value : argument.values) rule.values.push_back(TRY(Word(value)));
      conditions.push_back(std::move(rule));
    }
    return CallRule{TRY(SystemCallNumber(call.call)), call.call, {std::move(conditions)}};
  }

  const Json& groups_;
  Nested nested_;
  std::vector<CallRule> rules_;
  std::set<std::string> seen_;
};

Result<CallRules> Resolve(const std::vector<std::string>& names, Nested nested) {
  if (!Groups()) return std::unexpected(Groups().error());
  Resolver resolver(*Groups(), nested);
  for (const std::string& name : names) TRY(resolver.Add(name));
  return resolver.Take();
}

struct OwnCalls {
  std::string name;
  CallRules rules;
  size_t all = 0;  // calls of the group with all that it names
};
// Each group with the calls that it lists itself, smallest group first.
const std::vector<OwnCalls>& OwnCallsOfGroups() {
  static const std::vector<OwnCalls> table = [] {
    std::vector<OwnCalls> groups;
    for (const std::string& name : CallGroupNames()) {
      auto own = Resolve({name}, Nested::kNo);
      auto all = Resolve({name}, Nested::kYes);
      if (own && all) groups.push_back({name, *std::move(own), all->size()});
    }
    std::stable_sort(groups.begin(), groups.end(), [](const OwnCalls& a, const OwnCalls& b) { return a.all < b.all; });
    return groups;
  }();
  return table;
}

}  // namespace

Result<CallRules> ResolveCalls(const std::vector<std::string>& names) {
  CallRules rules = TRY(Resolve(names, Nested::kYes));
  TRY(CheckGrantable(rules));
  return rules;
}

Result<CallRules> StartCalls() { return Resolve({std::string(kStart)}, Nested::kYes); }

std::vector<std::string> CallGroupNames() {
  std::vector<std::string> names;
  if (!Groups()) return names;
  for (auto it = Groups()->begin(); it != Groups()->end(); ++it)
    if (it.key() != kStart) names.push_back(it.key());
  std::sort(names.begin(), names.end());
  return names;
}

Grants WhichAllows(uint32_t number, const uint64_t (&arguments)[6]) {
  Grants grants;
  if (const NeverRule* never = WhyNever(number, arguments)) {
    grants.never = never->reason;
    return grants;
  }
  for (const OwnCalls& group : OwnCallsOfGroups())
    if (const CallRule* rule = FindRule(group.rules, number); rule && Fits(*rule, arguments)) grants.groups.push_back(group.name);
  grants.by_name = IsKnownSystemCall(number) && CheckGrantable({{number, SystemCallName(number), {}}}).has_value();
  return grants;
}

}  // namespace paddock::sandbox
