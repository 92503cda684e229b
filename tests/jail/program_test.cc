// Programs that are no cells, in the roots that profiles name: what they see, what they may do, how they end.
#include <gmock/gmock.h>
#include <linux/audit.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sandbox/elf.h"
#include "tests/jail/program_harness.h"
#include "tests/sandbox/bpf_evaluator.h"

namespace paddock::sandbox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class ProgramsInJails : public ProgramTest {
 protected:
  static std::string Sealed() { return ProfileText(R"("syscalls": {"allow": ["@program"], "report": true})"); }
  // A shell's words in a toolchain's jail.
  Ran Shell(const std::string& script) { return Run(Building(), {"sh", "-c", script}); }
};

void ExpectExit(const Ran& ran, int code) {
  ASSERT_FALSE(ran.refused) << ran.refused->message << "\n" << ran.refused->hint;
  EXPECT_EQ(ran.end.kind, EndKind::kExited) << ran.end.detail << " " << ran.err;
  EXPECT_EQ(ran.end.code, code) << ran.out << ran.err;
}

TEST_F(ProgramsInJails, SealedHoldsTheProgramAndItsLibrariesAndNothingElse) {
  Ran ran = Run(Sealed(), {"cat"}, std::string("bytes \0 \xff\n", 10));
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, std::string("bytes \0 \xff\n", 10));
  ran = Run(Sealed(), {"ls", "/usr/bin"});
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_THAT(ran.out, Not(HasSubstr("cat")));
}

TEST_F(ProgramsInJails, MissingProgramOfASealedJailIsNamed) {
  Ran ran = Run(Sealed(), {"no-such-program-here"});
  ASSERT_TRUE(ran.refused);
  EXPECT_EQ(ran.refused->sys_errno, ENOENT);
  EXPECT_THAT(ran.refused->message, HasSubstr("no-such-program-here"));
}

TEST_F(ProgramsInJails, MinimalRootHasAShellAndMadeUpAccounts) {
  Ran ran = Shell("id -un; id -u; cat /etc/hostname; ls /home /root /run; echo $HOME; pwd");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "user\n1000\npaddock\n/home:\n\n/root:\n\n/run:\n/tmp\n/workspace\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(ProgramsInJails, WorkspaceIsAPrivateCopyAndTheOriginalStays) {
  ASSERT_EQ(symlink("file", (folder_.path() + "/link").c_str()), 0);
  Ran ran = Shell("cat file link && echo changed > file && mkdir new && cat file && ls && readlink link; ls -A /.original");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "hello\nhello\nchanged\nfile\nlink\nnew\nfile\n");
  EXPECT_EQ(std::filesystem::exists(folder_.path() + "/new"), false);
  EXPECT_EQ(std::filesystem::file_size(folder_.path() + "/file"), 6u);
}

TEST_F(ProgramsInJails, StartsInTheSameFolderOfThePrivateCopy) {
  std::filesystem::create_directory(folder_.path() + "/sub");
  request_.working_folder = workspace_.path + "/sub";
  Ran ran = Run(Building(), {"pwd"});
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "/workspace/sub\n");
}

TEST_F(ProgramsInJails, CopiersDescriptorIsNotTheProgramsInput) {
  Ran ran = Run(Building(), {"sh", "-c", "cat; ls -l /proc/self/fd | grep -c pipe"}, "in\n");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "in\n2\n");  // the pipe to grep, and standard error
}

