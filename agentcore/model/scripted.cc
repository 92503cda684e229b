#include "agentcore/model/scripted.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/unique_fd.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxScriptBytes = 8u << 20;

std::unexpected<Error> InFile(const std::string& name, Error error) {
  error.message = PathToText(name) + ": " + error.message;
  return std::unexpected(std::move(error));
}

// Waits until `span` is over. kTimeout when the deadline is earlier, kCancelled.
Status Wait(std::chrono::milliseconds span, const Deadline& deadline, int cancel_fd) {
  Deadline end = Deadline::After(span);
  Deadline first = end.Earlier(deadline);
  for (;;) {
    pollfd cancel{cancel_fd, POLLIN, 0};
    int ready = ::poll(&cancel, 1, first.poll_ms());
    if (ready > 0 && cancel.revents) return Fail(ErrorKind::kCancelled, "the model was told to stop");
    if (end.passed()) return {};
    if (deadline.passed()) return Fail(ErrorKind::kTimeout, "the model did not answer in time");
    if (ready < 0 && errno != EINTR) return FailErrno("poll");
  }
}

}  // namespace

Result<Script> ParseScript(std::string_view text, const std::string& name) {
  auto json = ParseJson(text);
  if (!json) return InFile(name, json.error());
  auto script = FromJson<Script>(*json);
  if (!script) return InFile(name, script.error());
  if (script->schema != "paddock/script/1")
    return InFile(name, {ErrorKind::kInvalid, "$.schema: expected \"paddock/script/1\", got \"" + VisibleText(TruncateUtf8(script->schema, 64), Newlines::kEscape) + "\"", "", 0});
  return script;
}

Result<Script> LoadScript(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) {
    int err = errno;
    auto failed = FailErrno("script " + PathToText(path), err);
    if (err == ENOENT || err == ENOTDIR) failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) < 0) return FailErrno("fstat " + PathToText(path));
  if (!S_ISREG(info.st_mode)) return Fail(ErrorKind::kInvalid, PathToText(path) + ": expected a regular file");
  std::string text;
  char buffer[65536];
  for (;;) {
    ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno("read " + PathToText(path));
    if (n == 0) break;
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > kMaxScriptBytes) return Fail(ErrorKind::kInvalid, PathToText(path) + ": larger than 8 MiB");
  }
  return ParseScript(text, path);
}

Result<ModelTurn> ScriptedModel::Next(const ModelRequest&, const Deadline& deadline) {
  if (next_ >= script_.turns.size() && (!script_.repeat_last || script_.turns.empty())) return ModelTurn{};
  const ScriptTurn& source = script_.turns[std::min(next_, script_.turns.size() - 1)];
  if (next_ < script_.turns.size()) ++next_;
  TRY(Wait(std::chrono::milliseconds(source.delay_ms), deadline, cancel_fd_));
  ModelTurn turn;
  turn.text = source.text;
  turn.usage = source.usage;
  for (const ScriptCall& call : source.calls) turn.calls.push_back({"", call.tool, call.arguments});
  if (source.report) turn.calls.push_back({"", "report", *source.report});
  return turn;
}

}  // namespace paddock::agentcore
