#include "sandbox/call_text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

#include "sandbox/call_names.h"
#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {
namespace {

constexpr std::string_view kPointer = "…";

// How an argument is read.
enum class Kind : char {
  kSkip = '-', kPointerTo = '.', kNumber = 'd', kSize = 'z', kHex = 'x', kDescriptor = 'f', kMode = 'm', kFamily = 'F', kType = 'T', kOpen = 'o', kClone = 'c', kIoctl = 'i',
  kPrctl = 'p', kPtrace = 't', kFcntl = 'l', kProtection = 'b', kSignal = 's', kSeccomp = 'e', kFile = 'y',
};
// One letter an argument; what follows is not shown.
struct Signature {
  std::string_view call, kinds;
};
constexpr Signature kSignatures[] = {
    {"accept", "f"}, {"accept4", "f"}, {"access", ".m"}, {"bind", "f."}, {"bpf", "d"}, {"chmod", ".m"}, {"chown", ".dd"}, {"chroot", "."}, {"clone", "c"}, {"connect", "f."},
    {"creat", ".m"}, {"execve", "."}, {"execveat", "f."}, {"fchmod", "fm"}, {"fchmodat", "-.m"}, {"fchown", "fdd"}, {"fchownat", "-.dd"}, {"fcntl", "fl"},
    {"ftruncate", "fz"}, {"init_module", "."}, {"finit_module", "f"}, {"ioctl", "fi"}, {"kill", "ds"}, {"lchown", ".dd"}, {"link", ".."}, {"linkat", "-.-."}, {"listen", "fd"},
    {"lsetxattr", ".."}, {"setxattr", ".."}, {"fsetxattr", "f."}, {"memfd_create", ".x"}, {"mkdir", ".m"}, {"mkdirat", "-.m"}, {"mknod", ".y"}, {"mknodat", "-.y"},
    {"mmap", "-zb"}, {"mprotect", "-zb"}, {"pkey_mprotect", "-zb"}, {"mount", "...x"}, {"move_mount", "-.-."}, {"open", ".o"}, {"openat", "-.o"}, {"openat2", "-.."}, {"open_tree", "-.x"},
    {"perf_event_open", ".dd"}, {"personality", "x"}, {"pidfd_getfd", "fd"}, {"pidfd_open", "d"}, {"pivot_root", ".."}, {"prctl", "p"}, {"prlimit64", "dd"},
    {"process_vm_readv", "d"}, {"process_vm_writev", "d"}, {"ptrace", "td"}, {"rename", ".."}, {"renameat", "-.-."}, {"renameat2", "-.-.x"}, {"rmdir", "."},
    {"seccomp", "ex"}, {"sendmsg", "f."}, {"sendto", "f."}, {"setgid", "d"}, {"setgroups", "d."}, {"sethostname", "."}, {"setns", "fc"}, {"setresgid", "ddd"}, {"setresuid", "ddd"},
    {"setuid", "d"}, {"socket", "FTd"}, {"socketpair", "FTd"}, {"symlink", ".."}, {"symlinkat", ".-."}, {"tgkill", "dds"}, {"tkill", "ds"}, {"truncate", ".z"}, {"umount2", ".x"},
    {"unlink", "."}, {"unlinkat", "-.x"}, {"unshare", "c"}, {"utimensat", "-."}, {"add_key", ".."}, {"keyctl", "d"}, {"request_key", ".."}, {"io_uring_setup", "d"}};

std::string_view KindsOf(std::string_view call) {
  auto found = std::find_if(std::begin(kSignatures), std::end(kSignatures), [&](const Signature& one) { return one.call == call; });
  return found == std::end(kSignatures) ? std::string_view{} : found->kinds;
}

std::string Hex(uint64_t value) {
  char text[20];
  auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  return "0x" + std::string(text, end);
}
std::string Octal(uint64_t value) {
  char text[24];
  auto end = std::to_chars(text, text + sizeof text, value, 8).ptr;
  return "0" + std::string(text, end);
}

std::string_view NameIn(std::span<const NamedValue> names, uint64_t value) {
  for (const NamedValue& one : names)
    if (one.value == value) return one.name;
  return {};
}
std::string NameOrHex(std::span<const NamedValue> names, uint64_t value) {
  const std::string_view name = NameIn(names, value);
  return name.empty() ? Hex(value) : std::string(name);
}

// Names of the bits, what has none in hex. `text` is what is said already.
std::string Bits(std::string text, std::span<const NamedValue> names, uint64_t value) {
  auto add = [&](std::string_view name) { text += (text.empty() ? "" : "|") + std::string(name); };
  for (const NamedValue& one : names)
    if ((value & one.value) == one.value) {
      add(one.name);
      value &= ~one.value;
    }
  if (value) add(Hex(value));
  return text.empty() ? "0" : text;
}

std::string SignalName(uint64_t number) {
  const char* name = number < 65 ? sigabbrev_np(static_cast<int>(number)) : nullptr;
  return name ? "SIG" + std::string(name) : std::to_string(number);
}

std::string OpenFlagsText(uint64_t flags) {
  static constexpr const char* kModes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
  return Bits(kModes[flags & O_ACCMODE], OpenFlags(), flags & ~static_cast<uint64_t>(O_ACCMODE));
}

std::string CloneFlagsText(uint64_t flags) {
  const uint64_t signal = flags & 0xff;
  std::string text = Bits({}, CloneFlags(), flags & ~uint64_t{0xff});
  if (signal == 0) return text;
  return text == "0" ? SignalName(signal) : text + "|" + SignalName(signal);
}

std::string FileTypeText(uint64_t mode) {
  const uint64_t type = mode & S_IFMT;
  return (type ? NameOrHex(FileTypes(), type) + "|" : "") + Octal(mode & 07777);
}

// An int is read as the kernel reads it.
std::string ArgumentText(Kind kind, uint64_t value) {
  const uint64_t low = value & 0xffffffff;
  switch (kind) {
    case Kind::kSkip: return {};
    case Kind::kPointerTo: return std::string(kPointer);
    case Kind::kNumber:
    case Kind::kDescriptor: return std::to_string(static_cast<int32_t>(low));
    case Kind::kSize: return std::to_string(value);
    case Kind::kHex: return Hex(value);
    case Kind::kMode: return Octal(low);
    case Kind::kFamily: return NameOrHex(SocketFamilies(), low);
    case Kind::kType: return Bits(NameOrHex(SocketTypes(), low & 0xf), SocketFlags(), low & ~uint64_t{0xf});
    case Kind::kOpen: return OpenFlagsText(low);
    case Kind::kClone: return CloneFlagsText(low);
    case Kind::kIoctl: return NameOrHex(IoctlRequests(), low);
    case Kind::kPrctl: return NameOrHex(PrctlOptions(), low);
    case Kind::kPtrace: return NameOrHex(PtraceRequests(), value);
    case Kind::kFcntl: return NameOrHex(FcntlCommands(), low);
    case Kind::kProtection: return Bits({}, ProtectionBits(), value);
    case Kind::kSignal: return SignalName(low);
    case Kind::kSeccomp: return NameOrHex(SeccompOperations(), low);
    case Kind::kFile: return FileTypeText(low & 0xffff);
  }
  return Hex(value);
}

// A value in a condition: by name where it stands for a whole argument that has names, else in hex.
std::string ValueText(std::string_view kinds, const ArgumentRule& rule, uint64_t value) {
  const auto argument = static_cast<size_t>(rule.argument);
  const Kind kind = argument < kinds.size() ? static_cast<Kind>(kinds[argument]) : Kind::kHex;
  if (kind == Kind::kFile && rule.mask == S_IFMT) return value ? NameOrHex(FileTypes(), value) : "0";
  if (kind == Kind::kType) return NameOrHex(SocketTypes(), value);
  const bool whole = (rule.mask & 0xffffffff) == 0xffffffff;
  const bool one_name = kind == Kind::kFamily || kind == Kind::kIoctl || kind == Kind::kPrctl || kind == Kind::kFcntl || kind == Kind::kSeccomp || kind == Kind::kPtrace;
  if (whole && one_name) return ArgumentText(kind, value);
  return value < 10 || kind == Kind::kNumber ? std::to_string(value) : Hex(value);
}

}  // namespace