TEST_F(ProgramsInJails, CopyThatDoesNotFitStartsNothing) {
  UniqueFd big(open((folder_.path() + "/big").c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(ftruncate(big.get(), 0), 0);
  const std::string chunk(1u << 20, 'x');
  for (int i = 0; i < 3; ++i) ASSERT_EQ(write(big.get(), chunk.data(), chunk.size()), static_cast<ssize_t>(chunk.size()));
  std::string text = Building();
  text.replace(text.find("256M"), 4, "2M");
  Ran ran = Run(text, {"echo", "started"});
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.end.kind, EndKind::kCopyFailed);
  EXPECT_EQ(ran.report, "copy " + std::to_string(ENOSPC) + " big\n");
}

TEST_F(ProgramsInJails, SparseFileLargerThanMemoryIsCopiedAsHoles) {
  UniqueFd file(open((folder_.path() + "/sparse").c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(ftruncate(file.get(), 150 << 20), 0);
  Ran ran = Shell("stat -c '%s %b' sparse");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "157286400 0\n");
}

TEST_F(ProgramsInJails, WhatIsNoFileIsLeftOutOfTheCopyAndCounted) {
  ASSERT_EQ(mkfifo((folder_.path() + "/pipe").c_str(), 0644), 0);
  Ran ran = Shell("ls");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "file\n");
  EXPECT_EQ(ran.report, "left_out 1 0 pipe\n");
}

TEST_F(ProgramsInJails, SignalsOfTheProgramAreItsEnding) {
  Ran ran = Shell("kill -SEGV $$");
  EXPECT_EQ(ran.end.kind, EndKind::kSignaled);
  EXPECT_EQ(ran.end.code, SIGSEGV);
  ExpectExit(Shell("exit 7"), 7);
}

TEST_F(ProgramsInJails, MissingCommandIsAFailedExec) {
  Ran ran = Run(Building(), {"no-such-command"});
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.end.kind, EndKind::kSetupError);
  EXPECT_EQ(ran.end.stage, Stage::kExec);
  EXPECT_EQ(ran.end.code, ENOENT);
  ran = Run(Building(), {"./file"});
  EXPECT_EQ(ran.end.stage, Stage::kExec);
  EXPECT_EQ(ran.end.code, EACCES);
}

TEST_F(ProgramsInJails, DaemonsEndWithTheProgram) {
  Ran ran = Shell("setsid sh -c 'setsid sleep 1000 >/dev/null 2>&1 & echo $!' & wait; echo done");
  ExpectExit(ran, 0);
  EXPECT_THAT(ran.out, HasSubstr("done"));
}

TEST_F(ProgramsInJails, DenialsAreReportedWithTheirCall) {
  Ran ran = Shell("unshare -U true; python3 -c 'import socket; socket.socket(40, 1)'");
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_THAT(ran.denied, Contains("unshare"));
  EXPECT_THAT(ran.denied, Contains("socket"));
  EXPECT_THAT(ran.err, HasSubstr("Operation not permitted"));
}

TEST_F(ProgramsInJails, TooManyDenialsEndTheJail) {
  std::string text = Building();
  text.replace(text.find("\"wall\""), 6, "\"violations\": 20, \"wall\"");
  Ran ran = Run(text, {"sh", "-c", "while :; do unshare -U true; done"});
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.end.kind, EndKind::kTooManyViolations);
  EXPECT_LE(ran.denied.size(), 22u);
}

TEST_F(ProgramsInJails, OwnLoopbackWorksAndReachesNothingElse) {
  Ran ran = Shell("python3 - <<'E'\nimport socket,threading\ns=socket.create_server(('127.0.0.1',0))\nc=socket.create_connection(s.getsockname())\nprint('up')\n"
                  "try: socket.create_connection(('10.0.0.1',80),1)\nexcept OSError as e: print(e.errno)\nE");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "up\n101\n");
}

TEST_F(ProgramsInJails, ProcIsReadOnlyAndItsOwn) {
  Ran ran = Shell("ls -d /proc/[0-9]* | wc -l; echo x > /proc/sys/kernel/core_pattern; cat /proc/1/environ; ls /proc/1/fd | wc -l");
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_THAT(ran.err, HasSubstr("Read-only file system"));
  EXPECT_LT(std::atoi(ran.out.c_str()), 8);
  EXPECT_THAT(ran.err, HasSubstr("Permission denied"));
}

// A read-only mount doesn't stop connect(2): whatever name the socket has, and whenever it got it.
TEST_F(ProgramsInJails, SocketsOfTheHostInTheWorkspaceCannotBeConnectedTo) {
  UniqueFd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string first = folder_.path() + "/first.sock", name = folder_.path() + "/host.sock";
  ASSERT_LT(first.size(), sizeof address.sun_path);
  strcpy(address.sun_path, first.c_str());
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(listener.get(), 4), 0);
  ASSERT_EQ(rename(first.c_str(), name.c_str()), 0);  // /proc/net/unix still has the first
  chmod(name.c_str(), 0777);
  const std::string probe = "import socket\nfor p in ('/.original/host.sock', '/workspace/host.sock'):\n"
                            "  try:\n    s = socket.socket(socket.AF_UNIX); s.connect(p); print('connected')\n  except OSError as e: print(e.errno)";
  Ran ran = Run(Building(), {"python3", "-c", probe});
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "2\n2\n");
  ran = Run(R"({"schema": "paddock/profile/1", "name": "test", "extends": "mcp-server"})", {"python3", "-c", probe});
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "1\n1\n");
}

