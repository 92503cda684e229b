// Control groups (cgroups(7)): a group is made as for a jail (sandbox/limits), and asked what it binds.
#include <unistd.h>

#include "sandbox/limits/group.h"
#include "sandbox/machine/probes.h"

namespace paddock::sandbox::machine {

void TryCgroups(const Asked& asked, Trial* t) {
  t->Try("reading /proc/self/mountinfo");
  limits::CgroupView view = asked.cgroups ? *asked.cgroups : limits::CgroupView::OfThisProcess();
  // This is a child made for the trial: what paddock itself could do is asked.
  if (!asked.cgroups) view.pid = getppid();
  const auto hierarchies = limits::Hierarchies(view);
  if (hierarchies.empty()) t->Missing(0, "none mounted in which this process is seen");
  int version = 1;
  for (const limits::Hierarchy& one : hierarchies)
    if (one.version == 2 && (one.Has("memory") || one.Has("pids") || hierarchies.size() == 1)) version = 2;

  t->Try("mkdir of a child group");
  const limits::Places places = limits::FindPlaces(std::move(view), limits::Moving::kNo);
  limits::LimitGroup group = limits::LimitGroup::Make({64u << 20, 16, 1'000'000}, places);
  std::string bound, open;
  for (const limits::Binding& binding : group.bindings()) (binding.by.starts_with("cgroup") ? bound : open) += " " + binding.limit;
  if (auto removed = group.Remove(); !removed) t->Missing(removed.error().sys_errno, removed.error().message);
  std::string seen = "v" + std::to_string(version) + ", binds" + (bound.empty() ? " nothing" : bound);
  if (places.could_move) t->Ok(seen + "; all, once paddock steps aside in its group");
  if (!open.empty()) t->Partial(seen + "; each process for itself:" + open);
  t->Ok(seen);
}

}  // namespace paddock::sandbox::machine
