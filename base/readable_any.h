// One descriptor that is readable when any of several is, for whoever can wait for one only.
#pragma once

#include <initializer_list>

#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock {

// Those given are borrowed; -1 is left out. Not to be read: only to be waited for. Also when the reader of `written_fd`,
// the write end of a pipe or a socket, is gone; of a file nothing is to be told.
Result<UniqueFd> ReadableAny(std::initializer_list<int> fds, int written_fd = -1);

}  // namespace paddock
