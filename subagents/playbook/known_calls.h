// What a definition calls, of that whose one definition is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subagents/playbook/name_places.h"

namespace paddock::subagents {

struct KnownCall {
  std::string name;
  int64_t line = 0;  // of the first call
  Place definition;
};

// In the order of their lines, each name once. `name`: what is defined at `place`, whose calls of itself are none. Where several
// definitions have a name, which of them is called isn't known: such a call is left out.
std::vector<KnownCall> KnownCallsIn(const RepoView& view, const Symbols& symbols, const std::string& name, const Place& place);

}  // namespace paddock::subagents
