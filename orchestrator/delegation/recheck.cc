#include "orchestrator/delegation/recheck.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "agentcore/pipeline/clean.h"
#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/delegation/quoted_lines.h"

namespace paddock::orchestrator {
namespace {

using subagents::Evidence;
using subagents::RangeFrame;
using subagents::ReadRange;
using subagents::Verification;

constexpr size_t kMaxReads = 20'000;
constexpr int64_t kMaxLine = int64_t{1} << 40;
constexpr int64_t kLinesAtOnce = 2'000;
constexpr size_t kMaxFileAsks = 200, kMaxFileBytes = 4u << 20, kMaxTotalBytes = 64u << 20;  // of looking for quotes that moved

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return "";
  return std::string(TruncateUtf8(VisibleText(found->get_ref<const std::string&>(), Newlines::kEscape), 64));
}

// By path, merged and in order.
using Reads = std::map<std::string, std::vector<LineRange>>;

Reads MergedReads(const std::vector<ReadRange>& reads) {
  Reads merged;
  for (const ReadRange& one : reads) merged[PathKey(one.path)].push_back({one.line_start, one.line_end});
  for (auto& [path, ranges] : merged) {
    std::sort(ranges.begin(), ranges.end(), [](const LineRange& a, const LineRange& b) { return a.line_start < b.line_start; });
    std::vector<LineRange> out;
    for (const LineRange& one : ranges) {
      if (!out.empty() && one.line_start <= out.back().line_end + 1) out.back().line_end = std::max(out.back().line_end, one.line_end);
      else out.push_back(one);
    }
    ranges = std::move(out);
  }
  return merged;
}

class Again {
 public:
  Again(const CitingTicket& ticket, const StartChecker& start, const agentcore::Redactor& redactor, const Deadline& deadline, Recheck* out)
      : reads_(MergedReads(ticket.reads)), redactor_(redactor), deadline_(deadline), checker_(start, redactor, &out->notes) {}

  void Check(const Evidence& cited, RecheckedCitation* out) {
    const std::string* why = Unfit(cited);
    if (why) {
      out->note = *why;
      return;
    }
    const auto range = Ask(cited.path, cited.line_start, cited.line_end);
    if (!range) return Say(out, Verification::kUnknown, deadline_.passed() ? "no time was left to check it" : "the checker did not answer");
    if (range->status == "no_file") return Say(out, Verification::kChanged, "the file is not there any more");
    if (range->status == "not_text") return Say(out, Verification::kChanged, "the file is no text any more");
    if (range->status == "denied") return Say(out, Verification::kUnknown, "it is hidden, or can't be read");
    if (range->status != "ok" && range->status != "no_lines") return Say(out, Verification::kUnknown, "it could not be read: " + VisibleText(TruncateUtf8(range->status, 32), Newlines::kEscape));
    const auto quotes = QuotesOf(cited);
    if (range->status == "ok") {
      bool secret = false;
      const std::vector<SeenLine> lines = LinesOf(*range, cited.line_start, &secret);
      if (cited.sha256 && !secret) out->same_bytes = *cited.sha256 == Sha256Hex(BytesFromWire(range->bytes));
      for (const auto& quote : quotes)
        if (!PlacesOf(quote, lines).empty()) return IsTooShort(quote, lines) ? Say(out, Verification::kUnknown, kTooShort) : Say(out, Verification::kVerified, out->same_bytes == false ? "other text in these lines has changed" : "");
      if (out->same_bytes == true) return Say(out, Verification::kContradicted, "the lines have the same bytes as then, and don't hold the quote");
    }
    LookElsewhere(cited, quotes, range->status == "no_lines", out);
  }

 private:
  static void Say(RecheckedCitation* out, Verification now, std::string note) {
    out->now = now;
    out->note = std::move(note);
  }

