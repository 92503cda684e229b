// The real program paddock-cell, outside of a jail: descriptors as a launcher hands them over, the second
// filter among them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/frame_pipe.h"
#include "subagents/cell/witness.h"
#include "subagents/frames.h"

namespace paddock::subagents {
namespace {

std::string CellPath() { return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "paddock-cell").string(); }

using Program = std::vector<sock_filter>;

Program AllowAll() { return {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}; }
Program DenyCall(unsigned number) {
  return {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
}

UniqueFd Memfd(const void* bytes, size_t size) {
  UniqueFd fd(::memfd_create("filter", MFD_CLOEXEC));
  EXPECT_EQ(::write(fd.get(), bytes, size), static_cast<ssize_t>(size));
  return fd;
}
UniqueFd Memfd(const Program& program) { return Memfd(program.data(), program.size() * sizeof(sock_filter)); }

class CellProcess {
 public:
  // `filter` invalid: the cell has no descriptor 5.
  CellProcess(const UniqueFd& filter, size_t memory_limit = 0) {
    ::signal(SIGPIPE, SIG_IGN);
    to_ = *MakePipe();
    from_ = *MakePipe();
    const std::string path = CellPath();
    pid_ = ::fork();
    if (pid_ == 0) {
      // Move everything high first, so that placing one never overwrites another.
      int in = ::fcntl(to_.read.get(), F_DUPFD, 100), out = ::fcntl(from_.write.get(), F_DUPFD, 100);
      int second = filter ? ::fcntl(filter.get(), F_DUPFD, 100) : -1;
      for (int fd = 3; fd < 100; ++fd) ::close(fd);
      ::dup2(in, kFrameInFd);
      ::dup2(out, kFrameOutFd);
      if (second >= 0) ::dup2(second, kSecondFilterFd);
      for (int fd = 100; fd < 110; ++fd) ::close(fd);
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      if (memory_limit) {
        rlimit limit{memory_limit, memory_limit};
        ::setrlimit(RLIMIT_AS, &limit);
      }
      const char* none[] = {nullptr};
      ::execve(path.c_str(), const_cast<char**>(none), const_cast<char**>(none));
      ::_exit(127);
    }
    to_.read.reset();
    from_.write.reset();
    reader_.emplace(from_.read.get(), kMaxFrameBytes);
  }
  ~CellProcess() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  void Say(std::string_view line) { EXPECT_TRUE(WriteFrame(to_.write.get(), line, Soon())); }
  RawFrame Hear() {
    auto line = reader_->Next(Soon());
    EXPECT_TRUE(line) << line.error().message;
    auto raw = line ? DecodeFrame(*line) : RawFrame{};
    EXPECT_TRUE(raw);
    return raw ? *raw : RawFrame{};
  }
  ReadyFrame HearReady() {
    RawFrame raw = Hear();
    EXPECT_EQ(raw.type, "ready");
    auto ready = FromJson<ReadyFrame>(raw.body);
    EXPECT_TRUE(ready) << ready.error().message;
    return ready ? *ready : ReadyFrame{};
  }
  void SayWhileItLives(std::string_view line) { (void)WriteFrame(to_.write.get(), line, Soon()); }
  void ClosePipe() { to_.write.reset(); }
  // The exit code, or minus the signal.
  int Wait() {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  pid_t pid() const { return pid_; }

 private:
  static Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }
  Pipe to_, from_;
  std::optional<FrameReader> reader_;
  pid_t pid_ = -1;
};

int64_t ErrorOf(const ReadyFrame& ready, std::string_view layer) {
  for (const auto& witness : ready.witness)
    if (witness.layer == layer) return witness.error;
  ADD_FAILURE() << "no witness for " << layer;
  return -1;
}

TEST(CellProcess, SaysReadyAndWaitsForGo) {
  CellProcess cell(Memfd(AllowAll()));
  ReadyFrame ready = cell.HearReady();
  EXPECT_EQ(ready.witness.size(), 3u);
  EXPECT_EQ(ErrorOf(ready, kLayerLandlock), ENOENT);  // no such file outside of a jail: not EACCES
  EXPECT_EQ(ErrorOf(ready, kLayerSeccomp), 0);
  EXPECT_EQ(ErrorOf(ready, kLayerSeccompSecond), 0);
  cell.Say(R"({"type":"go"})");
  cell.Say(R"({"type":"task","kind":"subagent","tools":[]})");
  RawFrame fault = cell.Hear();  // there is no /workspace here
  EXPECT_EQ(fault.type, "fault");
  EXPECT_EQ(cell.Wait(), kExitSetup);
}

TEST(CellProcess, WitnessesWhatTheSecondFilterDenies) {
  CellProcess second(Memfd(DenyCall(SYS_getppid)));
  ReadyFrame ready = second.HearReady();
  EXPECT_EQ(ErrorOf(ready, kLayerSeccompSecond), EPERM);
  EXPECT_EQ(ErrorOf(ready, kLayerSeccomp), 0);
  CellProcess first(Memfd(DenyCall(SYS_getpgrp)));
  ready = first.HearReady();
  EXPECT_EQ(ErrorOf(ready, kLayerSeccompSecond), 0);
  EXPECT_EQ(ErrorOf(ready, kLayerSeccomp), EPERM);
}

TEST(CellProcess, ClosesTheFilterDescriptor) {
  CellProcess cell(Memfd(AllowAll()));
  cell.HearReady();
  std::vector<std::string> open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(cell.pid()) + "/fd"))
    open.push_back(entry.path().filename());
  EXPECT_THAT(open, testing::Not(testing::Contains("5")));
  EXPECT_THAT(open, testing::IsSupersetOf({"3", "4"}));
}

