// The first frame of a cell, printed without a JSON library, since the parent waits for it.
#pragma once

#include <span>

#include "subagents/cell/witness.h"

namespace paddock::subagents {

// Writes {"type":"ready","witness":[...]} to `fd` with one write(2). False when that fails.
bool SendReady(int fd, std::span<const Denial> denials);

}  // namespace paddock::subagents
