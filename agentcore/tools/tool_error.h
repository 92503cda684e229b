// A failed step inside a tool: what a ToolResult needs to explain it. The tools' own error type, because
// Error has no word for "this is there but it is no text file" and carries no next actions.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "agentcore/tools/tool_result.h"
#include "base/result.h"

namespace paddock::agentcore {

struct ToolError {
  ToolStatus status = ToolStatus::kFailed;
  std::string message;                    // what failed, with the path
  std::string hint;                       // what to do instead
  std::vector<std::string> next_actions;  // concrete calls
  bool retryable = false;
};

template <class T>
using ToolOutcome = std::expected<T, ToolError>;

inline ToolResult ResultOf(ToolError error) {
  ToolResult result = ToolFailure(error.status, std::move(error.message), std::move(error.hint), std::move(error.next_actions));
  result.retryable = error.retryable;
  return result;
}

// For callers that speak base/result.h. kUnsupported and kInvalidArguments become kInvalid.
inline Error ErrorOf(ToolError error) {
  ErrorKind kind = ErrorKind::kSystem;
  switch (error.status) {
    case ToolStatus::kInvalidArguments:
    case ToolStatus::kUnsupported: kind = ErrorKind::kInvalid; break;
    case ToolStatus::kNotFound: kind = ErrorKind::kNotFound; break;
    case ToolStatus::kDenied: kind = ErrorKind::kDenied; break;
    case ToolStatus::kTimeout: kind = ErrorKind::kTimeout; break;
    default: break;
  }
  return Error{kind, std::move(error.message), std::move(error.hint), 0};
}

}  // namespace paddock::agentcore
