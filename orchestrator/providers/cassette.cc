#include "orchestrator/providers/cassette.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/sha256.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "orchestrator/providers/cassette_exchange.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxFileBytes = 256u << 20;
constexpr JsonLimits kLineLimits{.max_bytes = kMaxFileBytes, .max_depth = 16, .max_values = 20'000'000};

std::string Visible(const std::string& path) { return VisibleText(path, Newlines::kEscape); }

std::string RandomSeed() {
  unsigned char bytes[32];
  while (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {}  // fails only when interrupted
  return Sha256Hex(std::string_view(reinterpret_cast<const char*>(bytes), sizeof bytes));
}

class Recorder : public Cassette {
 public:
  Recorder(std::string path, UniqueFd file) : path_(std::move(path)), file_(std::move(file)), seed_(RandomSeed()) {}

  bool replays() const override { return false; }
  const std::string& wrap_seed() const override { return seed_; }
  std::unique_ptr<HttpTransport> Transport(std::unique_ptr<HttpTransport> real, const std::string& key) override;
  std::vector<std::string> notes() const override {
    std::lock_guard lock(mutex_);
    if (failure_.empty()) return {std::to_string(written_) + (written_ == 1 ? " exchange" : " exchanges") + " with the model's server recorded in " + Visible(path_) + ": it holds what the model was shown of the repository"};
    return {"the cassette " + Visible(path_) + " is not whole and can't be replayed: " + failure_};
  }

  int64_t Begin() {
    std::lock_guard lock(mutex_);
    return ++begun_;
  }
  void Write(const Json& line) {
    const std::string text = DumpJson(line) + "\n";
    std::lock_guard lock(mutex_);
    for (size_t at = 0; at < text.size() && failure_.empty();) {
      const ssize_t n = write(file_.get(), text.data() + at, text.size() - at);
      if (n >= 0) at += static_cast<size_t>(n);
      else if (errno != EINTR) failure_ = FailErrno("write").error().message;
    }
    if (line.contains("n")) ++written_;
  }

 private:
  std::string path_;
  UniqueFd file_;
  std::string seed_;
  mutable std::mutex mutex_;
  int64_t begun_ = 0, written_ = 0;
  std::string failure_;
};

class RecordedExchange : public HttpExchange {
 public:
  RecordedExchange(Recorder* recorder, std::string key, CassetteExchange kept) : recorder_(recorder), key_(std::move(key)), kept_(std::move(kept)) {}
  ~RecordedExchange() override {
    kept_.sent = real_->sent();
    TakeKeyOut(key_, &kept_);
    recorder_->Write(ToJson(kept_));
  }
  bool sent() const override { return real_->sent(); }
  void Follow(std::unique_ptr<HttpExchange> real) { real_ = std::move(real); }

  Result<HttpHead> Head(const HttpWait& wait) override {
    auto head = real_->Head(wait);
    if (!head) return Keep(head.error()), head;
    kept_.status = head->status;
    for (const auto& [name, value] : head->headers) kept_.answer_headers.push_back({name, value});
    return head;
  }
  Result<std::optional<std::string>> Body(const HttpWait& wait) override {
    auto piece = real_->Body(wait);
    if (!piece) Keep(piece.error());
    else if (*piece) kept_.pieces.push_back(WireFromBytes(**piece));
    else kept_.end = CassetteEnd::kWhole;
    return piece;
  }

 private:
  void Keep(const Error& error) {
    if (kept_.error) return;
    kept_.end = CassetteEnd::kError;
    kept_.error = CassetteError{error.kind, error.message, error.hint};
  }
  Recorder* recorder_;
  std::string key_;
  CassetteExchange kept_;
  std::unique_ptr<HttpExchange> real_;
};

class RecordingTransport : public HttpTransport {
 public:
  RecordingTransport(Recorder* recorder, std::unique_ptr<HttpTransport> real, std::string key) : recorder_(recorder), real_(std::move(real)), key_(std::move(key)) {}
  Result<std::unique_ptr<HttpExchange>> Start(HttpRequest request, const HttpWait& wait) override {
    CassetteExchange kept;
    kept.n = recorder_->Begin();
    kept.method = request.method;
    kept.url = request.url;
    for (const auto& [name, value] : request.headers) kept.headers[name] = value;
    kept.body = request.body;
    auto real = TRY(real_->Start(std::move(request), wait));
    auto exchange = std::make_unique<RecordedExchange>(recorder_, key_, std::move(kept));
    exchange->Follow(std::move(real));
    return exchange;
  }

 private:
  Recorder* recorder_;
  std::unique_ptr<HttpTransport> real_;
  std::string key_;
};

std::unique_ptr<HttpTransport> Recorder::Transport(std::unique_ptr<HttpTransport> real, const std::string& key) { return std::make_unique<RecordingTransport>(this, std::move(real), key); }

// One that was recorded, given back.
class ReplayedExchange : public HttpExchange {
 public:
  explicit ReplayedExchange(const CassetteExchange* kept) : kept_(kept) {}
  Result<HttpHead> Head(const HttpWait& wait) override {
    TRY(Stopped(wait));
    if (kept_->status == 0) return End();
    HttpHead head{static_cast<int>(kept_->status), {}};
    for (const auto& pair : kept_->answer_headers)
      if (pair.size() == 2) head.headers.emplace_back(pair[0], pair[1]);
    return head;
  }
  Result<std::optional<std::string>> Body(const HttpWait& wait) override {
    TRY(Stopped(wait));
    if (next_ < kept_->pieces.size()) return std::optional(BytesFromWire(kept_->pieces[next_++]));
    if (kept_->end == CassetteEnd::kWhole) return std::optional<std::string>();
    return End();
  }
  bool sent() const override { return kept_->sent; }

 private:
  Status Stopped(const HttpWait& wait) const {
    pollfd waits[1] = {{wait.cancel_fd, POLLIN, 0}};
    return poll(waits, 1, 0) > 0 ? Status(Fail(ErrorKind::kCancelled, "told to stop")) : Status();
  }
  std::unexpected<Error> End() const {
    if (kept_->error) return Fail(kept_->error->kind, kept_->error->message, kept_->error->hint);
    return Fail(ErrorKind::kProtocol, "exchange " + std::to_string(kept_->n) + " of the cassette ends here: nobody read on when it was recorded");
  }
  const CassetteExchange* kept_;
  size_t next_ = 0;
};

class Player : public Cassette {
 public:
  Player(std::string path, std::string seed, std::vector<CassetteExchange> kept) : path_(std::move(path)), seed_(std::move(seed)), kept_(std::move(kept)), given_(kept_.size()) {
    std::sort(kept_.begin(), kept_.end(), [](const auto& a, const auto& b) { return a.n < b.n; });
    for (size_t i = 0; i < kept_.size(); ++i) by_request_[RequestKey(kept_[i].method, kept_[i].url, kept_[i].body)].push_back(i);
  }
  bool replays() const override { return true; }
  const std::string& wrap_seed() const override { return seed_; }
  std::unique_ptr<HttpTransport> Transport(std::unique_ptr<HttpTransport> real, const std::string& key) override;
  std::vector<std::string> notes() const override {
    std::lock_guard lock(mutex_);
    const auto given = std::count(given_.begin(), given_.end(), true);
    std::vector<std::string> notes{"the model's answers were not asked for: they are those recorded in " + Visible(path_) + ". Nothing was sent; tokens and costs are as recorded"};
    if (static_cast<size_t>(given) < kept_.size()) notes.push_back(std::to_string(kept_.size() - static_cast<size_t>(given)) + " of the " + std::to_string(kept_.size()) + " recorded exchanges were not asked for again");
    return notes;
  }

  Result<std::unique_ptr<HttpExchange>> Give(const HttpRequest& request) {
    std::lock_guard lock(mutex_);
    if (auto found = by_request_.find(RequestKey(request.method, request.url, request.body)); found != by_request_.end())
      for (size_t i : found->second)
        if (!given_[i]) {
          given_[i] = true;
          return std::make_unique<ReplayedExchange>(&kept_[i]);
        }
    // The nearest of those that are left.
    const CassetteExchange* nearest = nullptr;
    size_t most = 0;
    const auto apart = [&](const CassetteExchange& one) { return one.body.size() > request.body.size() ? one.body.size() - request.body.size() : request.body.size() - one.body.size(); };
    for (size_t i = 0; i < kept_.size(); ++i) {
      if (given_[i]) continue;
      const size_t alike = kept_[i].url != request.url ? 0 : 1 + static_cast<size_t>(std::mismatch(kept_[i].body.begin(), kept_[i].body.end(), request.body.begin(), request.body.end()).first - kept_[i].body.begin());
      if (!nearest || alike > most || (alike == most && apart(kept_[i]) < apart(*nearest))) nearest = &kept_[i], most = alike;
    }
    const std::string hint = "the repository, the goal, the settings or paddock have changed since: record it again";
    if (!nearest) return Fail(ErrorKind::kProtocol, "all " + std::to_string(kept_.size()) + " exchanges of the cassette were given back, and one more is asked for", hint);
    // Where it had only questions to others left, it is not this one that has changed.
    if (most == 0 && std::any_of(kept_.begin(), kept_.end(), [&](const auto& one) { return one.url == request.url; }))
      return Fail(ErrorKind::kProtocol, "the cassette holds no more requests to " + Visible(request.url), hint);
    return Fail(ErrorKind::kProtocol, "the cassette does not hold this request; beside its exchange " + std::to_string(nearest->n) + ", " + FirstDifference(*nearest, request), hint);
  }

 private:
  std::string path_, seed_;
  std::vector<CassetteExchange> kept_;
  mutable std::mutex mutex_;
  std::vector<bool> given_;
  std::map<std::string, std::vector<size_t>> by_request_;
};

class ReplayingTransport : public HttpTransport {
 public:
  explicit ReplayingTransport(Player* player) : player_(player) {}
  Result<std::unique_ptr<HttpExchange>> Start(HttpRequest request, const HttpWait&) override { return player_->Give(request); }
  bool replays() const override { return true; }

 private:
  Player* player_;
};

std::unique_ptr<HttpTransport> Player::Transport(std::unique_ptr<HttpTransport>, const std::string&) { return std::make_unique<ReplayingTransport>(this); }

Result<std::string> ReadWholeFile(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) {
    auto failed = FailErrno(Visible(path));
    if (failed.error().sys_errno == ENOENT) failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  struct stat info;
  if (fstat(fd.get(), &info) < 0) return FailErrno(Visible(path));
  if (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) > kMaxFileBytes) return Fail(ErrorKind::kInvalid, Visible(path) + ": expected a regular file of at most 256 MiB");
  std::string text;
  char chunk[65536];
  for (;;) {
    const ssize_t n = read(fd.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno(Visible(path));
    if (n == 0 || text.size() > kMaxFileBytes) return text;
    text.append(chunk, static_cast<size_t>(n));
  }
}

}  // namespace

