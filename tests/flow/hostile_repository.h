// A repository full of traps, made by the test: each would write a marker into the home folder if anybody ran it. And things that
// honest projects have, which must not be called hostile.
#pragma once

#include <span>
#include <string>

#include "subagents/report.h"

namespace paddock::flow {

struct Planted {
  const char* label;  // of the finding that is expected for `path`
  const char* path;
  std::string text;   // of the file; empty where another entry has written it
  subagents::Severity at_least = subagents::Severity::kMedium;
};
std::span<const Planted> Traps();

struct Honest {
  const char* path;
  std::string text;
};
std::span<const Honest> HonestFiles();

}  // namespace paddock::flow
