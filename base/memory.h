// How this process keeps its memory.
#pragma once

namespace paddock {

// Tells the allocator (mallopt(3)) to give large blocks back at once and to keep few pools: a parent that lives long and
// has many threads must not keep what a hostile frame once took. Call it early, once.
void KeepMemorySmall();

}  // namespace paddock
