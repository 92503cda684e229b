#include "sandbox/proc_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>

namespace paddock::sandbox {
namespace {

constexpr size_t kMostBytes = 4u << 20;  // a thousand masks with long names

Result<ProcReader> OpenFolder(const std::string& path, UniqueFd* folder) {
  folder->reset(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!*folder) return FailErrno(path);
  return ProcReader();
}

// mountinfo writes space, tab, newline and backslash as \NNN.
std::string Unescape(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::strtol(text.substr(i + 1, 3).c_str(), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool HasOption(const std::string& options, std::string_view wanted) {
  std::string padded = "," + options + ",";
  return padded.find("," + std::string(wanted) + ",") != std::string::npos;
}

}  // namespace

Result<ProcReader> ProcReader::Open(pid_t pid) {
  ProcReader reader;
  TRY(OpenFolder("/proc/" + std::to_string(pid), &reader.folder_));
  return reader;
}

Result<ProcReader> ProcReader::OpenSelf() {
  ProcReader reader;
  TRY(OpenFolder("/proc/self", &reader.folder_));
  return reader;
}

Result<std::string> ProcReader::File(const char* name) const {
  UniqueFd fd(openat(folder_.get(), name, O_RDONLY | O_CLOEXEC));
  if (!fd) return FailErrno(std::string("/proc/PID/") + name);
  std::string text;
  char chunk[8192];
  for (;;) {
    ssize_t n = read(fd.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno(std::string("/proc/PID/") + name);
    if (n == 0) return text;
    text.append(chunk, static_cast<size_t>(n));
    if (text.size() > kMostBytes) return Fail(ErrorKind::kLimit, std::string("/proc/PID/") + name + " is too long");
  }
}

Result<uint64_t> ProcReader::Namespace(const char* name) const {
  struct stat info;
  std::string path = std::string("ns/") + name;
  if (fstatat(folder_.get(), path.c_str(), &info, 0) < 0) return FailErrno("/proc/PID/" + path);
  return static_cast<uint64_t>(info.st_ino);
}

Result<bool> ProcReader::ClosesAtExec(int descriptor) const {
  const std::string name = "fdinfo/" + std::to_string(descriptor);
  const std::string text = TRY(File(name.c_str()));
  const size_t at = text.find("flags:\t");
  if (at == std::string::npos) return Fail(ErrorKind::kInternal, "/proc/PID/" + name + " has no flags");
  return (std::strtoul(text.c_str() + at + 7, nullptr, 8) & O_CLOEXEC) != 0;
}

Result<std::vector<int>> ProcReader::Descriptors() const {
  UniqueFd fd(openat(folder_.get(), "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return FailErrno("/proc/PID/fd");
  DIR* folder = fdopendir(fd.get());
  if (!folder) return FailErrno("/proc/PID/fd");
  (void)fd.release();
  std::vector<int> numbers;
  errno = 0;
  while (dirent* entry = readdir(folder))
    if (entry->d_name[0] != '.') numbers.push_back(std::atoi(entry->d_name));
  int err = errno;
  closedir(folder);
  if (err) return FailErrno("/proc/PID/fd", err);
  return numbers;
}

Result<std::vector<MountLine>> ProcReader::Mounts() const { return MountsOf(TRY(File("mountinfo"))); }

Result<std::vector<MountLine>> MountsOf(std::string_view text) {
  std::vector<MountLine> mounts;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    std::vector<std::string> words = Words(text.substr(begin, end - begin));
    begin = end + 1;
    if (words.size() < 6) return Fail(ErrorKind::kInternal, "a line of mountinfo was not understood");
    MountLine line;
    line.root = Unescape(words[3]);
    line.target = Unescape(words[4]);
    line.read_only = HasOption(words[5], "ro");
    line.no_suid = HasOption(words[5], "nosuid");
    line.no_dev = HasOption(words[5], "nodev");
    line.no_exec = HasOption(words[5], "noexec");
    // Optional fields end with "-"; the type follows (proc_pid_mountinfo(5)).
    for (size_t i = 6; i + 1 < words.size(); ++i)
      if (words[i] == "-") {
        line.type = words[i + 1];
        if (i + 3 < words.size()) line.super_options = words[i + 3];
        break;
      }
    mounts.push_back(std::move(line));
  }
  return mounts;
}

std::map<std::string, std::string, std::less<>> StatusFields(std::string_view text) {
  std::map<std::string, std::string, std::less<>> fields;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    size_t colon = line.find(':');
    if (colon == line.npos) continue;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == '\t' || value.front() == ' ')) value.remove_prefix(1);
    fields.emplace(line.substr(0, colon), value);
  }
  return fields;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n')) ++i;
    size_t begin = i;
    while (i < text.size() && text[i] != ' ' && text[i] != '\t' && text[i] != '\n') ++i;
    if (i > begin) words.emplace_back(text.substr(begin, i - begin));
  }
  return words;
}

}  // namespace paddock::sandbox
