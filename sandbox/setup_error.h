// What a machine refuses when a jail is made, and how it is mended.
#pragma once

#include <string>

#include "base/result.h"
#include "sandbox/messages.h"

namespace paddock::sandbox {

// "jail set-up failed at stage rootfs, /workspace: Permission denied (EACCES)", with the mend that fits this
// machine: for it the machine is looked at, so call this when there is an error and not before.
Error SetupError(Stage stage, int err, const std::string& detail);

}  // namespace paddock::sandbox
