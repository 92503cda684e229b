#include "sandbox/filter_rules.h"

#include <algorithm>

#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {
namespace {

void Sort(Conditions* conditions) {
  for (ArgumentRule& rule : *conditions) {
    std::sort(rule.values.begin(), rule.values.end());
    rule.values.erase(std::unique(rule.values.begin(), rule.values.end()), rule.values.end());
  }
}

// Alternatives that are equal but for the values of one argument are one with the values of both.
bool Merge(Conditions* into, const Conditions& other) {
  if (into->size() != other.size()) return false;
  size_t different = into->size();
  for (size_t i = 0; i < into->size(); ++i) {
    if ((*into)[i].argument != other[i].argument || (*into)[i].mask != other[i].mask) return false;
    if ((*into)[i].values == other[i].values) continue;
    if (different != into->size()) return false;
    different = i;
  }
  if (different == into->size()) return true;
  Conditions merged = *into;
  auto& values = merged[different].values;
  values.insert(values.end(), other[different].values.begin(), other[different].values.end());
  Sort(&merged);
  if (values.size() > kMostValues) return false;
  *into = std::move(merged);
  return true;
}

void Add(std::vector<Conditions>* alternatives, Conditions next) {
  Sort(&next);
  for (const Conditions& known : *alternatives)
    if (Within(next, known)) return;
  std::erase_if(*alternatives, [&](const Conditions& known) { return Within(known, next); });
  for (Conditions& known : *alternatives)
    if (Merge(&known, next)) return;
  alternatives->push_back(std::move(next));
}

bool Holds(const ArgumentRule& rule, const uint64_t (&arguments)[6]) {
  return std::find(rule.values.begin(), rule.values.end(), arguments[rule.argument] & rule.mask) != rule.values.end();
}

}  // namespace

bool Within(const Conditions& a, const Conditions& b) {
  return std::all_of(b.begin(), b.end(), [&](const ArgumentRule& wide) {
    return std::any_of(a.begin(), a.end(), [&](const ArgumentRule& narrow) {
      return narrow.argument == wide.argument && (wide.mask & ~narrow.mask) == 0 &&
             std::all_of(narrow.values.begin(), narrow.values.end(), [&](uint64_t value) {
               return std::find(wide.values.begin(), wide.values.end(), value & wide.mask) != wide.values.end();
             });
    });
  });
}

CallRules Together(std::vector<CallRule> rules) {
  std::stable_sort(rules.begin(), rules.end(), [](const CallRule& a, const CallRule& b) { return a.number < b.number; });
  CallRules all;
  all.reserve(rules.size());
  for (CallRule& rule : rules) {
    if (all.empty() || all.back().number != rule.number) {
      all.push_back(std::move(rule));
    } else if (all.back().alternatives.empty() || rule.alternatives.empty()) {
      all.back().alternatives.clear();
    } else {
      for (Conditions& conditions : rule.alternatives) Add(&all.back().alternatives, std::move(conditions));
    }
  }
  return all;
}

CallRules Union(CallRules a, const CallRules& b) {
  a.insert(a.end(), b.begin(), b.end());
  return Together(std::move(a));
}

const CallRule* FindRule(const CallRules& rules, uint32_t number) {
  auto place = std::lower_bound(rules.begin(), rules.end(), number, [](const CallRule& r, uint32_t n) { return r.number < n; });
  return place != rules.end() && place->number == number ? &*place : nullptr;
}

bool Fits(const CallRule& rule, const uint64_t (&arguments)[6]) {
  return rule.alternatives.empty() || std::any_of(rule.alternatives.begin(), rule.alternatives.end(), [&](const Conditions& conditions) {
           return std::all_of(conditions.begin(), conditions.end(), [&](const ArgumentRule& one) { return Holds(one, arguments); });
         });
}

int Decide(const CallRules& rules, const Denial& denial, uint32_t number, const uint64_t (&arguments)[6]) {
  const CallRule* rule = FindRule(rules, number);
  if (rule && Fits(*rule, arguments)) return 0;
  // A call that has a rule is known, whatever list it is in.
  return rule || IsKnownSystemCall(number) ? denial.known : denial.unknown;
}

}  // namespace paddock::sandbox
