// Starts a program on a machine that lacks something, made of namespaces of its own: nothing outside is changed.
//
//   strange_host WORD... -- PROGRAM [ARG...]
//
// The words are obeyed in their order. `user` comes first for an ordinary user: it gives the rights that the others
// need, in a namespace where every id is what it was (root: all ids; others: their own). They are given up again
// when the program starts, unless it is root's.
//
//   user                a new user namespace, the ids as they are
//   user-root           a new user namespace in which the caller is root and nobody else exists
//   mount               a new mount namespace
//   pid                 a new pid namespace; /proc stays that of the old one
//   proc                a new /proc
//   none=KIND           user.max_KIND_namespaces = 0 in this user namespace (user, mnt, pid, net, ipc, uts, cgroup)
//   tmpfs=PATH          an empty tmpfs there
//   copy=PATH           a tmpfs there, with a copy of what it held
//   full=PATH           a small tmpfs there, filled up
//   read-only=PATH      that folder, read-only
//   overlay=PATH        an overlay there, on top of what it holds
//   hide=PATH           the null device over a file
//   drop=N              capability N is taken away for ever
//   landlock            a Landlock sandbox that denies making block devices
//   uid=N               as that user, for good
//   processes=N         at most N processes of this user (RLIMIT_NPROC)
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace {

bool own_user_namespace = false;

void Must(bool done, const std::string& what) {
  if (done) return;
  fprintf(stderr, "strange_host: %s: %s\n", what.c_str(), strerror(errno));
  exit(70);
}

void Write(const std::string& path, const std::string& text) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  Must(fd >= 0 && write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()), path);
  close(fd);
}

// Root's map holds every id, and only a process outside of the namespace may write that.
void NewUserNamespace(bool as_root) {
  const uid_t uid = geteuid();
  const gid_t gid = getegid();
  int sync[2], made[2];
  Must(pipe(sync) == 0 && pipe(made) == 0, "pipe");
  const pid_t target = getpid();
  const pid_t writer = fork();
  Must(writer >= 0, "fork");
  if (writer == 0) {
    char byte;
    close(made[1]);
    if (read(made[0], &byte, 1) != 1) _exit(1);
    const std::string folder = "/proc/" + std::to_string(target);
    const bool all = uid == 0 && !as_root;
    if (!all) Write(folder + "/setgroups", "deny");
    auto line = [&](unsigned id) { return all ? std::string("0 0 4294967295") : std::to_string(as_root ? 0 : id) + " " + std::to_string(id) + " 1"; };
    Write(folder + "/uid_map", line(uid));
    Write(folder + "/gid_map", line(gid));
    _exit(0);
  }
  Must(unshare(CLONE_NEWUSER) == 0, "user namespace");
  Must(write(made[1], "m", 1) == 1, "pipe");
  int status = 0;
  Must(waitpid(writer, &status, 0) == writer && status == 0, "id maps");
  own_user_namespace = true;
}

void NewPidNamespace() {
  Must(unshare(CLONE_NEWPID) == 0, "pid namespace");
  const pid_t pid = fork();
  Must(pid >= 0, "fork");
  if (pid > 0) {
    int status = 0;
    waitpid(pid, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void Fill(const std::string& path) {
  Must(mount("none", path.c_str(), "tmpfs", 0, "size=64k,mode=0700") == 0, "tmpfs at " + path);
  int fd = open((path + "/filler").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  Must(fd >= 0, path);
  char block[4096] = {};
  while (write(fd, block, sizeof block) > 0) {
  }
  close(fd);
}

void Landlock() {
  landlock_ruleset_attr attr{};
  attr.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK;
  int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0));
  Must(ruleset >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0, "landlock");
}

void Obey(const std::string& word) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
  if (name == "user") return NewUserNamespace(false);
  if (name == "user-root") return NewUserNamespace(true);
  if (name == "mount") return Must(unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, word);
  if (name == "pid") return NewPidNamespace();
  if (name == "proc") return Must(mount("proc", "/proc", "proc", 0, nullptr) == 0, word);
  if (name == "none") {
    // Outside of an own user namespace it would be the machine's own setting.
    errno = EPERM;
    Must(own_user_namespace, "none= needs user");
    return Write("/proc/sys/user/max_" + value + "_namespaces", "0");
  }
  if (name == "tmpfs") return Must(mount("none", value.c_str(), "tmpfs", 0, "size=16m,mode=0755") == 0, word);
  if (name == "copy") {
    const int before = open(value.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    Must(before >= 0 && mount("none", value.c_str(), "tmpfs", 0, "size=16m,mode=0755") == 0, word);
    std::error_code failed;
    std::filesystem::copy("/proc/self/fd/" + std::to_string(before), value, std::filesystem::copy_options::recursive, failed);
    errno = failed.value();
    return Must(!failed, word);
  }
  if (name == "full") return Fill(value);
  if (name == "read-only")
    return Must(mount(value.c_str(), value.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0 &&
                    mount(nullptr, value.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) == 0, word);
  if (name == "overlay") {
    // The upper layer is on a tmpfs, over a folder that nothing here needs.
    const std::string layers = "/mnt";
    Must(mount("none", layers.c_str(), "tmpfs", 0, "size=16m,mode=0755") == 0, "tmpfs for the overlay");
    Must(mkdir((layers + "/upper").c_str(), 0755) == 0 && mkdir((layers + "/work").c_str(), 0755) == 0, "layers");
    const std::string options = "lowerdir=" + value + ",upperdir=" + layers + "/upper,workdir=" + layers + "/work" + (own_user_namespace ? ",userxattr" : "");
    return Must(mount("overlay", value.c_str(), "overlay", 0, options.c_str()) == 0, word);
  }
  if (name == "hide") return Must(mount("/dev/null", value.c_str(), nullptr, MS_BIND, nullptr) == 0, word);
  if (name == "drop") {
    const int capability = atoi(value.c_str());
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    Must(prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0 && syscall(SYS_capget, &header, data) == 0, word);
    auto& part = data[capability / 32];
    part.effective &= ~(1u << capability % 32);
    part.permitted &= ~(1u << capability % 32);
    part.inheritable &= ~(1u << capability % 32);
    return Must(syscall(SYS_capset, &header, data) == 0, word);
  }
  if (name == "landlock") return Landlock();
  if (name == "uid") {
    const auto id = static_cast<uid_t>(atoi(value.c_str()));
    return Must(setgroups(0, nullptr) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0, word);
  }
  if (name == "processes") {
    const rlimit limit{static_cast<rlim_t>(atoi(value.c_str())), static_cast<rlim_t>(atoi(value.c_str()))};
    return Must(setrlimit(RLIMIT_NPROC, &limit) == 0, word);
  }
  errno = EINVAL;
  Must(false, "unknown word " + word);
}

}  // namespace

int main(int argc, char** argv) {
  int at = 1;
  for (; at < argc && strcmp(argv[at], "--") != 0; ++at) Obey(argv[at]);
  if (at + 1 >= argc) return 64;
  execv(argv[at + 1], argv + at + 1);
  Must(false, argv[at + 1]);
}
