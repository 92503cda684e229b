// What other sandboxes are known to get wrong, one test a fact, each with a whole `paddock run` and a harmless probe in the jail.
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/unique_fd.h"
#include "tests/flow/run_command_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;

class RunFacts : public RunCommandTest {
 protected:
  Outcome Python(const std::string& script, const std::vector<std::string>& words = {}) const {
    std::vector<std::string> arguments{"python3", "-c", script};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return Perform(Run(arguments));
  }
  // What system calls answer in the jail, one line each: the errno's name, or "allowed". `calls` are Python tuples.
  std::string Answers(const std::string& calls) const {
    return Python("import ctypes, errno\nlibc = ctypes.CDLL(None, use_errno=True)\nfor call in " + calls +
                  ":\n  print('allowed' if libc.syscall(*call) >= 0 else errno.errorcode[ctypes.get_errno()])\n")
        .out;
  }
};

// A socket of the host's with a name, on which nobody answers.
UniqueFd Listener(const std::string& name) {
  UniqueFd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  EXPECT_LT(name.size(), sizeof address.sun_path);
  memcpy(address.sun_path, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  EXPECT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0) << strerror(errno);
  EXPECT_EQ(listen(listener.get(), 4), 0);
  return listener;
}

// core(5): whoever writes core_pattern is the host's root at the next crash.
TEST_F(RunFacts, KernelSettingsCanBeReadAndNotWritten) {
  const Outcome outcome = Perform(Run({"sh", "-c", "for f in kernel/core_pattern kernel/hostname vm/drop_caches; do (echo 1 >/proc/sys/$f) 2>/dev/null && echo $f; done; cat /proc/sys/kernel/ostype"}));
  EXPECT_EQ(outcome.out, "Linux\n") << outcome.err;
}

TEST_F(RunFacts, InheritedDescriptorsStayOutside) {
  const Outcome outcome = Perform(Shell("\"$P\" run sh -c 'ls /proc/self/fd | wc -l; cat <&7' 7<README.md 8>out 9</"));
  EXPECT_EQ(outcome.out, "4\n") << outcome.err;  // 0, 1, 2, and the folder that ls reads
  EXPECT_NE(outcome.status, 0);
}

TEST_F(RunFacts, TheCallersEnvironmentIsNowhere) {
  Command command = Run({"sh", "-c", "cat /proc/*/environ /proc/self/mountinfo; env"});
  command.environment["DEPLOY_TOKEN"] = "hunter2hunter2";
  const Outcome outcome = Perform(command);
  EXPECT_NE(outcome.out.find("HOME=/tmp"), std::string::npos);
  EXPECT_EQ(outcome.out.find("hunter2"), std::string::npos);
  EXPECT_EQ(outcome.out.find("DEPLOY_TOKEN"), std::string::npos);
  EXPECT_EQ(outcome.out.find("XDG_STATE_HOME"), std::string::npos);
}

TEST_F(RunFacts, SocketsOfTheHostCanNotBeReached) {
  const std::string in_repo = Path("repo/host.sock"), elsewhere = Path("host.sock");
  const std::string abstract = "paddock-facts-" + std::to_string(getpid());
  const UniqueFd one = Listener(in_repo), two = Listener(elsewhere), three = Listener(std::string(1, '\0') + abstract);
  ASSERT_EQ(chmod(in_repo.c_str(), 0777) + chmod(elsewhere.c_str(), 0777), 0);
  const Outcome outcome = Python(
      "import socket, sys\nfor name in ['host.sock', '/.original/host.sock', sys.argv[1], '\\0' + sys.argv[2]]:\n"
      "  try:\n    socket.socket(socket.AF_UNIX).connect(name)\n    print('connected to', repr(name))\n  except OSError: print('no')\n",
      {elsewhere, abstract});
  EXPECT_EQ(outcome.out, "no\nno\nno\nno\n") << outcome.err;
}

// keyrings(7): the session keyring passes through namespaces.
TEST_F(RunFacts, KeyringsAreOutOfReach) {
  EXPECT_EQ(Answers("[(250, 0, -3, 0), (250, 11, -3, 0, 0), (248, b'user', b'k', b'v', 1, -3), (249, b'user', b'k', 0, -3)]"), "EPERM\nEPERM\nEPERM\nEPERM\n");
}

// ioctl_tty(2); the kernel looks at the lower half of the request alone.
TEST_F(RunFacts, NothingIsTypedIntoATerminalWhateverTheHighBits) {
  const std::string call = "(16, 0, ctypes.c_ulong(%), b'x')";
  std::string calls = "[";
  for (const char* request : {"0x5412", "1 << 32 | 0x5412", "0xffffffff00005412", "0x541c", "1 << 32 | 0x541c"})
    calls += std::string(call).replace(call.find('%'), 1, request) + ", ";
  EXPECT_EQ(Answers(calls + "]"), "EPERM\nEPERM\nEPERM\nEPERM\nEPERM\n");
}

// A network namespace confines neither AF_VSOCK (vsock(7)) nor io_uring's ways around a filter (io_uring_setup(2)).
TEST_F(RunFacts, WhatANetworkNamespaceDoesNotConfineIsDenied) {
  EXPECT_EQ(Answers("[(41, 40, 1, 0), (41, 17, 3, 0), (41, 38, 5, 0), (425, 1, ctypes.create_string_buffer(120)), (321, 0, 0, 0)]"),
            "EPERM\nEPERM\nEPERM\nEPERM\nEPERM\n");
}