Result<std::unique_ptr<Cassette>> RecordCassette(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd && errno == EEXIST) return Fail(ErrorKind::kInvalid, Visible(path) + ": is there already", "a recording is never written over: name a new file, or remove that one");
  if (!fd) return FailErrno(Visible(path));
  auto recorder = std::make_unique<Recorder>(path, std::move(fd));
  recorder->Write(ToJson(CassetteHead{kCassetteSchema, recorder->wrap_seed()}));
  return recorder;
}

Result<std::unique_ptr<Cassette>> ReplayCassette(const std::string& path) {
  const std::string text = TRY(ReadWholeFile(path));
  CassetteHead head;
  std::vector<CassetteExchange> kept;
  int64_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string where = Visible(path) + ": line " + std::to_string(++line) + ": ";
    auto json = ParseJson(std::string_view(text).substr(begin, end - begin), kLineLimits);
    if (!json) return Fail(ErrorKind::kInvalid, where + json.error().message, "a recording that was cut off can't be replayed: record it again");
    begin = end + 1;
    if (line == 1) {
      auto read = FromJson<CassetteHead>(*json);
      if (!read || read->schema != kCassetteSchema) return Fail(ErrorKind::kInvalid, where + (read ? "$.schema: expected \"" + std::string(kCassetteSchema) + "\"" : read.error().message), "expected a file that --record-cassette wrote");
      head = *std::move(read);
    } else {
      auto read = FromJson<CassetteExchange>(*json);
      if (!read) return Fail(ErrorKind::kInvalid, where + read.error().message);
      kept.push_back(*std::move(read));
    }
  }
  if (line == 0) return Fail(ErrorKind::kInvalid, Visible(path) + ": is empty", "expected a file that --record-cassette wrote");
  return std::make_unique<Player>(path, head.wrap_seed, std::move(kept));
}

}  // namespace paddock::orchestrator
