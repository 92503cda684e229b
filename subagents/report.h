// A subagent's report, and the ticket that the parent makes of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"

namespace paddock::subagents {

inline constexpr size_t kMaxDataBytes = 256u << 10;  // of `data` in a ticket

enum class Verification { kVerified, kContradicted, kChanged, kUnknown };
inline auto EnumNames(FieldsOf<Verification>) {
  return std::array{EnumName{Verification::kVerified, "verified"}, EnumName{Verification::kContradicted, "contradicted"},
                    EnumName{Verification::kChanged, "changed"}, EnumName{Verification::kUnknown, "unknown"}};
}
enum class Severity { kInfo, kLow, kMedium, kHigh, kCritical };
inline auto EnumNames(FieldsOf<Severity>) {
  return std::array{EnumName{Severity::kInfo, "info"}, EnumName{Severity::kLow, "low"}, EnumName{Severity::kMedium, "medium"},
                    EnumName{Severity::kHigh, "high"}, EnumName{Severity::kCritical, "critical"}};
}
enum class Confidence { kLow, kMedium, kHigh };
inline auto EnumNames(FieldsOf<Confidence>) {
  return std::array{EnumName{Confidence::kLow, "low"}, EnumName{Confidence::kMedium, "medium"}, EnumName{Confidence::kHigh, "high"}};
}

// What a model may claim: a place and the text it saw there.
struct Citation {
  std::string path;
  int64_t line_start = 1;
  int64_t line_end = 1;
  std::string quote;  // whole lines of the range, or a part of one line
};
inline auto Fields(FieldsOf<Citation>) {
  return std::make_tuple(
      Required("path", &Citation::path, "file, relative to the repository").NonEmpty().MaxLength(32768),
      Required("line_start", &Citation::line_start, "first line, from 1").Min(1),
      Required("line_end", &Citation::line_end, "last line, at least line_start").Min(1),
      Required("quote", &Citation::quote, "the text seen there, from one line or several").MaxLength(16384));
}

struct ClaimedFinding {
  std::string title;
  Severity severity = Severity::kInfo;
  std::string detail;
  Confidence confidence = Confidence::kMedium;
  std::vector<Citation> evidence;
};
inline auto Fields(FieldsOf<ClaimedFinding>) {
  return std::make_tuple(
      Required("title", &ClaimedFinding::title, "the claim, in one line").NonEmpty().MaxLength(512),
      Optional("severity", &ClaimedFinding::severity, "how much it matters"),
      Optional("detail", &ClaimedFinding::detail, "more about it").MaxLength(16384),
      Optional("confidence", &ClaimedFinding::confidence, "how sure"),
      Optional("evidence", &ClaimedFinding::evidence, "where it was seen").MaxLength(32));
}

// A command that a subagent would have run, to see what it says. It can't run anything itself: the parent may, in a jail for
// builds, and then the subagent goes on with what came out.
struct NeedsRun {
  std::string command;  // for sh -c, at the top of the repository
  std::string why;
};
inline auto Fields(FieldsOf<NeedsRun>) {
  return std::make_tuple(Required("command", &NeedsRun::command, "one shell command, run at the top of the repository").NonEmpty().MaxLength(4096),
                         Required("why", &NeedsRun::why, "what its output would tell").NonEmpty().MaxLength(2048));
}

// The arguments of the model's own `report` call.
struct Report {
  std::string summary;
  std::vector<ClaimedFinding> findings;
  Json data = nullptr;
  std::vector<std::string> next_actions;
  bool complete = true;
  std::optional<NeedsRun> needs_run = {};
};
inline auto Fields(FieldsOf<Report>) {
  return std::make_tuple(
      Required("summary", &Report::summary, "the answer to the goal, in a few sentences").NonEmpty().MaxLength(16384),
      Optional("findings", &Report::findings, "claims with evidence").MaxLength(256),
      Optional("data", &Report::data, "by the schema that the caller asked for, or null"),
      Optional("next_actions", &Report::next_actions, "what could be done next").MaxLength(32),
      Optional("complete", &Report::complete, "false when some of the goal is open"),
      Optional("needs_run", &Report::needs_run, "a command without whose output the goal can't be answered, or null"));
}

struct Evidence {
  std::string path;
  int64_t line_start = 1;
  int64_t line_end = 1;
  std::string quote;
  std::optional<std::string> sha256;
  Verification verification = Verification::kUnknown;
  bool read = false;
  std::string note;
};
inline auto Fields(FieldsOf<Evidence>) {
  return std::make_tuple(
      Required("path", &Evidence::path, "file, relative to the repository").NonEmpty().MaxLength(32768),
      Required("line_start", &Evidence::line_start, "first line, from 1").Min(1),
      Required("line_end", &Evidence::line_end, "last line").Min(1),
      Required("quote", &Evidence::quote, "the text the subagent says it saw").MaxLength(65536),
      Required("sha256", &Evidence::sha256, "of the raw bytes of the range (newlines included), or null where it was not read whole, or holds a secret"),
      Required("verification", &Evidence::verification, "what the parent found when it had the citation checked"),
      Required("read", &Evidence::read, "true when every line of the range was in a tool result of this subagent"),
      Optional("note", &Evidence::note, "why, when not verified").MaxLength(1024));
}

struct Finding {
  std::string title;
  Severity severity = Severity::kInfo;
  std::string detail;
  Confidence confidence = Confidence::kMedium;
  std::vector<Evidence> evidence;
};
inline auto Fields(FieldsOf<Finding>) {
  return std::make_tuple(
      Required("title", &Finding::title, "the claim, in one line").NonEmpty().MaxLength(1024),
      Required("severity", &Finding::severity, "how much it matters"),
      Required("detail", &Finding::detail, "more about it").MaxLength(65536),
      Required("confidence", &Finding::confidence, "how sure the subagent is"),
      Required("evidence", &Finding::evidence, "where it was seen, checked").MaxLength(32));
}

}  // namespace paddock::subagents
