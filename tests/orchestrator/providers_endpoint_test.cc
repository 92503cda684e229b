#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "orchestrator/providers/endpoint.h"
#include "orchestrator/providers/server_fault.h"

namespace paddock::orchestrator {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

// Made of parts: nothing that looks like a key stands in the sources.
const std::string kKey = std::string("key-") + "for-tests-0123456789";

ModelSettings Settings(std::string url = "https://api.example.com/v1/") {
  ModelSettings settings;
  settings.base_url = std::move(url);
  settings.model = "m";
  return settings;
}

TEST(Endpoint, AddressesThatAreTaken) {
  for (const char* url : {"https://api.example.com/v1", "https://api.example.com:8443/v1/", "http://127.0.0.1:11434/v1", "http://localhost/v1"})
    EXPECT_TRUE(ResolveEndpoint("m", Settings(url), {})) << url;
  EXPECT_EQ(ResolveEndpoint("m", Settings(), {})->url, "https://api.example.com/v1");
}

TEST(Endpoint, AddressesThatAreRefusedSayWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"ftp://x/v1", "http:// or https://"}, {"api.example.com", "http:// or https://"}, {"https:///v1", "host"}, {"https://user:pw@host/v1", "key_env"}, {"http://[::1]:8080/v1", "localhost"},
      {"https://host/v1?key=1", "no query"}, {"https://host/v1#x", "no query"}, {"https://ho st/v1", "percent-encoded"}, {"https://host\n/v1", "percent-encoded"},
      {"https://host:99999/v1", "port"}, {"https://host:x/v1", "port"}, {"https://[::1/v1", "]"}, {"https://host/v1/chat/completions", "/chat/completions"},
      {"http://example.com/v1", "http to another machine"}, {"http://127.0.0.1.example.com/v1", "http to another machine"}, {"http://localhost.example.com/v1", "another machine"}};
  for (const auto& [url, why] : cases) {
    auto endpoint = ResolveEndpoint("m", Settings(url), {});
    ASSERT_FALSE(endpoint) << url;
    EXPECT_EQ(endpoint.error().message.find("user:pw"), std::string::npos) << endpoint.error().message;
    EXPECT_THAT(endpoint.error().message + endpoint.error().hint, HasSubstr(why)) << url;
  }
  ModelSettings plain = Settings("http://10.0.0.5:8000/v1");
  plain.allow_plain_http = true;
  EXPECT_TRUE(ResolveEndpoint("m", plain, {}));
}

// What follows the first colon was a part of the name: "evil.example:1.localhost" passed for this machine.
TEST(Endpoint, AHostHasNoLettersThatNoHostHas) {
  for (const char* url : {"http://evil.example:1.localhost:80/v1", "http://evil.example%2f.localhost/v1", "https://h:80:90/v1", "https://[evil.localhost]/v1", "https://a;b/v1"}) {
    auto endpoint = ResolveEndpoint("m", Settings(url), {});
    ASSERT_FALSE(endpoint) << url;
    EXPECT_THAT(endpoint.error().message, HasSubstr("the host has a letter")) << url;
  }
  EXPECT_FALSE(ProxyFor("https://api.example.com/v1", {{"https_proxy", "http://p;x:80"}}));
}

