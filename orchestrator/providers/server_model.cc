#include "orchestrator/providers/server_model.h"

#include <poll.h>
#include <time.h>

#include <algorithm>
#include <random>

#include "base/child_process.h"
#include "orchestrator/providers/sse.h"
#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ModelRequest;
using agentcore::ModelTurn;
using agentcore::ModelUsage;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kMaxFaultBytes = 64u << 10;   // of a body that says why not
constexpr auto kFaultSpan = seconds(5);        // to read it
constexpr auto kAfterFinish = seconds(2);      // for what may follow the reason why the answer ended
constexpr int kMaxLeftOut = 4;
constexpr char kMoreTime[] = "allow more time (--timeout)";
constexpr size_t kBytesPerToken = 4;           // where the server does not count
constexpr size_t kMostBytesPerToken = 256;     // more than any text has

int64_t Ms(std::chrono::steady_clock::duration span) { return std::chrono::duration_cast<milliseconds>(span).count(); }
std::string Seconds(milliseconds span) {
  const int64_t ms = span.count();
  return ms < 10'000 && ms % 1000 ? std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) + " s" : std::to_string(ms / 1000) + " s";
}

}  // namespace

struct ServerModel::Attempt {
  std::optional<ModelTurn> turn;  // it worked
  Error error;
  bool retryable = false;
  std::optional<milliseconds> retry_after;
  int status = 0;
  std::string refusal;  // what the server said, to look for names of fields
  bool began = false;   // a 200 came: tokens may have been spent
  size_t answer_bytes = 0;

  void FailWith(Error why, bool again) {
    error = std::move(why);
    retryable = again;
  }
  void FailWith(const ServerFault& fault) {
    FailWith(fault.error, fault.retryable);
    retry_after = fault.retry_after;
  }
};

ServerModel::ServerModel(ServerModelSetup setup) : setup_(std::move(setup)), redactor_({{"api-key", setup_.endpoint.key}}), protocol_(MakeProtocol(setup_.endpoint.settings.protocol)) {}

std::vector<std::string> ServerModel::notes() const {
  std::vector<std::string> notes;
  if (was_reached_) notes.push_back("what the subagent was shown of the repository went to " + name() + " at " + setup_.endpoint.url);
  if (asked_again_ > 0) notes.push_back("the model's server was asked again " + std::to_string(asked_again_) + (asked_again_ == 1 ? " time" : " times") + " after a failure");
  if (estimated_) notes.push_back("the model's server did not always say how many tokens were used: the count is partly an estimate (4 bytes a token)");
  return notes;
}

Result<ModelTurn> ServerModel::Next(const ModelRequest& request, const Deadline& deadline) {
  ModelRequest bounded = request;
  const int64_t own = max_answer_tokens();
  bounded.max_output_tokens = request.max_output_tokens > 0 ? std::min(request.max_output_tokens, own) : own;
  first_word_ms_ = -1;
  int left_out = 0;
  for (int attempt = 1;; ++attempt) {
    std::string body = DumpJson(protocol_->Body(bounded, setup_.endpoint.settings, Who()));
    last_request_bytes_ = body.size();
    Attempt result;
    Exchange(bounded, std::move(body), deadline, &result);
    if (result.turn) {
      ModelUsage& usage = result.turn->usage;
      const ModelUsage lost = TakeLostUsage();
      usage.input_tokens += lost.input_tokens;
      usage.output_tokens += lost.output_tokens;
      usage.estimated |= lost.estimated;
      return *std::move(result.turn);
    }
    result.error.message = redactor_.Redact(result.error.message);
    if (result.began) {
      lost_.input_tokens += static_cast<int64_t>(last_request_bytes_ / kBytesPerToken);
      lost_.output_tokens += static_cast<int64_t>(result.answer_bytes / kBytesPerToken);
      lost_.estimated = estimated_ = true;
    }
    if (request.abandon_fd >= 0 && EndedByPidfd(request.abandon_fd, Deadline::After({}))) return std::unexpected(result.error);
    if (left_out < kMaxLeftOut && LeaveOut(result)) {
      ++left_out;
      --attempt;
      continue;
    }
    if (!result.retryable || deadline.passed()) return std::unexpected(result.error);
    if (attempt >= setup_.retry.attempts) {
      if (attempt > 1) result.error.message += " (asked " + std::to_string(attempt) + " times)";
      return std::unexpected(result.error);
    }
    const milliseconds pause = result.retry_after ? *result.retry_after : PauseBefore(attempt + 1);
    if (auto left = deadline.left(); left && pause >= *left) {
      result.error.message += result.retry_after ? "; it asks to wait " + Seconds(pause) + ", longer than the time that is left" : "; no time is left to ask again";
      return std::unexpected(result.error);
    }
    ++asked_again_;
    if (setup_.on_retry) setup_.on_retry(result.error.message + "; again in " + Seconds(pause));
    TRY(Pause(pause, request, deadline));
  }
}

