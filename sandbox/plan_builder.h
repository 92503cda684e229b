// Profile + workspace + program → Plan and filters. Pure but for a look at the program's file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/plan.h"
#include "sandbox/profile.h"
#include "sandbox/workspace.h"

namespace paddock::sandbox {

// Who asks, and which ids a jail may have on the host.
struct Caller {
  uint32_t uid = 0, gid = 0;       // effective ids of this process
  uint32_t root_jail_uid = 0;      // what root's jails are where no owner can be taken; never 0
  std::optional<uint32_t> host_root_uid, host_root_gid;  // what the host's root is called here, which no jail may be
};
// Far from the ids that Debian, systemd and container tools give away (uid ranges of systemd's UIDS-GIDS).
inline constexpr uint32_t kRootJailUid = 1'900'000'017;
Caller ThisCaller();

struct PlanRequest {
  const Profile* profile = nullptr;
  const Workspace* workspace = nullptr;  // needed where the profile's workspace is not none
  std::optional<std::vector<std::string>> hidden;  // paths of the workspace that show nothing; needed where the profile hides
  std::string program;                   // the static program on the host: it is /cell in the jail
  std::vector<std::string> argv = {"paddock-cell"};
  std::vector<int32_t> descriptors;
  std::optional<int64_t> wall_ms;        // narrows the profile's
  bool second_filter = true;             // the program installs the second filter itself (a cell)
  bool hold = false;                     // the program waits for go before exec (anything but a cell)
};

struct BuiltPlan {
  Plan plan;
  std::string second_filter;  // struct sock_filter[], for the cell to install
  std::vector<std::string> hidden;  // targets of the masks that the profile's hide is for
  std::string plan_digest, filter_digest, second_filter_digest;  // sha256
};

// kInvalid: the profile is not for cells, or lacks its workspace. kDenied: the jail would run as the host's root. Errors with
// sys_errno concern the program's file.
Result<BuiltPlan> BuildPlan(const PlanRequest& request, const Caller& caller);

// The digests again, after a plan was changed (tests leave layers out).
void UpdateDigests(BuiltPlan* built);

}  // namespace paddock::sandbox
