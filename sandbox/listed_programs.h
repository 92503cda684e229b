// The programs that may be started in a jail whose profile names them, and nothing else: each is mounted with its loader and
// its libraries where it can be run, over mounts from which nothing can.
#pragma once

#include "base/result.h"
#include "sandbox/filter_rules.h"
#include "sandbox/profile.h"
#include "sandbox/root_view.h"

namespace paddock::sandbox {

// Where nothing but programs is in the root, links in the names of their libraries must be there too.
void AddTopLinks(RootView* view);
// /lib/x as /usr/lib/x where /lib is a link: mounts are placed without following links.
std::string WithoutTopLink(const std::string& path);

// Those of the profile's list that root installed; where it has none, `command` alone.
Status AddListedPrograms(RootView* view, const ExecRules& exec, const std::string& command);

// The profile's calls, and those without which no program starts. Where programs are listed, none can be run that has no
// name: a memory file lies on no mount whose noexec could hold it.
Result<CallRules> ProgramCalls(const Profile& profile);

}  // namespace paddock::sandbox
