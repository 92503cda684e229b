// What a jail denied, as a person and a script are told of it.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/run/outcome.h"
#include "sandbox/profile.h"
#include "sandbox/violation.h"

namespace paddock::orchestrator {

// Adds one to the list, or to the count of the same: call, arguments that are not addresses of memory, name and answer. The new one, whose
// rule is the caller's to say; nullptr where there is none, also when the list has 1,000.
DeniedCall* AddDenial(const sandbox::Violation& violation, std::vector<DeniedCall>* list);
// The same, with the rule, and what would allow it.
void AddDenial(const sandbox::Violation& violation, const sandbox::Profile& profile, std::vector<DeniedCall>* list);

// "/run/docker.sock", "@abstract", "127.0.0.1:80", "[::1]:80", "family 40"; "" for nothing. Bytes of a struct sockaddr.
std::string SocketAddressText(std::string_view bytes);

}  // namespace paddock::orchestrator