  // Why it is not looked at; null when it is.
  const std::string* Unfit(const Evidence& cited) const {
    static const std::string kBackwards = "the range ends before it starts", kLong = "the range has more than 2000 lines: not looked at", kBlank = "the quote is empty",
                             kUnread = "not opened: the ticket does not say that all of these lines were read";
    if (cited.line_end < cited.line_start) return &kBackwards;
    if (cited.line_end - cited.line_start >= kLinesAtOnce) return &kLong;
    const auto ranges = reads_.find(PathKey(cited.path));
    const bool read = ranges != reads_.end() && !ranges->first.empty() && std::any_of(ranges->second.begin(), ranges->second.end(), [&](const LineRange& one) {
      return one.line_start <= cited.line_start && cited.line_end <= one.line_end;
    });
    if (!read) return &kUnread;
    return IsBlankQuote(cited.quote) ? &kBlank : nullptr;
  }

  std::optional<RangeFrame> Ask(const std::string& path, int64_t first, int64_t last) {
    if (deadline_.passed()) return std::nullopt;
    return checker_.Ask(path, first, last);
  }

  // As the ticket has it, and as it would be shown.
  std::vector<std::vector<std::string>> QuotesOf(const Evidence& cited) const {
    return {ComparableLines(cited.quote), ComparableLines(redactor_.Redact(VisibleText(cited.quote, Newlines::kKeep)))};
  }

  // Never what stands in a secret's place.
  std::vector<SeenLine> LinesOf(const RangeFrame& range, int64_t first, bool* secret) const {
    std::vector<std::string> clean;
    for (const std::string& line : RawLines(range)) clean.push_back(agentcore::CleanLine(line));
    const std::vector<std::string> shown = redactor_.RedactLines(clean, first, {});
    if (secret) *secret = shown != clean;
    std::vector<SeenLine> lines;
    for (const std::string& line : shown) lines.push_back({ComparableLine(line), false});
    return lines;
  }

  void LookElsewhere(const Evidence& cited, const std::vector<std::vector<std::string>>& quotes, bool shorter, RecheckedCitation* out) {
    const bool was_there = out->before == Verification::kVerified || out->before == Verification::kChanged || out->same_bytes == false || shorter;
    Say(out, was_there ? Verification::kChanged : Verification::kContradicted, shorter ? "the file has fewer lines than then" : was_there ? "the quote is not there any more" : "the quote is not in these lines");
    if (!Load(cited.path)) {
      out->note += "; it was not looked for elsewhere";
      return;
    }
    std::vector<std::pair<size_t, size_t>> places;  // line, from 0, and how many
    for (const auto& quote : quotes)
      for (size_t at : PlacesOf(quote, file_)) places.emplace_back(at, quote.size());
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.empty()) return;
    if (places.size() > 1) return Say(out, Verification::kUnknown, "the quote is not in these lines, and stands at " + std::to_string(places.size()) + " other places of the file");
    const int64_t first = static_cast<int64_t>(places[0].first) + 1, last = first + static_cast<int64_t>(places[0].second) - 1;
    out->moved_to = LineRange{first, last};
    Say(out, Verification::kChanged, "it stands " + (first == last ? "in line " + std::to_string(first) : "in lines " + std::to_string(first) + "-" + std::to_string(last)) + " now");
  }

  // All of a file, in pieces; the one that is held is not asked for again.
  bool Load(const std::string& path) {
    const std::string key = PathKey(path);
    if (key == held_) return loaded_;
    held_ = key;
    file_.clear();
    loaded_ = false;
    size_t bytes = 0, asks = 0;
    for (int64_t first = 1, step = kLinesAtOnce;;) {
      if (++asks > kMaxFileAsks) return false;
      const auto range = Ask(path, first, first + step - 1);
      if (!range) return false;
      if (range->status == "ok") {
        bytes += range->bytes.size();
        total_bytes_ += range->bytes.size();
        if (bytes > kMaxFileBytes || total_bytes_ > kMaxTotalBytes) return false;
        std::vector<SeenLine> lines = LinesOf(*range, first, nullptr);
        if (static_cast<int64_t>(lines.size()) != step) return false;
        std::move(lines.begin(), lines.end(), std::back_inserter(file_));
        first += step;
      } else if ((range->status == "no_lines" || range->status == "too_long") && step > 1) {
        step /= 2;  // the end of the file is near, or the lines are long
      } else {
        return loaded_ = range->status == "no_lines";
      }
    }
  }