// 1 s, 2 s, 4 s ... and up to a quarter more, so that many that failed at once don't come back at once.
milliseconds ServerModel::PauseBefore(int attempt) const {
  thread_local std::minstd_rand random{std::random_device{}()};
  milliseconds pause = setup_.retry.first_pause * (1 << std::min(attempt - 2, 10));
  pause = std::min(pause, setup_.retry.longest_pause);
  return pause + milliseconds(std::uniform_int_distribution<int64_t>(0, pause.count() / 4)(random));
}

Status ServerModel::Pause(milliseconds span, const ModelRequest& request, const Deadline& deadline) {
  const Deadline until = Deadline::After(span).Earlier(deadline);
  for (;;) {
    pollfd waits[2] = {{setup_.cancel_fd, POLLIN, 0}, {request.abandon_fd, POLLIN, 0}};
    const int ready = poll(waits, 2, until.poll_ms());
    if (ready > 0 && waits[0].revents) return Fail(ErrorKind::kCancelled, "told to stop");
    if (ready > 0) return Fail(ErrorKind::kClosed, "nobody waits for this answer any more");
    if (until.passed()) return {};
  }
}

// A server that will not have a field is asked without it. True when there is something to leave out.
bool ServerModel::LeaveOut(const Attempt& attempt) {
  return (attempt.status == 400 || attempt.status == 422) && protocol_->LeaveOut(attempt.refusal);
}

void ServerModel::Exchange(const ModelRequest& request, std::string body, const Deadline& deadline, Attempt* attempt) {
  const Endpoint& endpoint = setup_.endpoint;
  asked_at_ = Deadline::Clock::now();
  HttpRequest http;
  http.url = endpoint.url + protocol_->path();
  http.proxy = endpoint.proxy;
  http.headers = {{"Accept", "text/event-stream"}, {"User-Agent", "paddock"}};
  for (auto& header : protocol_->Headers(endpoint.key)) http.headers.push_back(std::move(header));
  http.body = std::move(body);  // nothing of it is kept while the answer is waited for
  const Deadline first = Deadline::After(seconds(endpoint.settings.first_event_seconds)).Earlier(deadline);
  HttpWait wait{first, setup_.cancel_fd, request.abandon_fd};
  auto exchange = setup_.transport->Start(std::move(http), wait);
  if (!exchange) return attempt->FailWith(exchange.error(), false);
  auto head = (*exchange)->Head(wait);
  if (!head) {
    Error error = head.error();
    const bool silent = error.kind == ErrorKind::kTimeout && !deadline.passed();
    if (silent) error = Error{ErrorKind::kTimeout, "the model's server said nothing for " + std::to_string(endpoint.settings.first_event_seconds) + " s", "if it is only slow, raise first_event_seconds in config.json", 0};
    else if (error.kind == ErrorKind::kTimeout) error.message = "the model did not answer before the deadline", error.hint = kMoreTime;
    return attempt->FailWith(error, silent || error.kind == ErrorKind::kClosed);
  }
  was_reached_ = true;
  attempt->status = head->status;
  if (head->status != 200) return Refused(exchange->get(), *head, wait, attempt);
  attempt->began = true;
  const std::string* type = FindHeader(head->headers, "content-type");
  wait.deadline = deadline;
  if (type && type->find("html") != std::string::npos)
    return attempt->FailWith(Error{ErrorKind::kInvalid, "what answers at " + setup_.endpoint.url + " is a web page (" + *type + "), no " + protocol_->answer_name(), "check base_url: the address of the API, up to the version; most end in /v1", 0}, false);
  if (type && type->find("json") != std::string::npos) return ReadWhole(exchange->get(), wait, attempt);
  ReadStream(exchange->get(), wait, attempt);
}

