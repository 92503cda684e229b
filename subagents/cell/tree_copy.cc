#include "subagents/cell/tree_copy.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "subagents/cell_abi.h"

namespace paddock::subagents {
namespace {

constexpr int kMaxDepth = 200;  // three descriptors a level
constexpr size_t kBufferBytes = 1u << 20;

// statfs(2): proc, sysfs, cgroup, cgroup2, devpts, debugfs, tracefs, securityfs, configfs, bpf, mqueue, pstore, efivarfs, binfmt_misc,
// fusectl, rpc_pipefs, nsfs, selinuxfs, hugetlbfs: what the kernel says there is of the host.
constexpr uint32_t kKernelFileSystems[] = {0x9fa0,     0x62656572, 0x27e0eb,   0x63677270, 0x1cd1,     0x64626720, 0x74726163, 0x73636673, 0x62656570, 0xcafe4a11,
                                           0x19800202, 0x6165676c, 0xde5e81e4, 0x42494e4d, 0x65735543, 0x67596969, 0x6e736673, 0xf97cff8c, 0x958458f6};

class Copier {
 public:
  explicit Copier(int to_root) : to_root_(to_root), buffer_(std::make_unique<char[]>(kBufferBytes)) {
    for (const char* path : {kBlankFilePath, kBlankFolderPath})
      if (struct stat info; stat(path, &info) == 0) blanks_.emplace_back(info.st_dev, info.st_ino);
  }

  // False when the copy must be given up.
  bool Folder(int from, int to, const std::string& path, int depth);
  TreeCopyResult result;

 private:
  bool Entry(int from, int to, const char* name, const std::string& path, int depth);
  bool File(int from, int to, const char* name, const std::string& path, const struct stat& info);
  bool Bytes(int from, int to, const struct stat& info);
  bool Link(int from, int to, const char* name, const std::string& path);

  bool LeaveOut(const std::string& path, int why = 0) {
    if (result.left_out++ == 0) {
      result.first_left_out = path;
      result.first_why = why;
    }
    return true;
  }
  // What one file can't have is left out; what nothing can have any more ends the copy.
  bool Failed(const std::string& path) {
    if (errno != ENOSPC && errno != EDQUOT && errno != ENOMEM && errno != EROFS) return LeaveOut(path, errno);
    result.error = errno;
    result.error_path = path;
    return false;
  }

  // Is it of a file system that shows the host? Then the copy is given up.
  bool ShowsHost(int fd, dev_t device, const std::string& path) {
    if (std::find(harmless_.begin(), harmless_.end(), device) != harmless_.end()) return false;
    struct statfs of;
    if (fstatfs(fd, &of) < 0) {
      result.error = errno;
    } else if (std::find(std::begin(kKernelFileSystems), std::end(kKernelFileSystems), static_cast<uint32_t>(of.f_type)) == std::end(kKernelFileSystems)) {
      harmless_.push_back(device);
      return false;
    } else {
      result.shows_host = true;
      result.error = EACCES;
    }
    result.error_path = path;
    return true;
  }

  bool IsHidden(const struct stat& info) const {
    return std::find(blanks_.begin(), blanks_.end(), std::pair{info.st_dev, info.st_ino}) != blanks_.end();
  }