TEST_F(RunFacts, NamespacesCanNotBeNested) {
  // unshare of user, mount, net, pid; clone of a user namespace; setns. clone3 is ENOSYS, so that libc falls back to clone.
  EXPECT_EQ(Answers("[(272, 0x10000000), (272, 0x20000), (272, 0x40000000), (272, 0x20000000), (56, 0x10000011, 0, 0, 0, 0), (308, 0, 0), (435, 0, 0)]"),
            "EPERM\nEPERM\nEPERM\nEPERM\nEPERM\nEPERM\nENOSYS\n");
}

TEST_F(RunFacts, UnknownCallsAreUnknownAndNotDenied) { EXPECT_EQ(Answers("[(999,), (0x40000027,)]"), "ENOSYS\nENOSYS\n"); }

TEST_F(RunFacts, TheFirstProcessIsNobodysVictim) {
  const Outcome outcome = Perform(Run({"sh", "-c", "kill -9 1; kill -STOP 1; echo $$; cat /proc/1/environ /proc/1/maps; ls /proc/1/fd; exit 4"}));
  EXPECT_EQ(outcome.status, 4);
  EXPECT_GT(std::atoi(outcome.out.c_str()), 1) << outcome.out << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
}

TEST_F(RunFacts, DaemonsEndWithTheProgram) {
  const Outcome outcome = Perform(Run({"sh", "-c", "(setsid sh -c 'trap \"\" TERM HUP; sleep 1000; sleep 1000' >/dev/null 2>&1 &); echo done"}));
  EXPECT_EQ(outcome.out, "done\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_LT(outcome.took, kHang);
}  // the fixture waits for whatever is left

TEST_F(RunFacts, ADaemonThatHoldsTheOutputDoesNotHoldTheRun) {
  const Outcome outcome = Perform(Shell("\"$P\" run sh -c 'sleep 1000 & echo done' | cat"));
  EXPECT_EQ(outcome.out, "done\n");
  EXPECT_LT(outcome.took, kHang);
}

TEST_F(RunFacts, SignalsThatTheCallerIgnoresOrBlocksAreNotHandedOn) {
  const Outcome outcome = Perform(Shell("trap '' CHLD PIPE TERM USR1; \"$P\" run sh -c 'grep -E \"Sig(Blk|Ign)\" /proc/self/status; sh -c \"exit 3\"; echo $?; kill -USR1 $$'; echo $?"));
  EXPECT_EQ(outcome.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n3\n138\n") << outcome.err;
}

TEST_F(RunFacts, ManyArgumentsAndLargeOnesTravel) {
  std::vector<std::string> words{"sh", "-c", "echo $#", "sh"};
  for (int i = 0; i < 8; ++i) words.emplace_back(120'000, 'x');
  EXPECT_EQ(Perform(Run(words)).out, "8\n");
}

// .git as a file (git-worktree(1)), as a link, as a link to nowhere, and absent: the program runs, and nothing of it is made outside.
TEST_F(RunFacts, GitFoldersOfEveryKindStayAsTheyAre) {
  Write("real/config", "[core]\n");
  const struct {
    const char* name;
    void (*make)(const std::string& git, const std::string& real);
  } kinds[] = {
      {"file", [](const std::string& git, const std::string& real) { UniqueFd fd(open(git.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644)); dprintf(fd.get(), "gitdir: %s\n", real.c_str()); }},
      {"link", [](const std::string& git, const std::string& real) { fs::create_symlink(real, git); }},
      {"dangling", [](const std::string& git, const std::string&) { fs::create_symlink("nowhere", git); }},
      {"absent", [](const std::string&, const std::string&) {}},
  };
  for (const auto& kind : kinds) {
    const std::string git = Path("repo/.git");
    fs::remove(git);
    kind.make(git, Path("real"));
    const auto before = fs::symlink_status(git).type();
    const Outcome outcome = Perform(Run({"sh", "-c", "rm -f .git; mkdir -p .git/hooks && echo evil >.git/hooks/post-checkout && echo evil >.git/config && cat .git/config"}));
    EXPECT_EQ(outcome.out, "evil\n") << kind.name << outcome.err;
    EXPECT_EQ(fs::symlink_status(git).type(), before) << kind.name;
    EXPECT_EQ(List("real"), std::vector<std::string>{"config"}) << kind.name;
    EXPECT_EQ(Read("real/config"), "[core]\n") << kind.name;
  }
}

TEST_F(RunFacts, HooksAndConfigurationOfGitAreNeverWrittenOutside) {
  Write("repo/.git/config", "[core]\n");
  Write("repo/.git/hooks/pre-commit", "#!/bin/sh\n");
  const Outcome outcome = Perform(Run({"sh", "-c", "echo evil >.git/config; echo evil >.git/hooks/pre-commit; echo evil >.git/hooks/new; ln -sf /tmp .git/hooks2; "
                                                   "for f in /.original/.git/config /.original/.git/hooks/new; do (echo evil >$f) 2>/dev/null && echo wrote $f; done; cat .git/config"}));
  EXPECT_EQ(outcome.out, "evil\n") << outcome.err;
  EXPECT_EQ(List("repo/.git"), (std::vector<std::string>{"config", "hooks", "hooks/pre-commit"}));
  EXPECT_EQ(Read("repo/.git/config") + Read("repo/.git/hooks/pre-commit"), "[core]\n#!/bin/sh\n");
}

}  // namespace
}  // namespace paddock::flow
