#include "sandbox/child/rootfs.h"

#include <cerrno>

#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {

void PlaceMounts(const Plan& plan, std::vector<UniqueFd> trees) {
  for (size_t i = 0; i < plan.mounts.size(); ++i)
    if (MoveMount(trees[i].get(), plan.mounts[i].target.c_str()) < 0) Die(Stage::kRootfs, errno, plan.mounts[i].target);
  StageDone(Stage::kRootfs);
}

}  // namespace paddock::sandbox::child
