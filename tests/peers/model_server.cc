#include "tests/peers/model_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "base/unique_fd.h"

namespace paddock::peers {

ModelServer::ModelServer() {
  const char* port = getenv(kPortVariable);
  if (!port) ADD_FAILURE() << "no model server: see tests/peers/main.cc";
  else port_ = port;
}

Json ModelServer::Call(const std::string& path, const std::string& body) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(atoi(port_.c_str())));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    for (size_t sent = 0; sent < request.size();) {
      ssize_t n = write(fd.get(), request.data() + sent, request.size() - sent);
      if (n <= 0) break;
      sent += static_cast<size_t>(n);
    }
    char chunk[65536];
    for (ssize_t n; (n = read(fd.get(), chunk, sizeof chunk)) > 0;) answer.append(chunk, static_cast<size_t>(n));
  }
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << path << ": " << answer;
  // Node sends a body of known length in one piece, or in chunks: the JSON is between its first and last bracket.
  const size_t begin = answer.find_first_of("[{", answer.find("\r\n\r\n")), end = answer.find_last_of("]}");
  if (begin == std::string::npos) return nullptr;
  auto json = ParseJson(std::string_view(answer).substr(begin, end - begin + 1), {.max_bytes = 64u << 20, .max_values = 4'000'000});
  EXPECT_TRUE(json) << answer.substr(0, 2000);
  return json ? *json : Json(nullptr);
}

void ModelServer::Use(const std::string& fixtures, int chunk_size) {
  Call("/fixtures", "{\"chunkSize\": " + std::to_string(chunk_size) + ", \"fixtures\": " + fixtures + "}");
}
Json ModelServer::Asked() { return Call("/asked", ""); }
Json ModelServer::Tls() { return Call("/tls", ""); }
Json ModelServer::Proxy() { return Call("/proxy", ""); }
void ModelServer::BeginLongRun(const Json& setup) { Call("/long", DumpJson(setup)); }
Json ModelServer::LongRunFacts() { return Call("/long/facts", ""); }
Json ModelServer::Connected() { return Call("/connected", ""); }

}  // namespace paddock::peers