  const Reads reads_;
  const agentcore::Redactor& redactor_;
  const Deadline& deadline_;
  CheckerSlot checker_;
  std::string held_;
  bool loaded_ = false;
  std::vector<SeenLine> file_;
  size_t total_bytes_ = 0;
};

}  // namespace

Result<CitingTicket> ReadCitingTicket(const Json& json) {
  if (!json.is_object() || !json.contains("findings")) return Fail(ErrorKind::kInvalid, "$: expected a result ticket, an object with findings", "the last line of paddock investigate --json is one, and so is result.json of a record");
  CitingTicket ticket;
  ticket.id = TextOf(json, "id");
  ticket.subagent = TextOf(json, "subagent");
  ticket.findings = TRY(FromJson<std::vector<subagents::Finding>>(json["findings"], "$.findings"));
  size_t citations = 0;
  for (const auto& finding : ticket.findings) citations += finding.evidence.size();
  if (citations > kMaxRecheckedCitations) return Fail(ErrorKind::kLimit, "$.findings: " + std::to_string(citations) + " citations; at most " + std::to_string(kMaxRecheckedCitations) + " are checked");
  if (json.contains("reads") && !json["reads"].is_null()) {
    ticket.reads = TRY(FromJson<std::vector<ReadRange>>(json["reads"], "$.reads"));
    if (ticket.reads.size() > kMaxReads) return Fail(ErrorKind::kLimit, "$.reads: " + std::to_string(ticket.reads.size()) + " ranges; at most " + std::to_string(kMaxReads) + " are taken");
  } else {
    for (const auto& finding : ticket.findings)
      for (const Evidence& one : finding.evidence)
        if (one.read) ticket.reads.push_back({one.path, one.line_start, one.line_end});
  }
  for (size_t i = 0; i < ticket.reads.size(); ++i)
    if (const ReadRange& one = ticket.reads[i]; one.line_start < 1 || one.line_end < one.line_start || one.line_end > kMaxLine)
      return Fail(ErrorKind::kInvalid, "$.reads[" + std::to_string(i) + "]: expected lines from 1 that don't end before they start, got " + std::to_string(one.line_start) + " to " + std::to_string(one.line_end));
  return ticket;
}

Recheck RecheckCitations(const CitingTicket& ticket, const StartChecker& start_checker, const agentcore::Redactor& redactor, const Deadline& deadline) {
  Recheck out;
  const auto text = [&](const std::string& from, Newlines newlines, size_t most) { return std::string(TruncateUtf8(redactor.Redact(VisibleText(from, newlines)), most)); };
  out.ticket = ticket.id;
  out.subagent = ticket.subagent;
  Again again(ticket, start_checker, redactor, deadline, &out);
  std::vector<const Evidence*> all;
  for (const auto& finding : ticket.findings)
    for (const Evidence& cited : finding.evidence) {
      RecheckedCitation one;
      one.finding = text(finding.title, Newlines::kEscape, 1024);
      one.path = text(cited.path, Newlines::kEscape, 32768);
      one.line_start = cited.line_start;
      one.line_end = cited.line_end;
      one.quote = text(cited.quote, Newlines::kKeep, 65536);
      one.before = cited.verification;
      ++out.citations;
      out.verified_before += one.before == Verification::kVerified;
      out.results.push_back(std::move(one));
      all.push_back(&cited);
    }
  // File by file, as one at a time is held; told in the ticket's order.
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return all[a]->path < all[b]->path; });
  for (const size_t i : order) {
    again.Check(*all[i], &out.results[i]);
    out.verified += out.results[i].now == Verification::kVerified;
  }
  return out;
}

std::string PublishedRecheckSchema() {
  Json out = Json::object();
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["title"] = "paddock recheck";
  out["description"] = "What `paddock recheck --json` prints: the citations of a ticket, checked again.";
  const Json schema = SchemaOf<Recheck>();
  for (auto it = schema.begin(); it != schema.end(); ++it) out[it.key()] = it.value();
  out["properties"]["schema"]["const"] = kRecheckSchema;
  return PrettyJson(out) + "\n";
}

}  // namespace paddock::orchestrator
