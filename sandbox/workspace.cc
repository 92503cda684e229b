#include "sandbox/workspace.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/beneath.h"

namespace paddock::sandbox {
namespace {

std::string Shown(const std::string& path) { return "\"" + VisibleText(path, Newlines::kEscape) + "\""; }

// May the ids that a jail gets read this folder? Root's jails take the owner's ids.
bool Readable(const std::string& path, const struct stat& info) {
  if (geteuid() != 0) return access(path.c_str(), R_OK | X_OK) == 0;
  return (info.st_mode & (S_IRUSR | S_IXUSR)) == (S_IRUSR | S_IXUSR);
}

Result<std::string> RealPath(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved)) return std::string(resolved);
  if (errno == ENOENT || errno == ENOTDIR) {
    return Fail(ErrorKind::kInvalid, "no such folder: " + Shown(path), "name an existing folder with --repo DIR");
  }
  auto failed = FailErrno("repository " + Shown(path), errno, "name a folder that you may read with --repo DIR");
  failed.error().kind = ErrorKind::kInvalid;
  return failed;
}

// By a bind mount a folder has another name.
bool IsSame(const struct stat& info, const std::string& path) {
  struct stat other;
  return stat(path.c_str(), &other) == 0 && other.st_dev == info.st_dev && other.st_ino == info.st_ino;
}

// Folders that are the system's own: as wholes, or with all that is in them. Repositories do lie in /usr/src, /var/lib/x,
// /dev/shm and on discs below /run/media.
bool IsSystem(const std::string& path, const struct stat& info) {
  for (const char* whole : {"/bin", "/dev", "/lib", "/lib32", "/lib64", "/libx32", "/run", "/sbin", "/usr", "/usr/bin", "/usr/lib", "/usr/lib32",
                            "/usr/lib64", "/usr/libexec", "/usr/libx32", "/usr/sbin", "/usr/share", "/var", "/var/lib", "/var/log"})
    if (path == whole || IsSame(info, whole)) return true;
  for (const char* all : {"/boot", "/etc", "/proc", "/run/lock", "/run/systemd", "/run/user", "/sys", "/var/backups", "/var/cache", "/var/mail", "/var/spool"})
    if (Beneath(path, all) || IsSame(info, all)) return true;
  return false;
}

}  // namespace

std::vector<std::string> HomeFolders() {
  std::vector<std::string> homes;
  auto add = [&](const char* path) {
    char resolved[PATH_MAX];
    if (path && *path == '/' && realpath(path, resolved) && std::string(resolved) != "/") homes.emplace_back(resolved);
  };
  add(getenv("HOME"));
  // The file alone: name services would be loaded at run time, into a program that is static.
  if (std::FILE* accounts = fopen("/etc/passwd", "re")) {
    while (passwd* entry = fgetpwent(accounts))
      if (entry->pw_uid == 0 || (entry->pw_uid >= 1000 && entry->pw_uid < 65534)) add(entry->pw_dir);
    fclose(accounts);
  }
  return homes;
}

Result<Workspace> ResolveWorkspace(const std::string& path, const WorkspaceRules& rules) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return Fail(ErrorKind::kInvalid, "the repository's path is empty", "name a folder with --repo DIR");
  Workspace workspace;
  workspace.path = TRY(RealPath(path));
  struct stat info;
  if (stat(workspace.path.c_str(), &info) < 0) {
    auto failed = FailErrno("repository " + Shown(path));
    failed.error().kind = ErrorKind::kInvalid;
    return failed;
  }
  if (!S_ISDIR(info.st_mode))
    return Fail(ErrorKind::kInvalid, "not a folder: " + Shown(path), "name the folder that holds it with --repo DIR");
  if (!Readable(workspace.path, info))
    return Fail(ErrorKind::kInvalid, "the folder can't be read: " + Shown(path), "run paddock as its owner, or make it readable (chmod u+rx)");
  bool insisted = false;
  if (char resolved[PATH_MAX]; !rules.insist.empty() && realpath(rules.insist.c_str(), resolved))
    insisted = workspace.path == resolved;
  if (!insisted) {
    const std::string how = "name a repository inside it, or insist with --insist " + workspace.path;
    if (workspace.path == "/" || IsSame(info, "/")) return Fail(ErrorKind::kInvalid, "/ is the whole machine, not a repository", how);
    if (IsSystem(workspace.path, info)) return Fail(ErrorKind::kInvalid, Shown(path) + " is a folder of the system's, not a repository", "name a repository of yours with --repo DIR, or insist with --insist " + workspace.path);
    for (const std::string& home : rules.homes)
      if (Beneath(home, workspace.path) || IsSame(info, home))
        return Fail(ErrorKind::kInvalid, Shown(path) + (workspace.path == home || IsSame(info, home) ? " is a home folder" : " holds the home folder " + Shown(home)) +
                                             ", with keys and letters in it", how);
  }
  workspace.device = info.st_dev;
  workspace.inode = info.st_ino;
  workspace.owner_uid = info.st_uid;
  workspace.owner_gid = info.st_gid;
  return workspace;
}

}  // namespace paddock::sandbox
