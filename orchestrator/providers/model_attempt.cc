#include "orchestrator/providers/model_attempt.h"

#include <time.h>

#include "base/child_process.h"
#include "orchestrator/providers/sse.h"
#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kMaxFaultBytes = 64u << 10;   // of a body that says why not
constexpr auto kFaultSpan = seconds(5);        // to read it
constexpr auto kAfterFinish = seconds(2);      // for what may follow the reason why the answer ended
constexpr char kMoreTime[] = "allow more time (--timeout)";
constexpr size_t kMostBytesPerToken = 256;     // more than any text has

int64_t MsSince(Deadline::Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - start).count(); }
bool Has(const std::string* type, const char* what) { return type && type->find(what) != std::string::npos; }

}  // namespace

void ModelAttempt::FailWith(Error why, FaultKind kind) {
  error = std::move(why);
  fault = kind;
  retryable = kind == FaultKind::kServer || kind == FaultKind::kUnreachable;
}

void ModelAttempt::FailWith(const ServerFault& said) {
  error = said.error;
  fault = said.kind;
  retryable = said.retryable;
  retry_after = said.retry_after;
}

void ModelAttempt::FailOfWait(Error why, const std::string& late, Error silent) {
  if (why.kind == ErrorKind::kTimeout && !setup_.wait.deadline.passed()) return FailWith(std::move(silent), FaultKind::kServer);
  if (why.kind == ErrorKind::kTimeout) return FailWith(Error{ErrorKind::kTimeout, late, kMoreTime, 0}, FaultKind::kOther);
  const bool lost = why.kind == ErrorKind::kClosed;
  FailWith(std::move(why), !lost ? FaultKind::kOther : status == 0 ? FaultKind::kUnreachable : FaultKind::kServer);
}

void ModelAttempt::Run(std::string body) {
  const Endpoint& endpoint = *setup_.endpoint;
  asked_at_ = Deadline::Clock::now();
  request_bytes_ = body.size();
  HttpRequest http;
  http.url = endpoint.url + setup_.protocol->path();
  http.proxy = endpoint.proxy;
  http.headers = {{"Accept", "text/event-stream"}, {"User-Agent", "paddock"}};
  for (auto& header : setup_.protocol->Headers(endpoint.key)) http.headers.push_back(std::move(header));
  http.body = std::move(body);  // nothing of it is kept while the answer is waited for
  const int64_t span = endpoint.settings.first_event_seconds;
  HttpWait first = setup_.wait;
  first.deadline = Deadline::After(seconds(span)).Earlier(setup_.wait.deadline);
  auto exchange = setup_.transport->Start(std::move(http), first);
  if (!exchange) return FailWith(exchange.error(), setup_.transport->replays() ? FaultKind::kNotRecorded : FaultKind::kOther);
  auto head = (*exchange)->Head(first);
  was_sent = (*exchange)->sent();
  if (!head) {
    const bool left = setup_.wait.abandon_fd >= 0 && EndedByPidfd(setup_.wait.abandon_fd, Deadline::After({}));
    given_up = was_sent && (head.error().kind == ErrorKind::kTimeout || head.error().kind == ErrorKind::kCancelled || left);
    return FailOfWait(head.error(), "the model did not answer before the deadline",
                      Error{ErrorKind::kTimeout, "the model's server said nothing for " + std::to_string(span) + " s", "if it is only slow, raise first_event_seconds in config.json", 0});
  }
  status = head->status;
  if (status != 200) return Refused(exchange->get(), *head, first);
  began = true;
  if (setup_.pass) setup_.pass->Worked();
  const std::string* type = FindHeader(head->headers, "content-type");
  if (Has(type, "html"))
    return FailWith(Error{ErrorKind::kInvalid, "what answers at " + endpoint.url + " is a web page (" + *type + "), no " + setup_.protocol->answer_name(), "check base_url: the address of the API, up to the version; most end in /v1", 0}, FaultKind::kOther);
  if (Has(type, "json")) return ReadWhole(exchange->get());
  ReadStream(exchange->get());
}

void ModelAttempt::Refused(HttpExchange* exchange, const HttpHead& head, const HttpWait& wait) {
  HttpWait soon = wait;
  soon.deadline = wait.deadline.Earlier(Deadline::After(kFaultSpan));
  std::string body;
  while (body.size() < kMaxFaultBytes) {
    auto piece = exchange->Body(soon);
    if (!piece && piece.error().kind == ErrorKind::kCancelled) return FailWith(piece.error(), FaultKind::kOther);
    if (!piece || !*piece) break;
    body += **piece;
  }
  // Before anything is cut off: half a key would not be known.
  body = setup_.redactor->Redact(std::string_view(body).substr(0, kMaxFaultBytes));
  ServerFault said = FaultOfAnswer(head.status, head.headers, body, time(nullptr));
  if (std::string hint = HintFor(head.status); !hint.empty() && said.error.kind != ErrorKind::kLimit) said.error.hint = hint;
  FailWith(said);
  refusal = said.param + " " + said.error.message;
  if (setup_.pass && said.kind != FaultKind::kOverloaded) setup_.pass->Worked();
}

// What to look at, with the names that this endpoint goes by.
std::string ModelAttempt::HintFor(int code) const {
  const Endpoint& endpoint = *setup_.endpoint;
  if ((code == 401 || code == 403) && endpoint.key.empty()) return "no key was sent: name one with key_env or key_file in config.json, or --key-env or --key-file beside --base-url";
  if (code == 401 || code == 403) return "check the key from " + KeySource(endpoint.settings);
  if (code == 404) return "check the address " + endpoint.url + " (most end in /v1) and the model's name, " + endpoint.settings.model;
  return "";
}

