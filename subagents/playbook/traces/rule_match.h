// The rules of all tables, compiled, and what a line gives by one of them.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/traces/trace_rules.h"

namespace paddock::subagents {

inline constexpr size_t kMaxMessage = 400;  // bytes

struct CompiledRule {
  const TraceRule* rule;
  std::unique_ptr<RE2> pattern;
};
// Of this thread, the narrower ones first.
const std::vector<CompiledRule>& CompiledRules();

// What the groups of a rule took, each cut.
struct Matched {
  Frame frame;
  std::string message, test;
};
bool MatchRule(const CompiledRule& rule, std::string_view line, Matched* matched);

}  // namespace paddock::subagents
