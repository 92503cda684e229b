// Reading a record back, and telling what is wrong with it.
#include <fcntl.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/session/record.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxFileBytes = 80u << 20;
constexpr size_t kMaxProblems = 100;
constexpr JsonLimits kEventLimits{.max_bytes = kMaxFileBytes, .max_depth = 80, .max_values = 4'000'000, .max_keys = 4096, .comments = false};

Result<std::string> ReadFile(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) {
    auto failed = FailErrno("open " + PathToText(path));
    if (failed.error().sys_errno == ENOENT) failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) < 0) return FailErrno("fstat " + PathToText(path));
  if (!S_ISREG(info.st_mode)) return Fail(ErrorKind::kInvalid, PathToText(path) + ": expected a regular file");
  if (static_cast<size_t>(info.st_size) > kMaxFileBytes) return Fail(ErrorKind::kLimit, PathToText(path) + " is too large to be a record");
  std::string text;
  text.resize(static_cast<size_t>(info.st_size));
  size_t have = 0;
  while (have < text.size()) {
    ssize_t n = ::read(fd.get(), text.data() + have, text.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno("read " + PathToText(path));
    if (n == 0) break;
    have += static_cast<size_t>(n);
  }
  text.resize(have);
  return text;
}

// The event of a line when its hash is right, and that hash.
std::optional<Json> SoundEvent(std::string_view line, std::string* hash) {
  constexpr std::string_view kBefore = ",\"hash\":\"";
  constexpr size_t kTail = kBefore.size() + 64 + 2;
  if (line.size() <= kTail || !line.ends_with("\"}")) return std::nullopt;
  std::string_view tail = line.substr(line.size() - kTail);
  if (!tail.starts_with(kBefore)) return std::nullopt;
  *hash = tail.substr(kBefore.size(), 64);
  if (Sha256Hex(std::string(line.substr(0, line.size() - kTail)) + "}") != *hash) return std::nullopt;
  auto event = ParseJson(line, kEventLimits);
  if (!event || !event->is_object() || !event->contains("prev") || !(*event)["prev"].is_string()) return std::nullopt;
  return *std::move(event);
}

std::optional<Json> ReadJson(const std::string& path, ReadRecord* out) {
  auto text = ReadFile(path);
  if (!text) {
    if (text.error().kind != ErrorKind::kNotFound) out->problems.push_back(text.error().message);
    return std::nullopt;
  }
  auto json = ParseJson(*text, kEventLimits);
  if (json) return *std::move(json);
  out->problems.push_back(PathToText(path) + ": " + json.error().message);
  return std::nullopt;
}

}  // namespace

Result<ReadRecord> LoadRecord(const std::string& folder) {
  std::string text = TRY(ReadFile(folder + "/events.jsonl"));
  ReadRecord out;
  out.ticket = ReadJson(folder + "/ticket.json", &out);
  out.result = ReadJson(folder + "/result.json", &out);
  std::string prev(64, '0');
  bool damaged = false;  // since the last sound line
  std::string_view rest = text;
  for (int64_t number = 1; !rest.empty(); ++number) {
    size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    bool whole = newline != std::string_view::npos;
    rest.remove_prefix(whole ? newline + 1 : rest.size());
    auto problem = [&](const char* what) {
      if (out.problems.size() < kMaxProblems) out.problems.push_back("events.jsonl line " + std::to_string(number) + ": " + what);
    };
    std::string hash;
    auto event = whole ? SoundEvent(line, &hash) : std::nullopt;
    if (!event) {
      problem(whole ? "damaged: its hash is not that of its content" : "torn: it has no end");
      damaged = true;
      continue;
    }
    if ((*event)["prev"].get_ref<const std::string&>() != prev && !damaged)
      problem("does not follow the line before it: something was left out, moved or put in");
    damaged = false;
    prev = hash;
    out.events.push_back(*std::move(event));
  }
  return out;
}

}  // namespace paddock::orchestrator
