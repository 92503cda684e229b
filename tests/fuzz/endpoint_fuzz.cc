// A model's address and the proxy variables: what is taken has one host that nobody can read another way, plain http only
// to this machine, and no key in any text.
//
// A line: base_url; a line: a proxy; a line: NO_PROXY; then the key.
#include "orchestrator/providers/endpoint.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::orchestrator;

namespace {

struct Parts {
  std::string host, port, path;
};

// RFC 3986 for what is left: letters, digits, - . _ in a name, hexadecimal digits, colons and dots in brackets.
Parts Split(const std::string& url) {
  Parts parts;
  std::string rest = url.substr(url.find("://") + 3);
  const size_t slash = rest.find('/');
  if (slash != rest.npos) parts.path = rest.substr(slash);
  rest = rest.substr(0, slash);
  const size_t end = rest.starts_with('[') ? rest.find(']') + 1 : rest.find(':');
  parts.host = rest.substr(0, end);
  if (end < rest.size()) parts.port = rest.substr(end + 1);
  return parts;
}

bool Only(const std::string& text, std::string_view these) { return text.find_first_not_of(these) == text.npos; }
constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";

void RequireAddress(const std::string& url) {
  const Parts parts = Split(url);
  const bool v6 = parts.host.starts_with('[');
  REQUIRE(!parts.host.empty() && (v6 ? Only(parts.host, "[]:.0123456789abcdefABCDEF") : Only(parts.host, kName)), url);
  REQUIRE(parts.port.size() <= 5 && Only(parts.port, "0123456789"), url);
  REQUIRE(url.find_first_of("?# \t\r\n\\\"<>") == url.npos && fuzz::IsVisible(url), url);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  ModelSettings settings;
  settings.base_url = input.Line();
  settings.model = "m";
  const std::string proxy = input.Line(), exempt = input.Line(), key = input.Rest();
  if (!key.empty()) settings.key_env = "THE_KEY";
  const Environment environment = {{"https_proxy", proxy}, {"http_proxy", proxy}, {"no_proxy", exempt}, {"THE_KEY", key}};
  auto endpoint = ResolveEndpoint("m", settings, environment);
  if (!endpoint) {
    fuzz::RequireGood(endpoint.error());
    if (key.size() >= 16 && IsValidUtf8(key) && settings.base_url.find(key) == std::string::npos && proxy.find(key) == std::string::npos)
      REQUIRE(endpoint.error().message.find(key) == std::string::npos, "the key is in a message");
    return 0;
  }
  RequireAddress(endpoint->url);
  REQUIRE(!endpoint->url.ends_with('/'), endpoint->url);
  const std::string host = Split(endpoint->url).host;
  if (endpoint->url.starts_with("http://"))
    REQUIRE(host == "[::1]" || host.starts_with("127.") || (host.size() >= 9 && (fuzz::Lower(host) == "localhost" || fuzz::Lower(host).ends_with(".localhost"))), endpoint->url);
  if (!endpoint->proxy.empty()) {
    REQUIRE(endpoint->proxy.starts_with("http://"), endpoint->proxy);
    RequireAddress(endpoint->proxy);
  }
  // A key is one word of a header.
  REQUIRE(endpoint->key.find_first_of(" \t\r\n") == std::string::npos && IsValidUtf8(endpoint->key) && fuzz::IsVisible(endpoint->key), "a key that breaks a header");
  REQUIRE(key.empty() == endpoint->key.empty(), "a key came from nowhere, or is gone");
  return 0;
}
