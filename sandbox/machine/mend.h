// What to do about a thing that the machine refuses, by the error and by what is known about the machine. Used
// by the error of a jail that could not be made, and by `paddock doctor`: both say the same.
//
// Each returns one or two sentences with the exact command where there is one. Where facts can't tell which of
// several causes it is, the causes are named in the order of their likelihood.
#pragma once

#include <string>

#include "sandbox/machine/facts.h"

namespace paddock::sandbox::machine {

inline constexpr char kMoreProcesses[] = "a limit on processes was reached: raise it with ulimit -u 1024 (or see the pids limit of this cgroup), then run it again";
inline constexpr char kMountProc[] =
    "mount the /proc of this pid namespace: mount -t proc proc /proc (unshare has --mount-proc for it, bubblewrap --proc /proc)";
inline constexpr char kMendDevices[] =
    "/dev must hold the null, zero and urandom devices, on a mount that may be bound: mount a devtmpfs there (bubblewrap has --dev /dev)";

// A new user namespace was refused with `err`.
std::string MendUserNamespace(int err, const Facts& facts);
// Another namespace was refused, its caller having what rights there are.
std::string MendNamespace(int err, const Facts& facts);
// A device of the host could not be taken over, or a folder not be id-mapped.
std::string MendDevices(int err, const Facts& facts);
std::string MendIdMappedMount(int err, const Facts& facts);
// A mount was refused, though there is a mount namespace to make it in.
std::string MendMount(int err, const Facts& facts);
// Writing the id map of a jail that is `outer` here was refused. ThisCaller's ids count where it is 0.
std::string MendIdMap(int err, const Facts& facts, uint64_t outer);
// Root could not drop its supplementary groups.
std::string MendGroups(int err, const Facts& facts);
std::string MendLandlock(int err, const Facts& facts);
std::string MendFilter(int err, const Facts& facts);
// No group of version 2 binds all that is limited.
std::string MendGroup2(const Facts& facts);
// Any other system call that every jail needs.
std::string MendCall(int err, const Facts& facts);

}  // namespace paddock::sandbox::machine
