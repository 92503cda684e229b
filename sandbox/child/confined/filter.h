// The first seccomp filter, in the payload, and the way of its listener to pid 1.
#pragma once

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// For a plan whose denials are reported: a helper that shares the payload's descriptors and is not under its filter,
// which may not allow to pass a descriptor on. It gets the listener's number from the payload and sends the listener to pid 1.
struct ListenerHelper {
  UniqueFd number;  // the payload writes the listener's number to it
};
// Before the limits, of which one counts processes. `to_init` is the payload's end of a socket to pid 1 (borrowed).
ListenerHelper StartListenerHelper(int to_init);

// Installs plan.filter; with `helper` denials go to a listener, which pid 1 gets.
void InstallFilter(const Plan& plan, const ListenerHelper& helper);

}  // namespace paddock::sandbox::child
