#include "sandbox/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>

#include "base/text.h"
#include "base/unique_fd.h"

namespace paddock::sandbox {
namespace {

constexpr size_t kMaxHeaders = 256, kMaxDynamic = 4096, kMaxStrings = 64u << 20, kMaxFiles = 1024;

std::string Shown(const std::string& path) { return VisibleText(TruncateUtf8(path, 300), Newlines::kEscape); }

std::unexpected<Error> Damaged(const std::string& path) {
  return Fail(ErrorKind::kInvalid, Shown(path) + ": not a whole ELF program of this machine");
}

template <class T>
bool ReadAt(int fd, uint64_t offset, T* out, size_t count = 1) {
  if (offset > INT64_MAX) return false;
  const size_t bytes = sizeof(T) * count;
  return pread(fd, out, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

struct Loaded {
  int fd;
  std::vector<Elf64_Phdr> headers;
  // Where an address of the running program lies in the file.
  std::optional<uint64_t> Offset(uint64_t address) const {
    for (const Elf64_Phdr& header : headers)
      if (header.p_type == PT_LOAD && address >= header.p_vaddr && address - header.p_vaddr < header.p_filesz) return header.p_offset + (address - header.p_vaddr);
    return {};
  }
};

std::string TextAt(const std::string& strings, uint64_t at) {
  if (at >= strings.size()) return "";
  return std::string(strings.c_str() + at);  // NUL-terminated by std::string at the latest
}

void AddFolders(const std::string& list, std::vector<std::string>* out) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) out->push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string Resolved(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) ? resolved : "";
}

// Folders of ld.so.conf(5), and those that the loader looks through in any case.
const std::vector<std::string>& SystemFolders() {
  static const std::vector<std::string> folders = [] {
    std::vector<std::string> all;
    glob_t files{};
    if (glob("/etc/ld.so.conf.d/*.conf", 0, nullptr, &files) == 0)
      for (size_t i = 0; i < files.gl_pathc; ++i) {
        std::ifstream file(files.gl_pathv[i]);
        for (std::string line; std::getline(file, line);)
          if (line.starts_with("/")) all.push_back(line.substr(0, line.find_last_not_of(" \t/") + 1));
      }
    globfree(&files);
    for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"})
      all.emplace_back(folder);
    return all;
  }();
  return folders;
}

std::string FindLibrary(const std::string& name, const std::vector<std::string>& folders) {
  for (const std::vector<std::string>* list : {&folders, &SystemFolders()})
    for (const std::string& folder : *list)
      if (std::string path = folder + "/" + name; access(path.c_str(), R_OK) == 0) return path;
  return "";
}

std::vector<std::string> WithOrigin(const std::vector<std::string>& folders, const std::string& program) {
  const std::string origin = program.substr(0, program.rfind('/'));
  std::vector<std::string> out;
  for (std::string folder : folders) {
    for (const char* word : {"${ORIGIN}", "$ORIGIN"})
      if (size_t at = folder.find(word); at != std::string::npos) folder.replace(at, strlen(word), origin);
    if (folder.starts_with("/") && folder.find('$') == std::string::npos) out.push_back(folder);
  }
  return out;
}

}  // namespace

Result<ElfNeeds> ReadElf(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return FailErrno(Shown(path));
  Elf64_Ehdr header;
  if (!ReadAt(fd.get(), 0, &header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > kMaxHeaders)
    return Damaged(path);
  Loaded loaded{fd.get(), std::vector<Elf64_Phdr>(header.e_phnum)};
  if (!ReadAt(fd.get(), header.e_phoff, loaded.headers.data(), loaded.headers.size())) return Damaged(path);
  ElfNeeds needs;
  std::vector<Elf64_Dyn> dynamic;
  for (const Elf64_Phdr& one : loaded.headers) {
    if (one.p_type == PT_INTERP) {
      if (one.p_filesz == 0 || one.p_filesz > PATH_MAX) return Damaged(path);
      std::string name(one.p_filesz, '\0');
      if (!ReadAt(fd.get(), one.p_offset, name.data(), name.size())) return Damaged(path);
      needs.interpreter = name.c_str();
    }
    if (one.p_type != PT_DYNAMIC) continue;
    dynamic.resize(std::min<size_t>(one.p_filesz / sizeof(Elf64_Dyn), kMaxDynamic));
    if (!ReadAt(fd.get(), one.p_offset, dynamic.data(), dynamic.size())) return Damaged(path);
  }
  uint64_t strings_at = 0, strings_size = 0;
  for (const Elf64_Dyn& entry : dynamic) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_STRTAB) strings_at = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) strings_size = entry.d_un.d_val;
  }
  if (strings_size == 0) return needs;
  const std::optional<uint64_t> offset = loaded.Offset(strings_at);
  if (!offset || strings_size > kMaxStrings) return Damaged(path);
  std::string strings(strings_size, '\0');
  if (!ReadAt(fd.get(), *offset, strings.data(), strings.size())) return Damaged(path);
  std::string run_path, old_path;
  for (const Elf64_Dyn& entry : dynamic) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) needs.libraries.push_back(TextAt(strings, entry.d_un.d_val));
    if (entry.d_tag == DT_RUNPATH) run_path = TextAt(strings, entry.d_un.d_val);
    if (entry.d_tag == DT_RPATH) old_path = TextAt(strings, entry.d_un.d_val);
  }
  AddFolders(run_path.empty() ? old_path : run_path, &needs.folders);
  return needs;
}

