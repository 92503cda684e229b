#include "orchestrator/delegation/profile_proof.h"

#include <fcntl.h>

#include <algorithm>

#include "orchestrator/delegation/cell_starter.h"
#include "sandbox/program_plan.h"
#include "sandbox/machine/mend.h"
#include "sandbox/machine/survey.h"

namespace paddock::orchestrator {
namespace {

using sandbox::Layer;
using sandbox::machine::Finding;
using sandbox::machine::Outcome;
using sandbox::machine::StepId;

constexpr auto kProofSpan = std::chrono::seconds(10);

// The layer that a step makes. The others (processes, system calls) are needed by all of them.
struct StepLayer {
  StepId step;
  Layer layer;
};
constexpr StepLayer kLayers[] = {
    {StepId::kUser, Layer::kUser},           {StepId::kMount, Layer::kMount},         {StepId::kPid, Layer::kPid},
    {StepId::kNet, Layer::kNet},             {StepId::kIpc, Layer::kIpc},             {StepId::kUts, Layer::kUts},
    {StepId::kCgroup, Layer::kCgroup},       {StepId::kOwnId, Layer::kIdentity},      {StepId::kForeignId, Layer::kIdentity},
    {StepId::kTmpfs, Layer::kMounts},        {StepId::kTrees, Layer::kMounts},        {StepId::kDevices, Layer::kMounts},
    {StepId::kPivotRoot, Layer::kMounts},    {StepId::kIdMapRepository, Layer::kMounts}, {StepId::kNoNewPrivs, Layer::kNoNewPrivs},
    {StepId::kCapabilities, Layer::kCapabilities}, {StepId::kSeccomp, Layer::kSeccomp}, {StepId::kSeccomp, Layer::kSeccompSecond},
    {StepId::kLandlock, Layer::kLandlock},   {StepId::kKeyring, Layer::kKeyring},     {StepId::kLimits, Layer::kLimits}};

template <class T>
bool Holds(const std::vector<T>& list, const T& one) { return std::find(list.begin(), list.end(), one) != list.end(); }

// A program that every machine has, for profiles that are not for cells. It is never let go.
Result<sandbox::BuiltPlan> PlanFor(const sandbox::Profile& profile, const sandbox::Workspace& workspace, const std::string& programs,
                                   const sandbox::Caller& caller) {
  if (sandbox::FitsCell(profile)) {
    sandbox::PlanRequest request;
    request.profile = &profile;
    request.workspace = &workspace;
    request.program = programs + "/paddock-cell";
    request.hidden.emplace();  // nobody speaks to it: nothing need be looked for
    return sandbox::BuildPlan(request, caller);
  }
  sandbox::ProgramRequest request;
  request.profile = &profile;
  request.workspace = &workspace;
  request.argv = {"true"};
  request.programs_folder = programs;
  request.homes = sandbox::HomeFolders();
  request.hidden.emplace();
  return sandbox::BuildProgramPlan(request, caller);
}

std::expected<sandbox::Receipt, StartFailure> HoldProgram(const sandbox::Profile& profile, const sandbox::Workspace& workspace,
                                                          const std::string& programs, const sandbox::Caller& caller, sandbox::Launcher* launcher) {
  const Deadline deadline = Deadline::After(kProofSpan);
  auto hold = [&]() -> Result<sandbox::Receipt> {
    const sandbox::Baseline baseline = TRY(sandbox::ReadBaseline());
    const sandbox::BuiltPlan built = TRY(PlanFor(profile, workspace, programs, caller));
    std::vector<UniqueFd> passed;
    for (size_t i = 0; i < built.plan.descriptors.size() + !built.plan.copier.empty(); ++i) passed.emplace_back(open("/dev/null", O_RDWR | O_CLOEXEC));
    sandbox::Jail jail = TRY(launcher->StartJail(built.plan, std::move(passed), deadline));
    TRY(jail.WaitStarted(deadline));
    const bool session_done = jail.stage_times()[static_cast<size_t>(sandbox::Stage::kSession)] != 0;
    return sandbox::ReadReceipt(jail.payload_pid(), jail.payload_pidfd(), profile, built, baseline,
                                {{Layer::kLandlock, jail.landlock_witness()}, {Layer::kSeccomp, jail.seccomp_witness()}}, session_done);
  };
  auto receipt = hold();
  if (!receipt) {
    Error error = receipt.error();
    if (error.hint.empty() && error.sys_errno) error.hint = sandbox::machine::MendCall(error.sys_errno, sandbox::machine::ReadFacts());
    return std::unexpected(StartFailure{std::move(error), "setup_error", 0, {}});
  }
  if (auto ok = sandbox::CheckReceipt(*receipt); !ok) return std::unexpected(StartFailure{ok.error(), "receipt", 0, *std::move(receipt)});
  return *std::move(receipt);
}

// Of a jail that is ended again at once.
std::expected<sandbox::Receipt, StartFailure> ProvenReceipt(const sandbox::Profile& profile, const sandbox::Workspace& workspace,
                                                            const std::string& programs, const sandbox::Caller& caller, CellStarter* starter) {
  if (!sandbox::FitsCell(profile)) return HoldProgram(profile, workspace, programs, caller, &starter->launcher());
  CellStarter::Wanted wanted;
  wanted.profile = &profile;
  wanted.workspace = &workspace;
  const std::vector<std::string> nothing;
  wanted.hidden = &nothing;
  auto cell = starter->Start(wanted, Deadline::After(kProofSpan));
  if (!cell) return std::unexpected(std::move(cell).error());
  return std::move(cell->receipt);
}

// The steps of the plan that this machine does not have; nothing where there can't even be a plan. A step that
// could not be tried needs another, which is named.
std::vector<StepId> MissingSteps(const sandbox::Profile& profile, const sandbox::Workspace& workspace, const std::string& programs,
                                 const sandbox::Caller& caller, const std::vector<Finding>& steps) {
  auto built = PlanFor(profile, workspace, programs, caller);
  if (!built) return {};
  const std::vector<StepId> needed = sandbox::machine::StepsOf(built->plan, caller.uid);
  std::vector<StepId> missing;
  for (const Finding& finding : steps)
    if (Holds(needed, finding.step) && finding.outcome == Outcome::kMissing) missing.push_back(finding.step);
  return missing;
}

void Add(const sandbox::Profile& profile, Layer layer, ProfileVerdict* out) {
  if (Holds(profile.require, layer) && !Holds(out->refused_by, layer)) out->refused_by.push_back(layer);
}

}  // namespace

ProfileVerdict ProveProfile(const sandbox::Profile& profile, const sandbox::Workspace& workspace, const std::string& programs,
                            uint32_t root_jail_uid, const std::vector<Finding>& steps) {
  ProfileVerdict out;
  out.profile = profile.name;
  out.required = static_cast<int64_t>(profile.require.size());
  if (profile.syscalls.allow.empty()) {
    out.verdict = Verdict::kAbstract;
    return out;
  }
  sandbox::Caller caller = sandbox::ThisCaller();
  caller.root_jail_uid = root_jail_uid;
  out.missing = MissingSteps(profile, workspace, programs, caller, steps);
  for (const StepLayer& one : kLayers)
    if (Holds(out.missing, one.step)) Add(profile, one.layer, &out);

  auto refuse = [&](const Error& error) {
    out.verdict = Verdict::kRefused;
    out.detail = error.message;
    out.mend = error.hint;
  };
  auto count = [&](const sandbox::Receipt& receipt) {
    // What is demanded of a cell of programs is one more than its profile names.
    out.required = std::count_if(receipt.layers.begin(), receipt.layers.end(), [](const auto& layer) { return layer.required; });
    out.in_force = std::count_if(receipt.layers.begin(), receipt.layers.end(), [](const auto& layer) { return layer.required && layer.in_force; });
    for (const auto& layer : receipt.layers)
      if (layer.required && !layer.in_force) Add(profile, layer.layer, &out);
  };
  auto starter = CellStarter::Make(programs, root_jail_uid);
  if (!starter) return refuse(starter.error()), out;
  auto receipt = ProvenReceipt(profile, workspace, programs, caller, starter->get());
  if (!receipt) {
    if (receipt.error().receipt) count(*receipt.error().receipt);
    return refuse(receipt.error().error), out;
  }
  // The jail speaks for itself: what was thought to be missing was not needed after all.
  out.verdict = Verdict::kWorks;
  out.refused_by.clear();
  count(*receipt);
  return out;
}

}  // namespace paddock::orchestrator
