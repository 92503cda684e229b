#include "orchestrator/providers/endpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "base/unique_fd.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxKeyBytes = 16'384;
constexpr const char* kProxyNames[] = {"HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"};
constexpr const char* kCertificateNames[] = {"SSL_CERT_FILE", "SSL_CERT_DIR"};

}  // namespace

std::string WithoutUserinfo(std::string url) {
  const size_t scheme = url.find("://"), begin = scheme == std::string::npos ? 0 : scheme + 3;
  const size_t at = url.rfind('@');
  if (at != std::string::npos && at >= begin) url.replace(begin, at - begin, "...");
  return url;
}

namespace {

struct UrlParts {
  bool secure = false;
  std::string host, port;  // host in lower case, an IPv6 address without brackets
};

Result<UrlParts> SplitUrl(const std::string& url) {
  const auto bad = [&](const std::string& why) { return Fail(ErrorKind::kInvalid, "\"" + VisibleText(TruncateUtf8(WithoutUserinfo(url), 128), Newlines::kEscape) + "\": " + why); };
  UrlParts parts;
  std::string_view rest = url;
  if (rest.starts_with("https://")) parts.secure = true, rest.remove_prefix(8);
  else if (rest.starts_with("http://")) rest.remove_prefix(7);
  else return bad("expected http:// or https://");
  if (std::any_of(url.begin(), url.end(), [](unsigned char c) { return c <= ' ' || c >= 0x7F || c == '"' || c == '\\' || c == '<' || c == '>'; }))
    return bad("spaces, controls and letters beyond ASCII must be percent-encoded");
  if (url.find_first_of("?#") != std::string::npos) return bad("expected no query and no fragment");
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (authority.find('@') != std::string_view::npos) return bad("a user and password have no place in it: use key_env or key_file");
  size_t colon = authority.rfind(':');
  if (authority.starts_with('[')) {
    const size_t close = authority.find(']');
    if (close == std::string_view::npos) return bad("expected ] after an IPv6 address");
    parts.host = authority.substr(1, close - 1);
    colon = close + 1 < authority.size() ? close + 1 : std::string_view::npos;
    if (colon != std::string_view::npos && authority[colon] != ':') return bad("expected host or host:port");
  } else {
    parts.host = authority.substr(0, colon);
  }
  if (colon != std::string_view::npos) {
    parts.port = authority.substr(colon + 1);
    const bool digits = !parts.port.empty() && parts.port.size() <= 5 && std::all_of(parts.port.begin(), parts.port.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || std::stoi(parts.port) < 1 || std::stoi(parts.port) > 65535) return bad("expected a port from 1 to 65535");
  }
  std::transform(parts.host.begin(), parts.host.end(), parts.host.begin(), [](unsigned char c) { return std::tolower(c); });
  if (parts.host.empty()) return bad("expected a host");
  // No more than this, so that nobody who reads it later sees another host in it.
  const char* letters = authority.starts_with('[') ? "0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789-._";
  if (parts.host.find_first_not_of(letters) != std::string::npos)
    return bad("the host has a letter that is in no name or address; an IPv6 address stands in brackets");
  return parts;
}

bool IsThisMachine(const std::string& host) {
  return host == "localhost" || host.ends_with(".localhost") || host == "::1" || (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

// As shells have it (POSIX, 3.231 Name).
bool IsVariableName(const std::string& name) {
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
}

Result<std::string> CheckKey(std::string key, const std::string& where) {
  const size_t end = key.find_last_not_of(" \t\r\n");
  key.resize(end == std::string::npos ? 0 : end + 1);
  key.erase(0, std::min(key.find_first_not_of(" \t\r\n"), key.size()));
  if (key.empty()) return Fail(ErrorKind::kInvalid, where + ": it is empty; expected a key");
  // RFC 9110, 5.5: what may stand in a header. The key itself is never printed.
  if (std::any_of(key.begin(), key.end(), [](unsigned char c) { return c <= ' ' || c >= 0x7F; }))
    return Fail(ErrorKind::kInvalid, where + ": expected one key of printable ASCII, without spaces or newlines in it");
  if (key.size() < 8) return Fail(ErrorKind::kInvalid, where + ": expected a key of at least 8 letters");
  return key;
}

Result<std::string> KeyOfFile(std::string path, const Environment& environment) {
  if (path.starts_with("~/")) {
    const auto home = environment.find("HOME");
    if (home == environment.end() || !home->second.starts_with('/')) return Fail(ErrorKind::kInvalid, "key_file " + path + ": HOME is not set", "write the whole path");
    path = home->second + path.substr(1);
  }
  const std::string shown = "key_file " + VisibleText(path, Newlines::kEscape);
  if (!path.starts_with('/') && path.find('/') == std::string::npos)
    return Fail(ErrorKind::kInvalid, "key_file: expected an absolute path, or one that begins with ~/", "the key itself doesn't belong there");
  if (!path.starts_with('/')) return Fail(ErrorKind::kInvalid, shown + ": expected an absolute path, or one that begins with ~/", "a relative one could be a file of the repository");
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return FailErrno(shown);
  struct stat info;
  if (fstat(fd.get(), &info) < 0) return FailErrno(shown);
  if (!S_ISREG(info.st_mode)) return Fail(ErrorKind::kInvalid, shown + ": not a regular file");
  // Somebody else's file (a secret that was mounted, say) may be read by whom its owner wants; ours by nobody else.
  if (info.st_uid == geteuid() && (info.st_mode & 077)) return Fail(ErrorKind::kInvalid, shown + ": others may read or write it", "chmod 600 " + shown.substr(9));
  if (info.st_mode & 022) return Fail(ErrorKind::kInvalid, shown + ": others than its owner may write it", "ask its owner to chmod go-w it");
  std::string text(kMaxKeyBytes + 1, '\0');
  const ssize_t n = read(fd.get(), text.data(), text.size());
  if (n < 0) return FailErrno(shown);
  if (static_cast<size_t>(n) > kMaxKeyBytes) return Fail(ErrorKind::kInvalid, shown + ": more than 16 KiB; expected a key and nothing else");
  text.resize(static_cast<size_t>(n));
  return CheckKey(std::move(text), shown);
}

std::string Value(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (auto found = environment.find(name); found != environment.end() && !found->second.empty()) return found->second;
  return "";
}

// NO_PROXY: names and their subdomains, host:port, *, separated by commas.
bool IsExempt(const UrlParts& url, const std::string& list) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    std::string one = list.substr(begin, end - begin);
    begin = end + 1;
    one.erase(0, std::min(one.find_first_not_of(" ."), one.size()));
    one.resize(one.find_last_not_of(' ') == std::string::npos ? 0 : one.find_last_not_of(' ') + 1);
    std::transform(one.begin(), one.end(), one.begin(), [](unsigned char c) { return std::tolower(c); });
    if (one.starts_with("*.")) one.erase(0, 2);
    if (one == "*") return true;
    if (!url.port.empty() && one.ends_with(":" + url.port)) one.resize(one.size() - url.port.size() - 1);
    if (one.empty()) continue;
    if (url.host == one || url.host.ends_with("." + one)) return true;
  }
  return false;
}

}  // namespace

