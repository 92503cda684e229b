// The launcher's own start: a private view of the host's mounts, an empty network, and the template root
// that each jail begins from.
//
// For an ordinary user this needs a user namespace first. The template is a read-only tmpfs with mount
// points and three devices; a jail's mount namespace is a copy of it, so that nothing of the host's mount
// table ever enters a jail and no pivot_root is needed for each. The host's view stays in a namespace that
// only the launcher holds.
#pragma once

#include "base/unique_fd.h"

namespace paddock::sandbox::child {

struct LauncherWorld {
  UniqueFd proc;           // O_PATH of the host's /proc
  UniqueFd template_root;  // mount namespace that jails copy
  UniqueFd empty_network;  // network namespace without anything
};

// Dies, with a message on the request socket, when the machine refuses a step. Without `shared` there is neither template
// nor empty network.
LauncherWorld MakeWorld(bool shared);

}  // namespace paddock::sandbox::child