TEST_F(ProgramsInJails, TerminalsOfItsOwnCanBeMadeWithoutOneOutside) {
  Ran ran = Shell("python3 -c 'import os,pty; m,s=pty.openpty(); print(os.ttyname(s))'");
  ExpectExit(ran, 0);
  EXPECT_THAT(ran.out, HasSubstr("/dev/pts/"));
}

TEST_F(ProgramsInJails, FileLargerThanTheLimitIsLeftOutOfTheCopy) {
  UniqueFd file(open((folder_.path() + "/large").c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(ftruncate(file.get(), off_t{1} << 30), 0);
  Ran ran = Shell("ls");
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "file\n");
  EXPECT_EQ(ran.report, "left_out 1 27 large\n");
}

TEST_F(ProgramsInJails, OverlayWithoutOtherProgramsRunsTheCommandItself) {
  const std::string text = ProfileText(R"("filesystem": {"root": "minimal", "workspace": "overlay", "workspace_size": "16M"}, "exec": "none",
    "syscalls": {"allow": ["@build"]}, "limits": {"processes": 8, "file_size": "8M"})");
  Ran ran = Run(text, {"cat", "file"});
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "hello\n");
}

TEST_F(ProgramsInJails, ListedProgramsRunAndNothingElseDoes) {
  const std::string text = ProfileText(R"("filesystem": {"root": "minimal", "workspace": "read", "tmp": "8M", "proc": "pid"}, "exec": ["cat", "ls", "cp"],
    "syscalls": {"allow": ["@build"], "report": true}, "limits": {"processes": 32, "file_size": "8M"}, "env": {"set": {"PATH": "/usr/bin:/bin"}})");
  Ran ran = Run(text, {"cat", "file"});
  ExpectExit(ran, 0);
  EXPECT_EQ(ran.out, "hello\n");
  ran = Run(text, {"head", "file"});
  ASSERT_FALSE(ran.refused) << ran.refused->message;
  EXPECT_EQ(ran.end.kind, EndKind::kSetupError);
  EXPECT_EQ(ran.end.stage, Stage::kExec);
  EXPECT_EQ(ran.end.code, EACCES);
}

TEST_F(ProgramsInJails, NothingUnlistedRunsByTheLoaderNorFromTheWorkspaceNorFromAWritableFolder) {
  const std::string text = ProfileText(R"("filesystem": {"root": "minimal", "workspace": "read", "tmp": "8M", "proc": "pid"}, "exec": ["timeout", "cat", "cp"],
    "syscalls": {"allow": ["@build"], "report": true}, "limits": {"processes": 32, "file_size": "8M"}, "env": {"set": {"PATH": "/usr/bin:/bin"}})");
  ExpectExit(Run(text, {"timeout", "5", "cat", "file"}), 0);
  std::filesystem::copy_file("/usr/bin/id", folder_.path() + "/id");
  UniqueFd script(open((folder_.path() + "/script").c_str(), O_CREAT | O_WRONLY, 0755));
  ASSERT_GT(write(script.get(), "#!/usr/bin/cat\nread\n", 20), 0);
  script.reset();
  const char* loader = std::filesystem::exists("/lib64/ld-linux-x86-64.so.2") ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1";
  struct Way {
    std::vector<std::string> words;
    const char* refusal;
  };
  for (const Way& way : std::vector<Way>{{{"timeout", "5", loader, "/usr/bin/id"}, "failed to map segment"},
                                         {{"timeout", "5", loader, "/workspace/id"}, "failed to map segment"},
                                         {{"timeout", "5", "/usr/bin/id"}, "Permission denied"},
                                         {{"timeout", "5", "./id"}, "Permission denied"},
                                         {{"timeout", "5", "./script"}, "Permission denied"}}) {
    Ran ran = Run(text, way.words);
    ASSERT_FALSE(ran.refused) << ran.refused->message;
    EXPECT_NE(ran.end.code, 0) << testing::PrintToString(way.words);
    EXPECT_THAT(ran.err, HasSubstr(way.refusal)) << testing::PrintToString(way.words);
    EXPECT_THAT(ran.out, Not(HasSubstr("uid="))) << testing::PrintToString(way.words);
  }
}

