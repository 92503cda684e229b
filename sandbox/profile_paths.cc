#include "sandbox/profile_paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/result.h"
#include "sandbox/beneath.h"

namespace paddock::sandbox {
namespace {

constexpr int kMostLinks = 40;  // as the kernel, path_resolution(7)

// As Beneath, for any folder.
bool IsIn(const std::string& path, const std::string& folder) { return folder == "/" || Beneath(path, folder); }

std::optional<PathFault> CheckForm(const std::string& path) {
  if (path.find('\0') != path.npos) return PathFault{"holds a NUL byte", "no path does"};
  if (!path.starts_with("/")) return PathFault{"expected an absolute path", "begin it with a slash; ~ and variables are not known here"};
  const std::string ended = path + "/";
  if (ended.find("/../") != ended.npos || ended.find("/./") != ended.npos) return PathFault{"expected a path without . and ..", "write the folder that it means"};
  if (path.size() > 1 && (path.ends_with("/") || path.find("//") != path.npos)) return PathFault{"expected a path without doubled or trailing slashes", "leave them out"};
  if (path.size() >= PATH_MAX) return PathFault{"too long for a path", "PATH_MAX is 4096 bytes"};
  return std::nullopt;
}

// errno's name, as far as it is the path that is at fault.
std::optional<PathFault> CheckThere(const std::string& path, struct stat* info) {
  if (stat(path.c_str(), info) == 0) return std::nullopt;
  if (errno == ENOENT || errno == ENOTDIR) return PathFault{"is not there", "name one that is there, or take it out"};
  return PathFault{"can't be looked at (" + ErrnoName(errno) + ")", "name one that you may read, or take it out"};
}

std::string RealPath(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) ? resolved : path;
}

std::optional<PathFault> CheckPlace(const std::string& path, const std::vector<std::string>& homes) {
  const std::string real = RealPath(path);
  for (const std::string& one : {path, real}) {
    if (one == "/") return PathFault{"is everything there is", "write \"root\": \"host\" where that is meant"};
    for (const char* folder : {"/proc", "/sys", "/dev", "/run"})
      if (IsIn(one, folder)) return PathFault{std::string("is in ") + folder + ", through which a jail could reach the host", "take it out; \"proc\" gives a jail a /proc of its own"};
  }
  for (const std::string& home : homes)
    for (const std::string& one : {path, real})
      if (IsIn(home, one)) return PathFault{"is a home folder or holds one", "name the folders in it that are needed"};
  return std::nullopt;
}

}  // namespace

std::optional<PathFault> CheckImagePath(const std::string& path, const std::vector<std::string>& homes) {
  if (auto fault = CheckForm(path)) return fault;
  struct stat info;
  if (auto fault = CheckThere(path, &info)) return fault;
  if (!S_ISDIR(info.st_mode)) return PathFault{"is not a folder", "unpack the image, and name the folder that holds its /usr"};
  return CheckPlace(path, homes);
}

std::optional<PathFault> CheckReadPath(const std::string& path, const std::vector<std::string>& homes) {
  if (auto fault = CheckForm(path)) return fault;
  struct stat info;
  if (auto fault = CheckThere(path, &info)) return fault;
  if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)) return PathFault{"is neither a folder nor a regular file", "take it out"};
  if (IsIn(path, "/workspace")) return PathFault{"is where a jail has its repository", "name another place"};
  return CheckPlace(path, homes);
}

std::optional<PathFault> CheckProgramPath(const std::string& path, const std::string& image) {
  if (auto fault = CheckForm(path)) return fault;
  struct stat info;
  // A link of an image may be absolute and mean a file of the image: it can't be followed from here.
  if (!image.empty()) {
    if (lstat((image + path).c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) return std::nullopt;
    return PathFault{"is no program of the image", "name one that is there, or take it out"};
  }
  if (auto fault = CheckThere(path, &info)) return fault;
  if (!S_ISREG(info.st_mode) || !(info.st_mode & 0111)) return PathFault{"is not a program", "name a file that can be started, or take it out"};
  return std::nullopt;
}

std::string FindProgram(const std::string& name, const std::string& image) {
  for (const char* folder : {"/usr/local/bin/", "/usr/bin/", "/bin/", "/usr/local/sbin/", "/usr/sbin/", "/sbin/"}) {
    struct stat info;
    if (const std::string path = image + folder + name; lstat(path.c_str(), &info) == 0) return path;
  }
  return {};
}

bool LeadsThrough(const std::string& path, const std::string& folder) {
  char buffer[PATH_MAX];
  if (!realpath(folder.c_str(), buffer)) return errno != ENOENT && errno != ENOTDIR;  // what is not there has nothing in it
  const std::string real = buffer;
  std::string at, rest = path;  // at: where we are, without links; empty is the root
  if (!path.starts_with("/")) {
    if (!getcwd(buffer, sizeof buffer)) return true;
    at = std::string_view(buffer) == "/" ? "" : buffer;
  }
  for (int links = 0; !rest.empty();) {
    const size_t slash = rest.find('/');
    const std::string part = rest.substr(0, slash);
    rest = slash == rest.npos ? "" : rest.substr(slash + 1);
    if (part == "..") at.erase(std::min(at.rfind('/'), at.size()));
    if (part.empty() || part == "." || part == "..") continue;
    const std::string next = at + "/" + part;
    if (IsIn(next, real)) return true;
    const ssize_t length = readlink(next.c_str(), buffer, sizeof buffer);
    if (length < 0) {
      at = next;
      continue;
    }
    if (++links > kMostLinks) return true;
    const std::string target(buffer, static_cast<size_t>(length));
    if (target.starts_with("/")) at.clear();
    rest = target + "/" + rest;
  }
  return false;
}

bool IsPlaceOfKeys(const std::string& path) {
  const std::string ended = path + "/";
  for (const char* folder : {"/.ssh/", "/.gnupg/", "/.aws/", "/.azure/", "/.kube/", "/.docker/", "/.password-store/", "/.config/gcloud/",
                             "/.config/paddock/", "/.netrc/", "/.git-credentials/"})
    if (ended.find(folder) != ended.npos) return true;
  return false;
}

}  // namespace paddock::sandbox
