// Version 2: one hierarchy; a group's children have the controllers that it hands on (cgroup.subtree_control).
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/unique_fd.h"
#include "sandbox/limits/files.h"
#include "sandbox/limits/owner.h"
#include "sandbox/limits/place.h"
#include "sandbox/limits/version.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::limits {
namespace {

int BindMemory(const std::string& group, uint64_t bytes) {
  if (const int err = WriteValue(group + "/memory.max", std::to_string(bytes))) return err;
  // A kernel that doesn't count swap has no such file.
  const int err = WriteValue(group + "/memory.swap.max", "0");
  if (err && err != ENOENT) return err;
  // Out of memory ends all of the jail, not a part of it that its other parts then wait for (since 4.19).
  WriteValue(group + "/memory.oom.group", "1");
  return 0;
}

std::optional<uint64_t> CpuMicroseconds(const std::string& group) { return NumberIn(group + "/cpu.stat", "usage_usec"); }
std::optional<uint64_t> PeakMemory(const std::string& group) { return NumberIn(group + "/memory.peak"); }  // since 5.19
std::optional<uint64_t> OomKills(const std::string& group) { return NumberIn(group + "/memory.events", "oom_kill"); }

// cgroup.events is exceptional for poll(2) after each change of "populated".
void AwaitEmpty(const std::string& group, const Deadline& deadline) {
  UniqueFd fd(open((group + "/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
  char text[256];
  const ssize_t n = fd ? pread(fd.get(), text, sizeof text, 0) : -1;
  const bool populated = n > 0 && std::string_view(text, static_cast<size_t>(n)).find("populated 1") != std::string_view::npos;
  pollfd wait{populated ? fd.get() : -1, POLLPRI, 0};
  poll(&wait, 1, std::min(populated ? 100 : 2, deadline.poll_ms()));
}

int Count(const Place& place) { return int{place.memory} + int{place.processes}; }

Place PlaceWith(const std::string& folder, const std::vector<std::string>& controllers) {
  const auto has = [&](const char* name) { return std::find(controllers.begin(), controllers.end(), name) != controllers.end(); };
  // Processor time is counted in every group, with or without the controller cpu.
  return {&kVersion2, folder, has("memory"), has("pids"), true, std::nullopt};
}

std::vector<pid_t> Processes(const std::string& group) {
  std::vector<pid_t> pids;
  for (const std::string& word : Words(TextOf(group + "/cgroup.procs"))) pids.push_back(std::atoi(word.c_str()));
  return pids;
}

// Only what systemd, or whoever else set up the groups, handed down is ours to change. systemd would take the controllers away from
// any other unit again, and our limits with them, as soon as it reloads. The sign of it is systemd's mark, a group above that is
// somebody else's, or none above at all. A user's manager gives no sign, so its scopes count as not handed down.
bool IsHandedDown(const CgroupView& view, const Hierarchy& hierarchy) {
  if (hierarchy.own == hierarchy.top || view.is_delegated(hierarchy.own)) return true;
  struct stat own, above;
  return stat(hierarchy.own.c_str(), &own) == 0 && stat((hierarchy.own + "/..").c_str(), &above) == 0 && own.st_uid != above.st_uid;
}

// This user's, and nobody else's processes in it.
bool IsOurs(const std::string& group, pid_t self) {
  struct stat info;
  if (stat(group.c_str(), &info) < 0 || info.st_uid != geteuid() || !CanHold(group)) return false;
  if (faccessat(AT_FDCWD, (group + "/cgroup.subtree_control").c_str(), W_OK, AT_EACCESS) < 0) return false;
  const std::vector<pid_t> pids = Processes(group);
  return std::all_of(pids.begin(), pids.end(), [&](pid_t pid) { return DescendsFrom(pid, self); });
}

bool MoveAll(const std::string& from, const std::string& to, pid_t self) {
  for (const pid_t pid : Processes(from)) {
    if (!DescendsFrom(pid, self)) return false;
    const int err = WriteValue(to + "/cgroup.procs", std::to_string(pid));
    if (err && err != ESRCH) return false;
  }
  return true;
}

// Limits that hold for the group's processes, other than their number: empty files, and those that begin with "max", limit nothing.
bool LimitsWhatIsInIt(const std::string& group) {
  for (const char* file : {"/memory.max", "/memory.high", "/memory.swap.max", "/cpu.max", "/cpuset.cpus", "/io.max"}) {
    const std::vector<std::string> words = Words(TextOf(group + file));
    if (!words.empty() && words[0] != "max") return true;
  }
  return false;
}

// All processes of `group` step into a child of it, and it hands on what `place` names. Undone when it fails.
bool StepAside(const CgroupView& view, const std::string& group, const Place& place) {
  const std::string main = group + "/" + MainGroupName(ThisProcess());
  if (view.make_folder(main) != 0) return false;
  const std::string wanted = std::string(place.memory ? "+memory " : "") + (place.processes ? "+pids" : "");
  // A child that is born meanwhile is born in the old group.
  for (int tries = 0; tries < 4 && MoveAll(group, main, view.pid); ++tries)
    if (WriteValue(group + "/cgroup.subtree_control", wanted) == 0) return true;
  for (const pid_t pid : Processes(main)) WriteValue(group + "/cgroup.procs", std::to_string(pid));
  view.remove_folder(main);
  return false;
}

}  // namespace

const Version kVersion2 = {"cgroup v2", BindMemory, CpuMicroseconds, PeakMemory, OomKills, AwaitEmpty};

Place FindInVersion2(const CgroupView& view, const Hierarchy& hierarchy, Moving moving, bool* could_move) {
  Place best;
  if (hierarchy.read_only) return best;
  // Moving a process takes the right to write to cgroup.procs of the nearest group above both ends ("Delegation"), and
  // that is the group tried here, as it lies above the own one.
  const bool may_step = IsHandedDown(view, hierarchy) && IsOurs(hierarchy.own, view.pid);
  std::optional<uint64_t> processes;
  for (std::string group = hierarchy.own;;) {
    if (CanHold(group)) {
      Place place = PlaceWith(group, Words(TextOf(group + "/cgroup.subtree_control")));
      place.processes_at_most = processes;
      if (!best.version || Count(place) > Count(best)) best = place;
    }
    if (Count(best) == 2 || may_step || group.size() <= hierarchy.top.size() || LimitsWhatIsInIt(group)) break;
    // systemd gives each unit one of these (DefaultTasksMax=), so it doesn't end the way up; no jail gets more.
    if (const auto limit = NumberIn(group + "/pids.max")) processes = std::min(*limit, processes.value_or(*limit));
    group.resize(group.rfind('/'));
  }
  const Place own = PlaceWith(hierarchy.own, hierarchy.controllers);
  if (Count(own) <= Count(best) || !may_step) return best;
  if (moving == Moving::kNo) *could_move = true;
  else if (StepAside(view, hierarchy.own, own)) return own;
  return best;
}

}  // namespace paddock::sandbox::limits