TEST(CellProcess, DoesNotStartWithoutAGoodSecondFilter) {
  EXPECT_EQ(CellProcess(UniqueFd()).Wait(), kExitSetup);
  EXPECT_EQ(CellProcess(Memfd("", 0)).Wait(), kExitSetup);
  EXPECT_EQ(CellProcess(Memfd("1234567", 7)).Wait(), kExitSetup);
  EXPECT_EQ(CellProcess(Memfd(Program(4097, AllowAll()[0]))).Wait(), kExitSetup);
  EXPECT_EQ(CellProcess(Memfd(Program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)})).Wait(), kExitSetup);  // no return
  EXPECT_EQ(CellProcess(UniqueFd(::open("/dev/zero", O_RDONLY | O_CLOEXEC))).Wait(), kExitSetup);
}

TEST(CellProcess, EndsAtWrongFrames) {
  for (const char* line : {"garbage", R"({"type":"task","kind":"subagent"})", R"({"type":"go","x":1})"}) {
    CellProcess cell(Memfd(AllowAll()));
    cell.HearReady();
    cell.Say(line);
    EXPECT_EQ(cell.Hear().type, "fault");
    EXPECT_EQ(cell.Wait(), kExitProtocol) << line;
  }
}

TEST(CellProcess, IsTheExplorerPlaybookWhenTold) {
  CellProcess cell(Memfd(AllowAll()));
  cell.HearReady();
  cell.Say(R"({"type":"go"})");
  cell.Say(R"({"type":"task","kind":"playbook","playbook":"explorer"})");
  cell.Say(R"({"type":"model_request","goal":"what is this?","latest":[],"turn":1,"max_turns":12,"wrap_up":false})");
  RawFrame raw = cell.Hear();
  EXPECT_EQ(raw.type, "model_turn");
  auto answer = FromJson<ModelTurnFrame>(raw.body);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_FALSE(answer->turn.calls.empty());
  cell.ClosePipe();
  EXPECT_EQ(cell.Wait(), 0);
}

TEST(CellProcess, EndsQuietlyWhenTheParentIsGone) {
  CellProcess cell(Memfd(AllowAll()));
  cell.HearReady();
  cell.ClosePipe();
  EXPECT_EQ(cell.Wait(), 0);
}

// (A sanitizer's shadow memory is larger than any limit.)
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(CellProcess, EndsAtOnceWhenMemoryIsOut) {
  CellProcess cell(Memfd(AllowAll()), 16u << 20);
  cell.HearReady();
  cell.Say(R"({"type":"go"})");
  // A frame within its bound, but more than this cell may hold.
  std::string frame = R"({"type":"task","kind":"subagent","tools":[)";
  for (int i = 0; i < 90'000; ++i) frame += "\"" + std::string(80, 'a') + "\",";
  cell.SayWhileItLives(frame + "\"a\"]}");
  EXPECT_EQ(cell.Wait(), kExitAllocFailed);
}
#endif

}  // namespace
}  // namespace paddock::subagents
