#include "agentcore/pipeline/secret_name.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxWords = 16;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

template <size_t N>
bool IsOneOf(std::string_view word, const std::string_view (&list)[N]) {
  for (std::string_view one : list)
    if (word == one) return true;
  return false;
}

// A name that ends in one of these is about a secret, and not one.
constexpr std::string_view kAbout[] = {
    "name", "names", "id", "ids", "type", "types", "kind", "count", "counts", "size", "sizes", "len", "length", "limit", "limits", "url", "urls", "uri", "endpoint", "path",
    "paths", "file", "files", "filename", "dir", "folder", "prefix", "suffix", "format", "pattern", "regex", "re", "ref", "label", "placeholder", "hint", "help", "text", "message",
    "msg", "error", "errors", "title", "description", "desc", "expiry", "expires", "expiration", "ttl", "timeout", "age", "version", "algorithm", "algorithms", "alg", "hash", "digest",
    "checksum", "sha", "fingerprint", "thumbprint", "policy", "rule", "rules", "strength", "min", "max", "index", "field", "fields", "column", "header", "headers", "param", "parameter",
    "provider", "manager", "service", "class", "usage", "budget", "required", "enabled", "disabled", "valid", "input", "form", "reset", "rotation", "source", "host", "port",
    "username", "user", "users", "email", "is", "has", "list", "map", "set", "at", "in", "on", "arn", "validator", "generator", "factory", "handler", "callback", "mode", "scope", "scopes",
    "role", "state", "status", "bytes", "bits", "created", "updated", "used", "window", "cost", "price", "rate", "number", "num", "start", "end", "position", "offset", "location", "range",
    "item", "entry", "link", "button", "page", "dialog", "view", "model", "schema", "store", "pairs", "pair", "selector", "board", "words", "word", "frame", "frames", "press", "up", "down",
    "pub", "domain", "group", "table", "row", "tags", "tag", "attr", "again", "confirm", "confirmation", "tests", "test", "rev", "commit", "etag", "nonce", "method", "methods", "server", "realm"};
// Keys that are none of a lock.
constexpr std::string_view kOtherKeys[] = {"public", "publishable", "pub", "primary", "foreign", "cache", "partition", "sort", "row", "hash", "group", "unique", "composite", "natural",
                                           "index", "map", "dict", "object", "translation", "locale", "hot", "arrow", "ordering", "host", "routing", "lookup", "idempotency", "dedup", "json", "yaml", "config", "react", "data", "item", "parent", "child", "issue", "project", "title"};
// Tokens that say where to go on, or that a request is the same one.
constexpr std::string_view kPlaceTokens[] = {"next", "page", "continuation", "change", "pagination", "cursor", "sync", "starting", "resume", "idempotency"};
constexpr std::string_view kPasswords[] = {"password", "passwd", "passwort", "pwd", "passphrase", "passcode", "psw", "passwords", "pass", "pw"};
constexpr std::string_view kGlued[] = {"dbpass", "userpass", "mypass", "rootpass", "smtppass", "mailpass", "adminpass", "keypass", "storepass", "sshpass", "pgpass", "ftppass"};
constexpr std::string_view kStrongs[] = {"secret", "secrets", "token", "apikey", "credential", "credentials", "accesskey", "secretkey", "privatekey", "accountkey", "authkey", "authtoken", "accesstoken",
                                         "refreshtoken", "clientsecret", "bearer", "jwt", "pat", "sas", "apitoken", "sharedkey", "masterkey", "signingkey", "encryptionkey", "appsecret"};
// With "key" after them.
constexpr std::string_view kLocks[] = {"api", "access", "secret", "private", "auth", "account", "signing", "encryption", "master", "client", "license", "service", "storage", "sdk", "user", "shared",
                                       "write", "admin", "deploy", "webhook", "app", "application", "subscription", "hmac", "aes", "crypt", "server", "ingest", "integration", "security", "authorization", "session", "cookie", "jwt"};

}  // namespace

std::vector<std::string> WordsOfName(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  auto close = [&] {
    if (!word.empty() && words.size() < kMaxWords) words.push_back(word);
    word.clear();
  };
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (!IsLetter(c)) {
      close();
      continue;
    }
    bool hump = IsUpper(c) && i > 0 && ((IsLetter(name[i - 1]) && !IsUpper(name[i - 1])) ||
                                        (IsUpper(name[i - 1]) && i + 1 < name.size() && IsLetter(name[i + 1]) && !IsUpper(name[i + 1])));
    if (hump) close();
    word += static_cast<char>(c | 0x20);
  }
  close();
  return words;
}

NameClass ClassifyName(std::string_view name) {
  std::vector<std::string> words = WordsOfName(name);
  if (words.empty()) return NameClass::kNone;
  auto word = [&](size_t from_end) { return from_end < words.size() ? std::string_view(words[words.size() - 1 - from_end]) : std::string_view(); };
  if (word(0) == "id" && ((word(1) == "key" && word(2) == "private") || word(1) == "secret")) return NameClass::kStrong;
  if (IsOneOf(word(0), kAbout)) return NameClass::kNone;
  for (const std::string& one : words)
    if (one == "public" || one == "publishable" || one == "pubkey" || one == "publickey") return NameClass::kNone;
  if (word(0) == "token" && (IsOneOf(word(1), kPlaceTokens) || (word(1) == "request" && word(2) == "client"))) return NameClass::kNone;
  for (const std::string& one : words)
    if (IsOneOf(one, kPasswords) || IsOneOf(one, kGlued) || one.ends_with("password") || one.ends_with("passwd") || one.ends_with("passphrase") || (one.size() > 4 && one.ends_with("pwd"))) {
      bool only_last = one == "pass" || one == "pw" || one == "pat";
      if (!only_last || one == word(0)) return NameClass::kPassword;
    }
  for (const std::string& one : words)
    if (IsOneOf(one, kStrongs) || (one.size() > 8 && (one.ends_with("secret") || one.ends_with("token") || one.ends_with("apikey") || one.ends_with("secretkey") || one.ends_with("accesskey")))) {
      if ((one == "pat" || one == "sas") && one != word(0)) continue;
      return NameClass::kStrong;
    }
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "key") continue;
    if (i > 0 && IsOneOf(words[i - 1], kLocks)) return NameClass::kStrong;
    if (i > 0 && IsOneOf(words[i - 1], kOtherKeys)) return NameClass::kNone;
    // DEEPSEEK_KEY, as environments call them
    if (i > 0 && i + 1 == words.size() && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos) return NameClass::kStrong;
    return NameClass::kWeak;
  }
  if (word(0) == "auth" || word(0) == "cred" || word(0) == "creds") return NameClass::kWeak;
  return NameClass::kNone;
}

}  // namespace paddock::agentcore
