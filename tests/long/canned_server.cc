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

// Requests of one connection until it is closed.
void Serve(int connection) {
  const std::string look = Answer("read_file", Json{{"path", "README.md"}});
  const std::string report = Answer("report", Json{{"summary", "It is a thing."},
                                                   {"findings", Json::array({Json{{"title", "It is a thing"}, {"evidence", Json::array({Json{{"path", "README.md"}, {"line_start", 1}, {"line_end", 1}, {"quote", "# Thing"}}})}}})}});
  std::string text;
  char chunk[65536];
  for (ssize_t n; (n = read(connection, chunk, sizeof chunk)) > 0;) {
    text.append(chunk, static_cast<size_t>(n));
    for (size_t head; (head = text.find("\r\n\r\n")) != std::string::npos;) {
      const size_t length = text.find("Content-Length: ");
      const size_t whole = head + 4 + (length < head ? std::stoul(text.substr(length + 16)) : 0);
      if (text.size() < whole) break;
      const std::string& body = text.find("\"role\":\"tool\"") < whole ? report : look;
      const std::string answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
      if (write(connection, answer.data(), answer.size()) < 0) return;
      text.erase(0, whole);
    }
  }
}

}  // namespace

Result<CannedServer> CannedServer::Start() {
  UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) < 0 || listen(listener.get(), 16) < 0 ||
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
      std::thread([own = std::move(connection)] { Serve(own.get()); }).detach();
}

CannedServer::~CannedServer() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace paddock
