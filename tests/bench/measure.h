// What the benchmarks measure with.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace paddock::bench {

using Clock = std::chrono::steady_clock;

inline double Micros(Clock::time_point from, Clock::time_point to) { return std::chrono::duration<double, std::micro>(to - from).count(); }

inline double Percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[static_cast<size_t>(part * static_cast<double>(values.size() - 1))];
}

[[noreturn]] inline void GiveUp(const Error& error) {
  std::fprintf(stderr, "paddock_bench: %s\n  %s\n", error.message.c_str(), error.hint.c_str());
  _exit(1);
}
template <class T>
T Must(Result<T> result) {
  if (!result) GiveUp(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

inline Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }

// Proportional set size in KiB; -1 where the kernel does not let us look.
inline long Pss(pid_t pid) {
  std::string path = "/proc/" + std::to_string(pid) + "/smaps_rollup";
  FILE* file = std::fopen(path.c_str(), "r");
  if (!file) return -1;
  char line[256];
  long kib = -1;
  while (std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "Pss: %ld kB", &kib) == 1) break;
  std::fclose(file);
  return kib;
}
inline pid_t ParentOf(pid_t pid) {
  std::string path = "/proc/" + std::to_string(pid) + "/stat";
  FILE* file = std::fopen(path.c_str(), "r");
  if (!file) return -1;
  char text[1024];
  size_t n = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[n] = '\0';
  int parent = -1;
  const char* end = std::strrchr(text, ')');
  if (end) std::sscanf(end, ") %*c %d", &parent);
  return parent;
}

}  // namespace paddock::bench
