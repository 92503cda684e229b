// A folder of its own for one test, removed at the end, and the tools run in it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "agentcore/tools/tool.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace paddock::agentcore {

class WorkspaceTest : public ::testing::Test {
 protected:
  WorkspaceTest() {
    std::string name = ::testing::TempDir() + "/paddock-tools-XXXXXX";
    outer_ = ::mkdtemp(name.data());
    root_ = outer_ + "/root";
    std::filesystem::create_directory(root_);
    root_fd_.reset(::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    context_.root_fd = root_fd_.get();
  }
  ~WorkspaceTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(outer_, ignored);
  }

  std::string At(const std::string& path) const { return root_ + "/" + path; }
  void Folder(const std::string& path) { std::filesystem::create_directories(At(path)); }
  void Write(const std::string& path, const std::string& content) {
    std::filesystem::create_directories(std::filesystem::path(At(path)).parent_path());
    std::ofstream out(At(path), std::ios::binary);
    out << content;
    ASSERT_TRUE(out.good()) << path;
  }

  ToolResult Run(const char* tool, const Json& arguments) const { return RunTool(tools_, tool, arguments, context_); }
  ToolResult List(const Json& arguments = Json::object()) const { return Run("list_files", arguments); }
  ToolResult Read(const std::string& path, int64_t offset = 1, int64_t limit = 400) const {
    return Run("read_file", Json{{"path", path}, {"offset", offset}, {"limit", limit}});
  }
  static std::vector<std::string> Entries(const ToolResult& result) {
    return result.artifacts.empty() ? std::vector<std::string>{"<no artifact> " + result.error} : result.artifacts[0].entries;
  }
  static std::vector<std::string> Lines(const ToolResult& result) {
    return result.artifacts.empty() ? std::vector<std::string>{"<no artifact> " + result.error} : result.artifacts[0].lines;
  }
  static Json Fact(const ToolResult& result, const char* name) {
    return result.artifacts.empty() || !result.artifacts[0].facts.contains(name) ? Json("<none>") : result.artifacts[0].facts[name];
  }

  std::string outer_, root_;
  UniqueFd root_fd_;
  ToolContext context_;
  const ToolRegistry tools_ = ReadOnlyTools();
};

// Every failure explains itself.
inline void ExpectFailure(const ToolResult& result, ToolStatus status) {
  EXPECT_FALSE(result.success);
  EXPECT_STREQ(NameOf(result.status), NameOf(status)) << result.error;
  EXPECT_FALSE(result.error.empty());
  EXPECT_FALSE(result.recovery_hint.empty()) << result.error;
  EXPECT_FALSE(result.next_actions.empty()) << result.error;
  EXPECT_FALSE(result.summary.empty());
  EXPECT_TRUE(FromJson<ToolResult>(ToJson(result)).has_value());
}

}  // namespace paddock::agentcore
