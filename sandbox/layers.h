// The layers of a jail, by the names that profiles and receipts use.
#pragma once

#include <array>

#include "base/fields.h"

namespace paddock::sandbox {

enum class Layer {
  kUser, kMount, kPid, kNet, kIpc, kUts, kCgroup,  // namespaces of its own
  kCapabilities,   // none, in any set
  kNoNewPrivs,
  kSeccomp,        // the first filter: installed before exec
  kSeccompSecond,  // the second: installed by the cell
  kLandlock,
  kLimits,         // resource limits
  kIdentity,       // not uid 0 of the host, the planned ids, no group of root's
  kDescriptors,    // only those intended
  kMounts,         // only those intended, read-only where so planned
  kKeyring,        // a new session keyring
};

inline auto EnumNames(FieldsOf<Layer>) {
  return std::array{
      EnumName{Layer::kUser, "user"}, EnumName{Layer::kMount, "mount"}, EnumName{Layer::kPid, "pid"},
      EnumName{Layer::kNet, "net"}, EnumName{Layer::kIpc, "ipc"}, EnumName{Layer::kUts, "uts"},
      EnumName{Layer::kCgroup, "cgroup"}, EnumName{Layer::kCapabilities, "capabilities"},
      EnumName{Layer::kNoNewPrivs, "no_new_privs"}, EnumName{Layer::kSeccomp, "seccomp"},
      EnumName{Layer::kSeccompSecond, "seccomp_second"}, EnumName{Layer::kLandlock, "landlock"},
      EnumName{Layer::kLimits, "limits"}, EnumName{Layer::kIdentity, "identity"},
      EnumName{Layer::kDescriptors, "descriptors"}, EnumName{Layer::kMounts, "mounts"},
      EnumName{Layer::kKeyring, "keyring"}};
}

inline std::vector<Layer> AllLayers() {
  std::vector<Layer> layers;
  for (const auto& entry : EnumNames(FieldsOf<Layer>{})) layers.push_back(entry.value);
  return layers;
}

}  // namespace paddock::sandbox
