// Paths as tools take them: path text in, bytes relative to the workspace out.
//
// What is harmless is put right ("./a//b", "a/../b", "/workspace/a"); what would lead out of the workspace is
// refused with an explanation. This is a courtesy to the caller, not the wall: that is openat2 beneath the
// workspace's descriptor (workspace_file.h).
#pragma once

#include <string>
#include <string_view>

#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

inline constexpr char kWorkspaceMount[] = "/workspace";  // where the jail shows the workspace
inline constexpr size_t kMaxPathBytes = 8192;            // longer paths are neither taken nor listed

// "." for the workspace itself, else components joined by "/", without ".", ".." or a trailing slash.
// kInvalidArguments: a bad escape, too long. kDenied: outside of the workspace.
ToolOutcome<std::string> WorkspacePath(std::string_view path_text);

// `path` as path text, quoted and bounded, for messages.
std::string QuotedPath(std::string_view path_bytes);

std::string JoinPath(std::string_view folder, std::string_view name);  // "." joins to `name`
std::string_view ParentOf(std::string_view path);                      // "." at the top
std::string_view NameIn(std::string_view path);                        // last component

// `list_files {"path":"src"}`: a call spelled out for next_actions.
std::string CallText(std::string_view tool, const Json& arguments);

}  // namespace paddock::agentcore
