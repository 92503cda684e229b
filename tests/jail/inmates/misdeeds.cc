#include "tests/jail/inmates/misdeeds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sandbox/plan.h"

extern char** environ;

namespace paddock::inmates {
namespace {

int Outcome(long result) { return result < 0 ? errno : 0; }

int Socket(int family, int type) {
  int fd = socket(family, type, 0);
  int error = Outcome(fd);
  if (fd >= 0) close(fd);
  return error;
}

// ---- files ----
int CreateFile(const char*) { return Outcome(open("/workspace/made", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600)); }
int OverwriteFile(const char*) { return Outcome(open("/workspace/file", O_WRONLY | O_CLOEXEC)); }
int MakeFolder(const char*) { return Outcome(mkdir("/workspace/folder", 0700)); }
int RemoveFile(const char*) { return Outcome(unlink("/workspace/file")); }
int RenameFile(const char*) { return Outcome(rename("/workspace/file", "/workspace/renamed")); }
int ChangeMode(const char*) { return Outcome(chmod("/workspace/file", 0600)); }
int MakeLink(const char*) { return Outcome(symlink("/", "/workspace/link")); }
int MakeFifo(const char*) { return Outcome(mkfifo("/workspace/fifo", 0600)); }
int SetAttribute(const char*) { return Outcome(setxattr("/workspace/file", "user.paddock", "x", 1, 0)); }
int Truncate(const char*) { return Outcome(truncate("/workspace/file", 0)); }
int ReadBeyondRules(const char*) { return Outcome(open("/witness", O_RDONLY | O_CLOEXEC)); }
int WriteZero(const char*) { return Outcome(open("/dev/zero", O_WRONLY | O_CLOEXEC)); }
int BigFile(const char*) {
  signal(SIGXFSZ, SIG_IGN);
  int fd = open("/workspace/file", O_WRONLY | O_CLOEXEC);
  return fd < 0 ? errno : Outcome(write(fd, "x", 1));
}

// ---- programs and code ----
// In the one form that the first filter allows.
int Start(const char* program) {
  char* const argv[] = {const_cast<char*>("cell"), const_cast<char*>("started"), nullptr};
  return Outcome(syscall(SYS_execveat, paddock::sandbox::kStartMark, program, argv, environ, 0));
}
int StartItself(const char*) { return Start("/cell"); }
int StartFromWorkspace(const char*) { return Start("/workspace/program"); }
int StartAsProgramsDo(const char*) {
  char* const argv[] = {const_cast<char*>("cell"), const_cast<char*>("started"), nullptr};
  return Outcome(execve("/cell", argv, environ));
}
int Execute(const char* path) {
  char* argv[] = {const_cast<char*>(path), nullptr};
  return Outcome(execve(path, argv, environ));
}
int AnonymousFile(const char*) { return Outcome(memfd_create("x", MFD_CLOEXEC)); }
int ExecutableMemory(const char*) {
  return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
}
int MakeExecutable(const char*) {
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return Outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}
int Personality(const char*) { return Outcome(personality(ADDR_NO_RANDOMIZE)); }

// ---- network ----
int InternetSocket(const char*) { return Socket(AF_INET, SOCK_STREAM); }
int UnixSocket(const char*) { return Socket(AF_UNIX, SOCK_STREAM); }
int VsockSocket(const char*) { return Socket(AF_VSOCK, SOCK_STREAM); }
int NetlinkSocket(const char*) { return Socket(AF_NETLINK, SOCK_RAW); }
int ConnectLoopback(const char* port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(atoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return Outcome(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address));
}
int ConnectAbstract(const char* name) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  size_t length = strlen(name);
  memcpy(address.sun_path + 1, name, length);
  return Outcome(connect(fd, reinterpret_cast<sockaddr*>(&address),
                         static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)));
}

