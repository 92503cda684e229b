// Where a model is reached, as the user's settings or flags say, checked; never by anything of a repository.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "orchestrator/providers/price.h"

namespace paddock::orchestrator {

// How the server is spoken to.
enum class ModelProtocol {
  kChat,       // chat completions
  kResponses,  // OpenAI's Responses
  kMessages,   // Anthropic's Messages
};
inline auto EnumNames(FieldsOf<ModelProtocol>) {
  return std::array{EnumName{ModelProtocol::kChat, "chat"}, EnumName{ModelProtocol::kResponses, "responses"}, EnumName{ModelProtocol::kMessages, "messages"}};
}
const char* ProtocolPath(ModelProtocol protocol);  // behind base_url

// How much a model is to think, where it can be told.
enum class ModelEffort { kDefault, kLow, kMedium, kHigh };
inline auto EnumNames(FieldsOf<ModelEffort>) {
  return std::array{EnumName{ModelEffort::kDefault, "default"}, EnumName{ModelEffort::kLow, "low"}, EnumName{ModelEffort::kMedium, "medium"}, EnumName{ModelEffort::kHigh, "high"}};
}

// One entry of `models` in config.json.
struct ModelSettings {
  std::string base_url;
  std::string model;
  std::string key_env;
  std::string key_file;
  bool allow_plain_http = false;
  int64_t first_event_seconds = 120;
  int64_t idle_seconds = 60;
  int64_t max_output_tokens = 8192;
  ModelProtocol protocol = ModelProtocol::kChat;
  ModelEffort effort = ModelEffort::kDefault;
  int64_t at_once = 8;
  std::optional<int64_t> per_minute;
  std::optional<ModelPrice> price;
  std::vector<std::string> fallback;
  std::optional<int64_t> context_window;
};
inline auto Fields(FieldsOf<ModelSettings>) {
  return std::make_tuple(
      Required("base_url", &ModelSettings::base_url, "address up to the version, for example https://api.example.com/v1").NonEmpty().MaxLength(2048),
      Required("model", &ModelSettings::model, "the model's name at that server").NonEmpty().MaxLength(256),
      Optional("key_env", &ModelSettings::key_env, "name of the environment variable that holds the key").MaxLength(128),
      Optional("key_file", &ModelSettings::key_file, "file that holds the key and nothing else; ~/ is your home").MaxLength(4096),
      Optional("allow_plain_http", &ModelSettings::allow_plain_http, "allow http to a machine that is not this one"),
      Optional("first_event_seconds", &ModelSettings::first_event_seconds, "longest wait for the first word of an answer").Min(1).Max(3600),
      Optional("idle_seconds", &ModelSettings::idle_seconds, "longest pause in an answer; keep-alives don't count").Min(1).Max(3600),
      Optional("max_output_tokens", &ModelSettings::max_output_tokens, "most tokens of one answer").Min(256).Max(1'000'000),
      Optional("protocol", &ModelSettings::protocol, "how the server is spoken to: chat completions, OpenAI's responses, Anthropic's messages"),
      Optional("effort", &ModelSettings::effort, "how much a model that can reason is to do so"),
      Optional("at_once", &ModelSettings::at_once, "most requests at a time to its server with this key").Min(1).Max(1000),
      Optional("per_minute", &ModelSettings::per_minute, "most requests a minute to its server with this key; null: no bound").Min(1).Max(100'000),
      Optional("price", &ModelSettings::price, "US dollars for a million tokens; null: not known"),
      Optional("fallback", &ModelSettings::fallback, "names of models that are asked where this one can't be, in order").MaxLength(16),
      Optional("context_window", &ModelSettings::context_window, "most tokens of a question and its answer together; null: what is known of the model, or what its server says").Min(1024).Max(100'000'000));
}

// Ready to be used.
struct Endpoint {
  std::string name;   // for people: of the entry in config.json, or the model's
  ModelSettings settings;
  std::string url;    // base, without a slash at its end
  std::string key;    // empty: none is sent
  std::string proxy;  // http://host:port, or empty
};

using Environment = std::map<std::string, std::string>;
// What of this process's environment matters to models: proxies, certificates, and the variable named.
Environment ModelEnvironment(const std::string& key_env);
// Of those, what paddock-http needs itself.
Environment HttpEnvironment(const Environment& environment);

// kInvalid names the setting; kNotFound a key that isn't there. `name` is for messages.
Result<Endpoint> ResolveEndpoint(const std::string& name, const ModelSettings& settings, const Environment& environment);

// Where the key comes from, without the key: "$OPENAI_API_KEY", "/home/me/key", "none".
std::string KeySource(const ModelSettings& settings);

// Without the user and password that a URL may hold: to be shown.
std::string WithoutUserinfo(std::string url);

// The proxy for a URL by the usual variables: HTTPS_PROXY, https_proxy, http_proxy (lower case only: the other is
// what a request header becomes in CGI), ALL_PROXY, NO_PROXY. Empty for none; kInvalid for one that can't be used (SOCKS).
Result<std::string> ProxyFor(const std::string& url, const Environment& environment);

}  // namespace paddock::orchestrator
