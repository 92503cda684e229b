// Making pid 1 of a jail in its namespaces, and its ids.
#pragma once

#include "base/unique_fd.h"
#include "sandbox/child/template_root.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

// In the builder: enters the template, clones pid 1, writes its id maps, tells the parent about it and lets it go. Returns
// true in pid 1. `sibling`: pid 1 becomes the launcher's child, so that it outlives the builder.
bool BecomeInit(const Plan& plan, const LauncherWorld& world, bool sibling);

// In pid 1: takes the inner ids and makes itself invisible to the others of the jail and of the user.
void TakeIds(const Plan& plan);

}  // namespace paddock::sandbox::child
