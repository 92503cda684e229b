#include "sandbox/child/request.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <cstring>

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
  iovec data{&out->header, sizeof out->header};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxDescriptors)];
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t n = 0;
  do {
    n = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n <= 0) return Received::kHangup;
  std::vector<UniqueFd> fds;
  for (cmsghdr* item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(item) + i * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
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
