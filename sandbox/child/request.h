// Requests of the parent: one message and its descriptors for each jail.
#pragma once

#include <vector>

#include "base/unique_fd.h"
#include "sandbox/messages.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

struct Request {
  StartRequest header;
  UniqueFd plan, status, life, go;
  std::vector<UniqueFd> groups;
  std::vector<UniqueFd> passed;
};

enum class Received { kRequest, kBad, kHangup };

// Waits for the next request. kHangup when the parent is gone, kBad for a message that is none.
Received ReceiveRequest(int socket, Request* out);

// Joins the control groups that came with the request, before anything of the jail exists (cgroups(7)).
void JoinGroups(Request* request);

// The plan from its memfd; dies at a bad one. Afterwards all descriptors of the request are close-on-exec
// and numbered from 200, out of the way of those that the payload gets.
Plan ReadPlan(Request* request);

}  // namespace paddock::sandbox::child