std::string DescribeCall(uint32_t number, const uint64_t (&arguments)[6]) {
  const std::string name = SystemCallName(number);
  const std::string_view kinds = KindsOf(name);
  std::string text;
  auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  if (!kinds.empty()) {
    for (size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] != static_cast<char>(Kind::kSkip)) add(ArgumentText(static_cast<Kind>(kinds[i]), arguments[i]));
  } else {
    size_t shown = 6;
    while (shown > 0 && arguments[shown - 1] == 0) --shown;
    for (size_t i = 0; i < shown; ++i) add(Hex(arguments[i]));
  }
  return name + "(" + text + ")";
}

std::string DescribeRule(const CallRule& rule) {
  const std::string_view kinds = KindsOf(rule.name);
  std::string text = rule.name;
  bool first_alternative = true;
  for (const Conditions& conditions : rule.alternatives) {
    text += first_alternative ? ": " : " | ";
    first_alternative = false;
    bool first = true;
    for (const ArgumentRule& one : conditions) {
      text += (first ? "arg" : "; arg") + std::to_string(one.argument) + (one.mask == ~uint64_t{0} ? "" : " & " + Hex(one.mask));
      text += one.values.size() == 1 ? " is" : " in";
      for (uint64_t value : one.values) text += " " + ValueText(kinds, one, value);
      first = false;
    }
  }
  return text;
}

}  // namespace paddock::sandbox
