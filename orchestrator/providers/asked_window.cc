#include "orchestrator/providers/asked_window.h"

#include <algorithm>

#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

constexpr auto kSpan = std::chrono::seconds(2);
constexpr size_t kMaxBytes = 4u << 20;
constexpr int64_t kLeast = 1024, kMost = 100'000'000;  // else it is no window

int64_t WindowOf(const Json& entry) {
  const auto count = [](const Json& object, const char* key) {
    const int64_t tokens = CountMember(object, key);
    return tokens >= kLeast && tokens <= kMost ? tokens : 0;
  };
  // What is loaded outranks what would be possible.
  for (const char* key : {"loaded_context_length", "max_model_len", "context_length", "max_context_length", "context_window"})
    if (const int64_t tokens = count(entry, key)) return tokens;
  if (const Json* meta = Member(entry, "meta"); meta && meta->is_object())
    for (const char* key : {"n_ctx", "n_ctx_train"})
      if (const int64_t tokens = count(*meta, key)) return tokens;
  return 0;
}

std::optional<Json> Get(const std::string& url, const Endpoint& endpoint, const Protocol& protocol, HttpTransport* transport, const HttpWait& wait) {
  HttpRequest http;
  http.method = "GET";
  http.url = url;
  http.proxy = endpoint.proxy;
  http.headers = {{"Accept", "application/json"}, {"User-Agent", "paddock"}};
  for (auto& header : protocol.Headers(endpoint.key)) http.headers.push_back(std::move(header));
  auto exchange = transport->Start(std::move(http), wait);
  if (!exchange) return std::nullopt;
  auto head = (*exchange)->Head(wait);
  if (!head) return std::nullopt;
  std::string body;
  for (;;) {
    auto piece = (*exchange)->Body(wait);
    if (!piece) return std::nullopt;
    if (!*piece) break;
    body += **piece;
    if (body.size() > kMaxBytes) return std::nullopt;
  }
  if (head->status != 200) return std::nullopt;
  auto json = ParseJson(body, {.max_bytes = kMaxBytes});
  return json ? std::optional(*std::move(json)) : std::nullopt;
}

}  // namespace

int64_t WindowInList(const Json& body, const std::string& model) {
  const Json* list = body.is_array() ? &body : body.is_object() ? Member(body, "data") : nullptr;
  if (!list || !list->is_array()) return 0;
  const Json* only = list->size() == 1 ? &list->front() : nullptr;  // llama.cpp serves one, whatever it is called
  for (const Json& entry : *list)
    if (entry.is_object() && (TextMember(entry, "id") == model || TextMember(entry, "name") == model)) return WindowOf(entry);
  return only && only->is_object() ? WindowOf(*only) : 0;
}

int64_t AskForWindow(const Endpoint& endpoint, const Protocol& protocol, HttpTransport* transport, int cancel_fd) {
  const HttpWait wait{Deadline::After(kSpan), cancel_fd, -1};
  const std::string& model = endpoint.settings.model;
  auto list = Get(endpoint.url + "/models", endpoint, protocol, transport, wait);
  if (!list) return 0;
  if (const int64_t tokens = WindowInList(*list, model)) return tokens;
  if (!endpoint.url.starts_with("http://") || !endpoint.url.ends_with("/v1")) return 0;
  list = Get(endpoint.url.substr(0, endpoint.url.size() - 3) + "/api/v0/models", endpoint, protocol, transport, wait);
  return list ? WindowInList(*list, model) : 0;
}

}  // namespace paddock::orchestrator
