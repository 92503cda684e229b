// A Profile says what a jail may do: JSON, default deny, one table of fields for reading, printing and schema.
//
// A profile that extends another starts from it: objects are merged, lists and values replace.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "sandbox/layers.h"

namespace paddock::sandbox {

inline constexpr char kProfileSchema[] = "paddock/profile/1";

enum class RootKind { kCellOnly };
inline auto EnumNames(FieldsOf<RootKind>) { return std::array{EnumName{RootKind::kCellOnly, "cell-only"}}; }

enum class WorkspaceAccess { kNone, kRead };
inline auto EnumNames(FieldsOf<WorkspaceAccess>) {
  return std::array{EnumName{WorkspaceAccess::kNone, "none"}, EnumName{WorkspaceAccess::kRead, "read"}};
}

enum class ProcAccess { kNone };
inline auto EnumNames(FieldsOf<ProcAccess>) { return std::array{EnumName{ProcAccess::kNone, "none"}}; }

enum class NetworkMode { kNone };
inline auto EnumNames(FieldsOf<NetworkMode>) { return std::array{EnumName{NetworkMode::kNone, "none"}}; }

enum class ExecAccess { kNone };
inline auto EnumNames(FieldsOf<ExecAccess>) { return std::array{EnumName{ExecAccess::kNone, "none"}}; }

enum class DenyErrno { kEperm, kEnosys };
inline auto EnumNames(FieldsOf<DenyErrno>) {
  return std::array{EnumName{DenyErrno::kEperm, "EPERM"}, EnumName{DenyErrno::kEnosys, "ENOSYS"}};
}

struct FilesystemRules {
  RootKind root = RootKind::kCellOnly;
  WorkspaceAccess workspace = WorkspaceAccess::kNone;
  std::vector<std::string> hide;
  std::string tmp = "0";
  ProcAccess proc = ProcAccess::kNone;
};
inline auto Fields(FieldsOf<FilesystemRules>) {
  return std::make_tuple(Optional("root", &FilesystemRules::root, "what the root holds"),
                         Optional("workspace", &FilesystemRules::workspace, "none, or read (never writable)"),
                         Optional("hide", &FilesystemRules::hide, "patterns of files to hide; not supported yet: must be empty").MaxLength(256),
                         Optional("tmp", &FilesystemRules::tmp, "size of a private /tmp; not supported yet: must be 0"),
                         Optional("proc", &FilesystemRules::proc, "none"));
}

struct NetworkRules {
  NetworkMode mode = NetworkMode::kNone;
};
inline auto Fields(FieldsOf<NetworkRules>) {
  return std::make_tuple(Optional("mode", &NetworkRules::mode, "none"));
}

struct SyscallRules {
  std::vector<std::string> allow;
  DenyErrno on_deny = DenyErrno::kEperm;
};
inline auto Fields(FieldsOf<SyscallRules>) {
  return std::make_tuple(Optional("allow", &SyscallRules::allow, "groups (@name) and names of system calls").MaxLength(512),
                         Optional("on_deny", &SyscallRules::on_deny, "errno for a known call that is denied"));
}

struct LimitRules {
  std::string wall = "300s";
  std::string cpu = "60s";
  std::string memory = "512M";
  int64_t processes = 8;
  int64_t files = 256;
  std::string file_size = "0";
  std::string output = "1M";
};
inline auto Fields(FieldsOf<LimitRules>) {
  return std::make_tuple(
      Optional("wall", &LimitRules::wall, "time from start to end: a number and ms, s, m or h"),
      Optional("cpu", &LimitRules::cpu, "processor time"),
      Optional("memory", &LimitRules::memory, "address space of a process: a number and K, M or G"),
      Optional("processes", &LimitRules::processes, "processes and threads, pid 1 included").Min(2).Max(100000),
      Optional("files", &LimitRules::files, "open descriptors of a process").Min(16).Max(1048576),
      Optional("file_size", &LimitRules::file_size, "largest file that may be written"),
      Optional("output", &LimitRules::output, "bytes of output that are kept"));
}

struct EnvironmentRules {
  std::vector<std::string> keep;
  std::map<std::string, std::string> set;
};
inline auto Fields(FieldsOf<EnvironmentRules>) {
  return std::make_tuple(Optional("keep", &EnvironmentRules::keep, "variables taken over from the caller").MaxLength(256),
                         Optional("set", &EnvironmentRules::set, "variables with their values"));
}

struct Profile {
  std::string schema = kProfileSchema;
  std::string name;
  std::string extends;
  std::string description;
  std::vector<Layer> require = AllLayers();
  std::vector<Layer> optional;
  FilesystemRules filesystem;
  NetworkRules network;
  ExecAccess exec = ExecAccess::kNone;
  SyscallRules syscalls;
  LimitRules limits;
  EnvironmentRules env;
};
inline auto Fields(FieldsOf<Profile>) {
  return std::make_tuple(
      Required("schema", &Profile::schema, "paddock/profile/1"),
      Required("name", &Profile::name, "of the profile").Identifier(),
      Optional("extends", &Profile::extends, "name of the profile it starts from").MaxLength(64),
      Optional("description", &Profile::description, "for whom it is").MaxLength(1024),
      Optional("require", &Profile::require, "layers without which nothing starts; all of them where it is not said. Every layer is put in place in any case").MaxLength(64),
      Optional("optional", &Profile::optional, "layers that may be absent; the receipt then says so").MaxLength(64),
      Optional("filesystem", &Profile::filesystem, "what it sees"),
      Optional("network", &Profile::network, "whom it reaches"),
      Optional("exec", &Profile::exec, "what it may start"),
      Optional("syscalls", &Profile::syscalls, "what it may ask of the kernel"),
      Optional("limits", &Profile::limits, "what it may use"),
      Optional("env", &Profile::env, "its environment, from nothing"));
}

// "300s", "5m", "250ms", "2h", in milliseconds. kInvalid names the value and the form.
Result<int64_t> ParseDuration(const std::string& text);
// "512M", "64K", "1G", "0", in bytes.
Result<int64_t> ParseSize(const std::string& text);

}  // namespace paddock::sandbox
