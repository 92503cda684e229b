// Control groups (cgroups(7)): which version, which controllers, and whether a group of one's own can be made.
// Profiles don't use them yet.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "sandbox/machine/probes.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::machine {
namespace {

std::string Text(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[4096];
  const ssize_t n = fd ? read(fd.get(), text, sizeof text) : -1;
  return n > 0 ? std::string(text, static_cast<size_t>(n)) : std::string();
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// This process's group in one hierarchy: the lines are "ID:CONTROLLERS:PATH", and v2 is "0::PATH".
std::string OwnGroup(const std::string& lines, const std::string& controller) {
  for (const std::string& line : Words(lines)) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controller.empty() ? controllers == ",," : controllers.find("," + controller + ",") != controllers.npos) return line.substr(second + 1);
  }
  return "";
}

// A child group, made and removed again; the errno, 0 when that worked.
int MakeChild(const std::string& group) {
  const std::string child = group + "/paddock-doctor-" + std::to_string(getpid());
  if (mkdir(child.c_str(), 0755) < 0) return errno;
  return rmdir(child.c_str()) < 0 ? errno : 0;
}

[[noreturn]] void TryVersion2(const std::string& root, const Asked& asked, Trial* t) {
  std::string own = root + OwnGroup(Text(asked.own_cgroup), "");
  if (!Exists(own + "/cgroup.procs")) own = root;  // of a cgroup namespace further out
  std::string controllers;
  for (const std::string& one : Words(Text(own + "/cgroup.controllers"))) controllers += (controllers.empty() ? "" : " ") + one;
  if (controllers.empty()) controllers = "no controllers";
  t->Try("mkdir of a child group");
  const int err = MakeChild(own);
  // A group for jails needs memory and pids to be of any use, and the right to make it.
  const bool enough = controllers.find("memory") != controllers.npos && controllers.find("pids") != controllers.npos;
  const std::string seen = "v2, " + std::string(err ? "not delegated" : "delegated") + ": " + controllers;
  if (err || !enough) t->Partial(seen, err);
  t->Ok(seen);
}

[[noreturn]] void TryVersion1(const std::vector<std::string>& hierarchies, const Asked& asked, Trial* t) {
  std::string names, writable;
  const std::string own = Text(asked.own_cgroup);
  t->Try("mkdir of a child group");
  int err = 0;
  for (const std::string& name : hierarchies) {
    std::string group = asked.cgroup_root + "/" + name + OwnGroup(own, name.substr(0, name.find(',')));
    if (!Exists(group + "/cgroup.procs")) group = asked.cgroup_root + "/" + name;
    const int one = MakeChild(group);
    err = err ? err : one;
    (one ? names : writable) += " " + name;
  }
  if (writable.empty()) t->Partial("v1, none writable:" + names, err);
  if (!names.empty()) t->Partial("v1, writable:" + writable + "; not:" + names, err);
  t->Ok("v1, writable:" + writable);
}

}  // namespace

void TryCgroups(const Asked& asked, Trial* t) {
  const std::string& root = asked.cgroup_root;
  t->Try("reading /sys/fs/cgroup");
  if (Exists(root + "/cgroup.controllers")) TryVersion2(root, asked, t);
  std::vector<std::string> hierarchies;
  bool unified = false;
  if (DIR* folder = opendir(root.c_str())) {
    while (dirent* entry = readdir(folder)) {
      const std::string name = entry->d_name;
      if (name.starts_with(".") || !Exists(root + "/" + name + "/cgroup.procs")) continue;
      struct stat info;
      // cpu and cpuacct are links to cpu,cpuacct.
      if (lstat((root + "/" + name).c_str(), &info) < 0 || !S_ISDIR(info.st_mode)) continue;
      if (Exists(root + "/" + name + "/cgroup.controllers")) unified = true;
      else hierarchies.push_back(name);
    }
    closedir(folder);
  }
  std::sort(hierarchies.begin(), hierarchies.end());
  if (!hierarchies.empty()) TryVersion1(hierarchies, asked, t);
  if (unified) TryVersion2(root + "/unified", asked, t);
  t->Missing(0, "none mounted");
}

}  // namespace paddock::sandbox::machine
