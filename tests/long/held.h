// What a process and its cells hold, for the programs of this folder.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/result.h"

namespace paddock {

template <class T>
T Must(Result<T> result) {
  if (result) {
    if constexpr (std::is_void_v<T>) return;
    else return *std::move(result);
  }
  std::fprintf(stderr, "%s\n  %s\n", result.error().message.c_str(), result.error().hint.c_str());
  exit(1);
}

// A folder with a small repository, "repo", and "state", empty.
std::string MakeFolder();

// Of this process, kB: "VmRSS:", "VmHWM:" (proc(5), status).
long StatusKb(const std::string& field);

struct Held {
  long rss_kb = 0;
  size_t descriptors = 0, children = 0, mounts = 0, groups = 0;
};
// What this process holds; children are zombies too, groups its control groups.
Held Look();

struct CellSizes {
  size_t most = 0;      // at one time
  long largest_kb = 0;  // of one with its pid 1, in proportion (proc(5), smaps_rollup)
};
// Of the cells below this process, as they are now.
void LookAtCells(CellSizes* sizes);

}  // namespace paddock
