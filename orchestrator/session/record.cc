#include "orchestrator/session/record.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/session/private_folder.h"

namespace paddock::orchestrator {
namespace {

bool IsId(const std::string& id) {
  if (id.empty() || id.size() > 64) return false;
  return id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

int64_t NowMs() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// The folder of a run that is not to be, and what it holds.
struct Unmade {
  int runs;
  const std::string& id;
  bool kept = false;
  ~Unmade() {
    if (kept) return;
    for (const char* name : {"ticket.json", "events.jsonl"}) ::unlinkat(runs, (id + "/" + name).c_str(), 0);
    ::unlinkat(runs, id.c_str(), AT_REMOVEDIR);
  }
};

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
  UniqueFd runs = TRY(OpenPrivateFolder(state_folder, "runs"));
  std::unique_ptr<RunRecord> record(new RunRecord);
  record->folder_ = state_folder + "/paddock/runs/" + id;
  if (::mkdirat(runs.get(), id.c_str(), 0700) < 0) return CantKeep("make " + PathToText(record->folder_));
  Unmade unmade{runs.get(), id};
  record->dir_ = TRY(OpenFolderIn(runs.get(), id, PathToText(record->folder_)));
  record->events_ = UniqueFd(::openat(record->dir_.get(), "events.jsonl", O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!record->events_) return CantKeep("make " + PathToText(record->folder_) + "/events.jsonl");
  record->max_bytes_ = max_bytes;
  record->prev_ = std::string(64, '0');
  TRY(record->WriteWhole("ticket.json", PrettyJson(ticket) + "\n"));
  // The first line shows that the disk takes events, before anything is started.
  record->Record("created", Json{{"id", id}});
  if (record->lost_ > 0) return Fail(ErrorKind::kSystem, record->first_failure_, "make room: a run is not started without its record");
  unmade.kept = true;
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

Status RunRecord::WriteWhole(const std::string& name, const std::string& text) { return WritePrivateFile(dir_.get(), name, text, PathToText(folder_) + "/" + name); }

Status RunRecord::WriteResult(const Json& result) {
  Flush();
  return WriteWhole("result.json", PrettyJson(result) + "\n");
}

}  // namespace paddock::orchestrator