TEST(Endpoint, TheKeyComesFromTheEnvironmentOrAFileAndIsNeverShown) {
  ModelSettings settings = Settings();
  settings.key_env = "MY_KEY";
  EXPECT_EQ(ResolveEndpoint("m", settings, {{"MY_KEY", kKey + "\n"}})->key, kKey);
  EXPECT_EQ(KeySource(settings), "$MY_KEY");
  EXPECT_THAT(ResolveEndpoint("m", settings, {}).error().message, HasSubstr("MY_KEY is not set"));
  for (const std::string& bad : {std::string(""), std::string("  "), kKey + " " + kKey, kKey + "\r\nX-Evil: 1", std::string("short"), kKey + "\xC3\xA9"}) {
    auto endpoint = ResolveEndpoint("m", settings, {{"MY_KEY", bad}});
    ASSERT_FALSE(endpoint) << bad;
    EXPECT_EQ(endpoint.error().message.find(kKey), std::string::npos);
  }
  // The key in the place of its name.
  for (std::string ModelSettings::*field : {&ModelSettings::key_env, &ModelSettings::key_file}) {
    ModelSettings wrong = Settings();
    wrong.*field = kKey;
    const Error error = ResolveEndpoint("m", wrong, {}).error();
    EXPECT_EQ((error.message + error.hint + KeySource(wrong)).find(kKey), std::string::npos) << error.message;
    EXPECT_THAT(error.hint, HasSubstr("the key itself"));
  }
  char folder[] = "/tmp/paddock-key-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const std::string path = std::string(folder) + "/key";
  std::ofstream(path) << kKey << "\n";
  chmod(path.c_str(), 0600);
  settings.key_env = "";
  settings.key_file = path;
  EXPECT_EQ(ResolveEndpoint("m", settings, {})->key, kKey);
  settings.key_file = "~/key";
  EXPECT_EQ(ResolveEndpoint("m", settings, {{"HOME", folder}})->key, kKey);
  for (const char* bad : {"key", "./key", "/nonexistent/key", "/dev/null", "/tmp", "~/key"}) {
    settings.key_file = bad;
    EXPECT_FALSE(ResolveEndpoint("m", settings, {})) << bad;
  }
  settings.key_file = path;
  for (mode_t mode : {0666, 0644, 0640, 0620}) {
    chmod(path.c_str(), mode);
    EXPECT_THAT(ResolveEndpoint("m", settings, {}).error().hint, HasSubstr("chmod 600 /")) << std::oct << mode;
  }
  settings.key_env = "MY_KEY";
  EXPECT_THAT(ResolveEndpoint("m", settings, {{"MY_KEY", kKey}}).error().message, HasSubstr("one of them"));
  unlink(path.c_str());
  rmdir(folder);
}

TEST(Endpoint, ProxiesAsTheEnvironmentSays) {
  const Environment all{{"HTTPS_PROXY", "http://secure:3128"}, {"http_proxy", "plain:3128/"}, {"NO_PROXY", "internal.example.com, .corp, 10.0.0.5:8000,*.lan"}};
  EXPECT_EQ(*ProxyFor("https://api.example.com/v1", all), "http://secure:3128");
  EXPECT_EQ(*ProxyFor("http://api.example.com/v1", all), "http://plain:3128");
  for (const char* url : {"https://internal.example.com", "https://a.internal.example.com", "https://x.corp/v1", "http://10.0.0.5:8000/v1", "https://host.lan", "http://127.0.0.1:1/v1", "http://localhost/v1"})
    EXPECT_EQ(*ProxyFor(url, all), "") << url;
  EXPECT_EQ(*ProxyFor("http://10.0.0.5:9/v1", all), "http://plain:3128");
  EXPECT_EQ(*ProxyFor("https://notinternal.example.com.org", all), "http://secure:3128");
  EXPECT_EQ(*ProxyFor("https://x", {{"ALL_PROXY", "http://all:1"}}), "http://all:1");
  EXPECT_EQ(*ProxyFor("http://x", {{"HTTP_PROXY", "http://cgi:1"}}), "");
  EXPECT_EQ(*ProxyFor("https://x", {{"HTTPS_PROXY", "http://p:1"}, {"no_proxy", "*"}}), "");
  EXPECT_THAT(ProxyFor("https://x", {{"HTTPS_PROXY", "http://me:hunter2pass@p:1"}}).error().message, testing::Not(HasSubstr("hunter2pass")));
  EXPECT_THAT(ProxyFor("https://x", {{"ALL_PROXY", "socks5://p:1"}}).error().message, HasSubstr("only http://"));
}

