#include "orchestrator/run/stdio.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/frame_pipe.h"

namespace paddock::orchestrator {
namespace {

bool Readable(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_WRONLY && !(flags & O_PATH);
}

bool Writable(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && !(flags & O_PATH);
}

// FIFOs that have a name are something else: their writers can be opened again through it.
bool IsAnonymousPipe(int fd) {
  struct stat info;
  struct statfs system;
  return fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode) && fstatfs(fd, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

bool IsNullDevice(const struct stat& info) { return S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3); }

// One open file description, or things that have no position anyway.
bool SameFile(int one, int other) {
  const long differ = syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, one, other);
  if (differ >= 0) return differ == 0;
  struct stat a, b;
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino && !S_ISREG(a.st_mode);
}

InputKind KindOfInput(int fd) {
  struct stat info;
  if (!Readable(fd) || fstat(fd, &info) < 0 || IsNullDevice(info) || S_ISDIR(info.st_mode) || isatty(fd) == 1) return InputKind::kEmpty;
  return IsAnonymousPipe(fd) ? InputKind::kPipe : InputKind::kRelay;
}

Result<UniqueFd> Null(int access) {
  UniqueFd fd(open("/dev/null", access | O_CLOEXEC));
  if (!fd) return FailErrno("/dev/null");
  return fd;
}

Status MakePipeInput(Stdio* stdio) {
  Pipe pipe = TRY(MakePipe());
  TRY(SetNonBlocking(pipe.write.get()));
  if (fcntl(pipe.write.get(), F_SETPIPE_SZ, 1) < 0) return FailErrno("standard input");
  UniqueFd from(fcntl(0, F_DUPFD_CLOEXEC, 3)), probe(fcntl(pipe.read.get(), F_DUPFD_CLOEXEC, 3));
  if (!from || !probe) return FailErrno("standard input");
  stdio->pipe_in.emplace(std::move(from), std::move(pipe.write), std::move(probe));
  stdio->passed.push_back(std::move(pipe.read));
  return {};
}

Status MakeInput(InputKind kind, Stdio* stdio) {
  switch (kind) {
    case InputKind::kTerminal:
      return {};
    case InputKind::kEmpty:
      stdio->passed.push_back(TRY(Null(O_RDONLY)));
      return {};
    case InputKind::kPipe:
      return MakePipeInput(stdio);
    case InputKind::kRelay: {
      Pipe pipe = TRY(MakePipe());
      TRY(SetNonBlocking(pipe.write.get()));
      InputSource source(0);
      UniqueFd probe;
      if (source.seekable()) {
        probe.reset(fcntl(pipe.read.get(), F_DUPFD_CLOEXEC, 3));
        if (!probe) return FailErrno("standard input");
      }
      stdio->in.emplace(std::move(source), std::move(pipe.write), std::move(probe));
      stdio->passed.push_back(std::move(pipe.read));
      return {};
    }
  }
  return {};
}

Status MakeOutput(OutputKind kind, int fd, OutputBudget* budget, uint64_t keep, std::optional<OutputRelay>* relay, Stdio* stdio) {
  if (kind == OutputKind::kTerminal) return {};
  if (kind == OutputKind::kClosed) {
    stdio->passed.push_back(TRY(Null(O_RDONLY)));
    return {};
  }
  Pipe pipe = TRY(MakePipe());
  TRY(SetNonBlocking(pipe.read.get()));
  relay->emplace(std::move(pipe.read), kind == OutputKind::kKeep ? std::nullopt : std::optional(OutputSink(fd)), budget, keep);
  stdio->passed.push_back(std::move(pipe.write));
  return {};
}

}  // namespace

StdioKinds LookAtStdio(bool keep) {
  StdioKinds kinds;
  kinds.in = KindOfInput(0);
  if (keep) {
    kinds.out = kinds.err = OutputKind::kKeep;
    return kinds;
  }
  auto kind_of = [](int fd) { return Writable(fd) ? OutputKind::kRelay : OutputKind::kClosed; };
  kinds.out = kind_of(1);
  kinds.err = kind_of(2);
  if (Readable(0) && isatty(0) == 1 && isatty(1) == 1 && kinds.out == OutputKind::kRelay) {
    kinds.in = InputKind::kTerminal;
    kinds.out = OutputKind::kTerminal;
    if (isatty(2) == 1) kinds.err = OutputKind::kTerminal;
  }
  kinds.one_output = kinds.out == OutputKind::kRelay && kinds.err == OutputKind::kRelay && SameFile(1, 2);
  return kinds;
}

Result<Stdio> MakeStdio(const StdioKinds& kinds, OutputBudget* budget, uint64_t keep) {
  Stdio stdio;
  TRY(MakeInput(kinds.in, &stdio));
  TRY(MakeOutput(kinds.out, 1, budget, keep, &stdio.out, &stdio));
  if (kinds.one_output) {
    stdio.passed.emplace_back(fcntl(stdio.passed.back().get(), F_DUPFD_CLOEXEC, 3));
    if (!stdio.passed.back()) return FailErrno("standard error");
  } else {
    TRY(MakeOutput(kinds.err, 2, budget, keep, &stdio.err, &stdio));
  }
  return stdio;
}

}  // namespace paddock::orchestrator
