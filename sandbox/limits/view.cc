#include "sandbox/limits/view.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "sandbox/limits/files.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::limits {
namespace {

std::vector<std::string> Split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool Contains(const std::vector<std::string>& all, const std::string& one) { return std::find(all.begin(), all.end(), one) != all.end(); }

// "ID:CONTROLLERS:PATH", and "0::PATH" for v2. A path may hold blanks and colons.
struct OwnGroup {
  std::vector<std::string> controllers;
  std::string path;
};
std::vector<OwnGroup> OwnGroups(const std::string& text) {
  std::vector<OwnGroup> groups;
  for (const std::string& line : Split(text, '\n')) {
    const size_t first = line.find(':'), second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    groups.push_back({Split(std::string_view(line).substr(first + 1, second - first - 1), ','), line.substr(second + 1)});
  }
  return groups;
}

// The part of `path` below `base`, "" or beginning with "/"; nullopt when it lies elsewhere, as with "/../.." of a group outside
// of the namespace.
std::optional<std::string> Below(const std::string& path, const std::string& base) {
  std::string rest = path;
  if (base != "/") {
    if (!path.starts_with(base) || (path.size() > base.size() && path[base.size()] != '/')) return std::nullopt;
    rest = path.substr(base.size());
  }
  if (rest == "/") rest.clear();
  if (Contains(Split(rest, '/'), "..")) return std::nullopt;
  return rest;
}

bool Lists(const std::string& group, pid_t pid) { return Contains(Words(TextOf(group + "/cgroup.procs")), std::to_string(pid)); }

bool Matters(const std::string& controller) { return controller == "memory" || controller == "pids" || controller == "cpuacct"; }

std::optional<Hierarchy> At(const MountLine& mount, const std::vector<OwnGroup>& groups, const CgroupView& view) {
  Hierarchy found;
  found.version = mount.type == "cgroup2" ? 2 : 1;
  const std::vector<std::string> options = Split(mount.super_options, ',');
  const auto own = std::find_if(groups.begin(), groups.end(), [&](const OwnGroup& group) {
    if (found.version == 2) return group.controllers.empty();
    return std::any_of(group.controllers.begin(), group.controllers.end(), [&](const std::string& one) { return Contains(options, one); });
  });
  if (own == groups.end()) return std::nullopt;
  if (found.version == 1 && std::none_of(own->controllers.begin(), own->controllers.end(), Matters)) return std::nullopt;
  found.top = view.root + mount.target;
  found.own = found.top + Below(own->path, mount.root).value_or("");
  if (!Lists(found.own, view.pid)) return std::nullopt;
  found.controllers = found.version == 2 ? Words(TextOf(found.own + "/cgroup.controllers")) : own->controllers;
  found.read_only = mount.read_only || Contains(options, "ro");
  return found;
}

}  // namespace

CgroupView CgroupView::OfThisProcess() {
  CgroupView view;
  view.make_folder = [](const std::string& path) { return mkdir(path.c_str(), 0700) < 0 ? errno : 0; };
  view.remove_folder = [](const std::string& path) { return rmdir(path.c_str()) < 0 ? errno : 0; };
  view.is_delegated = [](const std::string& path) {
    char mark = 0;
    return getxattr(path.c_str(), "user.delegate", &mark, 1) == 1 && mark == '1';
  };
  auto self = ProcReader::OpenSelf();
  if (!self) return view;
  view.own_groups = self->File("cgroup").value_or("");
  view.mountinfo = self->File("mountinfo").value_or("");
  return view;
}

bool Hierarchy::Has(const std::string& controller) const { return Contains(controllers, controller); }

std::vector<Hierarchy> Hierarchies(const CgroupView& view) {
  std::vector<Hierarchy> all;
  const std::vector<OwnGroup> groups = OwnGroups(view.own_groups);
  for (const std::string& line : Split(view.mountinfo, '\n')) {
    if (line.find(" - cgroup") == line.npos) continue;
    // A line at a time: one that is not understood hides no other.
    auto mounts = MountsOf(line);
    if (!mounts || mounts->empty() || !mounts->front().type.starts_with("cgroup")) continue;
    auto found = At(mounts->front(), groups, view);
    if (!found) continue;
    auto known = std::find_if(all.begin(), all.end(), [&](const Hierarchy& one) {
      return one.version == found->version && (one.version == 2 || one.controllers == found->controllers);
    });
    if (known == all.end()) all.push_back(*found);
    else if (known->read_only && !found->read_only) *known = *found;
  }
  return all;
}

bool CanHold(const std::string& group) {
  const std::string type = TextOf(group + "/cgroup.type");  // v2, and not of the topmost group
  return faccessat(AT_FDCWD, group.c_str(), W_OK | X_OK, AT_EACCESS) == 0 &&
         faccessat(AT_FDCWD, (group + "/cgroup.procs").c_str(), W_OK, AT_EACCESS) == 0 && (type.empty() || type == "domain\n");
}

}  // namespace paddock::sandbox::limits
