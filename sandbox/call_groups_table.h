// The groups of system calls as profiles/syscall-groups.json had them when paddock was built: read then, since reading
// JSON would be a quarter of the time of a small program's start.
#pragma once

#include <cstdint>
#include <string_view>

namespace paddock::sandbox {

struct TableCondition {
  int argument;  // 0..5
  uint64_t mask;
  const uint64_t* values;
  unsigned value_count;
};
struct TableEntry {
  std::string_view name;  // of a call, or of another group (@x)
  const TableCondition* conditions;  // all of them hold; none: always allowed
  unsigned condition_count;
};
struct TableGroup {
  std::string_view name;
  const TableEntry* entries;
  unsigned entry_count;
};
extern const TableGroup kCallGroups[];  // in the order of the file
extern const unsigned kCallGroupCount;

}  // namespace paddock::sandbox
