#include "orchestrator/session/private_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr char kMoveHint[] = "set XDG_STATE_HOME to a folder of your own that can be written";

// Not through a symlink. `ours`: nobody else may look into it.
Result<UniqueFd> Open(int parent, const std::string& name, const std::string& shown, bool ours) {
  UniqueFd fd(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) {
    auto failed = CantKeep("open " + shown);
    if (failed.error().sys_errno == ENOENT) failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) < 0) return CantKeep("fstat " + shown);
  if (info.st_uid != ::geteuid())
    return Fail(ErrorKind::kDenied, shown + " belongs to user " + std::to_string(info.st_uid) + ", not to you (" + std::to_string(::geteuid()) + ")", kMoveHint);
  if (ours && (info.st_mode & 0077) != 0) return Fail(ErrorKind::kDenied, shown + " is open to other users", "chmod 700 " + shown);
  if (!ours && (info.st_mode & 0002) != 0) return Fail(ErrorKind::kDenied, shown + " can be written by everybody", kMoveHint);
  return fd;
}

Result<UniqueFd> Make(int parent, const std::string& name, const std::string& shown, bool ours) {
  if (::mkdirat(parent, name.c_str(), 0700) < 0 && errno != EEXIST) return CantKeep("make " + shown);
  return Open(parent, name, shown, ours);
}

// Makes what is missing of an absolute path; the last folder is checked, those above it are as they are.
Result<UniqueFd> MakeStateFolder(const std::string& path) {
  std::string refused;  // the first that may be there and not be ours to make; where it isn't there, that is why
  int refused_errno = 0;
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) == 0 || errno == EEXIST) continue;
    if (errno == ENOENT && refused_errno != 0) break;
    if (errno != EACCES && errno != EROFS) return CantKeep("make " + PathToText(part));
    if (refused_errno == 0) refused = part, refused_errno = errno;
  }
  auto made = Make(AT_FDCWD, path, PathToText(path), false);
  if (!made && made.error().sys_errno == ENOENT && refused_errno != 0) return CantKeep("make " + PathToText(refused), refused_errno);
  return made;
}

}  // namespace

ssize_t WriteOnce(int fd, std::string_view text) {
  ssize_t n;
  do n = ::write(fd, text.data(), text.size());
  while (n < 0 && errno == EINTR);
  return n;
}

std::unexpected<Error> CantKeep(const std::string& what, int err) {
  auto failed = FailErrno(what, err, err == ENOSPC || err == EDQUOT ? "make room: a run is not started without its record" : kMoveHint);
  if (err == ELOOP || err == ENOTDIR) {
    failed.error().kind = ErrorKind::kDenied;
    failed.error().message = what + ": it is a symbolic link or no folder, and is not followed";
  }
  return failed;
}

Result<UniqueFd> OpenFolderIn(int parent, const std::string& name, const std::string& shown) { return Make(parent, name, shown, true); }

Result<UniqueFd> OpenPrivateFolder(const std::string& state_folder, const std::string& name) {
  const std::string shown = PathToText(state_folder) + "/paddock";
  UniqueFd state = TRY(MakeStateFolder(state_folder));
  UniqueFd paddock = TRY(Make(state.get(), "paddock", shown, true));
  return Make(paddock.get(), name, shown + "/" + name, true);
}

Result<UniqueFd> FindPrivateFolder(const std::string& state_folder, const std::string& name) {
  const std::string shown = PathToText(state_folder) + "/paddock";
  UniqueFd state = TRY(Open(AT_FDCWD, state_folder, PathToText(state_folder), false));
  UniqueFd paddock = TRY(Open(state.get(), "paddock", shown, true));
  return Open(paddock.get(), name, shown + "/" + name, true);
}

Status WritePrivateFile(int folder, const std::string& name, const std::string& text, const std::string& shown) {
  const std::string partial = "." + name + ".part";
  (void)::unlinkat(folder, partial.c_str(), 0);
  UniqueFd fd(::openat(folder, partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return CantKeep("make " + shown);
  std::string_view rest = text;
  while (!rest.empty()) {
    ssize_t n = WriteOnce(fd.get(), rest);
    if (n <= 0) {
      auto failed = CantKeep("write " + shown, n == 0 ? ENOSPC : errno);
      (void)::unlinkat(folder, partial.c_str(), 0);
      return failed;
    }
    rest.remove_prefix(static_cast<size_t>(n));
  }
  if (::fdatasync(fd.get()) < 0 && errno != EINVAL) return CantKeep("flush " + shown);
  if (::renameat(folder, partial.c_str(), folder, name.c_str()) < 0) return CantKeep("rename to " + shown);
  return {};
}

Result<std::string> ReadPrivateFile(int folder, const std::string& name, const std::string& shown, size_t max_bytes) {
  UniqueFd fd(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) {
    auto failed = CantKeep("open " + shown);
    if (failed.error().sys_errno == ENOENT) failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) < 0) return CantKeep("fstat " + shown);
  if (!S_ISREG(info.st_mode)) return Fail(ErrorKind::kDenied, shown + ": expected a regular file");
  if (info.st_uid != ::geteuid() || (info.st_mode & 0022) != 0) return Fail(ErrorKind::kDenied, shown + " can be written by others, or is not yours", "remove it");
  if (static_cast<size_t>(info.st_size) > max_bytes) return Fail(ErrorKind::kLimit, shown + " is too large");
  std::string text(static_cast<size_t>(info.st_size), '\0');
  size_t have = 0;
  while (have < text.size()) {
    ssize_t n = ::read(fd.get(), text.data() + have, text.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return CantKeep("read " + shown);
    if (n == 0) break;
    have += static_cast<size_t>(n);
  }
  text.resize(have);
  return text;
}

}  // namespace paddock::orchestrator
