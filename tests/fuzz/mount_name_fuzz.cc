// The name of a mount point, as the kernel writes it into mountinfo and as the receipt reads it: the same name.
#include "sandbox/proc_reader.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

// As the kernel does (fs/proc_namespace.c, show_mountinfo): space, tab, newline, backslash and # as \NNN.
std::string Mangled(std::string_view name) {
  std::string out;
  for (char c : name) {
    if (std::string_view(" \t\n\\#").find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(c));
    out += octal;
  }
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string name = "/" + std::string(reinterpret_cast<const char*>(data), size);
  std::erase(name, '\0');
  const std::string line = "36 35 98:0 /mnt1 " + Mangled(name) + " ro,nosuid shared:1 - ext4 /dev/root rw\n";
  auto mounts = sandbox::MountsOf(line + line);
  REQUIRE(mounts && mounts->size() == 2, line);
  for (const sandbox::MountLine& mount : *mounts) {
    REQUIRE(mount.target == name, mount.target);
    REQUIRE(mount.type == "ext4" && mount.read_only && mount.no_suid && !mount.no_exec, line);
  }
  return 0;
}