Environment ModelEnvironment(const std::string& key_env) {
  Environment out;
  const auto take = [&](const char* name) {
    if (const char* value = getenv(name)) out[name] = value;
  };
  for (const char* name : kProxyNames) take(name);
  for (const char* name : kCertificateNames) take(name);
  take("HOME");
  if (!key_env.empty()) take(key_env.c_str());
  return out;
}

Environment HttpEnvironment(const Environment& environment) {
  Environment out;
  for (const char* name : kCertificateNames)
    if (auto found = environment.find(name); found != environment.end()) out[name] = found->second;
  return out;
}

Result<std::string> ProxyFor(const std::string& url, const Environment& environment) {
  const UrlParts parts = TRY(SplitUrl(url));
  if (IsThisMachine(parts.host) || IsExempt(parts, Value(environment, {"NO_PROXY", "no_proxy"}))) return "";
  std::string proxy = parts.secure ? Value(environment, {"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"})
                                   : Value(environment, {"http_proxy", "ALL_PROXY", "all_proxy"});
  if (proxy.empty()) return "";
  if (proxy.find("://") == std::string::npos) proxy = "http://" + proxy;
  while (proxy.ends_with('/')) proxy.pop_back();
  if (!proxy.starts_with("http://"))
    return Fail(ErrorKind::kInvalid, "the proxy \"" + VisibleText(TruncateUtf8(WithoutUserinfo(proxy), 128), Newlines::kEscape) + "\" of your environment: only http:// proxies can be used", "set HTTPS_PROXY to an http:// proxy, or NO_PROXY to reach the server without one");
  if (auto ok = SplitUrl(proxy); !ok) return Fail(ErrorKind::kInvalid, "the proxy of your environment: " + ok.error().message, "set HTTPS_PROXY to http://host:port");
  return proxy;
}