// ---- other processes ----
int SeeProcess(const char* pid) { return Outcome(getpgid(atoi(pid))); }
int SignalEverybody(const char*) { return Outcome(kill(-1, 0)); }
int Trace(const char*) { return Outcome(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }
int ReadMemory(const char*) {
  char from = 1, to = 0;
  iovec local{&to, 1}, remote{&from, 1};
  return Outcome(process_vm_readv(getpid(), &local, 1, &remote, 1, 0));
}
int SharedMemory(const char* key) { return Outcome(shmget(atoi(key), 0, 0)); }
int Priority(const char*) { return Outcome(setpriority(PRIO_PROCESS, 0, 5)); }

// ---- the kernel ----
int Mount(const char*) { return Outcome(mount("tmpfs", "/workspace", "tmpfs", 0, nullptr)); }
int HostName(const char*) { return Outcome(sethostname("other", 5)); }
int Chroot(const char*) { return Outcome(chroot("/workspace")); }
int NestedNamespace(const char*) { return Outcome(unshare(CLONE_NEWUSER)); }
int NewStyleClone(const char*) {
  errno = 0;
  // Too short a structure: EINVAL from the kernel, before anything is made. ENOSYS can only be the filter.
  syscall(SYS_clone3, nullptr, 0);
  return errno == EINVAL ? 0 : errno;
}
int IoUring(const char*) {
  io_uring_params params{};
  return Outcome(syscall(SYS_io_uring_setup, 1, &params));
}
int UserFault(const char*) { return Outcome(syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */)); }
int WatchFiles(const char*) { return Outcome(inotify_init1(IN_CLOEXEC)); }
int Ioctl(const char*) {
  int waiting;
  return Outcome(ioctl(3, FIONREAD, &waiting));
}
int FindKey(const char* description) {
  return Outcome(syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", description, 0));
}
int AddKey(const char*) { return Outcome(syscall(SYS_add_key, "user", "paddock-inmate", "x", 1, KEY_SPEC_PROCESS_KEYRING)); }

// ---- what was not handed out ----
int InheritedDescriptor(const char*) { return Outcome(fcntl(9, F_GETFD)); }
int InheritedVariable(const char* name) { return getenv(name) ? 0 : ENOENT; }

// ---- resources ----
int ManyProcesses(const char*) {
  int error = 0;
  for (int i = 0; i < 20 && !error; ++i) {
    long pid = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (pid == 0) {
      pause();
      _exit(0);
    }
    error = Outcome(pid);
  }
  return error;  // the jail ends with this process, and they with it
}
int MuchMemory(const char*) {
  return mmap(nullptr, size_t{1} << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED ? errno : 0;
}
int ManyFiles(const char*) {
  int error = 0;
  for (int i = 0; i < 300 && !error; ++i) error = Outcome(open("/dev/null", O_RDONLY | O_CLOEXEC));
  return error;
}

constexpr Misdeed kMisdeeds[] = {
    {"create_file", CreateFile}, {"overwrite_file", OverwriteFile}, {"make_folder", MakeFolder}, {"remove_file", RemoveFile},
    {"rename_file", RenameFile}, {"change_mode", ChangeMode}, {"make_link", MakeLink}, {"make_fifo", MakeFifo},
    {"set_attribute", SetAttribute}, {"truncate", Truncate}, {"read_beyond_rules", ReadBeyondRules}, {"write_zero", WriteZero},
    {"big_file", BigFile}, {"start_itself", StartItself}, {"start_as_programs_do", StartAsProgramsDo}, {"start_from_workspace", StartFromWorkspace},
    {"execute", Execute}, {"anonymous_file", AnonymousFile}, {"executable_memory", ExecutableMemory}, {"make_executable", MakeExecutable},
    {"personality", Personality}, {"internet_socket", InternetSocket}, {"unix_socket", UnixSocket}, {"vsock_socket", VsockSocket},
    {"netlink_socket", NetlinkSocket}, {"connect_loopback", ConnectLoopback}, {"connect_abstract", ConnectAbstract},
    {"see_process", SeeProcess}, {"signal_everybody", SignalEverybody}, {"trace", Trace}, {"read_memory", ReadMemory},
    {"shared_memory", SharedMemory}, {"priority", Priority}, {"mount", Mount}, {"host_name", HostName}, {"chroot", Chroot},
    {"nested_namespace", NestedNamespace}, {"new_style_clone", NewStyleClone}, {"io_uring", IoUring}, {"user_fault", UserFault},
    {"watch_files", WatchFiles}, {"ioctl", Ioctl}, {"find_key", FindKey}, {"add_key", AddKey},
    {"inherited_descriptor", InheritedDescriptor}, {"inherited_variable", InheritedVariable}, {"many_processes", ManyProcesses},
    {"much_memory", MuchMemory}, {"many_files", ManyFiles},
};

}  // namespace

std::span<const Misdeed> Misdeeds() { return kMisdeeds; }

}  // namespace paddock::inmates
