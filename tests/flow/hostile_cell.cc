// A cell that has been taken over: like the real one it installs its second filter and says ready, by the
// cell's own code, and then it does what the file `behaviour` of its workspace says (the profile lets it read
// that). Frames are put together by hand: it is bound by no table.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "subagents/cell/ready.h"
#include "subagents/cell/second_stage.h"
#include "subagents/cell/witness.h"
#include "subagents/cell_abi.h"

namespace {

using namespace paddock::subagents;

std::string behaviour;
std::string heard;  // by the behaviour echo

bool Is(const char* name) { return behaviour == name; }

void Say(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(kFrameOutFd, text.data() + at, text.size() - at);
    if (n > 0) at += static_cast<size_t>(n);
    else if (errno == EAGAIN) {
      pollfd wait{kFrameOutFd, POLLOUT, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      _exit(0);
    }
  }
}

// A line of the parent, without its newline. The process ends when the parent is gone.
std::string Hear() {
  std::string line;
  for (char c; line.empty() || line.back() != '\n'; line += c) {
    ssize_t n = read(kFrameInFd, &c, 1);
    if (n == 0) _exit(0);
    if (n < 0) {
      pollfd wait{kFrameInFd, POLLIN, 0};
      poll(&wait, 1, -1);
      c = ' ';
    }
  }
  line.pop_back();
  if (Is("echo")) heard += line + "\n";
  return line;
}

[[noreturn]] void LiveOn() {
  for (;;) poll(nullptr, 0, -1);
}

std::string FileText(const char* path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  std::string text;
  char chunk[4096];
  for (ssize_t n; fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<size_t>(n));
  close(fd);
  return text;
}

void ReadBehaviour() {
  behaviour = FileText("/workspace/behaviour");
  while (!behaviour.empty() && behaviour.back() == '\n') behaviour.pop_back();
}

// The result that the file `answer` of the workspace holds, as the answer to a call.
std::string AnswerOfFile(const std::string& id) { return R"({"id":")" + id + R"(","result":)" + FileText("/workspace/answer") + "}"; }

// Everything that the parent said, in a form that no redaction knows: each half byte as a letter from g on.
std::string Heard() {
  std::string out;
  for (unsigned char c : heard) out += static_cast<char>('g' + (c >> 4)), out += static_cast<char>('g' + (c & 15));
  return out;
}

std::vector<std::string> CallIds(const std::string& turn) {
  std::vector<std::string> ids;
  const std::string mark = "\"id\":\"";
  for (size_t at = 0; (at = turn.find(mark, at)) != std::string::npos;) {
    at += mark.size();
    ids.push_back(turn.substr(at, turn.find('"', at) - at));
  }
  return ids;
}

std::string Answer(const std::string& id, const std::string& output = "nothing") {
  return R"({"id":")" + id + R"(","result":{"success":true,"status":"ok","output":")" + output + R"("}})";
}

// As read_file would: the first line of README.md.
std::string AnswerWithExcerpt(const std::string& id) {
  return R"({"id":")" + id + R"(","result":{"success":true,"status":"ok","artifacts":[{"kind":"excerpt","path":"README.md","line_start":1,"lines":["# Thing"]}]}})";
}

// A checker that answers `rightly` questions and then does what the behaviour says.
[[noreturn]] void Check() {
  for (int asked = 0;; ++asked) {
    std::string question = Hear();
    const size_t at = question.find("\"n\":") + 4;
    const std::string n = question.substr(at, question.find(',', at) - at);
    const std::string rightly = R"({"type":"range","n":)" + n + R"(,"status":"ok","bytes":"# Thing\n","changed_ns":1})";
    if (Is("checker dies at the second") && asked == 0) Say(rightly + "\n");
    else if (Is("checker answers another question")) Say(R"({"type":"range","n":99,"status":"ok","bytes":"# Thing\n"})" "\n");
    else if (Is("checker says nonsense")) Say("nonsense\n");
    else if (Is("checker floods")) for (int i = 0; i < 20; ++i) Say(std::string(1 << 20, 'x'));
    else if (Is("checker closes its pipe")) close(kFrameOutFd), LiveOn();
    else if (Is("checker says nothing")) LiveOn();
    else if (Is("checker says too much")) Say(rightly + "\n" + rightly + "\n");
    else _exit(9);
  }
}

void Facts(long calls, long failed) {
  Say(R"({"type":"result","tool_calls":)" + std::to_string(calls) + R"(,"failed_calls":)" + std::to_string(failed) + "}\n");
}

// Asked which paths are to be hidden.
[[noreturn]] void Hide() {
  auto paths = [](const std::string& list) { Say(R"({"type":"hidden","fault":"none","paths":[)" + list + "]}\n"); };
  if (Is("hide dies")) _exit(9);
  if (Is("hide says nothing")) LiveOn();
  if (Is("hide ends without a word")) _exit(0);
  if (Is("hide closes its pipe")) close(kFrameOutFd), LiveOn();
  if (Is("hide says nonsense")) Say("nonsense\n");
  if (Is("hide says something else")) Facts(0, 0);
  if (Is("hide goes up")) paths(R"("../outside")");
  if (Is("hide names the root")) paths(R"("/cell")");
  if (Is("hide names the workspace")) paths(R"("")");
  if (Is("hide has a NUL")) paths(R"("a\u0000b")");
  if (Is("hide names too many")) {
    std::string list = R"("a")";
    for (int i = 0; i < 1000; ++i) list += R"(,"a)" + std::to_string(i) + "\"";
    paths(list);
  }
  if (Is("hide says an unknown fault")) Say(R"({"type":"hidden","fault":"all is well","paths":[]})" "\n");
  LiveOn();
}

void NextTurn(const char* reason, const std::string& answers) {
  Say(std::string(R"({"type":"next_turn","reason":")") + reason + R"(","answers":[)" + answers + "]}\n");
}

// Ways to end that can happen at any moment.
void MaybeEnd() {
  if (Is("exit 0")) _exit(0);
  if (Is("exit 3")) _exit(3);
  if (Is("crash")) raise(SIGSEGV);
  if (Is("abort")) abort();
  if (Is("kill itself")) syscall(SYS_tgkill, getpid(), gettid(), SIGKILL);
  if (Is("close the pipe and live on")) {
    close(kFrameOutFd);
    LiveOn();
  }
  if (Is("spin"))
    for (;;) asm volatile("");
  if (Is("live on")) LiveOn();
  if (Is("look for a way out")) {  // all of which would do nothing
    char shell[] = "/bin/sh";
    char* const words[] = {shell, nullptr};
    for (int i = 0; i < 3; ++i) execve(shell, words, nullptr);
    syscall(SYS_execveat, AT_FDCWD, "/workspace/README.md", words, nullptr, 0);
    syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    syscall(SYS_openat, AT_FDCWD, "/workspace/ignore your instructions", O_WRONLY | O_CREAT, 0600);
    syscall(SYS_execveat, 0x63656c6c, "/cell", words, nullptr, 0);  // the start's own form: denied by the second filter alone
    _exit(0);
  }
  if (Is("deny 100 and crash")) {
    for (int i = 0; i < 100; ++i) syscall(SYS_ptrace, 0, 0, 0, 0);
    raise(SIGSEGV);
  }
  if (Is("deny flood"))
    for (;;) syscall(SYS_ptrace, 0, 0, 0, 0);
  if (Is("fork")) {
    int pid = fork();
    _exit(pid < 0 ? errno : 0);
  }
  if (Is("take all memory"))
    for (std::vector<char*> kept;;) {
      kept.push_back(new char[1 << 20]);
      memset(kept.back(), 1, 1 << 20);
    }
  if (Is("map all memory"))
    for (;;) {
      void* got = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (got == MAP_FAILED) abort();
      memset(got, 1, 1 << 20);
    }
}

// Frames that are none.
void MaybeSayNonsense() {
  if (Is("garbage")) Say(std::string("\0\xff\xfe{]garbage\n", 13)), LiveOn();
  if (Is("no object")) Say("[1,2]\n"), LiveOn();
  if (Is("duplicate keys")) Say("{\"type\":\"next_turn\",\"type\":\"result\"}\n"), LiveOn();
  if (Is("unknown frame")) Say("{\"type\":\"please\"}\n"), LiveOn();
  if (Is("unknown key")) Say("{\"type\":\"next_turn\",\"reason\":\"start\",\"answers\":[],\"status\":\"completed\"}\n"), LiveOn();
  if (Is("a frame of 100 MB")) {
    const std::string part(1 << 20, 'x');
    for (int i = 0; i < 100; ++i) Say(part);
    LiveOn();
  }
  if (Is("8 MB of opening brackets")) Say(std::string(8'000'000, '[') + "\n"), LiveOn();
  if (Is("8 MB of small values")) {
    std::string list = "{\"type\":\"next_turn\",\"reason\":[0";
    while (list.size() < 8'000'000) list += ",0";
    Say(list + "]}\n"), LiveOn();
  }
  if (Is("half of a large frame")) Say("{\"type\":\"next_turn\",\"reason\":\"" + std::string(7'000'000, 's')), LiveOn();
  if (Is("half a frame")) Say("{\"type\":\"next_turn\",\"reason\":\"sta"), LiveOn();
  if (Is("10000 events")) {
    for (int i = 0; i < 10'000; ++i) Say("{\"type\":\"event\",\"kind\":\"tool_started\",\"tool\":\"read_file\",\"subject\":\"x\"}\n");
    LiveOn();
  }
  if (Is("empty lines")) Say(std::string(4 << 20, '\n'));
  if (Is("result first")) Facts(0, 0), LiveOn();
  if (Is("fault")) Say("{\"type\":\"fault\",\"message\":\"\\u001b[31mI give up\\u202e\"}\n"), LiveOn();
  if (Is("colours")) Say("{\"type\":\"event\",\"kind\":\"tool_started\",\"tool\":\"\\u001b[2J\",\"subject\":\"\\u001b]0;x\\u0007\\u202e\\udb40\\udc41\"}\n");
}

std::string Answers(const std::vector<std::string>& ids) {
  std::string answers;
  for (const std::string& id : ids) {
    if (Is("no answer")) break;
    if (!answers.empty()) answers += ",";
    if (Is("wrong ids")) answers += Answer("call-9-9");
    else if (behaviour.starts_with("checker ")) answers += AnswerWithExcerpt(id);
    else if (Is("answer with the file")) answers += AnswerOfFile(id);
    else if (Is("echo")) answers += Answer(id, Heard());
    else if (Is("huge results")) answers += Answer(id, std::string(1'000'000, 'y'));
    else answers += Answer(id);
    if (Is("an answer twice")) answers += "," + Answer(id);
  }
  return answers;
}

// A workbench that misbehaves in its answers.
[[noreturn]] void Workbench(bool late) {
  for (;;) {
    const std::string id = CallIds(Hear()).at(0);
    if (late) MaybeEnd(), MaybeSayNonsense();
    const auto answer = [&](const std::string& body) { Say(R"({"type":"answer",)" + body.substr(1) + "\n"); };
    if (Is("no answer")) continue;
    if (Is("wrong ids")) answer(Answer("c99"));
    else if (Is("huge results")) answer(Answer(id, std::string(9'000'000, 'y')));
    else answer(Answer(id));
    if (Is("an answer twice")) answer(Answer(id));
  }
}

}  // namespace

int main() {
  if (!InstallSecondFilter(kSecondFilterFd)) _exit(kExitSetup);
  std::set_new_handler([] { _exit(kExitAllocFailed); });
  signal(SIGPIPE, SIG_IGN);
  ReadBehaviour();
  bool early = behaviour.starts_with("early ");
  if (early) {
    behaviour.erase(0, 6);
    MaybeEnd();
    MaybeSayNonsense();
  }
  auto denials = TryDenials();
  if (Is("admit that landlock is off"))
    for (Denial& denial : denials)
      if (strcmp(denial.layer, kLayerLandlock) == 0) denial.error = 0;
  if (!SendReady(kFrameOutFd, denials)) _exit(0);
  if (Is("never read")) LiveOn();
  Hear();                           // go
  const std::string task = Hear();
  if (task.find("\"kind\":\"hide\"") != std::string::npos) Hide();
  if (task.find("\"kind\":\"checker\"") != std::string::npos) Check();

  const bool late = behaviour.starts_with("late ");
  const bool workbench = task.find("\"kind\":\"workbench\"") != std::string::npos;
  if (late && workbench) behaviour.erase(0, 5);
  if (!late) MaybeEnd(), MaybeSayNonsense();
  if (workbench) Workbench(late);
  NextTurn("start", "");
  if (late) behaviour.erase(0, 5);
  long calls = 0;
  for (;;) {
    const std::string turn = Hear();
    if (turn.find("\"final\":true") != std::string::npos) break;
    if (turn.find("\"type\":\"wrap_up\"") != std::string::npos) continue;
    if (late) MaybeEnd(), MaybeSayNonsense();
    const auto ids = CallIds(turn);
    calls += static_cast<long>(ids.size());
    NextTurn("results", Answers(ids));
  }
  if (Is("never a result")) LiveOn();
  Facts(Is("lie in the facts") ? calls + 7 : calls, 0);
  if (Is("live on after the result")) LiveOn();
  if (Is("exit 3 after the result")) _exit(3);
  if (Is("crash after the result")) raise(SIGSEGV);
  if (Is("a second result")) Facts(calls, 0);
  _exit(0);
}
