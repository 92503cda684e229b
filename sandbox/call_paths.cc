#include "sandbox/call_paths.h"

#include <string_view>
#include <unordered_map>

#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {
namespace {

struct CallPaths {
  std::string_view call;
  PathArguments arguments;
};

constexpr PathArguments kFirst{.path = 0};
constexpr PathArguments kAt{.path = 1, .folder = 0};
constexpr PathArguments kTwo{.path = 0, .other_path = 1};
constexpr PathArguments kTwoAt{.path = 1, .folder = 0, .other_path = 3, .other_folder = 2};

constexpr CallPaths kCalls[] = {
    {"access", kFirst}, {"acct", kFirst}, {"chdir", kFirst}, {"chmod", kFirst}, {"chown", kFirst}, {"chroot", kFirst}, {"creat", kFirst}, {"execve", kFirst},
    {"getxattr", kFirst}, {"lchown", kFirst}, {"lgetxattr", kFirst}, {"listxattr", kFirst}, {"llistxattr", kFirst}, {"lremovexattr", kFirst},
    {"lsetxattr", kFirst}, {"lstat", kFirst}, {"mkdir", kFirst}, {"mknod", kFirst}, {"open", kFirst}, {"readlink", kFirst}, {"removexattr", kFirst},
    {"rmdir", kFirst}, {"setxattr", kFirst}, {"stat", kFirst}, {"statfs", kFirst}, {"swapoff", kFirst}, {"swapon", kFirst}, {"truncate", kFirst},
    {"umount2", kFirst}, {"unlink", kFirst}, {"uselib", kFirst}, {"utime", kFirst}, {"utimes", kFirst},
    {"execveat", kAt}, {"faccessat", kAt}, {"faccessat2", kAt}, {"fchmodat", kAt}, {"fchownat", kAt}, {"fspick", kAt}, {"futimesat", kAt}, {"mkdirat", kAt},
    {"mknodat", kAt}, {"mount_setattr", kAt}, {"name_to_handle_at", kAt}, {"newfstatat", kAt}, {"open_tree", kAt}, {"openat", kAt}, {"openat2", kAt},
    {"readlinkat", kAt}, {"statx", kAt}, {"unlinkat", kAt}, {"utimensat", kAt},
    {"inotify_add_watch", {.path = 1}}, {"quotactl", {.path = 1}}, {"fanotify_mark", {.path = 4, .folder = 3}},
    {"link", kTwo}, {"mount", kTwo}, {"pivot_root", kTwo}, {"rename", kTwo},
    {"linkat", kTwoAt}, {"move_mount", kTwoAt}, {"renameat", kTwoAt}, {"renameat2", kTwoAt},
    {"symlink", {.path = 1}}, {"symlinkat", {.path = 2, .folder = 1}},
    {"bind", {.address = 1, .address_size = 2}}, {"connect", {.address = 1, .address_size = 2}}, {"sendto", {.address = 4, .address_size = 5}}};

}  // namespace

const PathArguments* PathArgument(uint32_t number) {
  static const std::unordered_map<uint32_t, const PathArguments*> table = [] {
    std::unordered_map<uint32_t, const PathArguments*> known;
    for (const CallPaths& one : kCalls)
      if (auto call = FindSystemCall(one.call)) known.emplace(*call, &one.arguments);
    return known;
  }();
  auto found = table.find(number);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace paddock::sandbox