  int to_root_;
  std::vector<std::pair<dev_t, ino_t>> blanks_;
  std::vector<dev_t> harmless_;
  std::unique_ptr<char[]> buffer_;
  std::map<std::pair<dev_t, ino_t>, std::string> linked_;  // files with several names: the first one's path in the copy
};

void TakeTimes(int folder, const char* name, const struct stat& info) {
  const timespec times[2] = {info.st_atim, info.st_mtim};
  (void)utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

bool Copier::Bytes(int from, int to, const struct stat& info) {
  // Holes stay holes: a file may say that it is larger than any memory (lseek(2), SEEK_DATA).
  off_t at = 0;
  while (at < info.st_size) {
    off_t data = lseek(from, at, SEEK_DATA), end = info.st_size;
    if (data < 0 && errno == ENXIO) break;
    if (data < 0) data = at;
    else if (off_t hole = lseek(from, data, SEEK_HOLE); hole > 0) end = hole;
    for (at = data; at < end;) {
      const ssize_t n = pread(from, buffer_.get(), kBufferBytes, at);
      if (n < 0) return false;
      if (n == 0) return true;  // it became shorter
      for (ssize_t done = 0; done < n;) {
        const ssize_t m = pwrite(to, buffer_.get() + done, static_cast<size_t>(n - done), at + done);
        if (m < 0) return false;
        done += m;
      }
      at += n;
    }
  }
  return ftruncate(to, info.st_size) == 0;
}

bool Copier::File(int from, int to, const char* name, const std::string& path, const struct stat& info) {
  if (info.st_nlink > 1) {
    auto [known, fresh] = linked_.try_emplace({info.st_dev, info.st_ino}, path);
    if (!fresh) return linkat(to_root_, known->second.c_str(), to, name, 0) == 0 || Failed(path);
  }
  UniqueFd in(openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!in) return Failed(path);
  struct stat opened;
  if (fstat(in.get(), &opened) < 0 || !S_ISREG(opened.st_mode)) return LeaveOut(path);
  if (ShowsHost(in.get(), opened.st_dev, path)) return false;
  UniqueFd out(openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!out) return Failed(path);
  if (!Bytes(in.get(), out.get(), opened)) {
    const int error = errno;
    (void)unlinkat(to, name, 0);
    if (info.st_nlink > 1) linked_.erase({info.st_dev, info.st_ino});
    errno = error;
    return Failed(path);
  }
  (void)fchmod(out.get(), opened.st_mode & 0777);
  TakeTimes(to, name, opened);
  return true;
}

bool Copier::Link(int from, int to, const char* name, const std::string& path) {
  char text[PATH_MAX];
  const ssize_t n = readlinkat(from, name, text, sizeof text - 1);
  if (n < 0) return Failed(path);
  text[n] = '\0';
  return symlinkat(text, to, name) == 0 || Failed(path);
}

bool Copier::Entry(int from, int to, const char* name, const std::string& path, int depth) {
  struct stat info;
  if (fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW) < 0) return errno == ENOENT || Failed(path);
  if (IsHidden(info)) return true;
  if (S_ISREG(info.st_mode)) return File(from, to, name, path, info);
  if (S_ISLNK(info.st_mode)) return Link(from, to, name, path);
  if (!S_ISDIR(info.st_mode) || depth >= kMaxDepth) return LeaveOut(path);
  UniqueFd in(openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!in) return Failed(path);
  if (mkdirat(to, name, 0700) < 0) return Failed(path);
  UniqueFd out(openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!out) return Failed(path);
  if (!Folder(in.get(), out.get(), path, depth + 1)) return false;
  (void)fchmod(out.get(), info.st_mode & 0777);
  TakeTimes(to, name, info);
  return true;
}

bool Copier::Folder(int from, int to, const std::string& path, int depth) {
  struct stat info;
  if (fstat(from, &info) < 0) return Failed(path);
  if (ShowsHost(from, info.st_dev, path)) return false;
  const int again = fcntl(from, F_DUPFD_CLOEXEC, 0);
  DIR* entries = again < 0 ? nullptr : fdopendir(again);
  if (!entries) return Failed(path);
  bool whole = true;
  while (whole) {
    errno = 0;
    const dirent* entry = readdir(entries);
    if (!entry && errno) whole = Failed(path);
    if (!entry) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") whole = Entry(from, to, name.c_str(), path.empty() ? name : path + "/" + name, depth);
  }
  closedir(entries);
  return whole;
}

}  // namespace

TreeCopyResult CopyTree(const char* from, const char* to) {
  UniqueFd in(open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC)), out(open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat info;
  if (!in || !out || fstat(in.get(), &info) < 0) return {errno, "", false, 0, "", 0};
  Copier copier(out.get());
  if (copier.Folder(in.get(), out.get(), "", 0)) {
    (void)fchmod(out.get(), (info.st_mode & 0777) | 0700);
    const timespec times[2] = {info.st_atim, info.st_mtim};
    (void)futimens(out.get(), times);
  }
  return std::move(copier.result);
}

}  // namespace paddock::subagents
