// paddock-http: speaks HTTP and TLS for paddock, so that no other command pays for loading them, and so that the
// libraries that read a server's bytes are in a process with nothing else in it. It is given one request after the
// other and decides nothing. It ends with its socket, or with its parent.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <mutex>
#include <thread>

#include "base/frame_pipe.h"
#include "base/memory.h"
#include "base/text.h"
#include "orchestrator/providers/http/client.h"
#include "subagents/frames.h"

namespace {

using namespace paddock;
using namespace paddock::orchestrator;

constexpr rlim_t kMaxMemory = rlim_t{512} << 20;  // address space: a server can send endless headers

void Confine() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);  // it holds a key
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit none{0, 0}, memory{kMaxMemory, kMaxMemory};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_AS, &memory);
  close_range(3, ~0u, 0);
  signal(SIGPIPE, SIG_IGN);
  (void)!chdir("/");
}

// While an exchange runs nobody reads the socket: so somebody must see that it was closed.
void EndWithSocket() {
  try {
    std::thread([] {
      pollfd wait{kHttpSocket, POLLRDHUP, 0};
      while (poll(&wait, 1, -1) < 0 || !(wait.revents & (POLLRDHUP | POLLHUP | POLLERR))) {
      }
      _exit(0);
    }).detach();
  } catch (const std::system_error&) {
    _exit(1);  // the machine has none for us: the parent says so
  }
}

// Also called by the thread that sends a request.
template <class Frame>
void Send(const char* type, const Frame& frame) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (!WriteFrame(kHttpSocket, subagents::EncodeFrame(type, frame), Deadline::Never())) _exit(0);
}

}  // namespace

int main() {
  KeepMemorySmall();
  Confine();
  // Started by hand, it has nobody to speak to.
  if (!SetNonBlocking(kHttpSocket) || isatty(kHttpSocket)) {
    constexpr char kText[] = "paddock-http is started by paddock, not by people\n";
    (void)!write(2, kText, sizeof kText - 1);
    return 2;
  }
  EndWithSocket();
  HttpClient client;
  FrameReader reader(kHttpSocket, subagents::kMaxFrameBytes);
  for (;;) {
    auto line = reader.Next(Deadline::Never());
    if (!line) return 0;
    auto raw = subagents::DecodeFrame(*line);
    auto request = raw ? FromJson<HttpRequestFrame>(raw->body) : std::unexpected(raw.error());
    if (!request) {
      Send("failed", HttpFailedFrame{HttpFailure::kInvalid, request.error().message});
      continue;
    }
    HttpClient::Sink sink;
    sink.sent = [] { Send("sent", HttpSentFrame{}); };
    sink.head = [](const HttpHeadFrame& head) { Send("head", head); };
    sink.data = [](std::string_view bytes) { Send("data", HttpDataFrame{WireFromBytes(bytes)}); };
    auto failed = client.Run(*request, sink);
    if (failed) Send("failed", *failed);
    else Send("end", HttpEndFrame{});
  }
}
