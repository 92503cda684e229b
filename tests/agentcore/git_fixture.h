// A git repository in a test's workspace, made by git itself with fixed names and dates.
#pragma once

#include <sys/wait.h>

#include "agentcore/tools/run_program.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {

class GitTest : public WorkspaceTest {
 protected:
  GitTest() {
    ::setenv("TMPDIR", outer_.c_str(), 1);
    Git({"init", "-q", "-b", "main"});
  }
  ~GitTest() override { ::unsetenv("TMPDIR"); }

  // Runs git in the workspace; its output.
  std::string Git(std::vector<std::string> arguments, int minute = 0) {
    const std::string date = std::to_string(1'700'000'000 + 60 * minute) + " +0200";
    ProgramOrder order;
    order.file = FindProgram("git");
    order.arguments = std::move(arguments);
    order.environment = EnvironmentWith({"HOME=" + outer_, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ann Writer", "GIT_AUTHOR_EMAIL=ann@example.org",
                                         "GIT_COMMITTER_NAME=Ann Writer", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date, "LC_ALL=C"},
                                        "GIT_");
    order.folder_fd = root_fd_.get();
    order.deadline = Deadline::After(std::chrono::seconds(60));
    auto end = RunProgram(order);
    EXPECT_TRUE(end && end->ended_well()) << (end ? end->error : end.error().message);
    return end ? end->output : "";
  }
  std::string Commit(const std::string& message, int minute) {
    Git({"add", "-A", "-f"});
    Git({"commit", "-q", "--allow-empty", "-m", message}, minute);
    std::string id = Git({"rev-parse", "HEAD"});
    id.resize(40);
    return id;
  }
  static const Artifact* Find(const ToolResult& result, const std::string& kind, const std::string& path = "") {
    for (const Artifact& artifact : result.artifacts)
      if (artifact.kind == kind && (path.empty() || artifact.path == path)) return &artifact;
    ADD_FAILURE() << "no artifact " << kind << " " << path << ": " << result.error << result.output;
    static const Artifact none;
    return &none;
  }
};

}  // namespace paddock::agentcore
