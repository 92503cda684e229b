// The receipt: what is really in force around a process, read by the parent from the host's own /proc after
// the last filter, and compared with what the profile requires. What counts is this, not the intention.
//
// Landlock and the two filters leave no trace in /proc that names them; for them the receipt rests on
// denials that the cell witnessed (and the number of filters). The keyring rests on pid 1's report.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/fields.h"
#include "sandbox/layers.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile.h"

namespace paddock::sandbox {

struct LayerReceipt {
  Layer layer = Layer::kUser;
  bool required = false;
  bool in_force = false;
  std::string seen;  // what was seen, in a few words
  std::string by;    // who saw it: parent, cell, pid 1
};
inline auto Fields(FieldsOf<LayerReceipt>) {
  return std::make_tuple(
      Required("layer", &LayerReceipt::layer, "which layer"),
      Required("required", &LayerReceipt::required, "nothing starts without it"),
      Required("in_force", &LayerReceipt::in_force, "seen to be in force"),
      Required("seen", &LayerReceipt::seen, "what was seen"),
      Required("by", &LayerReceipt::by, "who saw it: the parent in /proc, the cell by being denied, or pid 1 by its report"));
}

struct Receipt {
  std::string profile;
  std::vector<LayerReceipt> layers;
  std::string plan_digest, filter_digest, second_filter_digest;
  int64_t hidden = 0;  // masks for what the profile hides, as seen
  std::vector<std::string> notes;
};
inline auto Fields(FieldsOf<Receipt>) {
  return std::make_tuple(
      Required("profile", &Receipt::profile, "name of the profile"),
      Required("layers", &Receipt::layers, "each layer: required, in force"),
      Required("plan_digest", &Receipt::plan_digest, "sha256 of the plan; the parent's word"),
      Required("filter_digest", &Receipt::filter_digest, "sha256 of the first filter; the parent's word"),
      Required("second_filter_digest", &Receipt::second_filter_digest, "sha256 of the second filter; the parent's word"),
      Required("hidden", &Receipt::hidden, "paths that show nothing, as the profile asks"),
      Required("notes", &Receipt::notes, "what else was seen"));
}

// A denial that the cell tried for: the errno it got, 0 when the call was allowed.
struct Denied {
  Layer layer = Layer::kLandlock;
  int error = 0;
};

// What this process looks like itself; jails are compared with it. Read once.
struct Baseline {
  std::vector<std::pair<std::string, uint64_t>> namespaces;  // name, inode
  int seccomp_filters = 0;
};
Result<Baseline> ReadBaseline();

// Reads the receipt of the process `pid`, held by `pidfd` (so that the pid can't be another's by now). `built`
// is the plan that it was started with, `session_done` whether pid 1 reported the session stage.
Result<Receipt> ReadReceipt(pid_t pid, int pidfd, const Profile& profile, const BuiltPlan& built, const Baseline& baseline,
                            const std::vector<Denied>& witnessed, bool session_done);

// Fails with kDenied, naming the layers, when one that is required is not in force.
Status CheckReceipt(const Receipt& receipt);

}  // namespace paddock::sandbox
