#include "orchestrator/providers/http/client.h"

#include <cpprest/http_client.h>
#include <pplx/threadpool.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace paddock::orchestrator {
namespace {

using web::http::client::http_client;
using web::http::client::http_client_config;

// cpprestsdk has timeouts of its own, a quiet stream included; the parent's are the ones that count.
constexpr auto kLongerThanAnyTicket = std::chrono::hours(25);
// A body with a known length is read in pieces of this size, and each is waited for in full: small, so that a
// stream is seen as it comes. (Bodies in chunks come chunk by chunk.)
constexpr size_t kReadBytes = 1024;
constexpr size_t kMaxBodyBytes = 16u << 20;

HttpFailedFrame FailureOf(const std::string& message, const HttpRequestFrame& request, bool had_head) {
  const auto says = [&](const char* word) { return message.find(word) != std::string::npos; };
  if (says("SSL") || says("certificate") || says("handshake"))
    return {HttpFailure::kCertificate, message};
  if (had_head) return {HttpFailure::kCut, message};
  if (!request.proxy.empty() && (says("proxy") || says("tunnel"))) return {HttpFailure::kProxy, message};
  // cpprestsdk's words for a connection that was there and gave nothing.
  if (says("Failed to read HTTP status line") || says("Failed to write request")) return {HttpFailure::kNoAnswer, message};
  return {HttpFailure::kUnreachable, message};
}

HttpHeadFrame HeadOf(const web::http::http_response& response) {
  HttpHeadFrame head;
  head.status = response.status_code();
  for (const auto& [name, value] : response.headers()) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    if (head.headers.size() < 128 && value.size() <= 8192) head.headers.push_back({lower, value});
  }
  return head;
}

}  // namespace

struct HttpClient::Kept {
  std::string server, proxy;
  std::unique_ptr<http_client> client;
};

HttpClient::HttpClient() : kept_(std::make_unique<Kept>()) { crossplat::threadpool::initialize_with_threads(2); }
HttpClient::~HttpClient() = default;

// A server may have closed a kept connection while nobody used it, and that shows only when it is used again: then the request goes out
// once more on a new one, before anybody hears of it (RFC 9112, 9.3.1). Where it could be written, cpprestsdk does so itself.
std::optional<HttpFailedFrame> HttpClient::Run(const HttpRequestFrame& request, const Sink& sink) {
  const bool kept = kept_->client != nullptr;
  bool had_head = false;
  auto failed = RunOnce(request, sink, &had_head);
  if (failed && kept && !had_head && failed->message.find("write") != std::string::npos) failed = RunOnce(request, sink, &had_head);
  return failed;
}

std::optional<HttpFailedFrame> HttpClient::RunOnce(const HttpRequestFrame& request, const Sink& sink, bool* had_head) {
  try {
    const web::uri url(request.url);
    const std::string server = url.authority().to_string();
    if (!kept_->client || kept_->server != server || kept_->proxy != request.proxy) {
      http_client_config config;
      config.set_timeout(std::chrono::duration_cast<std::chrono::microseconds>(kLongerThanAnyTicket));
      config.set_max_redirects(0);
      config.set_validate_certificates(true);
      config.set_chunksize(kReadBytes);
      if (!request.proxy.empty()) config.set_proxy(web::web_proxy(web::uri(request.proxy)));
      kept_->client = std::make_unique<http_client>(url.authority(), config);
      kept_->server = server;
      kept_->proxy = request.proxy;
    }
    web::http::http_request message(request.method);
    message.set_request_uri(url.resource());
    for (const auto& pair : request.headers)
      if (pair.size() == 2) message.headers().add(pair[0], pair[1]);
    if (request.method == "POST") message.set_body(request.body, "application/json");
    message.set_progress_handler([sent = sink.sent, whole = request.body.size(), said = false](web::http::message_direction::direction direction, utility::size64_t bytes) mutable {
      if (direction == web::http::message_direction::upload && bytes >= whole && !std::exchange(said, true)) sent();
    });

    web::http::http_response response = kept_->client->request(message).get();
    sink.head(HeadOf(response));
    *had_head = true;
    auto body = response.body().streambuf();
    std::vector<uint8_t> piece(kHttpPieceBytes);
    size_t total = 0;
    for (;;) {
      // Waits for one byte, then takes what is there: asking for more would wait for more.
      const auto next = body.getc().get();
      if (next == decltype(body)::traits::eof()) break;
      const size_t there = std::clamp<size_t>(body.in_avail(), 1, piece.size());
      const size_t got = body.getn(piece.data(), there).get();
      if (got == 0) break;
      if ((total += got) > kMaxBodyBytes) {
        kept_->client.reset();
        return HttpFailedFrame{HttpFailure::kTooLong, "an answer of more than " + std::to_string(kMaxBodyBytes >> 20) + " MiB"};
      }
      sink.data({reinterpret_cast<const char*>(piece.data()), got});
    }
    response.content_ready().get();  // throws when the body was cut off
    return std::nullopt;
  } catch (const web::uri_exception& fault) {
    return HttpFailedFrame{HttpFailure::kInvalid, fault.what()};
  } catch (const std::bad_alloc&) {
    kept_->client.reset();
    return HttpFailedFrame{HttpFailure::kTooLong, "an answer that is larger than any should be"};
  } catch (const std::exception& fault) {
    kept_->client.reset();  // its connection is in an unknown state
    return FailureOf(fault.what(), request, *had_head);
  }
}

}  // namespace paddock::orchestrator
