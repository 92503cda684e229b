// The citations of a ticket, checked again: on the same tree, or on a newer one.
//
// The ticket may be anybody's, so nothing that it says is believed, and little is asked for it: a range is opened only where the ticket says
// that it was read, by a checker cell (which refuses what is hidden), and what comes out is whether texts stand there that the ticket holds
// itself. A quote that is not where it was is looked for in that file, as far as the bounds go.
//
//   verified       the quote stands in the lines
//   changed        it doesn't, and the lines, or the file, are not what they were; `moved_to` where it stands at one other place now
//   contradicted   it doesn't, and the lines have the bytes that they had, or it never was known to stand there
//   unknown        not read by the ticket's word, hidden, not readable, empty, or standing at several other places now
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/delegation/checker_slot.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

inline constexpr char kRecheckSchema[] = "paddock/recheck/1";
inline constexpr size_t kMaxRecheckedCitations = 8'192;

// What is taken of a result ticket, or of the result of a run of the main agent.
struct CitingTicket {
  std::string id, subagent;  // visible text, at most 64 bytes
  std::vector<subagents::Finding> findings;
  std::vector<subagents::ReadRange> reads;
};
// kInvalid: "$.findings[0].evidence[1].line_start: ...". Where it has no `reads`, the ranges of its citations that say so were read.
Result<CitingTicket> ReadCitingTicket(const Json& json);

struct LineRange {
  int64_t line_start = 1, line_end = 1;
};
inline auto Fields(FieldsOf<LineRange>) {
  return std::make_tuple(Required("line_start", &LineRange::line_start, "first line, from 1"), Required("line_end", &LineRange::line_end, "last line"));
}

struct RecheckedCitation {
  std::string finding;
  std::string path;
  int64_t line_start = 1, line_end = 1;
  std::string quote;
  subagents::Verification before = subagents::Verification::kUnknown, now = subagents::Verification::kUnknown;
  std::optional<bool> same_bytes;
  std::optional<LineRange> moved_to;
  std::string note;
};
inline auto Fields(FieldsOf<RecheckedCitation>) {
  using R = RecheckedCitation;
  return std::make_tuple(
      Required("finding", &R::finding, "title of the finding that cites it"), Required("path", &R::path, "file, relative to the repository"),
      Required("line_start", &R::line_start, "first line, as the ticket has it"), Required("line_end", &R::line_end, "last line"),
      Required("quote", &R::quote, "the text that the ticket cites"), Required("before", &R::before, "by the ticket's word"),
      Required("now", &R::now, "what was found this time"),
      Required("same_bytes", &R::same_bytes, "do the lines have the bytes of the ticket's sha256; null where it has none, or they can't be compared"),
      Required("moved_to", &R::moved_to, "where the quote stands now, if at one other place of the file; else null"),
      Required("note", &R::note, "why, or empty"));
}

struct Recheck {
  std::string schema = kRecheckSchema;
  std::string ticket, subagent, repository;
  int64_t citations = 0, verified_before = 0, verified = 0;
  std::vector<RecheckedCitation> results;
  std::vector<std::string> notes;
};
inline auto Fields(FieldsOf<Recheck>) {
  return std::make_tuple(
      Required("schema", &Recheck::schema, "paddock/recheck/1"), Required("ticket", &Recheck::ticket, "id that the ticket has"),
      Required("subagent", &Recheck::subagent, "that the ticket names, or empty for a run of the main agent"),
      Required("repository", &Recheck::repository, "folder in which it was checked"), Required("citations", &Recheck::citations, "how many there are"),
      Required("verified_before", &Recheck::verified_before, "of them, those that were verified, by the ticket's word"),
      Required("verified", &Recheck::verified, "of them, those that are verified now"), Required("results", &Recheck::results, "one for each, in the ticket's order"),
      Required("notes", &Recheck::notes, "what a reader should know"));
}
std::string PublishedRecheckSchema();

// Texts of the ticket come out visible, without secrets, bounded. After the deadline the rest is unknown.
Recheck RecheckCitations(const CitingTicket& ticket, const StartChecker& start_checker, const agentcore::Redactor& redactor, const Deadline& deadline = Deadline::Never());

}  // namespace paddock::orchestrator
