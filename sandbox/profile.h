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

enum class RootKind {
  kCellOnly,  // the static cell, or one command with its libraries
  kMinimal,   // /usr and a made-up /etc, read-only
  kImage,     // an unpacked root file system, read-only
  kHost,      // the host's own, read-only
};
inline auto EnumNames(FieldsOf<RootKind>) {
  return std::array{EnumName{RootKind::kCellOnly, "cell-only"}, EnumName{RootKind::kMinimal, "minimal"},
                    EnumName{RootKind::kImage, "image"}, EnumName{RootKind::kHost, "host"}};
}

enum class WorkspaceAccess {
  kNone,
  kRead,
  kOverlay,  // writes land in a private layer
  kWrite,    // an overlay that is applied at the end; refused so far
};
inline auto EnumNames(FieldsOf<WorkspaceAccess>) {
  return std::array{EnumName{WorkspaceAccess::kNone, "none"}, EnumName{WorkspaceAccess::kRead, "read"},
                    EnumName{WorkspaceAccess::kOverlay, "overlay"}, EnumName{WorkspaceAccess::kWrite, "write"}};
}

enum class ProcAccess { kNone, kPid /* subset=pid, proc(5) */, kFull };
inline auto EnumNames(FieldsOf<ProcAccess>) {
  return std::array{EnumName{ProcAccess::kNone, "none"}, EnumName{ProcAccess::kPid, "pid"}, EnumName{ProcAccess::kFull, "full"}};
}

enum class NetworkMode { kNone, kProxy /* refused so far */ };
inline auto EnumNames(FieldsOf<NetworkMode>) {
  return std::array{EnumName{NetworkMode::kNone, "none"}, EnumName{NetworkMode::kProxy, "proxy"}};
}

// In JSON "none", "any" or a list of programs; an empty list is "none".
struct ExecRules {
  enum class Mode { kNone, kList, kAny };
  Mode mode = Mode::kNone;
  std::vector<std::string> programs;  // with kList: bare names or absolute paths
};
Result<ExecRules> ReadForm(FieldsOf<ExecRules>, const Json& value, const std::string& path);
Json WriteForm(const ExecRules& rules);
Json SchemaForm(FieldsOf<ExecRules>);

enum class DenyErrno { kEperm, kEnosys };
inline auto EnumNames(FieldsOf<DenyErrno>) {
  return std::array{EnumName{DenyErrno::kEperm, "EPERM"}, EnumName{DenyErrno::kEnosys, "ENOSYS"}};
}

struct FilesystemRules {
  RootKind root = RootKind::kCellOnly;
  std::string image;  // absolute; only with kImage
  WorkspaceAccess workspace = WorkspaceAccess::kNone;
  std::string workspace_size = "1G";
  std::vector<std::string> read;
  std::vector<std::string> hide;
  std::string tmp = "0";
  ProcAccess proc = ProcAccess::kNone;
};
inline auto Fields(FieldsOf<FilesystemRules>) {
  return std::make_tuple(
      Optional("root", &FilesystemRules::root, "what the root holds: cell-only (nothing but what is started), minimal (/usr and a made-up /etc), image (an unpacked root file system), host (the host's own); all of it read-only"),
      Optional("image", &FilesystemRules::image, "absolute path of the unpacked root file system; only with root \"image\"").MaxLength(4095),
      Optional("workspace", &FilesystemRules::workspace, "the repository: none, read, or overlay (a private copy that may be written and is gone at the end); write is not in this version"),
      Optional("workspace_size", &FilesystemRules::workspace_size, "room for the private copy of an overlay and what is written to it: a number and K, M or G"),
      Optional("read", &FilesystemRules::read, "further absolute paths of the host, shown read-only at the same place").MaxLength(64),
      Optional("hide", &FilesystemRules::hide, "patterns of files and folders of the workspace that nobody in the jail may see: a name (.env, *.pem), a folder (secrets/), a path from the top (config/*.key)").MaxLength(256),
      Optional("tmp", &FilesystemRules::tmp, "size of a private /tmp; 0: there is none"),
      Optional("proc", &FilesystemRules::proc, "the jail's own /proc, read-only: none, pid (only its processes), full"));
}

