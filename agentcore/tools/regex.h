// A pattern of a model's, matched within single lines, in linear time and bounded memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock::agentcore {

struct RegexOptions {
  bool ignore_case = false;
  bool literal = false;
};

class LineRegex {
 public:
  // kInvalid: RE2's own message.
  static Result<LineRegex> Compile(const std::string& pattern, const RegexOptions& options);
  LineRegex(LineRegex&&) noexcept;
  ~LineRegex();

  // `line` without its newline. Where the pattern has a "$", a "\r" at the line's end is left out too.
  bool MatchesLine(std::string_view line) const;
  // The offset in `block` (whole lines) of a line that may match, at or after `from`: no line that matches lies
  // between. npos when there is none.
  size_t NextCandidate(std::string_view block, size_t from) const;

 private:
  struct Impl;
  explicit LineRegex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paddock::agentcore
