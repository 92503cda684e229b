// Each misdeed is refused by the read-only profile; the layer that it names refuses it with the errno that
// it names, the other layers in its way being off; and with that layer off too the same program succeeds.
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "tests/jail/jail_harness.h"

namespace paddock::sandbox {
namespace {

enum Off : unsigned {
  kFilters = 1, kSecond = 2, kLandlock = 4, kReadOnly = 8, kNoExec = 16, kNet = 32, kPid = 64, kIpc = 128, kCaps = 256,
  kKeyring = 512, kDescriptors = 1024, kEnvironment = 2048, kLimits = 4096,
};

struct Case {
  const char* misdeed;
  Off layer;
  int error;        // what that layer answers
  unsigned others;  // layers that would refuse it too
  int full_error = 0;  // what the whole jail answers, where that is another
  int kernel_error = 0;  // what a kernel without the thing answers by itself, once nothing stands in the way
};

std::string AllowAll() {
  sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  return std::string(reinterpret_cast<const char*>(&allow), sizeof allow);
}

class Inmate : public JailTest, public testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    JailTest::SetUp();
    std::filesystem::copy_file(BinFolder() + "/inmate", folder_.path() + "/program");
    std::filesystem::permissions(folder_.path() + "/program", std::filesystem::perms(0755));
    setenv("PADDOCK_TEST_SECRET", "made-up", 1);
  }
  void TearDown() override { unsetenv("PADDOCK_TEST_SECRET"); }

  // The errno that the inmate got, -1 when it did not say.
  int Commit(unsigned off) {
    BuiltPlan built = Build("inmate", {"cell", GetParam().misdeed, Argument()});
    Plan& plan = built.plan;
    if (off & kFilters) plan.filter.clear();
    if (off & (kFilters | kSecond)) built.second_filter = AllowAll();
    if (off & kLandlock) plan.landlock = false;
    for (MountOp& mount : plan.mounts) {
      if (mount.target != "/workspace") continue;
      if (off & kReadOnly) mount.read_only = false;
      if (off & kNoExec) mount.no_exec = false;
    }
    // With the filters off, a jail of its own network: the shared one is for those that can make no socket.
    if (off & kFilters) plan.network = Network::kOwnEmpty;
    if (off & kNet) plan.network = Network::kHost;
    if (off & kPid) plan.namespaces &= ~uint64_t{CLONE_NEWPID};
    if (off & kIpc) plan.namespaces &= ~uint64_t{CLONE_NEWIPC};
    if (off & kCaps) {
      plan.drop_capabilities = false;
      plan.inner_uid = plan.inner_gid = 0;  // else exec takes them away (capabilities(7))
    }
    if (off & kKeyring) plan.new_keyring = false;
    if (off & kEnvironment) plan.environment.push_back("PADDOCK_TEST_SECRET=made-up");
    if (off & kLimits) plan.limits.clear();
    UniqueFd extra;
    if (off & kDescriptors) {
      plan.descriptors.push_back(9);
      extra.reset(open("/", O_PATH | O_CLOEXEC));
    }
    auto cell = Start(built, std::move(extra));
    if (!cell) {
      ADD_FAILURE() << cell.error().message;
      return -1;
    }
    FrameReader reader(cell->from.get(), 4096);
    auto line = reader.Next(Soon());
    if (line) return std::atoi(line->c_str());
    JailEnd end = cell->jail.Stop();
    ADD_FAILURE() << "no answer: " << line.error().message << "; end " << static_cast<int>(end.kind) << " code " << end.code << " " << end.detail;
    return -1;
  }

 private:
  std::string Argument() {
    const std::string misdeed = GetParam().misdeed;
    if (misdeed == "connect_loopback") return std::to_string(ListenLoopback());
    if (misdeed == "connect_abstract") return ListenAbstract();
    if (misdeed == "see_process") return std::to_string(getpid());
    if (misdeed == "inherited_variable") return "PADDOCK_TEST_SECRET";
    if (misdeed == "shared_memory") {
      const int key = 0x50440000 + getpid() % 0xffff;
      shared_memory_.id = shmget(key, 4096, IPC_CREAT | 0666);
      return std::to_string(key);
    }
    if (misdeed == "find_key") {
      // A session keyring of this test's own first: the caller's is not ours to write to.
      syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
      long key = syscall(SYS_add_key, "user", "paddock-test-key", "made-up", 7, KEY_SPEC_SESSION_KEYRING);
      EXPECT_GT(key, 0);
      launcher_.reset();  // a launcher started from now on has this keyring
      return "paddock-test-key";
    }
    return "";
  }

  int ListenLoopback() {
    listener_.reset(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(listen(listener_.get(), 4), 0);
    getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
  }

  std::string ListenAbstract() {
    std::string name = "paddock-test-" + std::to_string(getpid());
    listener_.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, name.data(), name.size());
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())), 0);
    EXPECT_EQ(listen(listener_.get(), 4), 0);
    return name;
  }

  struct SharedMemory {
    int id = -1;
    ~SharedMemory() {
      if (id >= 0) shmctl(id, IPC_RMID, nullptr);
    }
  };
  UniqueFd listener_;
  SharedMemory shared_memory_;
};

