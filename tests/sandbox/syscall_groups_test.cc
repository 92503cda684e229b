#include "sandbox/syscall_groups.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "sandbox/never_granted.h"

namespace paddock::sandbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

bool Allowed(const CallRules& rules, uint32_t number, std::initializer_list<uint64_t> first) {
  uint64_t arguments[6] = {};
  std::copy(first.begin(), first.end(), arguments);
  return Decide(rules, {}, number, arguments) == 0;
}
CallRules Group(const std::string& name) {
  auto rules = ResolveCalls({name});
  EXPECT_TRUE(rules) << name << ": " << rules.error().message;
  return rules ? *rules : CallRules{};
}

TEST(Groups, AreAllSound) {
  EXPECT_GT(CallGroupNames().size(), 20u);
  for (const std::string& name : CallGroupNames()) EXPECT_FALSE(Group(name).empty()) << name;
  EXPECT_TRUE(ResolveCalls(CallGroupNames()));
}

TEST(Groups, MakeProgramsRunWithoutFilesSocketsAndProcesses) {
  const CallRules program = Group("@program");
  EXPECT_TRUE(Allowed(program, SYS_openat, {0, 0, O_RDONLY | O_CLOEXEC | O_DIRECTORY}));
  for (int flags : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND}) EXPECT_FALSE(Allowed(program, SYS_openat, {0, 0, static_cast<uint64_t>(flags)}));
  EXPECT_TRUE(Allowed(program, SYS_clone, {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS}));
  EXPECT_FALSE(Allowed(program, SYS_clone, {SIGCHLD}));
  for (uint32_t call : {SYS_socket, SYS_socketpair, SYS_execve, SYS_execveat, SYS_fork, SYS_vfork, SYS_mkdir, SYS_unlink, SYS_openat2, SYS_memfd_create, SYS_ptrace})
    EXPECT_FALSE(Allowed(program, call, {AF_UNIX, SOCK_STREAM})) << call;
  EXPECT_TRUE(Allowed(program, SYS_prlimit64, {0, 7}));
  EXPECT_FALSE(Allowed(program, SYS_prlimit64, {1, 7})) << "pid 1 keeps the jail";
}

TEST(Groups, MakeToolsRunEachOtherButNothingUnnamed) {
  const CallRules tools = Group("@tools-read-only");
  EXPECT_TRUE(Allowed(tools, SYS_clone, {SIGCHLD}));
  EXPECT_TRUE(Allowed(tools, SYS_execve, {}));
  for (uint32_t call : {SYS_execveat, SYS_memfd_create, SYS_ptrace, SYS_socket}) EXPECT_FALSE(Allowed(tools, call, {AF_UNIX, SOCK_STREAM})) << call;
}

TEST(Groups, MakeAToolchainRun) {
  const CallRules build = Group("@build");
  for (uint32_t call : {SYS_openat2, SYS_memfd_create, SYS_ptrace, SYS_setresuid, SYS_setxattr, SYS_semop, SYS_bind}) EXPECT_TRUE(Allowed(build, call, {})) << call;
  EXPECT_TRUE(Allowed(build, SYS_socket, {AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 6}));
  EXPECT_FALSE(Allowed(build, SYS_socket, {AF_INET, SOCK_RAW, 1}));
  EXPECT_TRUE(Allowed(build, SYS_socket, {AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0}));
  EXPECT_FALSE(Allowed(build, SYS_personality, {0x0400000}));
  EXPECT_TRUE(Allowed(build, SYS_personality, {0x0040000}));
  EXPECT_FALSE(Allowed(Group("@build-tools"), SYS_ptrace, {}));
}

TEST(Groups, StartIsNobodysToName) {
  auto start = StartCalls();
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_TRUE(Allowed(*start, SYS_seccomp, {1}));
  EXPECT_FALSE(ResolveCalls({"@start"}));
}

TEST(Groups, AnswerUnknownNamesWithTheNearest) {
  auto group = ResolveCalls({"@biuld"});
  ASSERT_FALSE(group);
  EXPECT_THAT(group.error().hint, HasSubstr("@build"));
}

TEST(Union, OfTwoArgumentRulesAllowsWhatEitherDoes) {
  const CallRules a{{1, "write", {{{0, ~0ull, {1, 2}}}}}}, b{{1, "write", {{{0, ~0ull, {3}}}}}}, c{{1, "write", {{{1, 0xff, {9}}}}}};
  const CallRules both = Union(Union(a, b), Union(c, a));
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].alternatives.size(), 2u) << "values of one argument are one condition";
  for (uint64_t value : {1, 2, 3}) EXPECT_TRUE(Allowed(both, 1, {value}));
  EXPECT_FALSE(Allowed(both, 1, {4}));
  EXPECT_TRUE(Allowed(both, 1, {4, 0xf09}));
  EXPECT_THAT(Union(both, {{1, "write", {}}})[0].alternatives, IsEmpty());
}

TEST(Union, DropsWhatIsAllowedAlready) {
  const CallRules wide{{1, "x", {{{0, 0xf0, {0}}}}}}, narrow{{1, "x", {{{0, 0xff, {1, 2}}, {1, ~0ull, {5}}}}}};
  EXPECT_EQ(Union(wide, narrow)[0].alternatives, wide[0].alternatives);
  EXPECT_EQ(Union(narrow, wide)[0].alternatives, wide[0].alternatives);
}

std::vector<std::string> Allowing(uint32_t number, std::initializer_list<uint64_t> first) {
  uint64_t arguments[6] = {};
  std::copy(first.begin(), first.end(), arguments);
  return WhichAllows(number, arguments).groups;
}

TEST(WhichAllows, NamesTheSmallestGroupForThatVeryCall) {
  EXPECT_THAT(Allowing(SYS_ptrace, {PTRACE_ATTACH, 12}), ElementsAre("@debug"));
  EXPECT_THAT(Allowing(SYS_openat, {0, 0, O_WRONLY | O_CREAT}), ElementsAre("@write-files"));
  EXPECT_THAT(Allowing(SYS_socket, {AF_INET, SOCK_STREAM}), ElementsAre("@sockets-loopback"));
  EXPECT_THAT(Allowing(SYS_clone, {SIGCHLD}), ElementsAre("@process"));
  EXPECT_THAT(Allowing(SYS_prctl, {0x59616d61}), ElementsAre("@debug"));
}

TEST(WhichAllows, SaysWhenABareNameIsAllThatHelps) {
  const uint64_t none[6] = {};
  const Grants grants = WhichAllows(SYS_migrate_pages, none);
  EXPECT_THAT(grants.groups, IsEmpty());
  EXPECT_TRUE(grants.by_name);
  EXPECT_EQ(grants.never, "");
}

TEST(WhichAllows, SaysWhyNothingDoes) {
  const uint64_t vsock[6] = {AF_VSOCK, SOCK_STREAM}, push[6] = {0, TIOCSTI | 1ull << 32};
  EXPECT_THAT(WhichAllows(SYS_socket, vsock).never, HasSubstr("not confined by a network namespace"));
  EXPECT_THAT(WhichAllows(SYS_ioctl, push).never, HasSubstr("terminal"));
  EXPECT_THAT(WhichAllows(SYS_mount, push).never, HasSubstr("file system"));
  EXPECT_FALSE(WhichAllows(SYS_mount, push).by_name);
}

}  // namespace
}  // namespace paddock::sandbox
