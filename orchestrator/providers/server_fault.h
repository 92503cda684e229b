// What a model's server says when it will not answer, and what to make of it: may the question be asked again,
// after how long, and what a person should do.
//
// Bodies are {"error": {message, type, param, code}}, but also {"error": "text"}, HTML, plain text or nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace paddock::orchestrator {

// Names in lower case.
using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
// nullptr when it is not there.
const std::string* FindHeader(const HttpHeaders& headers, std::string_view name);

// What sort of failure a question came to: whom else to ask, and who has to wait.
enum class FaultKind {
  kNone,
  kServer,      // it failed, broke off, was silent, said what is no answer
  kOverloaded,  // it has too much to do, for everybody
  kUnreachable,
  kKey,         // the key is refused
  kQuota,       // the account's is used up
  kNoModel,     // no such model, or address
  kTooLong,     // the conversation, for this model
  kNotRecorded, // in a replay: this question was not put to it
  kOther,       // the question itself, settings, a wish to stop, no time left
};

struct ServerFault {
  Error error;          // one line for people, at most 600 bytes
  FaultKind kind = FaultKind::kOther;
  std::string code;     // of the server: code, else type
  std::string param;    // the field that it would not have
  bool retryable = false;
  std::optional<std::chrono::milliseconds> retry_after;  // the server's wish
};

// An answer whose status is not 200. `now` is seconds since 1970, for a Retry-After that is a date (RFC 9110, 10.2.3).
ServerFault FaultOfAnswer(int status, const HttpHeaders& headers, std::string_view body, int64_t now);
// An error inside a stream that had begun well: {"error": ...} or the data of `event: error`.
ServerFault FaultInStream(const Json& body);

}  // namespace paddock::orchestrator
