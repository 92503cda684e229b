#include "orchestrator/delegation/evidence.h"

#include <algorithm>
#include <ctime>

#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/delegation/quote_finder.h"

namespace paddock::orchestrator {
namespace {

using subagents::Citation;
using subagents::Evidence;
using subagents::Finding;
using subagents::RangeFrame;
using subagents::Verification;

constexpr size_t kMaxNamedPlaces = 8;

// A text of the report, fit for the ticket.
std::string ForTicket(const agentcore::Redactor& redactor, std::string_view text, Newlines newlines, size_t max_bytes) {
  return std::string(TruncateUtf8(redactor.Redact(VisibleText(text, newlines)), max_bytes));
}

Evidence Start(const Citation& citation, const agentcore::Redactor& redactor) {
  Evidence out;
  out.path = ForTicket(redactor, citation.path, Newlines::kEscape, 32768);
  if (out.path.empty()) out.path = "(none)";
  out.line_start = citation.line_start;
  out.line_end = citation.line_end;
  out.quote = ForTicket(redactor, citation.quote, Newlines::kKeep, 65536);
  return out;
}

Evidence With(Evidence evidence, Verification verification, std::string note) {
  evidence.verification = verification;
  evidence.note = TruncateUtf8(note, 1024);
  return evidence;
}

int64_t NowNs() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

bool Precheck(const Citation& citation, const ReadLines& read, const agentcore::Redactor& redactor, Evidence* out) {
  *out = Start(citation, redactor);
  auto stop = [&](Verification verification, const char* note) {
    out->verification = verification;
    out->note = note;
    return false;
  };
  if (citation.line_start < 1 || citation.line_end < citation.line_start)
    return stop(Verification::kContradicted, "the range ends before it starts");
  if (citation.line_end - citation.line_start >= kMaxCitedLines)
    return stop(Verification::kUnknown, "the range has more than 2000 lines: not looked at");
  // Before anything about the quote: nothing is said of what was not read.
  if (!read.Covers(citation.path, citation.line_start, citation.line_end))
    return stop(Verification::kUnknown, read.overflowed() ? "not every line of this range is known to have been read (more was read than is kept)"
                                                          : "not every line of this range was read");
  out->read = true;
  if (IsBlankQuote(citation.quote)) return stop(Verification::kUnknown, "the quote is empty");
  return true;
}

Evidence Judge(const Citation& citation, const ReadLines& read, const CheckTimes& times, const RangeFrame& range, const agentcore::Redactor& redactor, bool* elsewhere) {
  Evidence out;
  if (!Precheck(citation, read, redactor, &out)) return out;
  if (range.status == "no_file" || range.status == "no_lines" || range.status == "not_text" || range.status == "denied")
    return With(out, Verification::kChanged, "it was read, and is not there any more: " + range.status);
  if (range.status == "too_long") return With(out, Verification::kUnknown, "the range is too long to be checked");
  if (range.status == "timeout") return With(out, Verification::kUnknown, "it could not be read in time");
  if (range.status != "ok") return With(out, Verification::kUnknown, "the checker gave no usable answer");

  const auto seen = SeenRangeOf(range, citation.path, citation.line_start, citation.line_end, read, redactor);
  if (!seen) return With(out, Verification::kChanged, "the file has other lines than when it was read");
  // Of a line that was cut only the part that was seen may be confirmed, and only while it is the same; a
  // hash would tell of the rest.
  const std::vector<std::string> quote = ComparableLines(citation.quote);
  const bool holds = !PlacesOf(quote, seen->lines).empty() || !PlacesOf(ComparableLines(out.quote), seen->lines).empty();
  if (holds && IsTooShort(quote, seen->lines)) return With(out, Verification::kUnknown, kTooShort);
  if (holds && (!seen->cut || seen->same)) {
    if (seen->cut) return With(out, Verification::kVerified, "within the part of a long line that was seen; no hash for that reason");
    if (seen->secret) return With(out, Verification::kVerified, "a secret in these lines was redacted; no hash, from which it could be guessed");
    out.sha256 = Sha256Hex(seen->bytes);
    return With(out, Verification::kVerified, "");
  }
  if (!seen->same) return With(out, Verification::kChanged, "the lines are not those that were read");
  if (elsewhere) *elsewhere = true;
  if (seen->cut) return With(out, Verification::kUnknown, "the quote is not within the part of the long line that was seen");
  int64_t now = times.now_ns != 0 ? times.now_ns : NowNs();
  if (range.changed_ns > times.jail_start_ns && range.changed_ns <= now)
    return With(out, Verification::kChanged, "the file was written after the start");
  return With(out, Verification::kContradicted, "the quote is not in these lines");
}

namespace {

// All that the check of one ticket needs.
class Check {
 public:
  Check(const ReadLines& read, const CheckTimes& times, const StartChecker& start, const agentcore::Redactor& redactor, const Deadline& deadline, CheckedEvidence* out)
      : read_(read), times_(times), redactor_(redactor), deadline_(deadline), checker_(start, redactor, &out->notes),
        finder_(read, redactor, [this](const std::string& path, int64_t first, int64_t last) { return deadline_.passed() ? std::optional<RangeFrame>() : checker_.Ask(path, first, last); }) {}