TEST_P(Inmate, IsRefusedByTheJailByItsLayerAndByNothingElse) {
  const Case& one = GetParam();
  EXPECT_EQ(ErrnoName(Commit(0)), ErrnoName(one.full_error ? one.full_error : one.error)) << "in the whole jail";
  if (one.others) {
    EXPECT_EQ(ErrnoName(Commit(one.others)), ErrnoName(one.error)) << "with the other layers off";
  }
  const int unhindered = Commit(one.others | one.layer);
  EXPECT_TRUE(unhindered == 0 || (one.kernel_error && unhindered == one.kernel_error))
      << "with the layer off, the misdeed must succeed, and got " << ErrnoName(unhindered);
}

constexpr unsigned kFilesOpen = kFilters | kLandlock;

constexpr Case kCases[] = {
    // what may be written
    {"create_file", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"overwrite_file", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"overwrite_file", kLandlock, EACCES, kFilters | kReadOnly, EPERM},
    {"overwrite_file", kFilters, EPERM, kLandlock | kReadOnly},
    {"make_folder", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"make_folder", kLandlock, EACCES, kFilters | kReadOnly, EPERM},
    {"make_folder", kFilters, EPERM, kLandlock | kReadOnly},
    {"remove_file", kLandlock, EACCES, kFilters | kReadOnly, EPERM},
    {"rename_file", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"change_mode", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"change_mode", kFilters, EPERM, kLandlock | kReadOnly},
    {"make_link", kFilters, EPERM, kLandlock | kReadOnly},
    {"make_fifo", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"set_attribute", kReadOnly, EROFS, kFilesOpen, EPERM},
    {"truncate", kFilters, EPERM, kLandlock | kReadOnly},
    {"big_file", kLimits, EFBIG, kFilesOpen | kReadOnly, EPERM},
    // what may be read
    {"read_beyond_rules", kLandlock, EACCES, 0},
    {"write_zero", kLandlock, EACCES, kFilters, EPERM},
    // programs and code
    // In the launcher's own form, which only the second filter denies: with ENOSYS, since it leaves reports to the first.
    {"start_itself", kSecond, ENOSYS, 0},
    {"start_from_workspace", kNoExec, EACCES, kSecond | kLandlock, ENOSYS},
    {"start_from_workspace", kLandlock, EACCES, kSecond | kNoExec, ENOSYS},
    {"start_as_programs_do", kFilters, EPERM, 0},
    {"anonymous_file", kFilters, EPERM, 0},
    {"executable_memory", kFilters, EPERM, 0},
    {"make_executable", kFilters, EPERM, 0},
    {"personality", kFilters, EPERM, 0},
    // network
    {"internet_socket", kFilters, EPERM, 0},
    {"unix_socket", kFilters, EPERM, 0},
    {"vsock_socket", kFilters, EPERM, 0, 0, EAFNOSUPPORT},
    {"netlink_socket", kFilters, EPERM, 0},
    {"connect_loopback", kNet, ENETUNREACH, kFilesOpen, EPERM},
    {"connect_abstract", kNet, ECONNREFUSED, kFilesOpen, EPERM},
    // other processes
    {"see_process", kPid, ESRCH, kFilters, EPERM},
    {"trace", kFilters, EPERM, 0},
    {"read_memory", kFilters, EPERM, 0},
    {"shared_memory", kIpc, ENOENT, kFilters, EPERM},
    {"priority", kFilters, EPERM, 0},
    // the kernel
    {"mount", kCaps, EPERM, kFilesOpen},
    {"mount", kFilters, EPERM, kLandlock | kCaps},
    {"host_name", kCaps, EPERM, kFilters},
    {"chroot", kCaps, EPERM, kFilters},
    {"nested_namespace", kFilters, EPERM, 0},
    {"new_style_clone", kFilters, ENOSYS, 0},
    {"io_uring", kFilters, EPERM, kLimits},
    {"user_fault", kFilters, EPERM, 0},
    {"watch_files", kFilters, EPERM, 0},
    {"ioctl", kFilters, EPERM, 0},
    {"find_key", kKeyring, ENOKEY, kFilters, EPERM},
    {"add_key", kFilters, EPERM, 0},
    // what was not handed out
    {"inherited_descriptor", kDescriptors, EBADF, 0},
    {"inherited_variable", kEnvironment, ENOENT, 0},
    // resources
    {"many_processes", kLimits, EAGAIN, kFilters, EPERM},
    {"much_memory", kLimits, ENOMEM, 0},
    {"many_files", kLimits, EMFILE, 0},
};

std::string CaseName(const testing::TestParamInfo<Case>& info) {
  static constexpr const char* kNames[] = {"filters", "second_filter", "landlock", "read_only_mount", "noexec_mount", "net", "pid",
                                           "ipc", "capabilities", "keyring", "descriptors", "environment", "limits"};
  return std::string(info.param.misdeed) + "_by_" + kNames[__builtin_ctz(info.param.layer)];
}

INSTANTIATE_TEST_SUITE_P(Misdeeds, Inmate, testing::ValuesIn(kCases), CaseName);

}  // namespace
}  // namespace paddock::sandbox
