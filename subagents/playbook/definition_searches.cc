#include "subagents/playbook/definition_searches.h"

#include <re2/re2.h>

#include "subagents/playbook/definition_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxPattern = 4096;          // bytes that search_text takes
constexpr size_t kCopies = 6, kBetween = 8;  // of a name in a pattern; letters beside one

}  // namespace

std::vector<std::vector<std::string>> InPatterns(const std::vector<std::string>& names, size_t most) {
  const size_t room = kMaxPattern - DefinitionPattern("").size() - 2 * kCopies * kBetween;
  std::vector<std::vector<std::string>> groups;
  size_t used = room;
  for (const std::string& name : names) {
    const size_t bytes = kCopies * (RE2::QuoteMeta(name).size() + kBetween);
    if (bytes > room) continue;
    if (used + bytes > room || groups.back().size() >= most) groups.emplace_back(), used = 0;
    groups.back().push_back(name);
    used += bytes;
  }
  return groups;
}

}  // namespace paddock::subagents
