#include "sandbox/limits/group.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "sandbox/limits/files.h"
#include "sandbox/limits/owner.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::limits {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr char kEachProcess[] = "rlimit, each process";

// RLIMIT_NPROC counts the tasks of a user; since 5.14 those of a user in one user namespace (getrlimit(2)), which a jail has
// for itself.
const char* WhoCountsProcesses() {
  utsname name;
  int major = 0, minor = 0;
  if (uname(&name) < 0 || std::sscanf(name.release, "%d.%d", &major, &minor) != 2) return "rlimit, each user";
  return major > 5 || (major == 5 && minor >= 14) ? "rlimit, each user namespace" : "rlimit, each user";
}

}  // namespace

std::optional<LimitGroup::Part> LimitGroup::MakePart(const Place& place, const std::string& name, const LimitWanted& wanted,
                                                     const CgroupView& view, int* err) {
  Part part{place, place.folder + "/" + name, {}, {}};
  if ((*err = view.make_folder(part.folder)) != 0) return std::nullopt;
  part.lock = LockGroup(part.folder);
  part.procs.reset(open((part.folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  // A cleaner of another pid namespace may have taken it before it was locked.
  *err = part.procs && part.lock ? 0 : ENOENT;
  Place& binds = part.binds;
  if (wanted.memory_bytes && binds.memory) binds.memory = place.version->bind_memory(part.folder, *wanted.memory_bytes) == 0;
  if (wanted.processes && binds.processes)
    binds.processes = BindProcesses(part.folder, std::min(*wanted.processes, place.processes_at_most.value_or(*wanted.processes))) == 0;
  binds.cpu = binds.cpu && place.version->cpu_us(part.folder);
  if (part.procs && (binds.memory || binds.processes || binds.cpu)) return part;
  view.remove_folder(part.folder);
  return std::nullopt;
}

LimitGroup LimitGroup::Make(const LimitWanted& wanted, const Places& places) {
  static std::atomic<uint64_t> next = 0;
  LimitGroup group;
  group.owner_ = getpid();
  group.view_ = std::make_shared<const CgroupView>(places.view);
  const Owner owner = ThisProcess();
  for (const Place& place : places.all) {
    // A name is taken when a process of another pid namespace has this one's pid and start.
    int err = EEXIST;
    for (int tries = 0; tries < 8 && (err == EEXIST || err == ENOENT); ++tries)
      if (auto part = MakePart(place, GroupName(owner, next++), wanted, places.view, &err)) {
        group.parts_.push_back(std::move(*part));
        break;
      }
  }
  const auto by = [&](bool Place::*what, const char* otherwise) -> std::string {
    for (const Part& part : group.parts_)
      if (part.binds.*what) return part.binds.version->name;
    return otherwise;
  };
  if (wanted.memory_bytes) group.bindings_.push_back({"memory", by(&Place::memory, kEachProcess)});
  if (wanted.processes) group.bindings_.push_back({"processes", by(&Place::processes, WhoCountsProcesses())});
  if (wanted.cpu_us) group.bindings_.push_back({"cpu", by(&Place::cpu, kEachProcess)});
  return group;
}

LimitGroup& LimitGroup::operator=(LimitGroup&& other) noexcept {
  if (this == &other) return *this;
  (void)Remove();
  parts_ = std::move(other.parts_);
  bindings_ = std::move(other.bindings_);
  view_ = std::move(other.view_);
  owner_ = other.owner_;
  return *this;
}

LimitGroup::~LimitGroup() { (void)Remove(); }

Result<std::vector<UniqueFd>> LimitGroup::JoinDescriptors() const {
  std::vector<UniqueFd> descriptors;
  for (const Part& part : parts_) {
    descriptors.emplace_back(fcntl(part.procs.get(), F_DUPFD_CLOEXEC, 0));
    if (!descriptors.back()) return FailErrno("a descriptor of " + part.folder);
  }
  return descriptors;
}

bool LimitGroup::Holds(pid_t pid) const {
  const auto lists = [&](const Part& part) {
    const std::vector<std::string> pids = Words(TextOf(part.folder + "/cgroup.procs"));
    return std::find(pids.begin(), pids.end(), std::to_string(pid)) != pids.end();
  };
  return !parts_.empty() && std::all_of(parts_.begin(), parts_.end(), lists);
}

// From the part that has the controller.
template <class Reading>
std::optional<uint64_t> LimitGroup::First(bool Place::*what, Reading reading) const {
  for (const Part& part : parts_)
    if (part.binds.*what) return reading(part);
  return std::nullopt;
}

Usage LimitGroup::Read() const {
  return {First(&Place::cpu, [](const Part& part) { return part.binds.version->cpu_us(part.folder); }),
          First(&Place::memory, [](const Part& part) { return part.binds.version->peak_memory(part.folder); }),
          First(&Place::processes, [](const Part& part) { return NumberIn(part.folder + "/pids.current"); })};
}

uint64_t LimitGroup::OomKills() const {
  return First(&Place::memory, [](const Part& part) { return part.binds.version->oom_kills(part.folder); }).value_or(0);
}

bool LimitGroup::CpuPassed(uint64_t limit_us) const {
  const auto used = First(&Place::cpu, [](const Part& part) { return part.binds.version->cpu_us(part.folder); });
  return used && *used > limit_us;
}

Status LimitGroup::Remove() {
  std::vector<Part> parts = std::move(parts_);
  parts_.clear();
  if (owner_ != getpid()) return {};  // a copy in a forked child
  const Deadline deadline = Deadline::After(kPatience);
  Status status;
  for (const Part& part : parts) {
    int err;
    while ((err = view_->remove_folder(part.folder)) == EBUSY && !deadline.passed()) part.binds.version->await_empty(part.folder, deadline);
    if (err && err != ENOENT) status = FailErrno("rmdir " + part.folder, err, "the next run of paddock removes it");
  }
  return status;
}

}  // namespace paddock::sandbox::limits
