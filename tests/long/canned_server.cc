#include "tests/long/canned_server.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/json.h"
#include "base/unique_fd.h"

namespace paddock {
namespace {

// A call of `tool` as a stream of chunks.
std::string Answer(const std::string& tool, const Json& arguments) {
  const auto event = [](const Json& delta, const Json& finish) {
    return "data: " + DumpJson(Json{{"choices", Json::array({Json{{"index", 0}, {"delta", delta}, {"finish_reason", finish}}})}}) + "\n\n";
  };
  const Json call = {{"index", 0}, {"id", "c1"}, {"function", Json{{"name", tool}, {"arguments", DumpJson(arguments)}}}};
  return event(Json{{"tool_calls", Json::array({call})}}, nullptr) + event(Json::object(), "tool_calls") +
         "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10}}\n\ndata: [DONE]\n\n";
}

Json Cited(const std::string& path, const std::string& quote) {
  return Json{{"title", "what " + path + " holds"}, {"evidence", Json::array({Json{{"path", path}, {"line_start", 1}, {"line_end", 1}, {"quote", quote}}})}};
}

// To the request with this body.
std::string AnswerTo(std::string_view body) {
  size_t results = 0;
  for (size_t at = 0; (at = body.find("\"role\":\"tool\"", at)) != std::string_view::npos; ++at) ++results;
  const bool five = body.find("\"model\":\"five\"") != std::string_view::npos;
  const auto part = [](size_t n) { return "src/part" + std::to_string(n) + ".c"; };
  if (results == 0) return Answer("read_file", Json{{"path", "README.md"}});
  if (five && results < 4) return Answer("read_file", Json{{"path", part(results)}});
  Json findings = Json::array({Cited("README.md", "# Thing")});
  if (five) findings.push_back(Cited(part(3), "int part3(void);"));
  return Answer("report", Json{{"summary", "It is a thing."}, {"findings", std::move(findings)}});
}

// Requests of one connection until it is closed.
void Serve(int connection, std::chrono::milliseconds latency) {
  std::string text;
  char chunk[65536];
  for (ssize_t n; (n = read(connection, chunk, sizeof chunk)) > 0;) {
    text.append(chunk, static_cast<size_t>(n));
    for (size_t head; (head = text.find("\r\n\r\n")) != std::string::npos;) {
      constexpr std::string_view kLength = "Content-Length:";  // a space may follow
      const size_t length = text.find(kLength);
      const size_t whole = head + 4 + (length < head ? std::stoul(text.substr(length + kLength.size())) : 0);
      if (text.size() < whole) break;
      const std::string_view request = std::string_view(text).substr(0, whole);
      if (request.find("\"model\":\"stalls\"") != std::string_view::npos) {
        while (read(connection, chunk, sizeof chunk) > 0) {
        }
        return;
      }
      const std::string body = AnswerTo(request);
      const std::string answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
      std::this_thread::sleep_for(latency);
      if (write(connection, answer.data(), answer.size()) < 0) return;
      text.erase(0, whole);
    }
  }
}

}  // namespace

Result<CannedServer> CannedServer::Start(std::chrono::milliseconds latency) {
  UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) < 0 || listen(listener.get(), 512) < 0 ||
      getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) < 0)
    return FailErrno("listen on 127.0.0.1");
  const pid_t pid = fork();
  if (pid < 0) return FailErrno("fork");
  if (pid > 0) return CannedServer(ntohs(address.sin_port), pid);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  for (;;)
    // Each by a thread: a client may open a second connection before it gives the first one back.
    if (UniqueFd connection(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)); connection)
      std::thread([own = std::move(connection), latency] { Serve(own.get(), latency); }).detach();
}

CannedServer::~CannedServer() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace paddock
