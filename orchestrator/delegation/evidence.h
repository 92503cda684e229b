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
//
// A quote that does not stand where it was cited, in lines that are as they were read, is looked for in the rest of what was read of
// that file (quote_finder.h). (Of lines that were not read nobody knows whether it stands there.) At one place: the citation is pointed there, verified, and the note says which
// lines were cited. At several: unknown, never contradicted. At none: as above.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agentcore/pipeline/redact.h"
#include "base/deadline.h"
#include "orchestrator/broker/read_lines.h"
#include "orchestrator/delegation/checker_slot.h"
#include "subagents/report.h"

namespace paddock::orchestrator {

inline constexpr int64_t kMaxCitedLines = 2000;

// Nanoseconds since 1970.
struct CheckTimes {
  int64_t jail_start_ns = 0;
  int64_t now_ns = 0;  // a change after now is no evidence of anything; 0: the time of the call
};

// Everything of a citation that can be said without looking; verification stays unknown.
// True when the range is to be looked at.
bool Precheck(const subagents::Citation& citation, const ReadLines& read, const agentcore::Redactor& redactor, subagents::Evidence* out);
// For a citation that passed Precheck, given what the checker found. `elsewhere`: the lines are as they were read and don't hold the
// quote, so it may stand elsewhere.
subagents::Evidence Judge(const subagents::Citation& citation, const ReadLines& read, const CheckTimes& times,
                          const subagents::RangeFrame& range, const agentcore::Redactor& redactor, bool* elsewhere = nullptr);

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
