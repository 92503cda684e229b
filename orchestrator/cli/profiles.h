// `paddock profile list` and `paddock profile groups`: what --profile, "extends" and "syscalls" can name.
#pragma once

namespace paddock::orchestrator {

// The shipped profiles and the user's own, those that can't be used too, each with why. Exit status 0 also then.
int RunProfileList(bool json);
// The groups of system calls: for what, how many calls, which shipped profiles have them; with `json` the calls as well.
int RunProfileGroups(bool json);

}  // namespace paddock::orchestrator
