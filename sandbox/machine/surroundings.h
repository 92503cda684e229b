// What several trials need first: the rights that the launcher gives itself, children, ids.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/unique_fd.h"
#include "sandbox/machine/trial.h"

namespace paddock::sandbox::machine {

// clone3(2) with these flags; 0 in the child, which dies with this process. The error is errno.
pid_t Clone(uint64_t flags);
// Waits for a child of this process; its exit status, or -1 when it was killed.
int ExitStatusOf(pid_t pid);

// Ends the trial as untried where /proc is not that of this pid namespace.
void NeedProc(Trial* t);

bool WriteText(const std::string& path, const std::string& text);

// As the launcher does: an ordinary user gets the right to make mounts from a user namespace of its own, in
// which it is itself; root uses its own. Ends the trial as untried where that namespace is refused.
void BecomeAble(Trial* t);
// That, and a mount namespace of its own, from which nothing goes back. Ends the trial as untried where that fails.
void EnterMountNamespace(Trial* t);

// A new file system by the new mount API, not yet placed anywhere; an empty descriptor with errno set.
struct Option {
  const char* key;
  const char* value;  // null: a flag
};
UniqueFd NewFileSystem(const char* type, std::initializer_list<Option> options);
long MoveMount(int from, const char* target);

// A user namespace in which the host's `from` is shown as `to`, held by a descriptor only; empty with errno set.
UniqueFd UserNamespaceWith(uint32_t from, uint32_t to);

}  // namespace paddock::sandbox::machine
