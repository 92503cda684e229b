// What goes between the parent and the launcher, and from a jail's pid 1 to the parent: fixed-size messages
// over SOCK_SEQPACKET sockets (unix(7)), descriptors beside them (SCM_RIGHTS).
#pragma once

#include <array>
#include <cstdint>

namespace paddock::sandbox {

// The stages of making a jail, in order. Each is one file in sandbox/child/.
enum class Stage : uint32_t {
  kLauncher,     // the launcher's own start: its namespaces and the template root
  kRequest,      // reading the plan
  kGroups,       // joining the control groups
  kTrees,        // opening the mount sources
  kNamespaces,   // clone3 of pid 1
  kIds,          // id maps, and taking the inner ids
  kSession,      // session, keyring, host name
  kRootfs,       // placing the mounts
  kPrivileges,   // capabilities, no_new_privs
  kPayload,      // fork of the payload
  kDescriptors,  // its descriptors
  kLimits,       // its resource limits
  kLandlock,     // its Landlock rules
  kFilter,       // its first seccomp filter
  kExec,         // execve
  kCount,
};
inline constexpr std::array<const char*, static_cast<size_t>(Stage::kCount)> kStageNames = {
    "launcher", "request", "groups", "trees",       "namespaces", "ids",      "session", "rootfs",
    "privileges", "payload", "descriptors", "limits",     "landlock", "filter",  "exec"};

// The launcher's argument where all of its jails have a root and a network of their own: it prepares none to share then.
inline constexpr char kOwnRootsOnly[] = "own-roots";

// Parent → launcher, one for each jail. Descriptors with it, in order: plan (memfd), status socket, life
// line (read end of a pipe), go (read end of a pipe), then those of Plan::descriptors.
struct StartRequest {
  static constexpr uint32_t kMagic = 0x50444a32;
  uint32_t magic = kMagic;
  uint32_t outer_uid = 0, outer_gid = 0;
  uint32_t id_mapped = 0;  // some mount wants the id-mapped view
  uint32_t groups = 0;     // so many descriptors of cgroup.procs files follow the fixed ones: the jail is to be in these groups
};
inline constexpr int kFixedDescriptors = 4;
// A process of a jail keeps its own descriptors from this number on, out of the way of the payload's.
inline constexpr int kHighDescriptor = 200;

enum class MessageKind : uint32_t {
  kLauncherReady,  // launcher → parent, once
  kSetupError,     // stage, error, detail
  kBuilt,          // pid 1 exists; its pidfd comes along
  kStarted,        // the payload exists; its pidfd comes along
  kHeld,           // all layers are in force and the payload waits for go: witness
  kTerminal,       // the jail's terminal; its other end comes along
  kViolation,      // a call was denied: call, arguments, process, process_name, detail (detail_size bytes), error
  kTooMany,        // pid 1 ends the jail because more calls were denied than may be
  kStopped,        // the payload was stopped by a signal, or goes on: wait_status
  kExited,         // the payload ended: wait_status and usage
  kCopyFailed,     // the copier came to no good end, and the program was not let go: wait_status and usage
  kDeadline,       // pid 1 ends the jail because its own clock ran out
};

struct StatusMessage {
  // Of this layout. A launcher of another version, or another program in its place, is told by it.
  static constexpr uint32_t kMagic = 0x50444d33;
  uint32_t magic = kMagic;
  MessageKind kind = MessageKind::kSetupError;
  Stage stage = Stage::kRequest;
  int32_t error = 0;        // errno
  int32_t wait_status = 0;  // wait(2)
  int32_t landlock_witness = 0, seccomp_witness = 0;  // errno that a payload that is held got where it must be denied
  uint64_t cpu_us = 0;      // user and system time of everything reaped in the jail
  uint64_t peak_rss_kb = 0;
  uint64_t at_ns[static_cast<size_t>(Stage::kCount)] = {};  // CLOCK_MONOTONIC at the end of each stage this process did
  uint64_t violations = 0;  // denied calls so far, also those whose message found no room
  uint64_t arguments[6] = {};
  uint32_t call = 0;
  int32_t process = 0;      // as the jail counts
  char process_name[16] = {};
  uint32_t detail_size = 0;
  char detail[512] = {};    // NUL-terminated: the path or name concerned
};

}  // namespace paddock::sandbox
