#include "sandbox/child/request.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/passed_fds.h"
#include "sandbox/child/report.h"
#include "sandbox/child/syscalls.h"

namespace paddock::sandbox::child {
namespace {

void MoveHigh(UniqueFd* fd) {
  int high = fcntl(fd->get(), F_DUPFD_CLOEXEC, kHighDescriptor);
  if (high < 0) Die(Stage::kRequest, errno, "too many descriptors");
  fd->reset(high);
}

}  // namespace

Received ReceiveRequest(int socket, Request* out) {
  std::vector<UniqueFd> fds;
  const ssize_t n = ReceiveWithFds(socket, &out->header, sizeof out->header, &fds);
  if (n <= 0) return Received::kHangup;
  if (n != sizeof out->header || out->header.magic != StartRequest::kMagic || fds.size() < kFixedDescriptors + size_t{out->header.groups})
    return Received::kBad;
  out->plan = std::move(fds[0]);
  out->status = std::move(fds[1]);
  out->life = std::move(fds[2]);
  out->go = std::move(fds[3]);
  out->passed.clear();
  out->groups.clear();
  for (size_t i = kFixedDescriptors; i < fds.size(); ++i)
    (i < kFixedDescriptors + size_t{out->header.groups} ? out->groups : out->passed).push_back(std::move(fds[i]));
  return Received::kRequest;
}

void JoinGroups(Request* request) {
  for (const UniqueFd& group : request->groups)
    if (write(group.get(), "0", 1) != 1) Die(Stage::kGroups, errno, "cgroup.procs");
  request->groups.clear();
  StageDone(Stage::kGroups);
}

Plan ReadPlan(Request* request) {
  struct stat info;
  if (fstat(request->plan.get(), &info) < 0) Die(Stage::kRequest, errno, "plan");
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  ssize_t n = pread(request->plan.get(), bytes.data(), bytes.size(), 0);
  if (n != info.st_size) Die(Stage::kRequest, n < 0 ? errno : EIO, "plan");
  Result<Plan> plan = DecodePlan(bytes);
  if (!plan) Die(Stage::kRequest, EPROTO, plan.error().message);
  if (plan->descriptors.size() + !plan->copier.empty() != request->passed.size()) Die(Stage::kRequest, EPROTO, "descriptors");
  request->plan.reset();
  MoveHigh(&request->status);
  SetStatusSocket(request->status.get());
  MoveHigh(&request->life);
  MoveHigh(&request->go);
  for (UniqueFd& fd : request->passed) MoveHigh(&fd);
  StageDone(Stage::kRequest);
  return *std::move(plan);
}

}  // namespace paddock::sandbox::child
