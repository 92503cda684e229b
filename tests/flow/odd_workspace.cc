#include "tests/flow/odd_workspace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/unique_fd.h"

namespace paddock::flow {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

OddWorkspace::OddWorkspace() { Write("outside/secret.txt", std::string(kOutside) + "\n"); }

OddWorkspace::~OddWorkspace() {
  // No path may become too long for the one that removes the folder.
  for (const auto& [name, levels] : deep_) {
    UniqueFd top(::open(Path(name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int i = 0; i < levels; ++i) {
      if (::renameat(top.get(), "d/d", top.get(), "next") != 0) break;
      std::error_code ignored;
      fs::remove_all(Path(name) + "/d", ignored);
      ::renameat(top.get(), "next", top.get(), "d");
    }
  }
  // What was closed is opened, for the same reason.
  std::error_code ignored;
  for (auto it = fs::recursive_directory_iterator(Path("repo"), fs::directory_options::skip_permission_denied, ignored);
       it != fs::recursive_directory_iterator(); it.increment(ignored)) {
    if (ignored) break;
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) ::chmod(it->path().c_str(), 0700);
  }
}

void OddWorkspace::Fifo(const std::string& name) const { ASSERT_EQ(::mkfifo(Path(name).c_str(), 0666), 0) << name; }
void OddWorkspace::Link(const std::string& target, const std::string& name) const {
  fs::create_directories(fs::path(Path(name)).parent_path());
  fs::create_symlink(target, Path(name));
}
void OddWorkspace::Sparse(const std::string& name, int64_t bytes) const {
  Write(name, "");
  ASSERT_EQ(::truncate(Path(name).c_str(), bytes), 0) << name;
}
void OddWorkspace::Mode(const std::string& name, unsigned mode) const { ASSERT_EQ(::chmod(Path(name).c_str(), mode), 0) << name; }

void OddWorkspace::Deep(const std::string& name, int levels) {
  fs::create_directories(Path(name));
  deep_.emplace_back(name, levels);
  UniqueFd at(::open(Path(name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < levels; ++i) {
    ASSERT_EQ(::mkdirat(at.get(), "d", 0755), 0);
    at.reset(::openat(at.get(), "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  UniqueFd file(::openat(at.get(), "bottom.c", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  ASSERT_EQ(::write(file.get(), "int main(void) { return 0; }\n", 29), 29);
}

subagents::ResultTicket OddWorkspace::Explore(const std::string& folder) const {
  return ExploreBy(Paddock({"investigate", "explorer", "what is this?", "--json", "--repo", Path(folder)}));
}

subagents::ResultTicket OddWorkspace::ExploreBy(const Command& command) const {
  const Outcome outcome = Perform(command);
  EXPECT_LT(outcome.took, std::chrono::seconds(40)) << "of 300";
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(kOutside)));
  const auto ticket = TicketOf(outcome);
  EXPECT_THAT(StatusOf(ticket), testing::AnyOf("completed", "partial")) << outcome.out << outcome.err;
  EXPECT_EQ(ticket.ending.kind, "finished") << outcome.out;
  EXPECT_LT(ticket.usage.peak_rss_kb.value_or(1 << 30), 128 << 10);
  return ticket;
}

agentcore::ToolResult OddWorkspace::Call(const std::string& tool, const Json& arguments) const {
  const Outcome outcome = Perform(Paddock({"tool", "call", tool, DumpJson(arguments), "--json", "--repo", Path("repo")}));
  EXPECT_LT(outcome.took, std::chrono::seconds(20));
  EXPECT_THAT(outcome.out, Not(HasSubstr(kOutside)));
  auto json = ParseJson(outcome.out, {.max_bytes = 64u << 20, .max_values = 4'000'000});
  auto report = json ? FromJson<subagents::ToolCallReport>(*json) : Result<subagents::ToolCallReport>(std::unexpected(json.error()));
  if (!report || !report->result) {
    ADD_FAILURE() << "no result: " << outcome.out << outcome.err;
    return {};
  }
  EXPECT_EQ(outcome.status, report->result->status == agentcore::ToolStatus::kOk ? 0 : 1);
  return *report->result;
}

void OddWorkspace::ExpectEachTool(const std::string& path, const char* read, const char* list, const char* search) const {
  const auto expect = [&](const agentcore::ToolResult& result, const char* status, const char* tool) {
    EXPECT_STREQ(NameOf(result.status), status) << tool << " " << path << ": " << result.error;
    if (std::string(status) == "ok") return;
    EXPECT_NE(result.error, "") << tool << " " << path;
    EXPECT_NE(result.recovery_hint, "") << tool << " " << path;
    EXPECT_FALSE(result.next_actions.empty()) << tool << " " << path;
  };
  expect(Call("read_file", {{"path", path}}), read, "read_file");
  expect(Call("list_files", {{"path", path}}), list, "list_files");
  expect(Call("search_text", {{"path", path}, {"pattern", "."}}), search, "search_text");
}

Command OddWorkspace::WithMounts(const std::string& mounts, Command command) const {
  std::vector<std::string> words = {"/usr/bin/unshare", "--mount"};
  if (::geteuid() != 0) words.insert(words.end(), {"--user", "--map-current-user", "--keep-caps"});
  words.insert(words.end(), {"/bin/sh", "-ec", mounts + "\nexec \"$@\"", "sh"});
  command.argv.insert(command.argv.begin(), words.begin(), words.end());
  command.environment["ROOT"] = root_;
  command.environment["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin";
  return command;
}

std::string Notes(const subagents::ResultTicket& ticket) {
  std::string text;
  for (const std::string& note : ticket.notes) text += note + "\n";
  return text;
}

}  // namespace paddock::flow
