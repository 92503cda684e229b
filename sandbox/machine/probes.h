// The trials, one a step. Each runs in a child of its own (trial.h) and ends with its answer; returning is ok.
#pragma once

#include "sandbox/machine/survey.h"

namespace paddock::sandbox::machine {

using Probe = void (*)(const Asked& asked, Trial* t);

// kernel_calls.cc
void TryKernel(const Asked&, Trial*);
void TryProc(const Asked&, Trial*);
void TryCalls(const Asked&, Trial*);
void TryPidfd(const Asked&, Trial*);
void TryClone3(const Asked&, Trial*);
void TryMemfd(const Asked&, Trial*);
void TryProcesses(const Asked&, Trial*);
// sysctls.cc
void LookAtMaxUserNamespaces(const Asked&, Trial*);
void LookAtUserNamespaceClone(const Asked&, Trial*);
void LookAtAppArmor(const Asked&, Trial*);
// namespaces.cc
void TryUser(const Asked&, Trial*);
void TryMount(const Asked&, Trial*);
void TryPid(const Asked&, Trial*);
void TryNet(const Asked&, Trial*);
void TryIpc(const Asked&, Trial*);
void TryUts(const Asked&, Trial*);
void TryCgroupNamespace(const Asked&, Trial*);
void TryOwnId(const Asked&, Trial*);
void TryForeignId(const Asked&, Trial*);
// mounts.cc
void TryTmpfs(const Asked&, Trial*);
void TryBind(const Asked&, Trial*);
void TryTrees(const Asked&, Trial*);
void TryDevices(const Asked&, Trial*);
void TryPivotRoot(const Asked&, Trial*);
// views.cc
void TryIdMapRepository(const Asked&, Trial*);
void TryIdMapPrograms(const Asked&, Trial*);
void TryOverlay(const Asked&, Trial*);
void TryNewProc(const Asked&, Trial*);
void TrySubsetProc(const Asked&, Trial*);
// confinement.cc
void TryNoNewPrivs(const Asked&, Trial*);
void TryCapabilities(const Asked&, Trial*);
void TryLandlock(const Asked&, Trial*);
void TryMountUnderLandlock(const Asked&, Trial*);
void TryKeyring(const Asked&, Trial*);
void TryLimits(const Asked&, Trial*);
// seccomp.cc
void TrySeccomp(const Asked&, Trial*);
void TrySeccompNotify(const Asked&, Trial*);
// cgroups.cc
void TryCgroups(const Asked&, Trial*);

}  // namespace paddock::sandbox::machine
