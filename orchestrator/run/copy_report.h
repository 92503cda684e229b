// What the copier says of the private copy of the workspace (subagents/cell/copy_workspace.h has the lines).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paddock::orchestrator {

struct CopyReport {
  uint64_t left_out = 0;       // files that are not in the copy
  std::string first_left_out;  // bytes
  int first_why = 0;           // errno; 0: it is no file, folder or link, or lies too deep
  int error = 0;               // errno at which the copy was given up; 0: it was not
  bool shows_host = false;     // it was given up there, since that is of a file system of the kernel's own
  std::string error_path;      // bytes
};

// Of a stranger's bytes: half a line, and words that are not known, count for nothing.
CopyReport ReadCopyReport(std::string_view text);

}  // namespace paddock::orchestrator
