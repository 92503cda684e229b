#include "sandbox/setup_error.h"

#include <cerrno>
#include <cstdio>

#include "base/text.h"
#include "sandbox/machine/mend.h"

namespace paddock::sandbox {
namespace {

using machine::Facts;
using Mend = std::string (*)(int err, const Facts& facts, const std::string& detail);

template <auto kMend>
std::string By(int err, const Facts& facts, const std::string&) { return kMend(err, facts); }

struct Advice {
  Stage stage;         // kCount: any
  int error;           // 0: any
  const char* detail;  // the message holds this; "": any
  const char* hint;    // or, where it depends on the machine:
  Mend mend = nullptr;
};

// The detail ends with the line that was to be written, "INSIDE OUTSIDE COUNT", or is a path.
std::string IdMap(int err, const Facts& facts, const std::string& detail) {
  unsigned outer = 0;
  if (const size_t at = detail.find(": "); at == detail.npos || std::sscanf(detail.c_str() + at, ": %*u %u", &outer) != 1) outer = 0;
  return machine::MendIdMap(err, facts, outer);
}

// In the order of looking: the first that fits.
constexpr Advice kAdvice[] = {
    {Stage::kCount, EAGAIN, "", machine::kMoreProcesses},
    {Stage::kLauncher, 0, "/proc", machine::kMountProc},
    {Stage::kLauncher, EACCES, "ns/", "paddock-jail must be readable for the caller (chmod 755), and /proc must be that of this pid namespace"},
    {Stage::kLauncher, 0, "user namespace", nullptr, By<machine::MendUserNamespace>},
    {Stage::kLauncher, 0, "_map", nullptr, IdMap},
    {Stage::kLauncher, 0, "self/setgroups", nullptr, IdMap},
    {Stage::kLauncher, 0, "setgroups", nullptr, By<machine::MendGroups>},
    {Stage::kLauncher, 0, "namespace", nullptr, By<machine::MendNamespace>},
    {Stage::kLauncher, 0, "/dev/", nullptr, By<machine::MendDevices>},
    {Stage::kLauncher, 0, "", nullptr, By<machine::MendMount>},
    {Stage::kRequest, 0, "too many descriptors", "allow this process more open files: ulimit -n 256, or more"},
    {Stage::kRequest, EPROTO, "", "paddock and paddock-jail belong together: install or build both again, side by side"},
    {Stage::kTrees, ESTALE, "", "the path names another file now than when the run began: run it again"},
    {Stage::kTrees, ENOENT, "", "it was there when the run began, and is gone: run it again"},
    {Stage::kTrees, ENOTDIR, "", "a part of the path is no folder any more: run it again"},
    {Stage::kTrees, ELOOP, "", "a part of the path has become a symbolic link: run it again"},
    {Stage::kTrees, EACCES, "", "the caller may not enter that path: run paddock as its owner"},
    {Stage::kTrees, EPERM, "user namespace", nullptr, IdMap},
    {Stage::kTrees, 0, "user namespace", nullptr, By<machine::MendUserNamespace>},
    {Stage::kTrees, 0, "id-mapped", nullptr, By<machine::MendIdMappedMount>},
    {Stage::kTrees, 0, "", nullptr, By<machine::MendMount>},
    {Stage::kNamespaces, ENOSPC, "", nullptr, By<machine::MendUserNamespace>},
    {Stage::kNamespaces, 0, "", nullptr, By<machine::MendUserNamespace>},
    {Stage::kIds, 0, "_map", nullptr, IdMap},
    {Stage::kIds, 0, "setgroups", nullptr, IdMap},
    {Stage::kRootfs, EPERM, "/proc", "parts of this machine's /proc are covered, as containers do, and then the kernel gives out no new one: take a profile with \"proc\": \"none\", or uncover it"},
    {Stage::kGroups, 0, "", "the control group is gone, or closed to this user: run it again"},
    {Stage::kRootfs, 0, "", nullptr, By<machine::MendMount>},
    {Stage::kLandlock, 0, "", nullptr, By<machine::MendLandlock>},
    {Stage::kFilter, 0, "", nullptr, By<machine::MendFilter>},
    {Stage::kExec, EACCES, "", "the program must be readable and executable for everybody (chmod 755), on a file system mounted without noexec"},
    {Stage::kExec, ENOEXEC, "", "the program beside paddock is no program of this machine: install or build it again"},
    {Stage::kExec, ENOENT, "", "the program, or the loader that it names, is not in the jail: the cell must be static"},
    {Stage::kCount, 0, "", nullptr, By<machine::MendCall>},
};

std::string HintFor(Stage stage, int err, const std::string& detail) {
  for (const Advice& advice : kAdvice) {
    if (advice.stage != Stage::kCount && advice.stage != stage) continue;
    if (advice.error && advice.error != err) continue;
    if (detail.find(advice.detail) == std::string::npos) continue;
    return advice.hint ? advice.hint : advice.mend(err, machine::ReadFacts(), detail);
  }
  return "";
}

}  // namespace

Error SetupError(Stage stage, int err, const std::string& detail) {
  std::string what = "jail set-up failed at stage ";
  what += kStageNames[static_cast<size_t>(stage)];
  if (!detail.empty()) what += ", " + VisibleText(detail, Newlines::kEscape);
  Error error = FailErrno(what, err).error();
  error.hint = HintFor(stage, err, detail);
  return error;
}

}  // namespace paddock::sandbox
