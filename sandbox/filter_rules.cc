#include "sandbox/filter_rules.h"

#include <algorithm>

#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {

bool SameArguments(const CallRule& a, const CallRule& b) {
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const ArgumentRule& x, const ArgumentRule& y) {
                      return x.argument == y.argument && x.mask == y.mask && x.values == y.values;
                    });
}

Result<CallRules> Union(const CallRules& a, const CallRules& b) {
  CallRules all = a;
  for (const CallRule& rule : b) {
    auto place = std::lower_bound(all.begin(), all.end(), rule.number,
                                  [](const CallRule& r, uint32_t number) { return r.number < number; });
    if (place == all.end() || place->number != rule.number) {
      all.insert(place, rule);
    } else if (place->arguments.empty() || rule.arguments.empty()) {
      place->arguments.clear();
    } else if (!SameArguments(*place, rule)) {
      return Fail(ErrorKind::kInvalid, "two different argument rules for system call " + rule.name,
                  "give it one rule, in one group");
    }
  }
  return all;
}

int Decide(const CallRules& rules, const Denial& denial, uint32_t number, const uint64_t (&arguments)[6]) {
  for (const CallRule& rule : rules) {
    if (rule.number != number) continue;
    for (const ArgumentRule& argument : rule.arguments) {
      uint64_t masked = arguments[argument.argument] & argument.mask;
      if (std::find(argument.values.begin(), argument.values.end(), masked) == argument.values.end())
        return denial.known;
    }
    return 0;
  }
  return IsKnownSystemCall(number) ? denial.known : denial.unknown;
}

}  // namespace paddock::sandbox