TEST_F(ProgramsInJails, ListLeavesNoWayToProgramsWithoutAName) {
  const std::string text = ProfileText(R"("filesystem": {"root": "minimal", "workspace": "read"}, "exec": ["cat"], "syscalls": {"allow": ["@build"]})");
  profile_ = *ParseProfile(text, "test.json");
  request_.profile = &profile_;
  request_.workspace = &workspace_;
  request_.argv = {"cat"};
  auto built = BuildProgramPlan(request_, ThisCaller());
  ASSERT_TRUE(built) << built.error().message;
  for (const char* name : {"memfd_create", "execveat"}) {
    seccomp_data call{};
    call.nr = static_cast<int>(*SystemCallNumber(name));
    call.arch = AUDIT_ARCH_X86_64;
    EXPECT_NE(EvaluateFilter(built->plan.filter, call) & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ALLOW) << name;
    EXPECT_NE(EvaluateFilter(built->plan.filter, call), SECCOMP_RET_KILL_PROCESS) << name;
  }
}

TEST_F(ProgramsInJails, ImageIsTheRootAndItsOwnDevAndProcAreNot) {
  const std::string image = folder_.path() + "/image";
  auto copy = [&](const std::string& name, const std::string& file) {
    std::filesystem::create_directories(std::filesystem::path(image + name).parent_path());
    std::filesystem::copy_file(file, image + name);
  };
  for (const char* program : {"/usr/bin/cat", "/usr/bin/ls"}) {
    copy(program, program);
    auto needed = NeededFiles(program);
    ASSERT_TRUE(needed) << needed.error().message;
    for (const NeededFile& one : *needed)
      if (!std::filesystem::exists(image + one.name)) copy(one.name, one.file);
  }
  copy("/etc/passwd", "/etc/hostname");
  std::filesystem::create_directories(image + "/dev/own");
  std::filesystem::create_symlink("usr/bin", image + "/bin");
  const std::string text = ProfileText(R"("filesystem": {"root": "image", "image": ")" + image + R"(", "workspace": "none", "proc": "none", "tmp": "1M"}, "exec": "any",
    "syscalls": {"allow": ["@build-tools"], "report": true}, "limits": {"processes": 8, "file_size": "1M"}, "env": {"set": {"PATH": "/bin"}})");
  Ran ran = Run(text, {"ls", "/", "/dev/own", "/bin/cat"});
  ASSERT_FALSE(ran.refused) << ran.refused->message << ran.refused->hint;
  EXPECT_THAT(ran.out, HasSubstr("/bin/cat\n"));
  EXPECT_THAT(ran.out, HasSubstr("usr\n"));
  EXPECT_THAT(ran.err, HasSubstr("/dev/own"));
  std::string missing = text;
  missing.replace(missing.find(image), image.size(), image + "-missing");
  ran = Run(missing, {"ls"});
  ASSERT_TRUE(ran.refused);
}

TEST_F(ProgramsInJails, HostRootShowsTheMachineButHomesRunAndTmp) {
  const std::string text = ProfileText(R"("filesystem": {"root": "host", "workspace": "none", "tmp": "1M", "proc": "pid"}, "exec": "any",
    "syscalls": {"allow": ["@build-tools"], "report": true}, "limits": {"processes": 32, "file_size": "1M"}, "env": {"set": {"PATH": "/usr/bin:/bin"}})");
  request_.homes = HomeFolders();
  Ran ran = Run(text, {"sh", "-c", "cat /etc/debian_version; ls /root /home /run /tmp; echo x > /etc/x; echo y > /tmp/y && cat /tmp/y"});
  ExpectExit(ran, 0);
  EXPECT_THAT(ran.out, HasSubstr("/home:\n\n/root:\n\n/run:\n\n/tmp:\ny\n"));
  EXPECT_THAT(ran.err, HasSubstr("/etc/x"));
}

}  // namespace
}  // namespace paddock::sandbox