Result<Endpoint> ResolveEndpoint(const std::string& name, const ModelSettings& settings, const Environment& environment) {
  Endpoint endpoint;
  endpoint.name = name;
  endpoint.settings = settings;
  endpoint.url = settings.base_url;
  while (endpoint.url.ends_with('/')) endpoint.url.pop_back();
  const std::string who = "model " + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + ": ";
  auto url = SplitUrl(endpoint.url);
  if (!url) return Fail(ErrorKind::kInvalid, who + "base_url " + url.error().message, "for example http://127.0.0.1:11434/v1");
  for (ModelProtocol protocol : {ModelProtocol::kChat, ModelProtocol::kResponses, ModelProtocol::kMessages})
    if (const std::string path = ProtocolPath(protocol); endpoint.url.ends_with(path))
      return Fail(ErrorKind::kInvalid, who + "base_url ends in " + path, std::string("leave that out: it is added") + (protocol == settings.protocol ? "" : ", with \"protocol\": \"" + std::string(NameOf(protocol)) + "\""));
  // cpprestsdk takes the brackets for a part of the name.
  if (url->host.find(':') != std::string::npos)
    return Fail(ErrorKind::kInvalid, who + "base_url: an IPv6 address can't be used as it is", url->host == "::1" ? "write localhost" : "give it a name in /etc/hosts, and use that");
  if (!url->secure && !IsThisMachine(url->host) && !settings.allow_plain_http)
    return Fail(ErrorKind::kInvalid, who + "base_url is http to another machine: whoever is on the way would read the repository" + (settings.key_env.empty() && settings.key_file.empty() ? "" : " and the key"),
                "use https, or set \"allow_plain_http\": true for a network that you trust");
  if (!settings.key_env.empty() && !settings.key_file.empty()) return Fail(ErrorKind::kInvalid, who + "key_env and key_file: expected one of them");
  if (!settings.key_env.empty()) {
    // Not shown: it may be the key itself.
    if (!IsVariableName(settings.key_env)) return Fail(ErrorKind::kInvalid, who + "key_env: expected the name of an environment variable (letters, digits and _)", "the key itself doesn't belong there");
    auto found = environment.find(settings.key_env);
    if (found == environment.end())
      return Fail(ErrorKind::kNotFound, who + "the environment variable " + VisibleText(TruncateUtf8(settings.key_env, 64), Newlines::kEscape) + " is not set", "key_env is the name of a variable that holds the key; export it, or use key_file");
    endpoint.key = TRY(CheckKey(found->second, who + "$" + settings.key_env));
  }
  if (!settings.key_file.empty()) endpoint.key = TRY(KeyOfFile(settings.key_file, environment));
  endpoint.proxy = TRY(ProxyFor(endpoint.url, environment));
  return endpoint;
}

const char* ProtocolPath(ModelProtocol protocol) {
  switch (protocol) {
    case ModelProtocol::kChat: break;
    case ModelProtocol::kResponses: return "/responses";
    case ModelProtocol::kMessages: return "/messages";
  }
  return "/chat/completions";
}

std::string KeySource(const ModelSettings& settings) {
  if (!settings.key_env.empty()) return IsVariableName(settings.key_env) ? "$" + settings.key_env : "(no name of a variable)";
  if (!settings.key_file.empty() && settings.key_file.find('/') == std::string::npos) return "(no path of a file)";
  return settings.key_file.empty() ? "none" : settings.key_file;
}

}  // namespace paddock::orchestrator
