// One exchange as a cassette keeps it: a line of its file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "orchestrator/providers/http.h"

namespace paddock {

inline auto EnumNames(FieldsOf<ErrorKind>) {
  return std::array{EnumName{ErrorKind::kInvalid, "invalid"}, EnumName{ErrorKind::kNotFound, "not_found"}, EnumName{ErrorKind::kDenied, "denied"}, EnumName{ErrorKind::kLimit, "limit"},
                    EnumName{ErrorKind::kTimeout, "timeout"}, EnumName{ErrorKind::kClosed, "closed"}, EnumName{ErrorKind::kProtocol, "protocol"}, EnumName{ErrorKind::kCancelled, "cancelled"},
                    EnumName{ErrorKind::kSystem, "system"}, EnumName{ErrorKind::kInternal, "internal"}};
}

}  // namespace paddock

namespace paddock::orchestrator {

inline constexpr char kCassetteSchema[] = "paddock/cassette/1";

struct CassetteHead {
  std::string schema = kCassetteSchema;
  std::string wrap_seed;
};
inline auto Fields(FieldsOf<CassetteHead>) {
  return std::make_tuple(Required("schema", &CassetteHead::schema, "paddock/cassette/1"), Required("wrap_seed", &CassetteHead::wrap_seed, "64 hex digits").NonEmpty().MaxLength(128));
}

// How an exchange ended.
enum class CassetteEnd {
  kWhole,  // the body was read to its end
  kLeft,   // nobody read on
  kError,
};
inline auto EnumNames(FieldsOf<CassetteEnd>) {
  return std::array{EnumName{CassetteEnd::kWhole, "whole"}, EnumName{CassetteEnd::kLeft, "left"}, EnumName{CassetteEnd::kError, "error"}};
}

struct CassetteError {
  ErrorKind kind = ErrorKind::kClosed;
  std::string message, hint;
};
inline auto Fields(FieldsOf<CassetteError>) {
  return std::make_tuple(Required("kind", &CassetteError::kind, "what sort"), Required("message", &CassetteError::message, "what failed"), Required("hint", &CassetteError::hint, "what to do"));
}

struct CassetteExchange {
  int64_t n = 0;
  std::string method, url;
  std::map<std::string, std::string> headers;
  std::string body;
  int64_t status = 0;
  std::vector<std::vector<std::string>> answer_headers;
  std::vector<std::string> pieces;
  CassetteEnd end = CassetteEnd::kLeft;
  std::optional<CassetteError> error;
  bool redacted = false;
  bool sent = true;
};
inline auto Fields(FieldsOf<CassetteExchange>) {
  using E = CassetteExchange;
  return std::make_tuple(
      Required("n", &E::n, "in the order in which they were begun, from 1").Min(1), Required("method", &E::method, "GET or POST"), Required("url", &E::url, "of the request"),
      Required("headers", &E::headers, "of the request, without the key"), Required("body", &E::body, "of the request"),
      Required("status", &E::status, "of HTTP; 0: no answer came").Min(0).Max(999), Required("answer_headers", &E::answer_headers, "pairs of name, in lower case, and value"),
      Required("pieces", &E::pieces, "of the answer's body, as they came: wire text"), Required("end", &E::end, "how it ended"),
      Required("error", &E::error, "of the network, where it ended by one, or null"), Required("redacted", &E::redacted, "the server said the key back: the pieces are not what came"),
      Optional("sent", &E::sent, "the request had gone out whole"));
}

// What tells requests apart.
std::string RequestKey(const std::string& method, const std::string& url, const std::string& body);
// Where what is asked now first differs from what was recorded, for people.
std::string FirstDifference(const CassetteExchange& recorded, const HttpRequest& now);
// Takes the key out of everything in it.
void TakeKeyOut(const std::string& key, CassetteExchange* exchange);

}  // namespace paddock::orchestrator
