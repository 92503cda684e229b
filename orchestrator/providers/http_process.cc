#include "orchestrator/providers/http_process.h"

#include <poll.h>

#include "base/text.h"
#include "orchestrator/providers/http/frames.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

std::unexpected<Error> Failure(const HttpFailedFrame& failed) {
  const std::string what = VisibleText(TruncateUtf8(failed.message, 300), Newlines::kEscape);
  switch (failed.kind) {
    case HttpFailure::kInvalid: return Fail(ErrorKind::kInvalid, "the request is not one that can be sent: " + what, "check base_url");
    case HttpFailure::kUnreachable: return Fail(ErrorKind::kClosed, "the model's server can't be reached: " + what, "check that it runs, base_url, and the proxy settings of your environment");
    case HttpFailure::kCertificate:
      return Fail(ErrorKind::kDenied, "no trusted TLS connection to the model's server: " + what, "its certificate must be valid for its name; for a CA of your own set SSL_CERT_FILE");
    case HttpFailure::kProxy: return Fail(ErrorKind::kClosed, "the proxy did not connect to the model's server: " + what, "check HTTPS_PROXY and NO_PROXY");
    case HttpFailure::kNoAnswer: return Fail(ErrorKind::kClosed, "the model's server closed the connection without an answer", "try again later; paddock models test tells when it works");
    case HttpFailure::kCut: return Fail(ErrorKind::kClosed, "the model's server cut the answer off: " + what);
    case HttpFailure::kTooLong: return Fail(ErrorKind::kLimit, "the model's server sent " + what);
  }
  return Fail(ErrorKind::kInternal, what);
}

HttpHeaders HeadersOf(const std::vector<std::vector<std::string>>& pairs) {
  HttpHeaders headers;
  for (const auto& pair : pairs)
    if (pair.size() == 2) headers.emplace_back(pair[0], pair[1]);
  return headers;
}

}  // namespace

class HttpProcess::Exchange : public HttpExchange {
 public:
  Exchange(std::shared_ptr<HttpPool> pool, std::unique_ptr<RunningHttp> running) : pool_(std::move(pool)), running_(std::move(running)) {}
  ~Exchange() override { pool_->GiveBack(std::move(running_), done_); }

  Result<HttpHead> Head(const HttpWait& wait) override {
    auto frame = TRY(Next(wait));
    if (frame.type != "head") return Broken("another frame than head");
    auto head = TRY(FromJson<HttpHeadFrame>(frame.body));
    sent_ = true;
    return HttpHead{static_cast<int>(head.status), HeadersOf(head.headers)};
  }

  Result<std::optional<std::string>> Body(const HttpWait& wait) override {
    if (done_) return std::optional<std::string>();
    auto frame = TRY(Next(wait));
    if (frame.type == "end") {
      done_ = true;
      return std::optional<std::string>();
    }
    if (frame.type != "data") return Broken("another frame than data");
    auto data = TRY(FromJson<HttpDataFrame>(frame.body));
    return std::optional<std::string>(BytesFromWire(data.bytes));
  }

  bool sent() const override { return sent_; }

 private:
  std::unexpected<Error> Broken(const std::string& what) {
    return Fail(ErrorKind::kInternal, "paddock-http sent " + what, "install or build paddock-http again, beside paddock");
  }

  Result<subagents::RawFrame> Next(const HttpWait& wait) {
    FrameReader& reader = *running_->reader;
    for (;;) {
      if (auto line = reader.Pop()) {
        auto frame = TRY(subagents::DecodeFrame(*line));
        if (frame.type == "sent") {
          sent_ = true;
          continue;
        }
        if (frame.type != "failed") return frame;
        done_ = true;
        return Failure(TRY(FromJson<HttpFailedFrame>(frame.body)));
      }
      pollfd waits[3] = {{reader.fd(), POLLIN, 0}, {wait.cancel_fd, POLLIN, 0}, {wait.abandon_fd, POLLIN, 0}};
      const int ready = poll(waits, 3, wait.deadline.poll_ms());
      if (ready < 0 && errno != EINTR) return FailErrno("poll on paddock-http");
      if (ready > 0 && waits[1].revents) return Fail(ErrorKind::kCancelled, "told to stop");
      if (ready > 0 && waits[2].revents) return Fail(ErrorKind::kClosed, "nobody waits for this answer any more");
      if (wait.deadline.passed() && !(ready > 0 && waits[0].revents)) return Fail(ErrorKind::kTimeout, "nothing came in time");
      if (ready <= 0 || !waits[0].revents) continue;
      auto filled = reader.Fill();
      if (filled) continue;
      if (filled.error().kind == ErrorKind::kClosed || filled.error().sys_errno == ECONNRESET)
        return Fail(ErrorKind::kProtocol, "paddock-http ended: it was killed, got no thread (ulimit -u), or the server's answer took all the memory that it may have",
                    "check base_url; if the server is right, run it again");
      return std::unexpected(filled.error());
    }
  }

  std::shared_ptr<HttpPool> pool_;
  std::unique_ptr<RunningHttp> running_;
  bool sent_ = false;
  bool done_ = false;
};

Result<std::unique_ptr<HttpExchange>> HttpProcess::Start(HttpRequest request, const HttpWait& wait) {
  HttpRequestFrame frame;
  frame.method = request.method;
  frame.url = request.url;
  frame.proxy = request.proxy;
  frame.body = std::move(request.body);
  for (const auto& [name, value] : request.headers) frame.headers.push_back({name, value});
  const std::string text = subagents::EncodeFrame("request", frame);
  if (text.size() > subagents::kMaxFrameBytes)
    return Fail(ErrorKind::kLimit, "the conversation has grown to " + std::to_string(text.size() >> 20) + " MiB, more than can be sent", "a smaller goal, or fewer turns");
  auto running = TRY(pool_->Take(wait.deadline));
  const int socket = running->socket.get();
  auto exchange = std::make_unique<Exchange>(pool_, std::move(running));
  TRY(WriteFrame(socket, text, wait.deadline));
  return exchange;
}

}  // namespace paddock::orchestrator
