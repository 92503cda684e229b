// The roots that a profile may name, and /dev and /proc in them.
#include <dirent.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/root_view.h"

namespace paddock::sandbox {
namespace {

// Bits of ABI 3 and 5 that this system's header does not have.
constexpr uint64_t kTruncate = 1u << 14, kIoctlDev = 1u << 15;

std::string Shown(const std::string& path) { return VisibleText(TruncateUtf8(path, 300), Newlines::kEscape); }

Result<std::vector<std::string>> NamesIn(const std::string& folder) {
  DIR* dir = opendir(folder.c_str());
  if (!dir) return FailErrno(Shown(folder));
  std::vector<std::string> names;
  while (dirent* entry = readdir(dir))
    if (std::string name = entry->d_name; name != "." && name != "..") names.push_back(std::move(name));
  closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

std::string LinkText(const std::string& path) {
  char text[PATH_MAX];
  const ssize_t n = readlink(path.c_str(), text, sizeof text);
  return n > 0 ? std::string(text, static_cast<size_t>(n)) : "";
}

// What is at `source` as it is there: a link, or a mount of the folder or file. What can't be seen is left out.
Status Take(RootView* view, const std::string& source, const std::string& target, bool no_exec) {
  struct stat info;
  if (lstat(source.c_str(), &info) < 0) return {};
  if (S_ISLNK(info.st_mode)) {
    view->Link(target, LinkText(source));
    return {};
  }
  if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)) return {};
  TRY(view->Bind(source, target, {.no_exec = no_exec}));
  view->Allow(target, S_ISDIR(info.st_mode) ? kLandlockRun : LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE);
  return {};
}

constexpr char kPasswd[] = "root:x:0:0:root:/root:/usr/sbin/nologin\nuser:x:1000:1000:user:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
constexpr char kGroup[] = "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n";

// Settings that programs of /usr need, and that tell nothing about this machine but what is installed.
constexpr const char* kSharedSettings[] = {
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates.conf",
    "/etc/localtime", "/etc/timezone", "/etc/mime.types", "/etc/magic", "/etc/debian_version", "/etc/os-release", "/etc/protocols", "/etc/services", "/etc/ethertypes",
    "/etc/perl", "/etc/python3", "/etc/python3.11", "/etc/python3.13", "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk", "/etc/gdb", "/etc/fonts", "/etc/terminfo", "/etc/inputrc", "/etc/valgrind.supp",
    "/etc/maven/m2.conf", "/etc/maven/logging"};  // its settings.xml may hold passwords

// The jail's own in every root.
constexpr const char* kOwnTop[] = {"dev", "proc", "sys", "run", "tmp", "workspace", "cell", "witness", "home", "root"};

Status AddTop(RootView* view, const std::string& folder, bool no_exec) {
  const std::string base = folder == "/" ? "" : folder;
  for (const std::string& name : TRY(NamesIn(folder))) {
    if (std::find(std::begin(kOwnTop), std::end(kOwnTop), name) != std::end(kOwnTop) || name.starts_with(".blank") || "/" + name == kOriginal) continue;
    TRY(Take(view, base + "/" + name, "/" + name, no_exec));
  }
  for (const char* own : {"/run", "/home", "/root"}) view->Folder(own);
  return {};
}

}  // namespace

Status AddDevices(RootView* view, bool terminals, uint64_t shm_size, bool no_exec) {
  for (const char* name : {"null", "zero", "full", "random", "urandom", "tty"}) {
    const std::string path = std::string("/dev/") + name;
    TRY(view->Bind(path, path, {.no_exec = true, .device = true}));
  }
  view->Link("/dev/fd", "/proc/self/fd");
  view->Link("/dev/stdin", "/proc/self/fd/0");
  view->Link("/dev/stdout", "/proc/self/fd/1");
  view->Link("/dev/stderr", "/proc/self/fd/2");
  view->Allow("/dev", kLandlockRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kIoctlDev);
  if (terminals) {
    MountOp own;
    own.kind = MountKind::kTerminals;
    own.target = "/dev/pts";
    own.read_only = false;
    view->Mount(std::move(own));
    view->Link("/dev/ptmx", "pts/ptmx");
  }
  if (shm_size) view->Tmpfs("/dev/shm", shm_size, 01777, no_exec);
  return {};
}

void AddProc(RootView* view, bool only_processes) {
  MountOp proc;
  proc.kind = MountKind::kProc;
  proc.target = "/proc";
  proc.only_processes = only_processes;
  view->Mount(std::move(proc));
  view->Allow("/proc", kLandlockRead);
}

Status AddMinimalRoot(RootView* view, bool no_exec) {
  TRY(view->Bind("/usr", "/usr", {.no_exec = no_exec}));
  view->Allow("/usr", kLandlockRun);
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) TRY(Take(view, name, name, no_exec));
  view->File("/etc/passwd", kPasswd);
  view->File("/etc/group", kGroup);
  view->File("/etc/hosts", "127.0.0.1 localhost paddock\n");
  view->File("/etc/hostname", "paddock\n");
  view->File("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n");
  view->File("/etc/resolv.conf", "");
  view->File("/etc/shells", "/bin/sh\n/bin/bash\n");
  view->Allow("/etc", kLandlockRead);
  for (const char* path : kSharedSettings) TRY(Take(view, path, path, no_exec));
  for (const char* folder : {"/home", "/root", "/run", "/opt", "/mnt", "/var/lib", "/var/cache", "/var/log"}) view->Folder(folder);
  view->Link("/var/tmp", "../tmp");
  view->Link("/var/run", "../run");
  return {};
}

Status AddImageRoot(RootView* view, const std::string& image, bool no_exec) {
  struct stat info;
  if (stat((image + "/usr").c_str(), &info) < 0 && stat((image + "/bin").c_str(), &info) < 0)
    return Fail(ErrorKind::kInvalid, Shown(image) + " is no root file system: it has neither usr nor bin", "name the folder into which one was unpacked");
  return AddTop(view, image, no_exec);
}

Status AddHostRoot(RootView* view, const std::vector<std::string>& homes, bool no_exec) {
  TRY(AddTop(view, "/", no_exec));
  // Their parents come along: what is personal there is covered.
  for (const std::string& home : homes)
    if (home.find('/', 1) != std::string::npos && view->Has(home) && !home.starts_with("/usr") && access(home.c_str(), F_OK) == 0) view->Mask(home);
  if (access("/var/tmp", F_OK) == 0) view->Mask("/var/tmp");
  return {};
}

}  // namespace paddock::sandbox