Result<std::string> ScriptInterpreter(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return FailErrno(Shown(path));
  char line[256];  // as much as the kernel reads (execve(2))
  const ssize_t n = pread(fd.get(), line, sizeof line, 0);
  if (n < 3 || line[0] != '#' || line[1] != '!') return std::string();
  std::string_view rest(line + 2, static_cast<size_t>(n) - 2);
  rest = rest.substr(0, rest.find('\n'));
  const size_t begin = rest.find_first_not_of(" \t");
  if (begin == rest.npos) return std::string();
  rest = rest.substr(begin);
  return std::string(rest.substr(0, rest.find_first_of(" \t\r")));
}

bool InstalledByRoot(const std::string& path) {
  struct stat info;
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (lstat(path.substr(0, end).c_str(), &info) < 0 || info.st_uid != 0 || S_ISLNK(info.st_mode)) return false;
    // A sticky folder (/tmp) keeps others' hands off what is root's, but what lies in it is not installed.
    if (info.st_mode & S_IWOTH) return false;
    if ((info.st_mode & S_IWGRP) && info.st_gid != 0 && info.st_gid != 50 /* staff: Debian's /usr/local */) return false;
    if (end == std::string::npos) return S_ISREG(info.st_mode);
  }
}

Result<std::vector<NeededFile>> NeededFiles(const std::string& program) {
  std::vector<NeededFile> files;
  std::set<std::string> seen;
  struct Look {
    std::string path;
    std::vector<std::string> folders;  // of the program: an old-style path serves its libraries too
  };
  std::vector<Look> left{{program, {}}};
  while (!left.empty()) {
    const Look look = left.back();
    left.pop_back();
    ElfNeeds needs = TRY(ReadElf(look.path));
    std::vector<std::string> folders = WithOrigin(needs.folders, look.path);
    folders.insert(folders.end(), look.folders.begin(), look.folders.end());
    if (!needs.interpreter.empty() && seen.insert(needs.interpreter).second) {
      const std::string file = Resolved(needs.interpreter);
      if (file.empty()) return Fail(ErrorKind::kNotFound, Shown(program) + " needs the loader " + Shown(needs.interpreter) + ", which is not installed");
      files.push_back({needs.interpreter, file});
    }
    for (const std::string& name : needs.libraries) {
      if (!seen.insert(name).second || name.starts_with("ld-linux")) continue;
      const std::string path = name.find('/') == name.npos ? FindLibrary(name, folders) : name;
      const std::string file = Resolved(path);
      if (path.empty() || file.empty())
        return Fail(ErrorKind::kNotFound, Shown(look.path) + " needs the library " + Shown(name) + ", which is not installed", "install the package that holds it");
      if (files.size() >= kMaxFiles) return Fail(ErrorKind::kLimit, Shown(program) + " needs more than 1024 libraries");
      files.push_back({path, file});
      left.push_back({file, folders});
    }
  }
  return files;
}

std::vector<NeededFile> CommonLibraries() {
  std::vector<NeededFile> files;
  for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"})
    if (std::string file = Resolved(loader); !file.empty()) files.push_back({loader, file});
  for (const char* name : {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libutil.so.1", "libgcc_s.so.1",
                           "libstdc++.so.6", "libgomp.so.1", "libatomic.so.1", "libz.so.1"})
    if (std::string path = FindLibrary(name, {}); !path.empty()) files.push_back({path, Resolved(path)});
  return files;
}

}  // namespace paddock::sandbox