  Evidence Of(const Citation& citation) {
    Evidence evidence;
    const bool look = Precheck(citation, read_, redactor_, &evidence);
    bool elsewhere = false;
    if (look && deadline_.passed()) {
      late_ = true;
      evidence.note = "no time was left to check it";
    } else if (look) {
      if (auto range = checker_.Ask(citation.path, citation.line_start, citation.line_end)) evidence = Judge(citation, read_, times_, *range, redactor_, &elsewhere);
      else evidence.note = "the checker did not answer";
    }
    return elsewhere ? LookElsewhere(citation, std::move(evidence)) : evidence;
  }
  bool late() const { return late_; }

 private:
  static std::string LinesText(int64_t first, int64_t last) { return first == last ? "line " + std::to_string(first) : "lines " + std::to_string(first) + "-" + std::to_string(last); }

  Evidence LookElsewhere(const Citation& citation, Evidence evidence) {
    const std::vector<std::string> quote = ComparableLines(citation.quote);
    std::vector<std::vector<std::string>> quotes{quote};
    if (auto redacted = ComparableLines(evidence.quote); redacted.size() == quote.size() && redacted != quote) quotes.push_back(std::move(redacted));
    const auto places = finder_.Find(citation.path, quotes);
    if (!places || places->empty()) return evidence;
    const std::string cited = "cited as " + LinesText(citation.line_start, citation.line_end);
    if (places->size() > 1) {
      std::string text;
      for (size_t i = 0; i < places->size() && i < kMaxNamedPlaces; ++i) text += (i ? ", " : "") + std::to_string((*places)[i]);
      if (places->size() > kMaxNamedPlaces) text += " and more";
      return With(evidence, Verification::kUnknown, cited + ", where the quote is not; it stands at " + std::to_string(places->size()) + " places that were read (lines " + text + "), and which is meant is not known");
    }
    Citation right = citation;
    right.line_start = places->front();
    right.line_end = right.line_start + static_cast<int64_t>(quote.size()) - 1;
    const auto range = deadline_.passed() ? std::optional<RangeFrame>() : checker_.Ask(right.path, right.line_start, right.line_end);
    if (!range) return evidence;
    Evidence pointed = Judge(right, read_, times_, *range, redactor_);
    if (pointed.verification != Verification::kVerified) return evidence;
    pointed.note = cited + (pointed.note.empty() ? "" : "; " + pointed.note);
    return pointed;
  }

  const ReadLines& read_;
  const CheckTimes& times_;
  const agentcore::Redactor& redactor_;
  const Deadline& deadline_;
  CheckerSlot checker_;
  QuoteFinder finder_;
  bool late_ = false;
};

}  // namespace

CheckedEvidence CheckEvidence(const subagents::Report& report, const ReadLines& read, const CheckTimes& times,
                              const StartChecker& start_checker, const agentcore::Redactor& redactor, const Deadline& deadline) {
  CheckedEvidence out;
  Check check(read, times, start_checker, redactor, deadline, &out);
  for (const subagents::ClaimedFinding& claim : report.findings) {
    Finding finding;
    finding.title = ForTicket(redactor, claim.title, Newlines::kEscape, 1024);
    finding.severity = claim.severity;
    finding.detail = ForTicket(redactor, claim.detail, Newlines::kKeep, 65536);
    finding.confidence = claim.confidence;
    for (const Citation& citation : claim.evidence) {
      ++out.citations;
      Evidence evidence = check.Of(citation);
      if (evidence.verification == Verification::kVerified) ++out.verified;
      finding.evidence.push_back(std::move(evidence));
    }
    out.findings.push_back(std::move(finding));
  }
  if (check.late()) out.notes.emplace_back("not all citations were checked: no time was left");
  if (read.overflowed()) out.notes.emplace_back("more lines were read than are kept: what came last counts as not read");
  return out;
}

}  // namespace paddock::orchestrator
