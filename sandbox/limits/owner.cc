#include "sandbox/limits/owner.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <limits>
#include <string_view>
#include <vector>

#include "sandbox/limits/files.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::limits {
namespace {

struct Stat {
  char state = 0;
  pid_t parent = 0;
  uint64_t started = 0;
};

// The name of the program stands in brackets and may hold anything: count from the last one.
std::optional<Stat> StatOf(pid_t pid) {
  const std::string text = TextOf("/proc/" + std::to_string(pid) + "/stat");
  const size_t bracket = text.rfind(')');
  if (bracket == text.npos) return std::nullopt;
  const std::vector<std::string> words = Words(std::string_view(text).substr(bracket + 1));
  if (words.size() < 20) return std::nullopt;
  return Stat{words[0][0], static_cast<pid_t>(std::atoi(words[1].c_str())), std::strtoull(words[19].c_str(), nullptr, 10)};
}

// Digits alone, as GroupName writes them.
std::optional<uint64_t> TakeNumber(std::string_view* text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  const auto length = static_cast<size_t>(end - text->data());
  if (error != std::errc() || (length > 1 && text->front() == '0')) return std::nullopt;
  text->remove_prefix(length);
  return number;
}

bool Take(std::string_view* text, std::string_view wanted) {
  if (!text->starts_with(wanted)) return false;
  text->remove_prefix(wanted.size());
  return true;
}

}  // namespace

Owner ThisProcess() {
  const auto stat = StatOf(getpid());
  return {getpid(), stat ? stat->started : 0};
}

std::string GroupName(const Owner& owner, uint64_t number) {
  return "paddock-" + std::to_string(owner.pid) + "-" + std::to_string(owner.started) + "-" + std::to_string(number);
}

std::string MainGroupName(const Owner& owner) { return "paddock-main-" + std::to_string(owner.pid) + "-" + std::to_string(owner.started); }

std::optional<Owner> OwnerIn(const std::string& name) {
  std::string_view rest = name;
  if (!Take(&rest, "paddock-")) return std::nullopt;
  const bool main = Take(&rest, "main-");
  const auto pid = TakeNumber(&rest);
  if (!pid || *pid == 0 || *pid > std::numeric_limits<pid_t>::max() || !Take(&rest, "-")) return std::nullopt;
  const auto started = TakeNumber(&rest);
  if (!started || (!main && (!Take(&rest, "-") || !TakeNumber(&rest))) || !rest.empty()) return std::nullopt;
  return Owner{static_cast<pid_t>(*pid), *started};
}

bool IsGone(const Owner& owner) {
  // Where /proc hides the processes of others, kill(2) still says EPERM for one that is there.
  if (kill(owner.pid, 0) < 0 && errno == ESRCH) return true;
  const auto stat = StatOf(owner.pid);
  if (!stat || owner.started == 0) return false;
  return stat->started != owner.started || stat->state == 'Z' || stat->state == 'X';
}

bool DescendsFrom(pid_t pid, pid_t ancestor) {
  for (int steps = 0; pid > 0 && steps < 64; ++steps) {
    if (pid == ancestor) return true;
    const auto stat = StatOf(pid);
    pid = stat ? stat->parent : 0;
  }
  return false;
}

UniqueFd LockGroup(const std::string& folder) {
  UniqueFd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd && flock(fd.get(), LOCK_EX | LOCK_NB) < 0) fd.reset();
  return fd;
}

}  // namespace paddock::sandbox::limits
