// What can be read about the machine and about how this process is confined already. Reading only; what can be
// enforced is another question, which the probes answer by trying.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paddock::sandbox::machine {

// One line of /proc/self/uid_map (user_namespaces(7)): `count` ids from `inside` on exist here.
struct IdRange {
  uint64_t inside = 0, outside = 0, count = 0;
};

enum class ProcState {
  kOurs,     // it shows the processes of this pid namespace
  kForeign,  // that of another pid namespace: its numbers mean other processes
  kMissing,  // nothing, or something else, is mounted there
};

struct Facts {
  std::string kernel;  // uname(2), release
  uint32_t uid = 0;    // effective
  ProcState proc = ProcState::kMissing;
  // Sysctls; nullopt where the kernel has none of that name, or /proc doesn't show it.
  std::optional<int64_t> max_user_namespaces, unprivileged_userns_clone, apparmor_restrict;
  std::vector<IdRange> uid_map;  // empty: unknown
  bool sys_admin = false;        // CAP_SYS_ADMIN is effective
  bool set_uid = false;          // CAP_SETUID is effective
  bool filtered = false;         // a seccomp filter is in force on this process
  bool chrooted = false;         // "/" is no mount point (chroot(2)); false where it can't be told
  std::string group;             // own control group of version 2, as /proc/self/cgroup has it; empty where there is none
  bool systemd = false;          // it is the first process (sd_booted(3))
  bool user_manager = false;     // one runs for `uid` (user@.service)
  bool runtime_folder = false;   // $XDG_RUNTIME_DIR is set, by which systemd-run --user finds that
};

// Never fails. Takes tens of microseconds.
Facts ReadFacts();

// The /proc of this process's eyes.
ProcState LookAtProc();

// What the host's root is called in this user namespace: the owner of /proc, which is the host's root however deep this is
// nested (0 in the initial one). nullopt where it has no name here, or /proc is not mounted.
struct HostRoot {
  std::optional<uint32_t> uid, gid;
};
HostRoot NameOfHostRoot();

// Does the id exist in this user namespace? True where the map is unknown.
bool IsMapped(const Facts& facts, uint64_t id);

}  // namespace paddock::sandbox::machine
