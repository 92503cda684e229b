#include "sandbox/never_granted.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <random>
#include <utility>

#include "sandbox/profile_json.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"
#include "tests/sandbox/bpf_evaluator.h"

namespace paddock::sandbox {
namespace {

using testing::HasSubstr;

struct Call {
  uint32_t number;
  uint64_t arguments[6];
};

// Written from the man pages, not from the table that is tested.
std::vector<Call> EscapesWithArguments() {
  std::vector<Call> calls;
  constexpr uint64_t kNamespaces[] = {0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000};
  constexpr uint64_t kHigh[] = {0, 1ull << 32, 1ull << 63, ~0ull << 32};  // where the kernel reads an int, these bits are nothing
  for (uint64_t high : kHigh) {
    for (uint64_t one : kNamespaces)
      for (uint64_t others : {0ul, 17ul, 0x10900ul, 0x3d0f00ul, 0x4111ul, 0x10000000ul}) calls.push_back({SYS_clone, {one | others | high}});
    for (uint64_t request : {0x5412ul, 0x541cul, 0x5423ul, 0x541dul}) calls.push_back({SYS_ioctl, {0, request | high}});
    for (uint64_t family = 0; family < 64; ++family)
      for (uint64_t type : {1ul, 2ul, 3ul, 5ul, 0x80001ul, 0x80802ul, 0x80003ul})
        for (uint64_t protocol : {0ul, 1ul, 6ul, 9ul, 12ul, 15ul, 16ul, 17ul}) {
          if (family != 1 && family != 2 && family != 10 && (family != 16 || protocol != 0)) calls.push_back({SYS_socket, {family | high, type, protocol}});
          if (family != 1) calls.push_back({SYS_socketpair, {family | high, type, protocol}});
        }
    for (uint64_t type : {0x2000ul, 0x6000ul})
      for (uint64_t mode : {0ul, 0644ul, 06777ul}) {
        calls.push_back({SYS_mknod, {0, type | mode | high}});
        calls.push_back({SYS_mknodat, {0, 0, type | mode | high}});
      }
    calls.push_back({SYS_prctl, {22 | high, 2}});
  }
  for (uint64_t one : kNamespaces)
    for (uint64_t others : {0ul, 0x400ul, 0x600ul}) calls.push_back({SYS_unshare, {one | others}});
  calls.push_back({SYS_unshare, {0x80}});
  return calls;
}

constexpr uint32_t kWholeCalls[] = {
    SYS_mount, SYS_umount2, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_fsconfig, SYS_fspick, SYS_mount_setattr, SYS_pivot_root,
    SYS_chroot, SYS_setns, SYS_clone3, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_create_module, SYS_query_module,
    SYS_kexec_load, SYS_kexec_file_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_acct,
    SYS_quotactl, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_seccomp, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
    SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_lookup_dcookie, SYS_nfsservctl, SYS_process_madvise, SYS_pidfd_getfd, SYS_fanotify_init,
    SYS_vhangup};

void ExpectNothingOfIt(const std::string& name, const CallRules& rules, bool start) {
  auto program = CompileFilter(rules, {});
  ASSERT_TRUE(program) << name << ": " << program.error().message;
  std::mt19937_64 random(7);
  auto denied = [&](const Call& call) {
    seccomp_data data{};
    data.arch = AUDIT_ARCH_X86_64;
    data.nr = static_cast<int>(call.number);
    std::memcpy(data.args, call.arguments, sizeof data.args);
    ASSERT_NE(EvaluateFilter(*program, data), SECCOMP_RET_ALLOW) << name << ": call " << call.number << " with " << std::hex << call.arguments[0] << " "
                                                                << call.arguments[1] << " " << call.arguments[2];
  };
  for (const Call& call : EscapesWithArguments()) denied(call);
  for (uint32_t number : kWholeCalls) {
    if (start && number == SYS_seccomp) continue;
    denied({number, {}});
    denied({number, {~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull}});
    for (int i = 0; i < 100; ++i) denied({number, {random() % 4, random() % 64, random(), random(), random(), random()}});
  }
}

TEST(NeverGranted, NoShippedProfileAllowsAnyOfIt) {
  auto start = StartCalls();
  ASSERT_TRUE(start);
  for (const std::string& name : ShippedProfileNames()) {
    auto profile = ShippedProfile(name);
    ASSERT_TRUE(profile) << profile.error().message;
    auto rules = ResolveCalls(profile->syscalls.allow);
    ASSERT_TRUE(rules) << rules.error().message;
    ExpectNothingOfIt(name, *rules, false);
    ExpectNothingOfIt(name + " with the start", Union(*rules, *start), true);
  }
}

TEST(NeverGranted, NoGroupAndNoUnionOfThemAllowsAnyOfIt) {
  const std::vector<std::string> names = CallGroupNames();
  for (const std::string& name : names) ExpectNothingOfIt(name, *ResolveCalls({name}), false);
  ExpectNothingOfIt("all groups", *ResolveCalls(names), false);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    std::vector<std::string> some;
    for (const std::string& name : names)
      if (random() % 4 == 0) some.push_back(name);
    ExpectNothingOfIt("some groups", *ResolveCalls(some), false);
  }
}

TEST(NeverGranted, IsAnErrorThatSaysWhy) {
  auto mount = ResolveCalls({"@basic", "mount"});
  ASSERT_FALSE(mount);
  EXPECT_EQ(mount.error().message, "no profile can grant mount: it changes what the jail sees of the file system");
  EXPECT_EQ(mount.error().hint, "take mount out");
  for (const char* bare : {"ioctl", "clone", "socket", "socketpair", "prctl", "unshare", "mknod", "mknodat"}) {
    auto rules = ResolveCalls({bare});
    ASSERT_FALSE(rules) << bare;
    EXPECT_THAT(rules.error().message, HasSubstr(std::string("no profile can grant ") + bare)) << bare;
    EXPECT_THAT(rules.error().hint, HasSubstr("a group")) << bare;
  }
}

TEST(NeverGranted, SeesRulesThatAreNearlyTightEnough) {
  const auto grantable = [](uint32_t number, Conditions conditions) {
    return CheckGrantable({{number, "call", {std::move(conditions)}}}).has_value();
  };
  constexpr uint64_t kInt = 0xffffffff;
  EXPECT_TRUE(grantable(SYS_ioctl, {{1, kInt, {0x5401}}}));
  EXPECT_FALSE(grantable(SYS_ioctl, {{1, kInt, {0x5401, 0x5412}}}));
  EXPECT_FALSE(grantable(SYS_ioctl, {{1, ~0ull, {0x100005412}}})) << "the high half is nothing to the kernel";
  EXPECT_FALSE(grantable(SYS_ioctl, {{1, 0xff00, {0x5400}}})) << "leaves the low byte open";
  EXPECT_TRUE(grantable(SYS_ioctl, {{1, 0xff00, {0x5400}}, {1, 0xff, {0x01}}})) << "two conditions on one argument settle it";
  EXPECT_FALSE(grantable(SYS_ioctl, {{0, kInt, {0}}})) << "another argument says nothing";
  EXPECT_TRUE(grantable(SYS_clone, {{0, 0x7e020000, {0}}}));
  EXPECT_FALSE(grantable(SYS_clone, {{0, 0x7c020000, {0}}})) << "CLONE_NEWCGROUP is left open";
  EXPECT_FALSE(grantable(SYS_clone, {{0, 0x7e020000, {0, 0x10000000}}}));
  EXPECT_TRUE(grantable(SYS_socket, {{0, kInt, {16}}, {2, kInt, {0}}}));
  EXPECT_FALSE(grantable(SYS_socket, {{0, kInt, {16}}}));
  EXPECT_FALSE(grantable(SYS_socket, {{0, 0xff, {1}}})) << "0x101 is another family";
  EXPECT_FALSE(grantable(SYS_socket, {{0, kInt, {1, 40}}}));
}

TEST(NeverGranted, ExplainsACall) {
  const uint64_t user[6] = {CLONE_NEWUSER | SIGCHLD}, plain[6] = {SIGCHLD};
  const NeverRule* why = WhyNever(SYS_clone, user);
  ASSERT_NE(why, nullptr);
  EXPECT_EQ(why->what, "with a CLONE_NEW flag");
  EXPECT_EQ(WhyNever(SYS_clone, plain), nullptr);
  EXPECT_NE(WhyNever(SYS_bpf, plain), nullptr);
  EXPECT_EQ(WhyNever(SYS_read, plain), nullptr);
}

TEST(NeverGranted, NamesCallsThatThereAre) {
  // A name that libseccomp does not know guards nothing, and could be a slip.
  for (const NeverRule& never : NeverGranted()) {
    if (never.call == "open_tree_attr" || never.call == "umount" || never.call == "stime" || never.call.starts_with("vm86") ||
        never.call.starts_with("pciconfig") || never.call.ends_with("64"))
      continue;  // newer than this libseccomp, or of another architecture
    EXPECT_TRUE(SystemCallNumber(never.call)) << never.call;
  }
}

}  // namespace
}  // namespace paddock::sandbox
