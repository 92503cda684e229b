// The cell's work needs no system call outside of the list that a cell's second filter allows: a child of the
// test installs that list, with death for everything else, and is a whole subagent, then a checker.
// (Not with sanitizers, whose runtimes make calls of their own.)
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>

#include "cell_under_test.h"
#include "subagents/cell/second_stage.h"

namespace paddock::subagents {
namespace {

constexpr unsigned kAllowed[] = {
    SYS_read, SYS_write, SYS_close, SYS_openat, SYS_openat2, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_lseek,
    SYS_pread64, SYS_getdents64, SYS_readlinkat, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_brk,
    SYS_madvise, SYS_poll, SYS_ppoll, SYS_fcntl, SYS_futex, SYS_clock_gettime, SYS_clock_nanosleep,
    SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_getpid, SYS_gettid, SYS_tgkill,
    SYS_exit, SYS_exit_group, SYS_sched_yield, SYS_restart_syscall, SYS_getpgrp, SYS_set_robust_list, SYS_rseq};
// What pthread_create gives clone; see @own-threads in profiles/syscall-groups.json.
constexpr unsigned kThreadFlags = 0x3d0f00;

std::vector<sock_filter> AllowList() {
  std::vector<sock_filter> program = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
  for (unsigned number : kAllowed) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kThreadFlags, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  return program;
}

class FilteredCell : public testing::Test {
 protected:
  FilteredCell() {
    ::signal(SIGPIPE, SIG_IGN);
    std::string name = std::filesystem::temp_directory_path() / "paddock-filtered-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    std::filesystem::create_directory(folder_ + "/src");
    std::ofstream(folder_ + "/src/a.txt") << "one\ntwo\n";
    std::ofstream(folder_ + "/.gitignore") << "*.o\n";
  }
  ~FilteredCell() override {
    std::filesystem::remove_all(folder_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  void Start(const TaskFrame& task) {
    to_ = *MakePipe();
    from_ = *MakePipe();
    auto program = AllowList();
    UniqueFd filter(::memfd_create("filter", MFD_CLOEXEC));
    ASSERT_GT(::write(filter.get(), program.data(), program.size() * sizeof(sock_filter)), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      to_.write.reset();
      from_.read.reset();
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      if (!InstallSecondFilter(filter.release())) ::_exit(kExitSetup);
      CellOptions options;
      options.in_fd = to_.read.get();
      options.out_fd = from_.write.get();
      options.workspace = folder_.c_str();
      options.playbook = &MakePlaybook;
      ::_exit(RunCell(options));
    }
    to_.read.reset();
    from_.write.reset();
    reader_.emplace(from_.read.get(), kMaxFrameBytes);
    Say("go", GoFrame{});
    Say("task", task);
  }
  template <class Frame>
  void Say(const char* type, const Frame& frame) {
    EXPECT_TRUE(WriteFrame(to_.write.get(), EncodeFrame(type, frame), Soon()));
  }
  template <class Frame>
  Frame Hear(const char* type) {
    for (;;) {
      auto line = reader_->Next(Soon());
      if (!line) {
        ADD_FAILURE() << "the cell is gone: " << line.error().message << ", status " << Wait();
        return {};
      }
      auto raw = DecodeFrame(*line);
      if (raw && raw->type == "event") continue;
      EXPECT_TRUE(raw && raw->type == type) << *line;
      auto frame = FromJson<Frame>(raw->body);
      return frame ? *frame : Frame{};
    }
  }
  int Wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  static Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }

  std::string folder_;
  Pipe to_, from_;
  std::optional<FrameReader> reader_;
  pid_t pid_ = -1;
};

TEST_F(FilteredCell, RunsEveryToolAsASubagent) {
  TaskFrame task;
  task.tools = {"list_files", "read_file", "search_text"};
  Start(task);
  Hear<NextTurnFrame>("next_turn");
  Say("turn", TurnFrame{{{"1", "list_files", Json{{"path", "."}}},
                         {"2", "read_file", Json{{"path", "src/a.txt"}}},
                         {"3", "search_text", Json{{"pattern", "t.o"}}},
                         {"4", "read_file", Json{{"path", "src/b.txt"}}}},
                        false});
  auto next = Hear<NextTurnFrame>("next_turn");
  ASSERT_EQ(next.answers.size(), 4u);
  for (int i : {0, 1, 2}) EXPECT_TRUE(next.answers[i].result.success) << next.answers[i].result.error;
  EXPECT_FALSE(next.answers[3].result.success);
  Say("turn", TurnFrame{{}, true});
  EXPECT_EQ(Hear<ResultFrame>("result").tool_calls, 4);
  EXPECT_EQ(Wait(), 0);
}

TEST_F(FilteredCell, RunsCallsSideBySideAsAWorkbench) {
  TaskFrame task;
  task.kind = CellKind::kWorkbench;
  task.tools = {"list_files", "read_file", "search_text"};
  Start(task);
  const char* tools[] = {"list_files", "read_file", "search_text"};
  for (int i = 0; i < 8; ++i) {
    Json arguments = i % 3 == 1 ? Json{{"path", "src/a.txt"}} : i % 3 == 2 ? Json{{"pattern", "t.o"}} : Json{{"path", "."}};
    Say("call", CallFrame{{"c" + std::to_string(i), tools[i % 3], arguments}});
  }
  std::set<std::string> answered;
  for (int i = 0; i < 8; ++i) {
    auto answer = Hear<CallAnswer>("answer");
    EXPECT_TRUE(answer.result.success) << answer.result.error;
    answered.insert(answer.id);
  }
  EXPECT_EQ(answered.size(), 8u);
  to_.write.reset();
  EXPECT_EQ(Wait(), 0);
}

TEST_F(FilteredCell, ReadsRangesAsAChecker) {
  TaskFrame task;
  task.kind = CellKind::kChecker;
  Start(task);
  Say("cite", CiteFrame{1, "src/a.txt", 1, 2});
  EXPECT_EQ(Hear<RangeFrame>("range").bytes, "one\ntwo\n");
  Say("cite", CiteFrame{2, "src/c.txt", 1, 2});
  EXPECT_EQ(Hear<RangeFrame>("range").status, "no_file");
  to_.write.reset();
  EXPECT_EQ(Wait(), 0);
}

TEST_F(FilteredCell, ThinksAsAPlaybook) {
  TaskFrame task;
  task.kind = CellKind::kPlaybook;
  task.playbook = "explorer";
  Start(task);
  ModelRequestFrame request{"what is this?", "", {}, 1, 12, false};
  Say("model_request", request);
  auto turn = Hear<ModelTurnFrame>("model_turn").turn;
  ASSERT_FALSE(turn.calls.empty());
  for (const auto& call : turn.calls)
    request.latest.push_back({call, agentcore::ToolFailure(agentcore::ToolStatus::kNotFound, "nothing there", "")});
  request.turn = 2;
  request.wrap_up = true;
  Say("model_request", request);
  turn = Hear<ModelTurnFrame>("model_turn").turn;
  ASSERT_EQ(turn.calls.size(), 1u);
  EXPECT_EQ(turn.calls[0].tool, "report");
  to_.write.reset();
  EXPECT_EQ(Wait(), 0);
}

}  // namespace
}  // namespace paddock::subagents
#endif