TEST(ServerFault, WhatIsAskedAgainAndWhatIsNot) {
  const auto fault = [](int status, const std::string& body, HttpHeaders headers = {}) { return FaultOfAnswer(status, headers, body, 1'000'000'000); };
  for (int status : {408, 409, 429, 500, 502, 503, 504, 529}) EXPECT_TRUE(fault(status, "").retryable) << status;
  for (int status : {301, 400, 401, 403, 404, 422}) EXPECT_FALSE(fault(status, "").retryable) << status;
  EXPECT_FALSE(fault(429, R"({"error":{"message":"m","code":"insufficient_quota"}})").retryable);
  EXPECT_FALSE(fault(500, R"({"error":{"message":"This model's maximum context length is 8192 tokens"}})").retryable);
  EXPECT_EQ(fault(400, R"({"error":{"message":"m","code":"context_length_exceeded"}})").error.kind, ErrorKind::kLimit);
  EXPECT_FALSE(fault(503, "", {{"x-should-retry", "false"}}).retryable);
  EXPECT_TRUE(fault(400, "", {{"x-should-retry", "true"}}).retryable);
  EXPECT_EQ(fault(401, "").error.kind, ErrorKind::kDenied);
  EXPECT_THAT(fault(302, "", {{"location", "https://elsewhere/"}}).error.message, HasSubstr("elsewhere"));
}

TEST(ServerFault, AllShapesOfBodies) {
  const auto message = [](const std::string& body) { return FaultOfAnswer(400, {}, body, 0).error.message; };
  EXPECT_EQ(message(R"({"error":{"message":"no such field","type":"invalid_request_error","param":"x","code":null}})"),
            "the model's server answered 400 (invalid_request_error): no such field");
  EXPECT_EQ(message(R"({"error":"plain"})"), "the model's server answered 400: plain");
  EXPECT_EQ(message(R"({"detail":"fast"})"), "the model's server answered 400: fast");
  EXPECT_EQ(message("just\ntext \x1b[31m"), "the model's server answered 400: just text \\u{1B}[31m");
  EXPECT_EQ(message("<!DOCTYPE html><html>big</html>"), "the model's server answered 400");
  EXPECT_EQ(message(""), "the model's server answered 400");
  EXPECT_EQ(message("\"text\""), "the model's server answered 400: text");
  EXPECT_EQ(message("[1]"), "the model's server answered 400");
  EXPECT_LE(message(std::string(100'000, 'x')).size(), 600u);
}

TEST(ServerFault, ARedirectWithMuchToSayIsOneBoundedLine) {
  const std::string body = R"({"error":{"message":")" + std::string(900, 'm') + R"(","code":")" + std::string(90, 'c') + "\"}}";
  const std::string message = FaultOfAnswer(301, {{"location", "https://other.example/" + std::string(300, 'p')}}, body, 0).error.message;
  EXPECT_LE(message.size(), 600u);
  EXPECT_THAT(message, HasSubstr("to https://other.example/"));
}

TEST(ServerFault, RetryAfterInAllItsForms) {
  const auto after = [](HttpHeaders headers) { return FaultOfAnswer(429, headers, "", 784111770).retry_after; };
  EXPECT_EQ(after({{"retry-after", "3"}}), 3000ms);
  EXPECT_EQ(after({{"retry-after", "0.5"}}), 500ms);
  EXPECT_EQ(after({{"retry-after-ms", "250"}, {"retry-after", "9"}}), 250ms);
  EXPECT_EQ(after({{"retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"}}), 7000ms);
  EXPECT_EQ(after({{"retry-after", "Sun, 06 Nov 1970 08:49:37 GMT"}}), 0ms);
  EXPECT_EQ(after({{"retry-after", "-4"}}), 0ms);
  for (const char* bad : {"soon", "", "1e999", "nan", "3 s"}) EXPECT_EQ(after({{"retry-after", bad}}), std::nullopt) << bad;
  EXPECT_LE(*after({{"retry-after", "1e30"}}), 7 * 24h);
}

}  // namespace
}  // namespace paddock::orchestrator
