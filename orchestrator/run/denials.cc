#include "orchestrator/run/denials.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "sandbox/call_paths.h"
#include "sandbox/call_text.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMostDifferent = 1000;

template <class Address>
Address As(std::string_view bytes) {
  Address address{};
  std::memcpy(&address, bytes.data(), std::min(bytes.size(), sizeof address));
  return address;
}

// The group or call that a profile would name, or nothing where none can.
std::optional<std::string> WhatAllows(uint32_t number, const uint64_t (&arguments)[6]) {
  const sandbox::Grants grants = sandbox::WhichAllows(number, arguments);
  if (!grants.never.empty() || (grants.groups.empty() && !grants.by_name)) return std::nullopt;
  return grants.groups.empty() ? sandbox::SystemCallName(number) : grants.groups.front();
}

// libc's own question to a name service cache, whenever a program asks for a user's name; it goes on without (nscd(8)).
bool IsUsual(uint32_t number, const uint64_t (&arguments)[6]) {
  static const auto socket_call = sandbox::FindSystemCall("socket");
  return socket_call && number == *socket_call && arguments[0] == AF_UNIX && arguments[1] == (SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK) && arguments[2] == 0;
}

}  // namespace

std::string SocketAddressText(std::string_view bytes) {
  sa_family_t family = AF_UNSPEC;
  if (bytes.size() < sizeof family) return "";
  std::memcpy(&family, bytes.data(), sizeof family);
  char text[INET6_ADDRSTRLEN] = "";
  if (family == AF_UNIX) {
    std::string_view path = bytes.substr(offsetof(sockaddr_un, sun_path));
    const bool abstract = !path.empty() && path.front() == '\0';
    if (!abstract) path = path.substr(0, path.find('\0'));
    return abstract ? "@" + PathToText(path.substr(1)) : PathToText(path);
  }
  if (family == AF_INET && bytes.size() >= sizeof(sockaddr_in)) {
    const auto address = As<sockaddr_in>(bytes);
    inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    return std::string(text) + ":" + std::to_string(ntohs(address.sin_port));
  }
  if (family == AF_INET6 && bytes.size() >= sizeof(sockaddr_in6)) {
    const auto address = As<sockaddr_in6>(bytes);
    inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    return "[" + std::string(text) + "]:" + std::to_string(ntohs(address.sin6_port));
  }
  return "family " + std::to_string(family);
}

DeniedCall* AddDenial(const sandbox::Violation& violation, std::vector<DeniedCall>* list) {
  uint64_t arguments[6];
  std::copy(violation.arguments.begin(), violation.arguments.end(), arguments);
  DeniedCall denied;
  denied.call = sandbox::DescribeCall(violation.number, arguments);
  const sandbox::PathArguments* named = sandbox::PathArgument(violation.number);
  if (!violation.text.empty()) denied.path = named && named->address >= 0 ? SocketAddressText(violation.text) : PathToText(violation.text);
  auto same = std::find_if(list->begin(), list->end(), [&](const DeniedCall& one) {
    return one.call == denied.call && one.path == denied.path && one.error == violation.error;
  });
  if (same != list->end()) {
    ++same->count;
    return nullptr;
  }
  // pid 1 ends the jail at the profile's own limit; this one bounds what a report can grow to.
  if (list->size() >= kMostDifferent) return nullptr;
  denied.name = sandbox::SystemCallName(violation.number);
  denied.arguments.assign(violation.arguments.begin(), violation.arguments.end());
  denied.process = violation.process;
  denied.process_name = PathToText(violation.process_name);
  denied.error = violation.error;
  denied.error_name = ErrnoName(violation.error);
  denied.usual = IsUsual(violation.number, arguments);
  return &list->emplace_back(std::move(denied));
}

void AddDenial(const sandbox::Violation& violation, const sandbox::Profile& profile, std::vector<DeniedCall>* list) {
  DeniedCall* denied = AddDenial(violation, list);
  if (!denied) return;
  denied->rule = "profile " + profile.name;
  uint64_t arguments[6];
  std::copy(violation.arguments.begin(), violation.arguments.end(), arguments);
  if (auto grant = WhatAllows(violation.number, arguments)) {
    denied->grant = *grant;
    denied->allow = AllowText(profile.syscalls.allow, {*grant});
  }
}

}  // namespace paddock::orchestrator
