#include "subagents/playbook/traces/own_checks.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxLine = 1'000, kMaxFile = 512, kMaxMessage = 400;

re2::StringPiece Piece(std::string_view text) {
  text = TruncateUtf8(text, kMaxLine);
  return {text.data(), text.size()};
}

bool IsOfCheck(std::string_view line) {
  static const RE2 words(R"re((?i)\b(?:assert(?:ion)?s?|checks?|tests?|expectation)\b[^.]{0,40}\bfail(?:ed|ure|s)?\b|\bfailed (?:assert(?:ion)?|check|expectation)\b|^\W*(?:expected|actual|got|want(?:ed)?)\s*[:=]|\bexpected\b.*\b(?:got|actual|but|was)\b)re");
  return RE2::PartialMatch(Piece(line), words);
}

std::string Trimmed(std::string_view text) {
  static constexpr std::string_view kAside = " \t\r-=*#";
  const size_t first = text.find_first_not_of(kAside);
  return first == text.npos ? "" : std::string(TruncateUtf8(text.substr(first, text.find_last_not_of(kAside) + 1 - first), kMaxMessage));
}

bool IsAt(const Trace& trace, const Frame& frame) { return !trace.frames.empty() && trace.frames[0].file == frame.file && trace.frames[0].line == frame.line; }

}  // namespace

void OwnChecks::Take(std::string_view line, std::string_view before, std::string_view behind) {
  static const RE2 place(R"re((?i)(?:^|[\s(\["'])(?:(?:line|at|in|file):?\s+)?["'(]?((?:/|\w|\.)[\w./+-]*\.(?:c|cc|cpp|cxx|h|hpp|py|rb|[cm]?[jt]sx?|go|rs|java|kt|swift|php|pl|lua|m|cs))["']?(?::|\(|,? (?:on |at )?line:? ?)(\d{1,8})\b)re");
  std::string file, number;
  if (checks_.size() >= kMaxTraces || line.find_first_of("0123456789") == line.npos || !RE2::PartialMatch(Piece(line), place, &file, &number)) return;
  const bool within = IsOfCheck(line);
  if (!within && !IsOfCheck(before) && !IsOfCheck(behind)) return;
  Frame frame{std::string(TruncateUtf8(file, kMaxFile)), std::atoll(number.c_str()), ""};
  if (std::any_of(checks_.begin(), checks_.end(), [&](const Trace& one) { return IsAt(one, frame); })) return;
  const std::string message = Trimmed(within ? line : IsOfCheck(before) ? before : behind);
  checks_.push_back({TraceKind::kAssertion, "its own words", message, "", {std::move(frame)}, -1});
}

void OwnChecks::AddTo(LogFacts* facts) const {
  if (std::any_of(facts->traces.begin(), facts->traces.end(), [](const Trace& trace) { return trace.kind != TraceKind::kWeak && trace.kind != TraceKind::kTest; })) return;
  // What was taken for a mere place is one of a check.
  for (const Trace& check : checks_) std::erase_if(facts->traces, [&](const Trace& trace) { return trace.kind == TraceKind::kWeak && IsAt(trace, check.frames[0]); });
  facts->traces.insert(facts->traces.begin(), checks_.begin(), checks_.end());
  if (facts->traces.size() > kMaxTraces) facts->traces.resize(kMaxTraces);
}

}  // namespace paddock::subagents
