// A copy of a folder with everything in it: bytes, holes, modes, times, symbolic links, hard links among them. What the jail hides
// is not in it.
#pragma once

#include <cstdint>
#include <string>

namespace paddock::subagents {

struct TreeCopyResult {
  int error = 0;             // errno at which it was given up; 0: whole
  std::string error_path;    // where
  bool shows_host = false;   // it was given up there, since that is of a file system of the kernel's own
  uint64_t left_out = 0;     // sockets, FIFOs, devices, what can't be read, too large or too deep
  std::string first_left_out;
  int first_why = 0;         // errno; 0: it is no file, folder or link, or lies too deep
};

// Both folders are there; `to` is empty and the caller's own. Paths in the result are relative to `from`. Files that
// change meanwhile are copied as they are when they are read.
TreeCopyResult CopyTree(const char* from, const char* to);

}  // namespace paddock::subagents
