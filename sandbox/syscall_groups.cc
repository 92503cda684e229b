#include "sandbox/syscall_groups.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "sandbox/call_groups_table.h"
#include "sandbox/never_granted.h"
#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {

namespace {

constexpr std::string_view kStart = "@start";

const TableGroup* FindGroup(std::string_view name) {
  const TableGroup* end = kCallGroups + kCallGroupCount;
  const TableGroup* found = std::find_if(kCallGroups, end, [&](const TableGroup& group) { return group.name == name; });
  return found == end ? nullptr : found;
}

enum class Nested { kYes, kNo };  // are the groups that a group names a part of it?

// Collects the rules of names, each group once.
class Resolver {
 public:
  explicit Resolver(Nested nested) : nested_(nested) {}

  Status Add(std::string_view name) {
    if (!name.starts_with("@")) {
      rules_.push_back({TRY(SystemCallNumber(name)), std::string(name), {}});
      return {};
    }
    const TableGroup* group = FindGroup(name);
    if (!group)
      return Fail(ErrorKind::kInvalid, "no group of system calls named \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"",
                  NearestHint(name, CallGroupNames()));
    if (!seen_.insert(group->name).second) return {};
    for (unsigned i = 0; i < group->entry_count; ++i) {
      const TableEntry& entry = group->entries[i];
      if (entry.condition_count) rules_.push_back(TRY(Rule(entry)));
      else if (nested_ == Nested::kYes || !entry.name.starts_with("@")) TRY(Add(entry.name));
    }
    return {};
  }

  CallRules Take() { return Together(std::move(rules_)); }

 private:
  static Result<CallRule> Rule(const TableEntry& entry) {
    Conditions conditions;
    for (unsigned i = 0; i < entry.condition_count; ++i) {
      const TableCondition& one = entry.conditions[i];
      conditions.push_back({one.argument, one.mask, std::vector<uint64_t>(one.values, one.values + one.value_count)});
    }
    return CallRule{TRY(SystemCallNumber(entry.name)), std::string(entry.name), {std::move(conditions)}};
  }

  Nested nested_;
  std::vector<CallRule> rules_;
  std::set<std::string_view> seen_;
};

Result<CallRules> Resolve(const std::vector<std::string>& names, Nested nested) {
  Resolver resolver(nested);
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
  for (unsigned i = 0; i < kCallGroupCount; ++i)
    if (kCallGroups[i].name != kStart) names.emplace_back(kCallGroups[i].name);
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
