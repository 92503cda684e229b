#include "orchestrator/delegation/evidence.h"

#include <algorithm>
#include <ctime>

#include "agentcore/pipeline/wrap.h"
#include "base/sha256.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

using subagents::Citation;
using subagents::Evidence;
using subagents::Finding;
using subagents::RangeFrame;
using subagents::Verification;

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline));
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
  }
  return lines;
}

// As a model saw it, without a carriage return at the end. `line` may be cleaned already.
std::string Comparable(std::string_view line) {
  std::string out = agentcore::BreakMarks(agentcore::CleanLine(line));
  constexpr std::string_view kReturn = "\\u{D}";
  if (out.ends_with(kReturn)) out.resize(out.size() - kReturn.size());
  return out;
}

std::vector<std::string> ComparableLines(std::string_view text) {
  std::vector<std::string> out;
  for (std::string_view line : SplitLines(text)) out.push_back(Comparable(line));
  return out;
}

// Nothing to see: an empty text is a part of every line and proves nothing.
bool IsBlank(std::string_view quote) {
  auto lines = ComparableLines(quote);
  return std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return line.find_first_not_of(" \t") == std::string::npos; });
}

struct SeenLine {
  std::string text;  // comparable; of a line that was cut, the part that was seen
  bool cut = false;
};

bool Holds(const std::vector<SeenLine>& range, const std::vector<std::string>& quote) {
  if (quote.size() == 1)
    return std::any_of(range.begin(), range.end(), [&](const SeenLine& line) { return line.text.find(quote[0]) != std::string::npos; });
  for (size_t start = 0; start + quote.size() <= range.size(); ++start) {
    bool same = true;
    for (size_t i = 0; same && i < quote.size(); ++i) same = !range[start + i].cut && range[start + i].text == quote[i];
    if (same) return true;
  }
  return false;
}

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
  if (IsBlank(citation.quote)) return stop(Verification::kUnknown, "the quote is empty");
  return true;
}

Evidence Judge(const Citation& citation, const ReadLines& read, const CheckTimes& times, const RangeFrame& range, const agentcore::Redactor& redactor) {
  Evidence out;
  if (!Precheck(citation, read, redactor, &out)) return out;
  if (range.status == "no_file" || range.status == "no_lines" || range.status == "not_text" || range.status == "denied")
    return With(out, Verification::kChanged, "it was read, and is not there any more: " + range.status);
  if (range.status == "too_long") return With(out, Verification::kUnknown, "the range is too long to be checked");
  if (range.status == "timeout") return With(out, Verification::kUnknown, "it could not be read in time");
  if (range.status != "ok") return With(out, Verification::kUnknown, "the checker gave no usable answer");

  std::string bytes = BytesFromWire(range.bytes);
  std::vector<std::string_view> lines = SplitLines(bytes);
  // Where the tool showed other bytes than those of the file (UTF-16, a byte order mark), so does the checker.
  std::vector<std::string> shown;
  for (const std::string& line : range.lines) shown.push_back(BytesFromWire(line));
  if (!shown.empty()) lines.assign(shown.begin(), shown.end());
  if (lines.size() != static_cast<size_t>(citation.line_end - citation.line_start + 1))
    return With(out, Verification::kChanged, "the file has other lines than when it was read");

  std::vector<const ReadLine*> was_read = read.Range(citation.path, citation.line_start, citation.line_end);
  std::vector<std::string> clean;
  for (size_t i = 0; i < lines.size(); ++i) clean.push_back(agentcore::CleanLine(was_read[i]->cut ? lines[i].substr(0, was_read[i]->length) : lines[i]));
  const std::vector<std::string> redacted = redactor.RedactLines(clean, citation.line_start, {});
  std::vector<SeenLine> seen;
  bool same = true, cut = false, secret = redacted != clean;
  for (size_t i = 0; i < lines.size(); ++i) {
    const ReadLine* was = was_read[i];
    const bool matches = was->Matches(lines[i]);
    same = same && matches;
    cut = cut || was->cut;
    // A line that is as it was read is compared as it was shown, which depended on the lines around it.
    const std::string* instead = read.ShownInstead(*was);
    secret = secret || instead;
    seen.push_back({Comparable(!matches ? redacted[i] : instead ? *instead : clean[i]), was->cut});
  }
  const std::vector<std::string> quote = ComparableLines(citation.quote), redacted_quote = ComparableLines(out.quote);

  // Of a line that was cut only the part that was seen may be confirmed, and only while it is the same; a
  // hash would tell of the rest.
  if ((Holds(seen, quote) || Holds(seen, redacted_quote)) && (!cut || same)) {
    if (cut) return With(out, Verification::kVerified, "within the part of a long line that was seen; no hash for that reason");
    if (secret) return With(out, Verification::kVerified, "a secret in these lines was redacted; no hash, from which it could be guessed");
    out.sha256 = Sha256Hex(bytes);
    return With(out, Verification::kVerified, "");
  }
  if (!same) return With(out, Verification::kChanged, "the lines are not those that were read");
  if (cut) return With(out, Verification::kUnknown, "the quote is not within the part of the long line that was seen");
  int64_t now = times.now_ns != 0 ? times.now_ns : NowNs();
  if (range.changed_ns > times.jail_start_ns && range.changed_ns <= now)
    return With(out, Verification::kChanged, "the file was written after the start");
  return With(out, Verification::kContradicted, "the quote is not in these lines");
}