// A server that knows no streaming.
void ModelAttempt::ReadWhole(HttpExchange* exchange) {
  const seconds span(setup_.endpoint->settings.first_event_seconds);
  HttpWait idle = setup_.wait;
  idle.deadline = Deadline::After(span).Earlier(setup_.wait.deadline);
  std::string body;
  for (;;) {
    auto piece = exchange->Body(idle);
    if (!piece) return FailOfWait(piece.error(), piece.error().message, piece.error());
    if (!*piece) break;
    body += **piece;
  }
  answer_bytes = body.size();
  auto json = ParseChunk(body);
  if (!json) return FailWith(json.error(), FaultKind::kServer);
  const auto stream = setup_.protocol->NewStream();
  if (const Json* said = stream->FaultIn(*json)) return FailWith(FaultInStream(setup_.redactor->RedactJson(JoinHalvesIn(*said))));
  if (auto took = stream->TakeWhole(*json); !took) return FailWith(took.error(), FaultKind::kOther);
  first_word_ms = MsSince(asked_at_);
  Conclude(stream.get());
}

void ModelAttempt::ReadStream(HttpExchange* exchange) {
  const Deadline& deadline = setup_.wait.deadline;
  const seconds first_span(setup_.endpoint->settings.first_event_seconds), idle_span(setup_.endpoint->settings.idle_seconds);
  constexpr char kLate[] = "the model did not finish its answer before the deadline";
  SseReader events;
  const auto stream = setup_.protocol->NewStream();
  seconds span = first_span;
  Deadline progress_by = Deadline::After(span);
  bool ended = false, said_done = false;
  while (!said_done) {
    while (auto event = events.Pop()) {
      if (deadline.passed()) return FailWith(Error{ErrorKind::kTimeout, kLate, kMoreTime, 0}, FaultKind::kOther);
      if (setup_.wait.cancel_fd >= 0 && EndedByPidfd(setup_.wait.cancel_fd, Deadline::After({}))) return FailWith(Error{ErrorKind::kCancelled, "told to stop", "", 0}, FaultKind::kOther);
      if (event->data.find_first_not_of(" \t\r\n") == std::string::npos) continue;
      if (said_done = event->data == "[DONE]"; said_done) break;
      auto chunk = ParseChunk(event->data);
      if (!chunk) return FailWith(chunk.error(), FaultKind::kServer);
      const Json* said = event->event == "error" ? &*chunk : stream->FaultIn(*chunk);
      if (said) return FailWith(FaultInStream(setup_.redactor->RedactJson(JoinHalvesIn(*said))));
      auto took = stream->Take(*chunk);
      answer_bytes = stream->answer().bytes;
      if (!took) return FailWith(took.error(), took.error().kind == ErrorKind::kProtocol ? FaultKind::kServer : FaultKind::kOther);
      if (*took == AnswerStream::Took::kNothing) continue;
      if (first_word_ms < 0) first_word_ms = MsSince(asked_at_);
      progress_by = Deadline::After(span = idle_span);
      if (stream->finished()) progress_by = Deadline::After(kAfterFinish);
      if (said_done = *took == AnswerStream::Took::kEnd; said_done) break;
    }
    if (ended || said_done) break;
    HttpWait wait = setup_.wait;
    wait.deadline = progress_by.Earlier(deadline);
    auto piece = exchange->Body(wait);
    if (!piece) {
      if (stream->finished() && piece.error().kind != ErrorKind::kCancelled) break;  // all but the end was said
      return FailOfWait(piece.error(), kLate, Error{ErrorKind::kTimeout, "the model said nothing for " + std::to_string(span.count()) + " s, though its server kept the connection open", "if it is only slow, raise idle_seconds in config.json", 0});
    }
    if (!*piece) {
      events.Finish();
      ended = true;
    } else if (auto fed = events.Feed(**piece); !fed) {
      return FailWith(fed.error(), FaultKind::kOther);
    }
  }
  if (!stream->finished() && !said_done)
    return FailWith(Error{ErrorKind::kClosed, stream->answer().bytes > 0 ? "the model's server cut the answer off" : "the model's server closed the stream before it said anything", "try again later; paddock models test tells when it works", 0}, FaultKind::kServer);
  if (said_done) DrainEnd(exchange);
  Conclude(stream.get());
}

// Reads what follows [DONE], so that the connection can be used again.
void ModelAttempt::DrainEnd(HttpExchange* exchange) {
  HttpWait wait = setup_.wait;
  wait.deadline = Deadline::After(milliseconds(200)).Earlier(wait.deadline);
  for (int pieces = 0; pieces < 16; ++pieces)
    if (auto piece = exchange->Body(wait); !piece || !*piece) return;
}

void ModelAttempt::Conclude(AnswerStream* stream) {
  const size_t bytes = stream->answer().bytes;
  const bool has_usage = stream->answer().has_usage;
  turn = stream->Turn();
  // Far less than there was to read is no count either.
  usage_was_said = has_usage && turn->usage.input_tokens >= static_cast<int64_t>(request_bytes_ / kMostBytesPerToken);
  if (usage_was_said) return;
  turn->usage = {static_cast<int64_t>(request_bytes_ / kEstimatedBytesPerToken), static_cast<int64_t>(bytes / kEstimatedBytesPerToken), true};
}

}  // namespace paddock::orchestrator
