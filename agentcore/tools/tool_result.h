// What every tool call gives back, success and failure alike.
//
// The text of files travels in artifacts of kind "excerpt", and only there: what a model is shown of a file
// and what counts as *read* for the evidence check are made from the same bytes. `output` holds the rest
// (headings, notes). On the wire between cell and parent, artifact lines are wire text (base/text.h), so
// that any byte survives; paths are path text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"

namespace paddock::agentcore {

enum class ToolStatus {
  kOk,
  kPartial,           // a bound or the deadline cut it short; what is there is right
  kInvalidArguments,  // the call itself is wrong; see `error`
  kNotFound,
  kDenied,
  kUnsupported,       // a directory where a file was wanted, a FIFO, a binary file
  kTimeout,
  kFailed,
};
inline auto EnumNames(FieldsOf<ToolStatus>) {
  return std::array{
      EnumName{ToolStatus::kOk, "ok"},
      EnumName{ToolStatus::kPartial, "partial"},
      EnumName{ToolStatus::kInvalidArguments, "invalid_arguments"},
      EnumName{ToolStatus::kNotFound, "not_found"},
      EnumName{ToolStatus::kDenied, "denied"},
      EnumName{ToolStatus::kUnsupported, "unsupported"},
      EnumName{ToolStatus::kTimeout, "timeout"},
      EnumName{ToolStatus::kFailed, "failed"},
  };
}

// kind "excerpt": consecutive whole lines of one file. kind "listing": entries of folders.
struct Artifact {
  std::string kind;
  std::string path;
  int64_t line_start = 0;            // excerpt: number of the first line, from 1
  std::vector<std::string> lines;    // excerpt: the lines, without their newline ("\r" stays)
  std::vector<int64_t> matches;      // excerpt: line numbers that matched a search
  std::vector<int64_t> cut;          // excerpt: line numbers of which only the beginning is given
  std::vector<std::string> entries;  // listing: path text, folders end in "/"
  Json facts = Json::object();       // tool-specific facts, described in the tool's header
};
inline auto Fields(FieldsOf<Artifact>) {
  return std::make_tuple(
      Required("kind", &Artifact::kind, "excerpt or listing").NonEmpty().MaxLength(32),
      Optional("path", &Artifact::path, "file or folder, relative to the workspace").MaxLength(32768),
      Optional("line_start", &Artifact::line_start, "number of the first line, from 1").Min(0),
      Optional("lines", &Artifact::lines, "lines of the file, without newline").MaxLength(20000),
      Optional("matches", &Artifact::matches, "line numbers that matched").MaxLength(20000),
      Optional("cut", &Artifact::cut, "line numbers of which only the beginning is given").MaxLength(20000),
      Optional("entries", &Artifact::entries, "paths; folders end in /").MaxLength(20000),
      Optional("facts", &Artifact::facts, "facts of the tool, an object"));
}

struct ToolResult {
  bool success = false;
  ToolStatus status = ToolStatus::kFailed;
  std::string output;                     // text for the model, without file contents
  std::string error;                      // what failed; empty on success
  bool retryable = false;                 // the same call may work a moment later
  std::string summary;                    // one line
  std::vector<Artifact> artifacts;
  std::vector<std::string> next_actions;  // what can be done now, concretely
  std::string recovery_hint;              // on failure: what to do instead
};
inline auto Fields(FieldsOf<ToolResult>) {
  return std::make_tuple(
      Required("success", &ToolResult::success, "did the call do what was asked, at least in part"),
      Required("status", &ToolResult::status, "how it ended"),
      Optional("output", &ToolResult::output, "text for the model").MaxLength(1u << 20),
      Optional("error", &ToolResult::error, "what failed").MaxLength(8192),
      Optional("retryable", &ToolResult::retryable, "the same call may work a moment later"),
      Optional("summary", &ToolResult::summary, "one line").MaxLength(2048),
      Optional("artifacts", &ToolResult::artifacts, "excerpts and listings").MaxLength(2000),
      Optional("next_actions", &ToolResult::next_actions, "what can be done now").MaxLength(16),
      Optional("recovery_hint", &ToolResult::recovery_hint, "what to do instead").MaxLength(2048));
}

inline ToolResult ToolFailure(ToolStatus status, std::string error, std::string recovery_hint,
                              std::vector<std::string> next_actions = {}) {
  ToolResult result;
  result.status = status;
  result.summary = error;
  result.error = std::move(error);
  result.recovery_hint = std::move(recovery_hint);
  result.next_actions = std::move(next_actions);
  return result;
}

}  // namespace paddock::agentcore
