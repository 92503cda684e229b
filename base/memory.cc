#include "base/memory.h"

#include <malloc.h>

namespace paddock {

void KeepMemorySmall() {
  // A fixed threshold: else the first large block that is freed raises it, and the next ones are kept.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 256 << 10);
  mallopt(M_ARENA_MAX, 2);
}

}  // namespace paddock
