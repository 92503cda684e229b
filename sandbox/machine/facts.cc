#include "sandbox/machine/facts.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/unique_fd.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::machine {
namespace {

// At most 64 KiB of a small file; empty where it can't be read.
std::string Text(const char* path) {
  UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text;
  char chunk[4096];
  for (ssize_t n; fd && text.size() < (64u << 10) && (n = read(fd.get(), chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<size_t>(n));
  return text;
}

std::optional<int64_t> Sysctl(const char* path) {
  const std::string text = Text(path);
  if (text.empty()) return std::nullopt;
  return std::strtoll(text.c_str(), nullptr, 10);
}

std::vector<IdRange> Ranges(const std::string& text) {
  std::vector<IdRange> ranges;
  const std::vector<std::string> words = Words(text);
  for (size_t i = 0; i + 2 < words.size(); i += 3)
    ranges.push_back({std::strtoull(words[i].c_str(), nullptr, 10), std::strtoull(words[i + 1].c_str(), nullptr, 10),
                      std::strtoull(words[i + 2].c_str(), nullptr, 10)});
  return ranges;
}

uint64_t EffectiveCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (syscall(SYS_capget, &header, data) < 0) return 0;
  return uint64_t{data[1].effective} << 32 | data[0].effective;
}

// A root that is no mount point is not in one's own list of mounts (proc_pid_mountinfo(5)).
bool IsChrooted() {
  auto self = ProcReader::OpenSelf();
  if (!self) return false;
  auto mounts = self->Mounts();
  return mounts && !mounts->empty() && std::none_of(mounts->begin(), mounts->end(), [](const MountLine& line) { return line.target == "/"; });
}

}  // namespace

ProcState LookAtProc() {
  struct statfs system;
  char link[32];
  if (statfs("/proc", &system) < 0 || system.f_type != PROC_SUPER_MAGIC) return ProcState::kMissing;
  const ssize_t n = readlink("/proc/self", link, sizeof link - 1);
  if (n <= 0) return ProcState::kForeign;  // this process isn't in it at all
  link[n] = '\0';
  return std::atoi(link) == getpid() ? ProcState::kOurs : ProcState::kForeign;
}

Facts ReadFacts() {
  Facts facts;
  utsname name{};
  uname(&name);
  facts.kernel = name.release;
  facts.uid = geteuid();
  facts.proc = LookAtProc();
  facts.max_user_namespaces = Sysctl("/proc/sys/user/max_user_namespaces");
  facts.unprivileged_userns_clone = Sysctl("/proc/sys/kernel/unprivileged_userns_clone");
  facts.apparmor_restrict = Sysctl("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  facts.uid_map = Ranges(Text("/proc/self/uid_map"));
  const uint64_t capabilities = EffectiveCapabilities();
  facts.sys_admin = capabilities >> CAP_SYS_ADMIN & 1;
  facts.set_uid = capabilities >> CAP_SETUID & 1;
  facts.filtered = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2;
  facts.chrooted = IsChrooted();
  const std::string groups = "\n" + Text("/proc/self/cgroup");
  if (const size_t line = groups.find("\n0::"); line != groups.npos) facts.group = groups.substr(line + 4, groups.find('\n', line + 1) - line - 4);
  facts.systemd = access("/run/systemd/system", F_OK) == 0;
  facts.user_manager = access(("/run/user/" + std::to_string(facts.uid) + "/systemd/private").c_str(), F_OK) == 0;
  facts.runtime_folder = getenv("XDG_RUNTIME_DIR") != nullptr;
  return facts;
}

HostRoot NameOfHostRoot() {
  constexpr uint32_t kNobody = 65534;  // stands for every id without a name (user_namespaces(7))
  HostRoot root;
  struct statfs system;
  struct stat info;
  if (statfs("/proc", &system) < 0 || system.f_type != PROC_SUPER_MAGIC || stat("/proc", &info) < 0) return root;
  if (info.st_uid != kNobody) root.uid = info.st_uid;
  if (info.st_gid != kNobody) root.gid = info.st_gid;
  return root;
}

bool IsMapped(const Facts& facts, uint64_t id) {
  return facts.uid_map.empty() || std::any_of(facts.uid_map.begin(), facts.uid_map.end(), [&](const IdRange& range) {
           return id >= range.inside && id - range.inside < range.count;
         });
}

}  // namespace paddock::sandbox::machine
