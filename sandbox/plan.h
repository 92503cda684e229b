// A Plan is a profile resolved for one start: everything the launcher needs and nothing it must decide.
//
// The parent makes it, the launcher obeys it, the receipt is compared with it. Plain data, no JSON, so that
// the launcher can share this header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock::sandbox {

enum class MountKind : uint32_t {
  kBind = 0,       // something of the host
  kTmpfs = 1,      // empty, in memory (tmpfs(5))
  kProc = 2,       // the jail's own processes (proc(5)); always read-only
  kTerminals = 3,  // pseudoterminals of its own (pts(4))
  kMask = 4,       // nothing, unreadable, over the file or folder at `target`
};

// One thing put into the jail's root, in order. Everything is nosuid and private to the jail.
struct MountOp {
  MountKind kind = MountKind::kBind;
  std::string source;          // bind: absolute path on the host, without symlinks
  uint64_t source_device = 0;  // bind: st_dev and st_ino that `source` must have when it is opened
  uint64_t source_inode = 0;
  std::string target;          // absolute path in the jail, without symlinks; exists in the root, or in an earlier mount
  bool recursive = false;      // bind: submounts come along
  bool read_only = true;
  bool no_exec = true;
  bool id_mapped = false;      // bind: the host's uid and gid 0 are shown as outer_uid and outer_gid
  bool for_copier = false;     // only the copier sees it
  bool device = false;         // bind: of a device's node, which works only without nodev
  uint64_t size = 0;           // tmpfs: bytes
  uint32_t mode = 0;           // tmpfs: of its top folder, which belongs to the jail's user
  bool only_processes = false; // proc: nothing of the machine (subset=pid)
};

// What a mask shows. In each root.
inline constexpr char kBlankFolder[] = "/.blank";
inline constexpr char kBlankFile[] = "/.blank-file";

// A folder, file or symbolic link of a jail's own root, made before anything is mounted; read-only afterwards.
enum class NodeKind : uint32_t { kFolder = 0, kFile = 1, kLink = 2 };
struct NodeOp {
  NodeKind kind = NodeKind::kFolder;
  std::string path;  // absolute, in the jail
  std::string text;  // a file's content, a link's target
  uint32_t mode = 0755;
};

// Which argument of a denied call is a pathname or a socket address, for the report.
struct PeekRule {
  uint32_t call = 0;
  uint32_t argument = 0;  // that points to it
  bool address = false;   // else a NUL-terminated text
};

// What may be done beneath a path. Everything else that Landlock knows is denied.
struct LandlockRule {
  std::string path;     // in the jail
  uint64_t access = 0;  // LANDLOCK_ACCESS_FS_* bits (landlock(7))
};

struct ResourceLimit {
  uint32_t resource = 0;  // RLIMIT_* (getrlimit(2)); soft and hard are set to the same value
  uint64_t value = 0;
};

// Of the copier: it says there what it could not copy.
inline constexpr int kCopierFd = 3;

enum class Network : uint32_t {
  kHost = 0,         // the launcher's own: only for tests that leave a layer out
  kSharedEmpty = 1,  // one namespace without any interface up, shared by jails whose filter denies sockets
  kOwnEmpty = 2,     // an empty namespace of its own
};

struct Plan {
  uint64_t namespaces = 0;  // CLONE_NEW* bits, network excluded (clone(2))
  Network network = Network::kOwnEmpty;
  uint32_t inner_uid = 1000, inner_gid = 1000;
  uint32_t outer_uid = 0, outer_gid = 0;  // what they are on the host; never 0 there
  std::string hostname;
  bool own_root = false;        // a root made of `nodes` instead of the cells' template
  std::vector<NodeOp> nodes;    // in this order
  std::vector<MountOp> mounts;  // in this order
  bool loopback = false;        // the own network has 127.0.0.1
  bool new_keyring = true;
  bool drop_capabilities = true;
  bool no_new_privs = true;
  bool landlock = true;
  bool landlock_optional = false;  // a kernel without it is no error; the receipt says that it is absent
  bool landlock_tcp = true;        // TCP is denied by Landlock too (ABI 4)
  std::vector<LandlockRule> landlock_rules;
  std::vector<ResourceLimit> limits;
  std::string filter;  // struct sock_filter[], as bytes; empty: none
  bool notify = false;  // the filter's denials come to pid 1 (SECCOMP_RET_USER_NOTIF), which answers with notify_errno
  int32_t notify_errno = 1;
  uint64_t notify_limit = 0;  // more denials than this end the jail
  std::vector<PeekRule> peeks;
  std::vector<std::string> copier;  // words of a program (/cell) that runs first, after go, and must succeed; empty: none. It
                                    // gets the last passed descriptor as kCopierFd, and the payload's confinement
  std::string program;  // in the jail; a name without / is looked up in the environment's PATH (execvpe(3))
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string working_folder = "/";
  std::vector<int32_t> descriptors;  // numbers that the passed descriptors get, in order
  std::vector<int32_t> terminal_descriptors;  // numbers that get a terminal of the jail's own, whose other end the parent gets
  uint64_t wall_ms = 0;  // pid 1 ends the jail by then, should the parent be stopped
  bool hold = false;     // wait for go before exec
  bool marked_start = false;  // exec is execveat(2) with kStartMark for its folder, and `program` is an absolute path
};

// "cell": what stands for the folder in the one exec that the first filter of a cell allows (@start in profiles/syscall-groups.json).
inline constexpr int kStartMark = 0x63656c6c;

// The plan as bytes; equal plans give equal bytes.
std::string EncodePlan(const Plan& plan);
// kProtocol when the bytes are not exactly one plan.
Result<Plan> DecodePlan(std::string_view bytes);

}  // namespace paddock::sandbox
