// One glob pattern, with git's meaning (gitignore(5), as `git check-ignore` of git 2.39 acts), matched
// without backtracking: a set of states moves over the text once, so that the cost is at most text length
// times pattern length (and mostly the few states that are alive), whatever a hostile repository writes into its .gitignore.
//
// `*`, `?`, `[a-z]`, `[!a]`, `[^a]`, `[[:alpha:]]`, `\` before any character. kPath: `*`, `?` and classes don't match
// "/"; `**` between slashes (or at an end) does. kName: `*` matches anything.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"

namespace paddock::agentcore {

// Counts the steps of matching, so that a walk ends at its deadline even inside one pattern, and what a stranger's
// patterns may cost is bounded. Once `exhausted`, matches say false: at the deadline the walk must stop, after
// `max_steps` it goes on without those patterns.
struct GlobCost {
  Deadline deadline = Deadline::Never();
  uint64_t max_steps = UINT64_MAX;
  uint64_t steps = 0;
  uint64_t next_check = 1u << 20;
  bool exhausted = false;

  bool Spend(uint64_t n) {
    steps += n;
    if (steps >= next_check && !exhausted) {
      exhausted = deadline.passed() || steps >= max_steps;
      next_check = steps + (1u << 20);
    }
    return !exhausted;
  }
};

enum class GlobMode { kName, kPath };

class Glob {
 public:
  Glob(std::string_view pattern, GlobMode mode);
  // False for a pattern that can never match: an open "[", an unknown [:class:], a backslash at the end.
  bool well_formed() const { return well_formed_; }
  bool Match(std::string_view text, GlobCost* cost) const;

 private:
  enum class Kind : uint8_t { kByte, kAny, kClass, kStar, kStarStar, kOptionalFolders, kAnyThenSlash };
  struct Token {
    Kind kind;
    uint8_t byte = 0;    // kByte
    uint32_t index = 0;  // kClass
  };
  void AddStars(std::string_view pattern, size_t* at);
  bool AddClass(std::string_view pattern, size_t* at);
  size_t Reach(size_t state, uint8_t* states) const;

  GlobMode mode_;
  bool well_formed_ = true;
  size_t least_ = 0;  // bytes that any match has at least
  std::vector<Token> tokens_;
  std::vector<std::bitset<256>> classes_;
};

}  // namespace paddock::agentcore
