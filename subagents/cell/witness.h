// The denials that a cell tries for before it says ready, one for each layer whose force the parent can't
// read from outside: what is witnessed is the refusal, not a return code of the set-up.
#pragma once

#include <array>

namespace paddock::subagents {

inline constexpr char kLayerLandlock[] = "landlock";
inline constexpr char kLayerSeccomp[] = "seccomp";               // the first filter
inline constexpr char kLayerSeccompSecond[] = "seccomp_second";

// open(kWitnessPath, O_RDONLY): readable by its mode, so that EACCES can only come from Landlock.
inline constexpr char kActionLandlock[] = "open /witness";
// Two calls that can't fail in the kernel and do nothing, so that EPERM can only come from a filter: the first
// filter denies getpgrp and allows getppid, the second the other way round.
inline constexpr char kActionSeccomp[] = "getpgrp";
inline constexpr char kActionSeccompSecond[] = "getppid";

struct Denial {
  const char* layer;
  const char* action;
  int error;  // errno; 0 when it was allowed
};

std::array<Denial, 3> TryDenials();

}  // namespace paddock::subagents