void ServerModel::Refused(HttpExchange* exchange, const HttpHead& head, const HttpWait& wait, Attempt* attempt) {
  HttpWait soon = wait;
  soon.deadline = wait.deadline.Earlier(Deadline::After(kFaultSpan));
  std::string body;
  while (body.size() < kMaxFaultBytes) {
    auto piece = exchange->Body(soon);
    if (!piece && piece.error().kind == ErrorKind::kCancelled) return attempt->FailWith(piece.error(), false);
    if (!piece || !*piece) break;
    body += **piece;
  }
  // Before anything is cut off: half a key would not be known.
  body = redactor_.Redact(std::string_view(body).substr(0, kMaxFaultBytes));
  ServerFault fault = FaultOfAnswer(head.status, head.headers, body, time(nullptr));
  if (std::string hint = HintFor(head.status); !hint.empty() && fault.error.kind != ErrorKind::kLimit) fault.error.hint = hint;
  attempt->FailWith(fault);
  attempt->refusal = fault.param + " " + fault.error.message;
}

// What to look at, with the names that this endpoint goes by.
std::string ServerModel::HintFor(int status) const {
  const std::string source = KeySource(setup_.endpoint.settings);
  if ((status == 401 || status == 403) && setup_.endpoint.key.empty()) return "no key was sent: name one with key_env or key_file in config.json, or --key-env or --key-file beside --base-url";
  if (status == 401 || status == 403) return "check the key from " + source;
  if (status == 404) return "check the address " + setup_.endpoint.url + " (most end in /v1) and the model's name, " + name();
  return "";
}

// A server that knows no streaming.
void ServerModel::ReadWhole(HttpExchange* exchange, const HttpWait& wait, Attempt* attempt) {
  HttpWait idle = wait;
  idle.deadline = Deadline::After(seconds(setup_.endpoint.settings.first_event_seconds)).Earlier(wait.deadline);
  std::string body;
  for (;;) {
    auto piece = exchange->Body(idle);
    if (!piece) return attempt->FailWith(piece.error(), !wait.deadline.passed() && (piece.error().kind == ErrorKind::kClosed || piece.error().kind == ErrorKind::kTimeout));
    if (!*piece) break;
    body += **piece;
  }
  attempt->answer_bytes = body.size();
  auto json = ParseChunk(body);
  if (!json) return attempt->FailWith(json.error(), true);
  const auto stream = protocol_->NewStream();
  if (const Json* fault = stream->FaultIn(*json)) return attempt->FailWith(FaultInStream(redactor_.RedactJson(JoinHalvesIn(*fault))));
  if (auto took = stream->TakeWhole(*json); !took) return attempt->FailWith(took.error(), false);
  first_word_ms_ = Ms(Deadline::Clock::now() - asked_at_);
  Conclude(stream.get(), attempt);
}

