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

// One thing of the host put into the jail's root. Everything is nosuid and private to the jail.
struct MountOp {
  std::string source;          // absolute path on the host, without symlinks
  uint64_t source_device = 0;  // st_dev and st_ino that `source` must have when it is opened
  uint64_t source_inode = 0;
  std::string target;          // absolute path in the jail; exists in the template
  bool recursive = false;      // submounts come along
  bool read_only = true;
  bool no_exec = true;
  bool id_mapped = false;      // the host's uid and gid 0 are shown as outer_uid and outer_gid
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
  std::vector<MountOp> mounts;  // in this order
  bool new_keyring = true;
  bool drop_capabilities = true;
  bool no_new_privs = true;
  bool landlock = true;
  bool landlock_optional = false;  // a kernel without it is no error; the receipt says that it is absent
  std::vector<LandlockRule> landlock_rules;
  std::vector<ResourceLimit> limits;
  std::string filter;  // struct sock_filter[], as bytes; empty: none
  std::string program;  // in the jail
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::vector<int32_t> descriptors;  // numbers that the passed descriptors get, in order
  uint64_t wall_ms = 0;  // pid 1 ends the jail by then, should the parent be stopped
  bool hold = false;     // wait for go before exec
};

// The plan as bytes; equal plans give equal bytes.
std::string EncodePlan(const Plan& plan);
// kProtocol when the bytes are not exactly one plan.
Result<Plan> DecodePlan(std::string_view bytes);

}  // namespace paddock::sandbox
