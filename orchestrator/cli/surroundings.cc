#include "orchestrator/cli/surroundings.h"

#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>

#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/session/record.h"
#include "sandbox/beneath.h"
#include "sandbox/profile_json.h"

namespace paddock::orchestrator {
namespace {

constexpr int64_t kLeastMs = 100, kMostMs = 24 * 3'600'000;

}  // namespace

Result<std::string> ProgramsFolder() {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0 || path[0] != '/')
    return FailErrno("/proc/self/exe", n < 0 ? errno : ENOENT, "mount /proc: without it paddock can't find its programs, nor read what is in force");
  std::string folder(path, static_cast<size_t>(n));
  return folder.substr(0, std::max<size_t>(folder.rfind('/'), 1));
}

Status OwnFoldersOutside(const sandbox::Workspace& workspace, bool insisted) {
  if (insisted) return {};
  const auto inside = [&](const std::string& path) {
    char resolved[PATH_MAX];
    // Each part of the way: a link in the repository that leads out of it is the repository's too.
    for (size_t end = path.find('/', 1); !path.empty(); end = path.find('/', end + 1)) {
      const std::string part = realpath(path.substr(0, end).c_str(), resolved) ? resolved : "";
      if (sandbox::Beneath(part, workspace.path)) return true;
      if (end == std::string::npos || part.empty()) return false;
    }
    return false;
  };
  const auto refuse = [&](const std::string& what, const std::string& path) {
    return Fail(ErrorKind::kInvalid, what + " (" + VisibleText(path, Newlines::kEscape) + ") lie in the repository, which could change them", "set XDG_CONFIG_HOME and XDG_STATE_HOME to folders outside of it");
  };
  if (inside(ConfigFolder())) return refuse("your settings", ConfigFolder());
  if (auto state = StateFolder(); state && inside(*state)) return refuse("your records", *state);
  return {};
}

std::string PartNote(const sandbox::Workspace& workspace) {
  const auto has_git = [](const std::string& folder) {
    struct stat info;
    return lstat((folder + "/.git").c_str(), &info) == 0;
  };
  if (has_git(workspace.path)) return "";
  for (std::string above = workspace.path; above.size() > 1;) {
    above.resize(std::max<size_t>(above.rfind('/'), 1));
    if (above != "/" && has_git(above))
      return "this folder has no .git, and a folder above it has one, " + PathToText(above) + ", which was not looked at: to see its history and settings, give that folder with --repo";
  }
  return "";
}

Result<std::string> ReadStandardInput(int cancel_fd, size_t max_bytes) {
  std::string text;
  char chunk[16384];
  for (;;) {
    pollfd wait[2] = {{0, POLLIN, 0}, {cancel_fd, POLLIN, 0}};
    if (poll(wait, 2, -1) < 0 && errno != EINTR) return FailErrno("standard input");
    if (wait[1].revents) return Fail(ErrorKind::kCancelled, "told to stop");
    if (!wait[0].revents) continue;
    ssize_t n = read(0, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return FailErrno("standard input");
    if (n == 0) return text;
    text.append(chunk, static_cast<size_t>(n));
    if (text.size() > max_bytes) return Fail(ErrorKind::kInvalid, "standard input: more than " + std::to_string(max_bytes >> 20) + " MiB");
  }
}

size_t WidthOf(int fd) {
  winsize size{};
  return isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : SIZE_MAX;
}

TextStyle StyleOfStdout() {
  TextStyle style;
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = getenv(name); value && *value && locale.empty()) locale = value;
  style.unicode = locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  style.terminal = isatty(1) == 1;
  const char* kind = getenv("TERM");
  style.color = style.terminal && !getenv("NO_COLOR") && kind && std::string_view(kind) != "dumb";
  if (const size_t width = WidthOf(1); width != SIZE_MAX) style.width = std::min<size_t>(width, 120);
  return style;
}

Result<int64_t> ReadTimeout(const std::string& text) {
  auto ms = sandbox::ParseDuration(text);
  if (!ms) return Fail(ErrorKind::kInvalid, "--timeout " + ms.error().message);
  if (*ms < kLeastMs || *ms > kMostMs) return Fail(ErrorKind::kInvalid, "--timeout " + VisibleText(text, Newlines::kEscape) + ": expected 100ms to 24h");
  return *ms;
}

Result<int64_t> ReadMaxTurns(const std::string& text) {
  int64_t turns = 0;
  auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), turns);
  if (fault != std::errc() || end != text.data() + text.size() || turns < 1 || turns > 1000)
    return Fail(ErrorKind::kInvalid, "--max-turns " + VisibleText(TruncateUtf8(text, 32), Newlines::kEscape) + ": expected a whole number from 1 to 1000");
  return turns;
}

}  // namespace paddock::orchestrator