void ServerModel::ReadStream(HttpExchange* exchange, HttpWait wait, Attempt* attempt) {
  const Deadline deadline = wait.deadline;
  const seconds first_span(setup_.endpoint.settings.first_event_seconds), idle_span(setup_.endpoint.settings.idle_seconds);
  SseReader events;
  const auto stream = protocol_->NewStream();
  seconds span = first_span;
  Deadline progress_by = Deadline::After(span);
  bool ended = false, said_done = false;
  while (!said_done) {
    while (auto event = events.Pop()) {
      if (deadline.passed()) return attempt->FailWith(Error{ErrorKind::kTimeout, "the model did not finish its answer before the deadline", kMoreTime, 0}, false);
      if (setup_.cancel_fd >= 0 && EndedByPidfd(setup_.cancel_fd, Deadline::After({}))) return attempt->FailWith(Error{ErrorKind::kCancelled, "told to stop", "", 0}, false);
      if (event->data.find_first_not_of(" \t\r\n") == std::string::npos) continue;
      if (said_done = event->data == "[DONE]"; said_done) break;
      auto chunk = ParseChunk(event->data);
      if (!chunk) return attempt->FailWith(chunk.error(), true);
      const Json* fault = event->event == "error" ? &*chunk : stream->FaultIn(*chunk);
      if (fault) return attempt->FailWith(FaultInStream(redactor_.RedactJson(JoinHalvesIn(*fault))));
      auto took = stream->Take(*chunk);
      attempt->answer_bytes = stream->answer().bytes;
      if (!took) return attempt->FailWith(took.error(), took.error().kind == ErrorKind::kProtocol);
      if (*took == AnswerStream::Took::kNothing) continue;
      if (first_word_ms_ < 0) first_word_ms_ = Ms(Deadline::Clock::now() - asked_at_);
      progress_by = Deadline::After(span = idle_span);
      if (stream->finished()) progress_by = Deadline::After(kAfterFinish);
      if (said_done = *took == AnswerStream::Took::kEnd; said_done) break;
    }
    if (ended || said_done) break;
    wait.deadline = progress_by.Earlier(deadline);
    auto piece = exchange->Body(wait);
    if (!piece) {
      Error error = piece.error();
      if (stream->finished() && error.kind != ErrorKind::kCancelled) break;  // all but the end was said
      const bool silent = error.kind == ErrorKind::kTimeout && !deadline.passed();
      if (silent) error = Error{ErrorKind::kTimeout, "the model said nothing for " + std::to_string(span.count()) + " s, though its server kept the connection open", "if it is only slow, raise idle_seconds in config.json", 0};
      else if (error.kind == ErrorKind::kTimeout) error.message = "the model did not finish its answer before the deadline", error.hint = kMoreTime;
      return attempt->FailWith(error, silent || error.kind == ErrorKind::kClosed);
    }
    if (!*piece) {
      events.Finish();
      ended = true;
    } else if (auto fed = events.Feed(**piece); !fed) {
      return attempt->FailWith(fed.error(), false);
    }
  }
  if (!stream->finished() && !said_done)
    return attempt->FailWith(Error{ErrorKind::kClosed, stream->answer().bytes > 0 ? "the model's server cut the answer off" : "the model's server closed the stream before it said anything", "try again later; paddock models test tells when it works", 0}, true);
  if (said_done) DrainEnd(exchange, wait);
  Conclude(stream.get(), attempt);
}

// Reads what follows [DONE], so that the connection can be used again.
void ServerModel::DrainEnd(HttpExchange* exchange, HttpWait wait) {
  wait.deadline = Deadline::After(milliseconds(200)).Earlier(wait.deadline);
  for (int pieces = 0; pieces < 16; ++pieces)
    if (auto piece = exchange->Body(wait); !piece || !*piece) return;
}

void ServerModel::Conclude(AnswerStream* stream, Attempt* attempt) {
  const size_t bytes = stream->answer().bytes;
  const bool has_usage = stream->answer().has_usage;
  attempt->turn = stream->Turn();
  if (!attempt->turn->reasoning.empty()) attempt->turn->reasoned_by = Who();
  // Far less than there was to read is no count either.
  const bool said = usage_was_said_ = has_usage && attempt->turn->usage.input_tokens >= static_cast<int64_t>(last_request_bytes_ / kMostBytesPerToken);
  if (said) return;
  attempt->turn->usage = {static_cast<int64_t>(last_request_bytes_ / kBytesPerToken), static_cast<int64_t>(bytes / kBytesPerToken), true};
  estimated_ = true;
}

}  // namespace paddock::orchestrator
