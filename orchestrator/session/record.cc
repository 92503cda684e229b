#include "orchestrator/session/record.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "base/sha256.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr char kMoveHint[] = "set XDG_STATE_HOME to a folder of your own that can be written";

bool IsId(const std::string& id) {
  if (id.empty() || id.size() > 64) return false;
  return id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

std::unexpected<Error> Cant(const std::string& what, int err = errno) {
  auto failed = FailErrno(what, err, err == ENOSPC || err == EDQUOT ? "make room: a run is not started without its record" : kMoveHint);
  if (err == ELOOP || err == ENOTDIR) {
    failed.error().kind = ErrorKind::kDenied;
    failed.error().message = what + ": it is a symbolic link or no folder, and is not followed";
  }
  return failed;
}

// Opens the folder `name` in `parent`, making it (0700) when it is not there. Not through a symlink.
Result<UniqueFd> OpenFolder(int parent, const std::string& name, const std::string& shown, bool ours) {
  if (::mkdirat(parent, name.c_str(), 0700) < 0 && errno != EEXIST) return Cant("make " + shown);
  UniqueFd fd(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return Cant("open " + shown);
  struct stat info {};
  if (::fstat(fd.get(), &info) < 0) return Cant("fstat " + shown);
  if (info.st_uid != ::geteuid())
    return Fail(ErrorKind::kDenied, shown + " belongs to user " + std::to_string(info.st_uid) + ", not to you (" + std::to_string(::geteuid()) + ")", kMoveHint);
  if (ours && (info.st_mode & 0077) != 0)
    return Fail(ErrorKind::kDenied, shown + " is open to other users", "chmod 700 " + shown);
  if (!ours && (info.st_mode & 0002) != 0)
    return Fail(ErrorKind::kDenied, shown + " can be written by everybody", kMoveHint);
  return fd;
}

// Makes what is missing of an absolute path; the last folder is checked, those above it are as they are.
Result<UniqueFd> OpenStateFolder(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (std::string part = path.substr(0, slash); ::mkdir(part.c_str(), 0700) < 0 && errno != EEXIST && errno != EACCES && errno != EROFS)
      return Cant("make " + PathToText(part));
  return OpenFolder(AT_FDCWD, path, PathToText(path), false);
}

// One write; what is missing is the caller's to judge.
ssize_t WriteOnce(int fd, std::string_view text) {
  ssize_t n;
  do n = ::write(fd, text.data(), text.size());
  while (n < 0 && errno == EINTR);
  return n;
}

int64_t NowMs() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

Result<std::string> StateFolder() {
  auto absolute = [](const char* name) {
    const char* value = std::getenv(name);
    std::string path = value && value[0] == '/' ? value : "";
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
  };
  if (std::string state = absolute("XDG_STATE_HOME"); !state.empty()) return state;
  if (std::string home = absolute("HOME"); !home.empty()) return home + "/.local/state";
  return Fail(ErrorKind::kInvalid, "there is no place for the record of the run: neither XDG_STATE_HOME nor HOME is an absolute path",
              "set XDG_STATE_HOME");
}

std::string NewRunId() {
  std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  unsigned char random[6] = {};
  if (::getrandom(random, sizeof random, 0) != sizeof random) random[0] = static_cast<unsigned char>(::getpid());
  char text[64];
  size_t length = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S-", &utc);
  std::string id(text, length);
  for (unsigned char byte : random) {
    std::snprintf(text, sizeof text, "%02x", byte);
    id += text;
  }
  return id;
}

Result<std::unique_ptr<RunRecord>> RunRecord::Create(const std::string& state_folder, const std::string& id, const Json& ticket, size_t max_bytes) {
  if (!IsId(id)) return Fail(ErrorKind::kInternal, "a run id must be [a-z0-9-]{1,64}");
  std::string shown = PathToText(state_folder);
  UniqueFd state = TRY(OpenStateFolder(state_folder));
  UniqueFd paddock = TRY(OpenFolder(state.get(), "paddock", shown + "/paddock", true));
  UniqueFd runs = TRY(OpenFolder(paddock.get(), "runs", shown + "/paddock/runs", true));
  std::unique_ptr<RunRecord> record(new RunRecord);
  record->folder_ = state_folder + "/paddock/runs/" + id;
  if (::mkdirat(runs.get(), id.c_str(), 0700) < 0) return Cant("make " + PathToText(record->folder_));
  record->dir_ = TRY(OpenFolder(runs.get(), id, PathToText(record->folder_), true));
  record->events_ = UniqueFd(::openat(record->dir_.get(), "events.jsonl", O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!record->events_) return Cant("make " + PathToText(record->folder_) + "/events.jsonl");
  record->max_bytes_ = max_bytes;
  record->prev_ = std::string(64, '0');
  TRY(record->WriteWhole("ticket.json", PrettyJson(ticket) + "\n"));
  // The first line shows that the disk takes events, before anything is started.
  record->Record("created", Json{{"id", id}});
  if (record->lost_ > 0) return Fail(ErrorKind::kSystem, record->first_failure_, "make room: a run is not started without its record");
  return record;
}

void RunRecord::Record(const std::string& type, Json fields) {
  std::lock_guard lock(mutex_);
  if (truncated_) {
    ++lost_;
    return;
  }
  Append(type, fields);
}

void RunRecord::Append(const std::string& type, const Json& fields) {
  constexpr size_t kRoomForLast = 1024;
  Json event = Json::object();
  event["n"] = next_n_;
  event["time_ms"] = NowMs();
  event["type"] = type;
  event["data"] = fields;
  event["prev"] = prev_;
  std::string line = DumpJson(event);
  std::string hash = Sha256Hex(line);
  line.pop_back();
  line += ",\"hash\":\"" + hash + "\"}\n";
  if (!truncated_ && bytes_ + line.size() + kRoomForLast > max_bytes_) {
    truncated_ = true;
    ++lost_;
    Append("truncated", Json{{"max_bytes", max_bytes_}});
    return;
  }
  if (torn_) line.insert(0, "\n");
  ssize_t written = WriteOnce(events_.get(), line);
  if (written == static_cast<ssize_t>(line.size())) {
    torn_ = false;
    bytes_ += line.size();
    ++next_n_;
    prev_ = hash;
    return;
  }
  if (first_failure_.empty())
    first_failure_ = "write " + PathToText(folder_) + "/events.jsonl: " + (written < 0 ? ErrnoName(errno) : std::string("no room left"));
  if (written > 0) torn_ = true;
  ++lost_;
}

void RunRecord::Flush() {
  if (::fdatasync(events_.get()) == 0) return;
  int err = errno;
  std::lock_guard lock(mutex_);
  if (err != EINVAL && err != EROFS && first_failure_.empty()) first_failure_ = "flush of the record: " + ErrnoName(err);
}

std::vector<std::string> RunRecord::notes() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  if (truncated_) out.push_back("the record is full (" + std::to_string(max_bytes_) + " bytes): later events were not kept");
  if (!first_failure_.empty()) out.push_back("the record is incomplete: " + first_failure_);
  if (lost_ > 0) out.push_back(std::to_string(lost_) + " events are missing in the record");
  return out;
}

// Under another name first, so that a reader finds the whole file or none.
Status RunRecord::WriteWhole(const std::string& name, const std::string& text) {
  std::string shown = PathToText(folder_) + "/" + name;
  std::string partial = "." + name + ".part";
  (void)::unlinkat(dir_.get(), partial.c_str(), 0);
  UniqueFd fd(::openat(dir_.get(), partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return Cant("make " + shown);
  std::string_view rest = text;
  while (!rest.empty()) {
    ssize_t n = WriteOnce(fd.get(), rest);
    if (n <= 0) {
      auto failed = Cant("write " + shown, n == 0 ? ENOSPC : errno);
      (void)::unlinkat(dir_.get(), partial.c_str(), 0);
      return failed;
    }
    rest.remove_prefix(static_cast<size_t>(n));
  }
  if (::fdatasync(fd.get()) < 0 && errno != EINVAL) return Cant("flush " + shown);
  if (::renameat(dir_.get(), partial.c_str(), dir_.get(), name.c_str()) < 0) return Cant("rename to " + shown);
  return {};
}

Status RunRecord::WriteResult(const Json& result) {
  Flush();
  return WriteWhole("result.json", PrettyJson(result) + "\n");
}

}  // namespace paddock::orchestrator
