#include "agentcore/tools/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/child_process.h"
#include "base/frame_pipe.h"

namespace paddock::agentcore {
namespace {

constexpr char kUsualPath[] = "/usr/local/bin:/usr/bin:/bin";
constexpr auto kDrainSpan = std::chrono::seconds(1);

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// What the child does before exec (posix_spawn(3)): the parent waits for it, and shares its memory meanwhile, so that no
// other thread's state matters.
class SpawnPlan {
 public:
  SpawnPlan(const ProgramOrder& order, int out, int err) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, out, 1);
    posix_spawn_file_actions_adddup2(&actions_, err, 2);
    if (order.folder_fd >= 0) posix_spawn_file_actions_addfchdir_np(&actions_, order.folder_fd);
    posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    posix_spawnattr_init(&attributes_);
    sigset_t set;
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes_, &set);
    sigaddset(&set, SIGPIPE);  // ignored by the cell
    posix_spawnattr_setsigdefault(&attributes_, &set);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // An errno; 0: started.
  int Start(const ProgramOrder& order, pid_t* pid) const {
    std::vector<std::string> words = {order.file};
    words.insert(words.end(), order.arguments.begin(), order.arguments.end());
    return posix_spawn(pid, order.file.c_str(), &actions_, &attributes_, Pointers(words).data(), Pointers(order.environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Ends what is left of the group. Before its leader is reaped, whose number is the group's.
void KillGroup(pid_t leader) {
  if (leader > 1) ::kill(-leader, SIGKILL);
}

// Reads what is there. False at the end of the stream.
bool Take(int fd, size_t room, std::string* to, bool* more) {
  char chunk[65536];
  const ssize_t n = ::read(fd, chunk, sizeof chunk);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  const size_t take = std::min(static_cast<size_t>(n), room - std::min(room, to->size()));
  to->append(chunk, take);
  if (take < static_cast<size_t>(n)) *more = true;
  return true;
}

// Until both streams have ended and the program too, or it has to be ended.
void Follow(const ProgramOrder& order, const ChildProcess& child, UniqueFd out, UniqueFd err, ProgramEnd* end) {
  bool ended = false, error_cut = false;
  Deadline until = order.deadline;
  while (out || err || !ended) {
    pollfd wait[3] = {{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}, {ended ? -1 : child.pidfd(), POLLIN, 0}};
    const int ready = ::poll(wait, 3, until.poll_ms());
    if (ready < 0 && errno != EINTR) break;
    if (wait[0].revents && !Take(out.get(), order.max_output, &end->output, &end->cut)) out.reset();
    if (wait[1].revents && !Take(err.get(), kMaxProgramError, &end->error, &error_cut)) err.reset();
    if (wait[2].revents) {
      ended = true;
      // So that nobody holds the streams open; who left the group is not waited for.
      KillGroup(child.pid());
      until = until.Earlier(Deadline::After(kDrainSpan));
    }
    if (end->cut) break;
    if (!until.passed()) continue;
    end->timed_out = !ended;
    break;
  }
  KillGroup(child.pid());
}

}  // namespace

Result<ProgramEnd> RunProgram(const ProgramOrder& order) {
  Pipe out = TRY(MakePipe()), err = TRY(MakePipe());
  pid_t pid = -1;
  if (const int failed = SpawnPlan(order, out.write.get(), err.write.get()).Start(order, &pid)) return FailErrno(order.file, failed);
  out.write.reset();
  err.write.reset();
  auto child = ChildProcess::Adopt(pid);
  if (!child) {
    KillGroup(pid);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return std::unexpected(std::move(child).error());
  }
  ProgramEnd end;
  Follow(order, *child, std::move(out.read), std::move(err.read), &end);
  const auto status = TRY(child->Wait(Deadline::Never()));  // it was killed, or has ended
  if (WIFEXITED(*status)) end.exit_status = WEXITSTATUS(*status);
  if (WIFSIGNALED(*status)) end.signal = WTERMSIG(*status);
  return end;
}

std::string FindProgram(std::string_view name) {
  const char* path = ::getenv("PATH");
  std::string_view rest = path ? path : kUsualPath;
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string file = std::string(rest.substr(0, colon)) + "/" + std::string(name);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    // On a mount from which nothing can be run it says no (access(2)).
    if (file.starts_with('/') && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

std::vector<std::string> EnvironmentWith(std::vector<std::string> more, std::string_view without) {
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> all = std::move(more);
  const size_t given = all.size();
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    if (!without.empty() && text.starts_with(without)) continue;
    if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(given), [&](const std::string& one) { return name_of(one) == name_of(text); }))
      all.emplace_back(text);
  }
  return all;
}

}  // namespace paddock::agentcore
