// What paddock and paddock-http say to each other: one JSON object a line over a socket.
//
//   paddock → paddock-http    request, once an exchange
//   paddock-http → paddock    sent, head, data..., end    or failed at any point; sent may come late or, before a head, not at all
//
// The next request may follow an end or a failed. A wish to stop an exchange is the end of the process.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/fields.h"

namespace paddock::orchestrator {

inline constexpr size_t kMaxHttpRequestBytes = 64u << 20;
inline constexpr size_t kMaxHttpFrameBytes = 1u << 20;   // of those that come back
inline constexpr size_t kHttpPieceBytes = 32u << 10;     // of a body, in one data frame
inline constexpr int kHttpSocket = 0;                    // paddock-http's end: its standard input

struct HttpRequestFrame {
  std::string method, url, proxy;
  std::vector<std::vector<std::string>> headers;  // pairs
  std::string body;
};
inline auto Fields(FieldsOf<HttpRequestFrame>) {
  return std::make_tuple(Required("method", &HttpRequestFrame::method, "GET or POST"), Required("url", &HttpRequestFrame::url, "http or https"),
                         Required("proxy", &HttpRequestFrame::proxy, "http://host:port, or empty"),
                         Required("headers", &HttpRequestFrame::headers, "pairs of name and value"),
                         Required("body", &HttpRequestFrame::body, "text"));
}

// The request has gone out whole.
struct HttpSentFrame {};
inline auto Fields(FieldsOf<HttpSentFrame>) { return std::tuple<>(); }

struct HttpHeadFrame {
  int64_t status = 0;
  std::vector<std::vector<std::string>> headers;
};
inline auto Fields(FieldsOf<HttpHeadFrame>) {
  return std::make_tuple(Required("status", &HttpHeadFrame::status, "of HTTP").Min(100).Max(999),
                         Required("headers", &HttpHeadFrame::headers, "pairs of name, in lower case, and value").MaxLength(256));
}

struct HttpDataFrame {
  std::string bytes;  // wire text
};
inline auto Fields(FieldsOf<HttpDataFrame>) { return std::make_tuple(Required("bytes", &HttpDataFrame::bytes, "wire text")); }

struct HttpEndFrame {};
inline auto Fields(FieldsOf<HttpEndFrame>) { return std::tuple<>(); }

enum class HttpFailure { kInvalid, kUnreachable, kCertificate, kProxy, kNoAnswer, kCut, kTooLong };
inline auto EnumNames(FieldsOf<HttpFailure>) {
  return std::array{EnumName{HttpFailure::kNoAnswer, "no_answer"}, EnumName{HttpFailure::kInvalid, "invalid"},   EnumName{HttpFailure::kUnreachable, "unreachable"},
                    EnumName{HttpFailure::kCertificate, "certificate"}, EnumName{HttpFailure::kProxy, "proxy"},
                    EnumName{HttpFailure::kCut, "cut"},           EnumName{HttpFailure::kTooLong, "too_long"}};
}

struct HttpFailedFrame {
  HttpFailure kind = HttpFailure::kUnreachable;
  std::string message;
};
inline auto Fields(FieldsOf<HttpFailedFrame>) {
  return std::make_tuple(Required("kind", &HttpFailedFrame::kind, "what sort of failure"), Required("message", &HttpFailedFrame::message, "what failed"));
}

}  // namespace paddock::orchestrator