namespace {

// Holds the one checker of a ticket and starts a fresh one when it dies.
class CheckerSlot {
 public:
  CheckerSlot(const StartChecker& start, const agentcore::Redactor& redactor, CheckedEvidence* out) : start_(start), redactor_(redactor), out_(out) {}

  // nullopt when no checker could answer.
  std::optional<RangeFrame> Ask(const Citation& citation) {
    if (!checker_ && !StartOne()) return std::nullopt;
    subagents::CiteFrame cite{next_++, PathToText(PathKey(citation.path)), citation.line_start, citation.line_end};
    auto range = checker_->Ask(cite);
    if (range && range->n == cite.n) return *std::move(range);
    Note("a checker broke at " + PathToText(PathKey(citation.path)) + ": " + (range ? "it answered another question" : range.error().message));
    checker_.reset();
    return std::nullopt;
  }

 private:
  bool StartOne() {
    if (started_ > kMaxFreshCheckers) return false;
    ++started_;
    auto checker = start_();
    if (!checker || !*checker) {
      Note("a checker did not start: " + (checker ? std::string("none was given") : checker.error().message));
      return false;
    }
    checker_ = *std::move(checker);
    return true;
  }
  void Note(const std::string& note) { out_->notes.push_back(ForTicket(redactor_, note, Newlines::kEscape, 1024)); }

  const StartChecker& start_;
  const agentcore::Redactor& redactor_;
  CheckedEvidence* out_;
  std::unique_ptr<CitationChecker> checker_;
  int started_ = 0;
  int64_t next_ = 1;
};

}  // namespace

CheckedEvidence CheckEvidence(const subagents::Report& report, const ReadLines& read, const CheckTimes& times,
                              const StartChecker& start_checker, const agentcore::Redactor& redactor, const Deadline& deadline) {
  CheckedEvidence out;
  CheckerSlot checker(start_checker, redactor, &out);
  bool late = false;
  for (const subagents::ClaimedFinding& claim : report.findings) {
    Finding finding;
    finding.title = ForTicket(redactor, claim.title, Newlines::kEscape, 1024);
    finding.severity = claim.severity;
    finding.detail = ForTicket(redactor, claim.detail, Newlines::kKeep, 65536);
    finding.confidence = claim.confidence;
    for (const Citation& citation : claim.evidence) {
      ++out.citations;
      Evidence evidence;
      if (Precheck(citation, read, redactor, &evidence)) {
        if (deadline.passed()) {
          late = true;
          evidence.note = "no time was left to check it";
        } else if (auto range = checker.Ask(citation)) {
          evidence = Judge(citation, read, times, *range, redactor);
        } else {
          evidence.note = "the checker did not answer";
        }
      }
      if (evidence.verification == Verification::kVerified) ++out.verified;
      finding.evidence.push_back(std::move(evidence));
    }
    out.findings.push_back(std::move(finding));
  }
  if (late) out.notes.emplace_back("not all citations were checked: no time was left");
  if (read.overflowed()) out.notes.emplace_back("more lines were read than are kept: what came last counts as not read");
  return out;
}

}  // namespace paddock::orchestrator
