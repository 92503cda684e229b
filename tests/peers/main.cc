// Starts the model's server, then the tests as another process beside it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/peers/model_server.h"

namespace {

// Folder with node_modules: beside that of the programs.
std::string PeersFolder() { return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "peers"; }

bool OnlyLists(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with("--gtest_list_tests")) return true;
  return false;
}

// Its port, and the pipe that ends it when it is closed.
std::string StartServer(int* keep) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) return "";
  const std::string folder = PeersFolder(), script = folder + "/model_server.mjs";
  // A node of its own is there where the machine's is too old.
  const std::string path = folder + "/node_modules/.bin:" + (getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("PATH", path.c_str(), 1);
    dup2(in[0], 0);
    dup2(out[1], 1);
    if (chdir(folder.c_str()) == 0) execlp("node", "node", script.c_str(), nullptr);
    std::perror(("node, in " + folder).c_str());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  *keep = in[1];
  std::string port;
  for (char c; read(out[0], &c, 1) == 1 && c != '\n';) port += c;
  return port;
}

}  // namespace

int main(int argc, char** argv) {
  if (!OnlyLists(argc, argv)) {
    int keep = -1;
    const std::string port = StartServer(&keep);
    if (port.empty()) std::fprintf(stderr, "the model's server did not start: ./check installs what it needs\n");
    const pid_t tests = fork();
    if (tests != 0) {
      int status = 1;
      waitpid(tests, &status, 0);
      close(keep);
      while (wait(nullptr) > 0) {
      }
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    close(keep);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!port.empty()) setenv(paddock::peers::kPortVariable, port.c_str(), 1);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
