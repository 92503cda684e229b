#include "sandbox/call_text.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "sandbox/call_names.h"
#include "sandbox/call_paths.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

std::string Text(uint32_t number, std::initializer_list<uint64_t> first) {
  uint64_t arguments[6] = {};
  std::copy(first.begin(), first.end(), arguments);
  return DescribeCall(number, arguments);
}

TEST(DescribeCall, NamesWhatAPersonNeedsToKnow) {
  constexpr uint64_t kSomewhere = 0x7ffc12345678;
  EXPECT_EQ(Text(SYS_socket, {AF_VSOCK, SOCK_STREAM, 0}), "socket(AF_VSOCK, SOCK_STREAM, 0)");
  EXPECT_EQ(Text(SYS_socket, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0}), "socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, 0)");
  EXPECT_EQ(Text(SYS_ioctl, {0, TIOCSTI, kSomewhere}), "ioctl(0, TIOCSTI)");
  EXPECT_EQ(Text(SYS_ioctl, {0, TIOCSTI | 1ull << 32, kSomewhere}), "ioctl(0, TIOCSTI)") << "as the kernel reads it";
  EXPECT_EQ(Text(SYS_ioctl, {3, 0xdeadbeef, kSomewhere}), "ioctl(3, 0xdeadbeef)");
  EXPECT_EQ(Text(SYS_ptrace, {PTRACE_ATTACH, 12}), "ptrace(PTRACE_ATTACH, 12)");
  EXPECT_EQ(Text(SYS_openat, {0xffffff9c, kSomewhere, O_WRONLY | O_CREAT, 0644}), "openat(…, O_WRONLY|O_CREAT)");
  EXPECT_EQ(Text(SYS_open, {kSomewhere, O_RDONLY}), "open(…, O_RDONLY)");
  EXPECT_EQ(Text(SYS_open, {kSomewhere, O_RDWR | O_TMPFILE | O_SYNC}), "open(…, O_RDWR|O_SYNC|O_TMPFILE)");
  EXPECT_EQ(Text(SYS_clone, {CLONE_NEWUSER | SIGCHLD}), "clone(CLONE_NEWUSER|SIGCHLD)");
  EXPECT_EQ(Text(SYS_clone, {SIGCHLD}), "clone(SIGCHLD)");
  EXPECT_EQ(Text(SYS_unshare, {CLONE_NEWUSER | CLONE_NEWNS}), "unshare(CLONE_NEWNS|CLONE_NEWUSER)");
  EXPECT_EQ(Text(SYS_prctl, {PR_SET_SECCOMP, 2}), "prctl(PR_SET_SECCOMP)");
  EXPECT_EQ(Text(SYS_kill, {0xffffffff, SIGKILL}), "kill(-1, SIGKILL)");
  EXPECT_EQ(Text(SYS_mprotect, {kSomewhere, 4096, PROT_READ | PROT_EXEC}), "mprotect(4096, PROT_READ|PROT_EXEC)");
  EXPECT_EQ(Text(SYS_mknod, {kSomewhere, S_IFCHR | 0666, 259}), "mknod(…, S_IFCHR|0666)");
  EXPECT_EQ(Text(SYS_mkdir, {kSomewhere, 0755}), "mkdir(…, 0755)");
  EXPECT_EQ(Text(SYS_execve, {kSomewhere, kSomewhere, kSomewhere}), "execve(…)");
}

TEST(DescribeCall, ShowsTheRestInHex) {
  EXPECT_EQ(Text(SYS_msgget, {16, 0, 0x3b6}), "msgget(0x10, 0x0, 0x3b6)");
  EXPECT_EQ(Text(SYS_vhangup, {}), "vhangup()");
  EXPECT_EQ(Text(900, {1}), "syscall 900(0x1)");
}

TEST(DescribeCall, IsOneShortLineWhateverTheArguments) {
  std::mt19937_64 random(5);
  for (uint32_t number = 0; number < 480; ++number)
    for (int i = 0; i < 20; ++i) {
      const uint64_t ones = i == 0 ? ~uint64_t{0} : 0;
      const std::string text = Text(number, {random() | ones, random() | ones, random() | ones, random() | ones, random() | ones, random() | ones});
      EXPECT_LT(text.size(), 600u) << text;
      EXPECT_EQ(text.find('\n'), text.npos);
    }
}

TEST(CallNames, HaveEachValueOnce) {
  for (auto names : {SocketFamilies(), SocketTypes(), OpenFlags(), CloneFlags(), IoctlRequests(), PrctlOptions(), PtraceRequests(), FcntlCommands()})
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = i + 1; j < names.size(); ++j) EXPECT_NE(names[i].value, names[j].value) << names[i].name << " " << names[j].name;
}

TEST(DescribeRule, ShowsConditionsAndAlternatives) {
  EXPECT_EQ(DescribeRule({SYS_read, "read", {}}), "read");
  EXPECT_EQ(DescribeRule({SYS_socket, "socket", {{{0, 0xffffffff, {AF_UNIX}}}, {{0, 0xffffffff, {AF_NETLINK}}, {2, 0xffffffff, {0}}}}}),
            "socket: arg0 & 0xffffffff is AF_UNIX | arg0 & 0xffffffff is AF_NETLINK; arg2 & 0xffffffff is 0");
  EXPECT_EQ(DescribeRule({SYS_openat, "openat", {{{2, 0x643, {0}}}}}), "openat: arg2 & 0x643 is 0");
}

TEST(DescribeRule, NamesEachRequestOptionAndFamilyOfTheShippedGroups) {
  // A number without a name would be one that nobody can check by eye.
  const CallRules all = *ResolveCalls(CallGroupNames());
  for (uint32_t call : {SYS_ioctl, SYS_prctl, SYS_fcntl, SYS_socket}) {
    std::istringstream words(DescribeRule(*FindRule(all, call)));
    for (std::string word, before; words >> word; before = word)
      EXPECT_TRUE(!word.starts_with("0x") || before == "&") << word << " in " << words.str();
  }
}

TEST(PathArgument, KnowsWhereThePathIs) {
  ASSERT_NE(PathArgument(SYS_openat), nullptr);
  EXPECT_EQ(PathArgument(SYS_openat)->path, 1);
  EXPECT_EQ(PathArgument(SYS_openat)->folder, 0);
  EXPECT_EQ(PathArgument(SYS_execve)->path, 0);
  EXPECT_EQ(PathArgument(SYS_renameat2)->other_path, 3);
  EXPECT_EQ(PathArgument(SYS_symlinkat)->path, 2);
  EXPECT_EQ(PathArgument(SYS_connect)->address, 1);
  EXPECT_EQ(PathArgument(SYS_sendto)->address_size, 5);
  EXPECT_EQ(PathArgument(SYS_read), nullptr);
  EXPECT_EQ(PathArgument(5000), nullptr);
}

}  // namespace
}  // namespace paddock::sandbox