struct NetworkRules {
  NetworkMode mode = NetworkMode::kNone;
  bool loopback = false;
};
inline auto Fields(FieldsOf<NetworkRules>) {
  return std::make_tuple(Optional("mode", &NetworkRules::mode, "none; proxy is not in this version"),
                         Optional("loopback", &NetworkRules::loopback, "a network of its own in which 127.0.0.1 is up; it reaches nothing else"));
}

struct SyscallRules {
  std::vector<std::string> allow;
  DenyErrno on_deny = DenyErrno::kEperm;
  bool report = false;
};
inline auto Fields(FieldsOf<SyscallRules>) {
  return std::make_tuple(Optional("allow", &SyscallRules::allow, "groups (@name) and names of system calls").MaxLength(512),
                         Optional("on_deny", &SyscallRules::on_deny, "errno for a known call that is denied"),
                         Optional("report", &SyscallRules::report, "denied calls are reported"));
}

struct LimitRules {
  std::string wall = "300s";
  std::string cpu = "60s";
  std::string memory = "512M";
  int64_t processes = 8;
  int64_t files = 256;
  std::string file_size = "0";
  std::string output = "1M";
  int64_t violations = 1000;
};
inline auto Fields(FieldsOf<LimitRules>) {
  return std::make_tuple(
      Optional("wall", &LimitRules::wall, "time from start to end: a number and ms, s, m or h"),
      Optional("cpu", &LimitRules::cpu, "processor time"),
      Optional("memory", &LimitRules::memory, "of the whole jail where a control group can hold it, else of each process: a number and K, M or G"),
      Optional("processes", &LimitRules::processes, "processes and threads, pid 1 included").Min(2).Max(100000),
      Optional("files", &LimitRules::files, "open descriptors of a process").Min(16).Max(1048576),
      Optional("file_size", &LimitRules::file_size, "largest file that may be written; 0: none"),
      Optional("output", &LimitRules::output, "bytes of output that are kept"),
      Optional("violations", &LimitRules::violations, "more reported denials than this end the jail").Min(1).Max(100000));
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
  ExecRules exec;
  SyscallRules syscalls;
  LimitRules limits;
  EnvironmentRules env;
};
inline auto Fields(FieldsOf<Profile>) {
  return std::make_tuple(
      Required("schema", &Profile::schema, "paddock/profile/1"),
      Required("name", &Profile::name, "of the profile").Identifier(),
      Optional("extends", &Profile::extends, "name of the profile it starts from").MaxLength(64),
      Optional("description", &Profile::description, "for whom it is, what it stops, what it does not").MaxLength(4096),
      Optional("require", &Profile::require, "layers without which nothing starts; all of them where it is not said. Every layer is put in place in any case").MaxLength(64),
      Optional("optional", &Profile::optional, "layers that may be absent; the receipt then says so").MaxLength(64),
      Optional("filesystem", &Profile::filesystem, "what it sees"),
      Optional("network", &Profile::network, "whom it reaches"),
      Optional("exec", &Profile::exec, "what it may start: none, any, or a list of programs (bare names, or absolute paths)"),
      Optional("syscalls", &Profile::syscalls, "what it may ask of the kernel"),
      Optional("limits", &Profile::limits, "what it may use"),
      Optional("env", &Profile::env, "its environment, from nothing"));
}

// kInvalid names the field, where a profile grants what a cell's jail does not have: it would be dropped in silence. A cell may have
// programs that its tools start: then a list of them, and with it root "minimal" and a /tmp.
Status FitsCell(const Profile& profile);

// "300s", "5m", "250ms", "2h", in milliseconds. kInvalid names the value and the form.
Result<int64_t> ParseDuration(const std::string& text);
// "512M", "64K", "1G", "0", in bytes.
Result<int64_t> ParseSize(const std::string& text);

}  // namespace paddock::sandbox
