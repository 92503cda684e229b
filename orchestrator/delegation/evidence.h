// The evidence check: is the text that a finding quotes really there, and was it really read?
//
// Only ranges that the subagent read are ever looked at, so that a check can't be used to guess what is in
// files that it can't see. A checker cell gives the raw bytes of a range; they are cleaned by the same
// function as what the model saw, and compared. Where secrets were taken out, with what was shown in their place;
// then there is no sha256, which would let a short secret be guessed:
//
//   the quote is     one line: a part of one line of the range
//                    several lines: consecutive whole lines of the range
//                    (a newline at its end and carriage returns at line ends don't count)
//   verified         it is there; sha256 is that of the raw range
//   changed          it is not, and the range is not what was read, or the file was written since the start,
//                    or it is gone
//   contradicted     it is not, and nothing speaks for a change
//   unknown          not read, not readable, empty, or outside of the part of a long line that was seen
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agentcore/pipeline/redact.h"
#include "base/deadline.h"
#include "base/result.h"
#include "orchestrator/broker/read_lines.h"
#include "subagents/frames.h"
#include "subagents/report.h"

namespace paddock::orchestrator {

inline constexpr int64_t kMaxCitedLines = 2000;
inline constexpr int kMaxFreshCheckers = 3;  // after the first

// Nanoseconds since 1970.
struct CheckTimes {
  int64_t jail_start_ns = 0;
  int64_t now_ns = 0;  // a change after now is no evidence of anything; 0: the time of the call
};

// Everything of a citation that can be said without looking; verification stays unknown.
// True when the range is to be looked at.
bool Precheck(const subagents::Citation& citation, const ReadLines& read, const agentcore::Redactor& redactor, subagents::Evidence* out);
// For a citation that passed Precheck, given what the checker found.
subagents::Evidence Judge(const subagents::Citation& citation, const ReadLines& read, const CheckTimes& times,
                          const subagents::RangeFrame& range, const agentcore::Redactor& redactor);

// One checker cell. An error means that it is of no use any more.
class CitationChecker {
 public:
  virtual ~CitationChecker() = default;
  virtual Result<subagents::RangeFrame> Ask(const subagents::CiteFrame& cite) = 0;
};
using StartChecker = std::function<Result<std::unique_ptr<CitationChecker>>()>;

struct CheckedEvidence {
  std::vector<subagents::Finding> findings;  // texts made visible, redacted and bounded
  int64_t citations = 0;
  int64_t verified = 0;
  std::vector<std::string> notes;
};

// `start_checker` is called at the first citation that needs it, and again when a checker dies. After the
// deadline the citations that are left are unknown.
CheckedEvidence CheckEvidence(const subagents::Report& report, const ReadLines& read, const CheckTimes& times,
                              const StartChecker& start_checker, const agentcore::Redactor& redactor,
                              const Deadline& deadline = Deadline::Never());

}  // namespace paddock::orchestrator
