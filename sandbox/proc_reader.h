// A process as the host's /proc shows it (proc(5)).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock::sandbox {

struct MountLine {
  std::string root;    // the part of the file system that is mounted; octal escapes resolved, here and in `target`
  std::string target;
  std::string type;    // of the file system: ext4, proc, ...
  std::string super_options;  // of the file system, not of this mount
  bool read_only = false, no_suid = false, no_dev = false, no_exec = false;
};

class ProcReader {
 public:
  // /proc/PID, held open: it stays this process's folder.
  static Result<ProcReader> Open(pid_t pid);
  static Result<ProcReader> OpenSelf();

  Result<std::string> File(const char* name) const;           // at most 4 MiB
  Result<uint64_t> Namespace(const char* name) const;         // inode of ns/NAME
  Result<std::vector<int>> Descriptors() const;
  Result<bool> ClosesAtExec(int descriptor) const;            // proc(5), fdinfo
  Result<std::vector<MountLine>> Mounts() const;

 private:
  UniqueFd folder_;
};

// Text of /proc/PID/mountinfo. kInternal when a line is none.
Result<std::vector<MountLine>> MountsOf(std::string_view mountinfo);
// "Name:\tvalue" lines.
std::map<std::string, std::string, std::less<>> StatusFields(std::string_view text);
std::vector<std::string> Words(std::string_view text);

}  // namespace paddock::sandbox
