// A profile's list of system calls as text, kept in tests/data/filters so that a change of what is allowed is seen as one.
#pragma once

#include <linux/filter.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sandbox/call_text.h"
#include "sandbox/profile_json.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {

inline Result<std::string> FilterGolden(const std::string& profile_name) {
  const Profile profile = TRY(ShippedProfile(profile_name));
  const CallRules rules = TRY(ResolveCalls(profile.syscalls.allow));
  const CallRules first = Union(rules, TRY(StartCalls()));
  const size_t second_size = TRY(CompileFilter(rules, {})).size() / sizeof(sock_filter);
  const size_t first_size = TRY(CompileFilter(first, {})).size() / sizeof(sock_filter);
  std::vector<std::string> lines;
  for (const CallRule& rule : rules) lines.push_back(DescribeRule(rule));
  std::sort(lines.begin(), lines.end());
  std::string text = std::to_string(rules.size()) + " calls, " + std::to_string(second_size) + " instructions; with @start " +
                     std::to_string(first.size()) + " calls, " + std::to_string(first_size) + " instructions\n\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace paddock::sandbox
