#include "orchestrator/providers/server_fault.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;

constexpr size_t kMaxMessage = 400;
constexpr size_t kMaxLine = 600;  // with what is put before it
constexpr double kMostSeconds = 7 * 86'400;

std::string OneLine(std::string_view text, size_t max = kMaxMessage) {
  std::string flat;
  for (char c : text.substr(0, 4 * max)) flat += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  const size_t begin = flat.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  flat = flat.substr(begin, flat.find_last_not_of(' ') - begin + 1);
  return std::string(TruncateUtf8(VisibleText(flat, Newlines::kEscape), max));
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  return found->is_number_integer() ? std::to_string(found->get<int64_t>()) : "";
}

// Message, code and param of whatever shape.
void ReadBody(const Json& body, std::string* message, ServerFault* fault) {
  if (body.is_string()) *message = body.get<std::string>();
  if (!body.is_object()) return;
  auto inner = body.find("error");
  if (inner != body.end() && inner->is_string()) *message = inner->get<std::string>();
  const Json& object = inner != body.end() && inner->is_object() ? *inner : body;
  if (std::string text = TextOf(object, "message"); !text.empty()) *message = text;
  if (message->empty()) *message = TextOf(object, "detail");
  fault->code = OneLine(TextOf(object, "code"), 64);
  if (fault->code.empty()) fault->code = OneLine(TextOf(object, "type"), 64);
  fault->param = OneLine(TextOf(object, "param"), 64);
}

std::optional<milliseconds> Span(double seconds) {
  if (!std::isfinite(seconds)) return std::nullopt;
  return milliseconds(static_cast<int64_t>(std::clamp(seconds, 0.0, kMostSeconds) * 1000));
}

std::optional<double> Number(const std::string& text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<milliseconds> RetryAfter(const HttpHeaders& headers, int64_t now) {
  if (const std::string* ms = FindHeader(headers, "retry-after-ms"))
    if (auto value = Number(*ms)) return Span(*value / 1000);
  const std::string* after = FindHeader(headers, "retry-after");
  if (!after) return std::nullopt;
  if (auto seconds = Number(*after)) return Span(*seconds);
  tm date{};
  if (strptime(after->c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date)) return Span(static_cast<double>(timegm(&date) - now));
  return std::nullopt;
}

bool IsOneOf(const std::string& text, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return text == name; });
}

// What no waiting mends, whatever the status is.
bool IsUsedUp(const std::string& code) { return IsOneOf(code, {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance", "billing_error"}); }
bool IsTooLong(const std::string& code, const std::string& message) {
  return code == "context_length_exceeded" || message.find("maximum context length") != std::string::npos || message.find("context size") != std::string::npos ||
         message.find("prompt is too long") != std::string::npos;
}

// Nobody else with the same key would fare better.
bool IsOverload(int status, const std::string& code) {
  return status == 429 || status == 503 || status == 529 ||
         IsOneOf(code, {"overloaded_error", "rate_limit_error", "rate_limit_exceeded", "rate_limit_reached", "server_overloaded", "engine_overloaded"});
}

void Classify(int status, const std::string& message, ServerFault* fault) {
  Error& error = fault->error;
  if (IsUsedUp(fault->code) || status == 402) {
    fault->kind = FaultKind::kQuota;
    error.kind = ErrorKind::kLimit;
    error.hint = "the account's quota is used up: waiting will not help; see the provider's billing page";
  } else if (IsTooLong(fault->code, message)) {
    fault->kind = FaultKind::kTooLong;
    error.kind = ErrorKind::kLimit;
    error.hint = "the conversation is longer than the model takes: a smaller goal, or a model with a larger window";
  } else if (status == 401 || status == 403) {
    fault->kind = FaultKind::kKey;
    error.kind = ErrorKind::kDenied;
    error.hint = "check the key";
  } else if (status == 404) {
    fault->kind = FaultKind::kNoModel;
    error.kind = ErrorKind::kNotFound;
    error.hint = "check base_url and the model's name";
  } else if (status >= 300 && status < 400) {
    error.kind = ErrorKind::kProtocol;
    error.hint = "redirects are not followed, so that a key goes nowhere else: set base_url to the right address";
  } else if (status == 408 || status == 409 || status == 429 || status >= 500 || status == 0) {
    fault->kind = IsOverload(status, fault->code) ? FaultKind::kOverloaded : FaultKind::kServer;
    error.kind = ErrorKind::kClosed;
    error.hint = status == 429 ? "the server allows no more requests for now: try later" : "try again later; paddock models test tells when it works";
    fault->retryable = true;
  } else {
    error.kind = ErrorKind::kInvalid;
    error.hint = "the server does not take this request: paddock models test shows what it can do";
  }
}

}  // namespace

const std::string* FindHeader(const HttpHeaders& headers, std::string_view name) {
  for (const auto& [key, value] : headers)
    if (key == name) return &value;
  return nullptr;
}

ServerFault FaultOfAnswer(int status, const HttpHeaders& headers, std::string_view body, int64_t now) {
  ServerFault fault;
  std::string message;
  if (auto json = ParseJson(body)) ReadBody(*json, &message, &fault);
  else if (body.find("<html") == std::string_view::npos && body.find("<HTML") == std::string_view::npos && body.find("<!") != 0) message = body;
  message = OneLine(message);
  Classify(status, message, &fault);
  fault.error.message = "the model's server answered " + std::to_string(status) + (fault.code.empty() ? "" : " (" + fault.code + ")");
  if (const std::string* location = FindHeader(headers, "location"); location && status >= 300 && status < 400) fault.error.message += ", to " + OneLine(*location, 128);
  if (!message.empty()) fault.error.message += ": " + message;
  fault.error.message = TruncateUtf8(fault.error.message, kMaxLine);
  fault.retry_after = RetryAfter(headers, now);
  if (const std::string* wish = FindHeader(headers, "x-should-retry")) {
    if (*wish == "true") fault.retryable = true;
    if (*wish == "false") fault.retryable = false;
  }
  // Whoever says when to come back speaks to all.
  if (fault.retryable && fault.retry_after) fault.kind = FaultKind::kOverloaded;
  return fault;
}

ServerFault FaultInStream(const Json& body) {
  ServerFault fault;
  std::string message;
  ReadBody(body, &message, &fault);
  message = OneLine(message);
  // Codes of the HTTP statuses are what is left of them inside a stream.
  int status = 0;
  if (fault.code.size() == 3) std::from_chars(fault.code.data(), fault.code.data() + 3, status);
  if (IsOneOf(fault.code, {"invalid_request_error", "invalid_api_key", "model_not_found", "invalid_prompt", "request_too_large"})) status = 400;
  if (IsOneOf(fault.code, {"authentication_error", "permission_error"})) status = 401;
  if (fault.code == "not_found_error") status = 404;
  Classify(status, message, &fault);
  fault.error.message = "the model's server broke off with an error" + (fault.code.empty() ? "" : " (" + fault.code + ")") + (message.empty() ? "" : ": " + message);
  return fault;
}

}  // namespace paddock::orchestrator
