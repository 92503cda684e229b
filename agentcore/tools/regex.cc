#include "agentcore/tools/regex.h"

#include <re2/re2.h>

namespace paddock::agentcore {
namespace {

constexpr int64_t kMaxMemory = 2 << 20;  // bounds the program too, and so the time of one match

// Patterns whose meaning differs between one line and a block of lines read with (?m): they name the start or
// end of the text, or set or clear the m flag.
bool NeedsSingleLines(std::string_view pattern) {
  if (pattern.find("\\A") != std::string_view::npos || pattern.find("\\z") != std::string_view::npos) return true;
  for (size_t at = pattern.find("(?"); at != std::string_view::npos; at = pattern.find("(?", at + 2)) {
    size_t end = pattern.find_first_not_of("imsU-", at + 2);
    if (pattern.substr(at + 2, end == std::string_view::npos ? end : end - at - 2).find('m') != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

struct LineRegex::Impl {
  Impl(const std::string& pattern, const RE2::Options& options) : re(pattern, options) {}
  RE2 re;
  bool by_line = false;   // NeedsSingleLines
  bool has_dollar = false;
};

LineRegex::LineRegex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LineRegex::LineRegex(LineRegex&&) noexcept = default;
LineRegex::~LineRegex() = default;

Result<LineRegex> LineRegex::Compile(const std::string& pattern, const RegexOptions& options) {
  RE2::Options re2;
  re2.set_log_errors(false);
  re2.set_max_mem(kMaxMemory);
  re2.set_case_sensitive(!options.ignore_case);
  re2.set_literal(options.literal);
  auto impl = std::make_unique<Impl>(options.literal ? pattern : "(?m)" + pattern, re2);
  if (!impl->re.ok()) {
    std::string error = impl->re.error();
    if (size_t ours = error.find("(?m)"); ours != std::string::npos && !options.literal) error.erase(ours, 4);
    return Fail(ErrorKind::kInvalid, error);
  }
  impl->by_line = !options.literal && NeedsSingleLines(pattern);
  impl->has_dollar = !options.literal && pattern.find('$') != std::string::npos;
  return LineRegex(std::move(impl));
}

bool LineRegex::MatchesLine(std::string_view line) const {
  if (impl_->has_dollar && line.ends_with('\r')) line.remove_suffix(1);
  return impl_->re.Match(re2::StringPiece(line.data(), line.size()), 0, line.size(), RE2::UNANCHORED, nullptr, 0);
}

size_t LineRegex::NextCandidate(std::string_view block, size_t from) const {
  if (from >= block.size()) return std::string_view::npos;
  // In a block "$" stands before "\n" only, in a line also before "\r".
  if (impl_->by_line || (impl_->has_dollar && block.find('\r') != std::string_view::npos)) return from;
  re2::StringPiece found;
  if (!impl_->re.Match(re2::StringPiece(block.data(), block.size()), from, block.size(), RE2::UNANCHORED, &found, 1)) return std::string_view::npos;
  size_t at = static_cast<size_t>(found.data() - block.data());
  if (at >= block.size()) return std::string_view::npos;  // the empty match behind the last newline
  size_t newline = at == 0 ? std::string_view::npos : block.rfind('\n', at - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

}  // namespace paddock::agentcore
