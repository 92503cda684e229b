// A cell whose tools start programs (profile read-only-tools), on repositories that would like to start some of their own: the
// whole jail with its receipt, the tools through frames, and nothing of the repository's that fires. The payloads would make a
// file in the repository or in /tmp; where a program of theirs ran, its mark is looked for on the host.
#include <gmock/gmock.h>

#include "agentcore/tools/tool_result.h"
#include "base/text.h"
#include "subagents/frames.h"
#include "tests/jail/jail_harness.h"

namespace paddock::sandbox {
namespace {

using subagents::CallFrame;
using subagents::TaskFrame;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class ToolsCell : public JailTest {
 protected:
  void SetUp() override {
    JailTest::SetUp();
    profile_ = *ShippedProfile("read-only-tools");
    Shell("git init -q -b main . && git config user.name Ann && git config user.email ann@example.org");
  }
  std::string At(const std::string& name) const { return folder_.path() + "/" + name; }
  void WriteFile(const std::string& name, const std::string& text, int mode = 0644) const {
    std::filesystem::create_directories(std::filesystem::path(At(name)).parent_path());
    UniqueFd file(open(At(name).c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, mode));
    ASSERT_EQ(write(file.get(), text.data(), text.size()), std::ssize(text));
    fchmod(file.get(), static_cast<mode_t>(mode));
  }
  // On the host, in the repository.
  void Shell(const std::string& script) const {
    const std::string whole = "cd '" + folder_.path() + "' && export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' && { " +
                              script + "; }";
    ASSERT_EQ(system(whole.c_str()), 0) << script;
  }

  // From ready to the task; the receipt is whole.
  void Open(std::vector<std::string> tools) {
    BuiltPlan built = Build("paddock-cell", {"paddock-cell"});
    auto cell = Start(built);
    ASSERT_TRUE(cell) << cell.error().message;
    cell_.emplace(*std::move(cell));
    reader_.emplace(cell_->from.get(), subagents::kMaxFrameBytes);
    auto line = reader_->Next(Soon());
    ASSERT_TRUE(line) << line.error().message;
    auto ready = FromJson<subagents::ReadyFrame>(subagents::DecodeFrame(*line)->body);
    ASSERT_TRUE(ready);
    std::vector<Denied> denied;
    for (const auto& witness : ready->witness)
      for (const auto& layer : EnumNames(FieldsOf<Layer>{}))
        if (witness.layer == layer.name) denied.push_back({layer.value, static_cast<int>(witness.error)});
    auto receipt = ReadReceipt(cell_->jail.payload_pid(), cell_->jail.payload_pidfd(), profile_, built, *ReadBaseline(), denied, true);
    ASSERT_TRUE(receipt) << receipt.error().message;
    EXPECT_TRUE(CheckReceipt(*receipt)) << CheckReceipt(*receipt).error().message;
    for (const LayerReceipt& layer : receipt->layers) EXPECT_TRUE(layer.in_force && layer.required) << NameOf(layer.layer) << ": " << layer.seen;
    Say("go", subagents::GoFrame{});
    TaskFrame task;
    task.kind = subagents::CellKind::kWorkbench;
    task.tools = std::move(tools);
    Say("task", task);
  }
  template <class Frame>
  void Say(const char* type, const Frame& frame) {
    ASSERT_TRUE(WriteFrame(cell_->to.get(), subagents::EncodeFrame(type, frame), Soon()));
  }
  agentcore::ToolResult Call(const std::string& tool, const Json& arguments) {
    Say("call", CallFrame{{"c1", tool, arguments}});
    auto line = reader_->Next(Soon());
    EXPECT_TRUE(line) << line.error().message;
    if (!line) return {};
    auto raw = subagents::DecodeFrame(*line);
    EXPECT_TRUE(raw && raw->type == "answer") << *line;
    auto answer = FromJson<subagents::CallAnswer>(raw->body);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? answer->result : agentcore::ToolResult{};
  }

  std::optional<Cell> cell_;
  std::optional<FrameReader> reader_;
};

const std::vector<std::string> kAll = {"list_files", "read_file", "search_text", "git_log", "git_diff", "git_show", "git_blame", "outline", "find_symbol"};

TEST_F(ToolsCell, ReadsHistoryAndSymbols) {
  WriteFile("a.c", "int add(int a) {\n  return a;\n}\n");
  Shell("git add -A && git commit -qm first && printf 'int two;\\n' >> a.c && git commit -qam second");
  Open(kAll);
  auto log = Call("git_log", Json{{"changes", true}});
  ASSERT_TRUE(log.success) << log.error;
  EXPECT_THAT(log.artifacts.at(0).lines, ElementsAre(HasSubstr("\tsecond"), HasSubstr("\tfirst")));
  EXPECT_THAT(Call("git_diff", Json{{"from", "HEAD~1"}}).artifacts.at(1).lines, Contains("+int two;"));
  EXPECT_TRUE(Call("git_show", Json{{"commit", "HEAD"}}).success);
  EXPECT_EQ(Call("git_blame", Json{{"path", "a.c"}}).artifacts.at(0).lines.size(), 2u);
  EXPECT_THAT(Call("outline", Json{{"path", "a.c"}}).artifacts.at(0).lines, Contains(HasSubstr("function\tadd")));
  EXPECT_EQ(Call("find_symbol", Json{{"name", "two"}}).artifacts.at(1).lines, (std::vector<std::string>{"int two;"}));
  EXPECT_TRUE(Call("search_text", Json{{"pattern", "two"}}).success);
}

TEST_F(ToolsCell, NoPayloadOfTheRepositoryFires) {
  WriteFile("a.txt", "one\n");
  WriteFile("b.py", "def f(): pass\n");
  WriteFile(".gitattributes", "* diff=evil filter=evil\n");
  Shell("git add -A && git commit -qm first && echo two > a.txt && git commit -qam second && echo three > a.txt");
  const std::string mark = At("fired");
  WriteFile("payload", "#!/bin/sh\ntouch /tmp/fired /workspace/fired '" + mark + "'\ncat\n", 0755);
  for (const char* program : {"git", "ctags", "cat", "sh"}) WriteFile(program, "#!/bin/sh\ntouch '" + mark + "'\n", 0755);
  for (const char* name : {".ctags.d/evil.ctags", "ctags.d/evil.ctags", ".ctags"}) WriteFile(name, "--langdef=Evil\n--map-Evil=+.py\n--_interactive\n");
  WriteFile(".git/hooks/post-index-change", "#!/bin/sh\ntouch '" + mark + "'\n", 0755);
  std::string settings = "[core]\n\trepositoryformatversion = 0\n\tworktree = /\n";
  for (const char* key : {"fsmonitor", "pager", "sshCommand", "editor", "hooksPath", "alternateRefsCommand"}) settings += "\t" + std::string(key) + " = /workspace/payload\n";
  settings += "[diff]\n\texternal = /workspace/payload\n[diff \"evil\"]\n\tcommand = /workspace/payload\n\ttextconv = /workspace/payload\n"
              "[filter \"evil\"]\n\tclean = /workspace/payload\n\tsmudge = /workspace/payload\n\tprocess = /workspace/payload\n\trequired = true\n"
              "[alias]\n\tlog = !/workspace/payload\n\tblame = !/workspace/payload\n[gpg]\n\tprogram = /workspace/payload\n[log]\n\tshowSignature = true\n"
              "[pager]\n\tlog = /workspace/payload\n\tdiff = /workspace/payload\n[include]\n\tpath = /workspace/more\n[includeIf \"gitdir:/workspace/\"]\n\tpath = /workspace/more\n"
              "[protocol \"ext\"]\n\tallow = always\n[remote \"origin\"]\n\turl = ext::/workspace/payload\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[extensions]\n\tpartialClone = origin\n";
  WriteFile(".git/config", settings);
  WriteFile("more", "[core]\n\tfsmonitor = /workspace/payload\n");
  WriteFile(".git/objects/info/alternates", "/etc\n../../../..\n");
  Open(kAll);
  for (const auto& [tool, arguments] : {std::pair{"git_log", Json{{"changes", true}}}, {"git_diff", Json::object()}, {"git_diff", Json{{"from", "HEAD~1"}, {"to", "HEAD"}}},
                                        {"git_show", Json{{"commit", "HEAD"}}}, {"git_blame", Json{{"path", "a.txt"}}}, {"outline", Json::object()},
                                        {"find_symbol", Json{{"name", "f"}}}}) {
    const auto result = Call(tool, arguments);
    EXPECT_TRUE(result.success) << tool << ": " << result.error;
  }
  EXPECT_THAT(Call("git_diff", Json::object()).artifacts.at(1).lines, ElementsAre("@@ -1 +1 @@", "-two", "+three"));
  EXPECT_EQ(Call("outline", Json{{"path", "b.py"}}).artifacts.at(0).facts["language"], "Python");
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(ToolsCell, AMissingObjectIsNotFetched) {
  WriteFile("a.txt", "one\n");
  Shell("git add -A && git commit -qm first && rm -rf .git/objects/$(git rev-parse HEAD:a.txt | cut -c1-2)");
  Shell("git config extensions.partialClone origin; git config remote.origin.promisor true; git config remote.origin.url 'ext::sh -c \"touch " + At("fired") + "\"'; git config protocol.ext.allow always");
  Open(kAll);
  const auto result = Call("git_show", Json{{"commit", "HEAD"}});
  EXPECT_FALSE(result.success);
  EXPECT_FALSE(result.error.empty());
  EXPECT_FALSE(std::filesystem::exists(At("fired")));
}

TEST_F(ToolsCell, ARepositoryThatLiesElsewhereIsNotFollowed) {
  Shell("mv .git .real");
  WriteFile(".git", "gitdir: /workspace/.real\n");
  Open(kAll);
  EXPECT_EQ(Call("git_log", Json::object()).status, agentcore::ToolStatus::kUnsupported);
}

// git itself, taken over, may start what is listed and nothing else.
TEST_F(ToolsCell, NothingThatIsNotListedCanBeStarted) {
  WriteFile("program", "", 0755);
  std::filesystem::copy_file(BinFolder() + "/inmate", At("program"), std::filesystem::copy_options::overwrite_existing);
  std::filesystem::permissions(At("program"), std::filesystem::perms(0755));
  for (const char* target : {"/workspace/program", "/bin/sh", "/usr/bin/dash", "/usr/bin/perl", "/usr/bin/env", "/usr/lib/git-core/git-sh-setup"}) {
    if (!std::filesystem::exists(target) && std::string_view(target) != "/workspace/program") continue;
    auto cell = Start(Build("inmate", {"cell", "execute", target}));
    ASSERT_TRUE(cell) << cell.error().message;
    auto line = FrameReader(cell->from.get(), 4096).Next(Soon());
    ASSERT_TRUE(line) << target << ": " << line.error().message;
    EXPECT_EQ(std::atoi(line->c_str()), EACCES) << target;
  }
  for (const char* call : {"anonymous_file", "connect_loopback"}) {
    auto cell = Start(Build("inmate", {"cell", call, "9"}));
    ASSERT_TRUE(cell) << cell.error().message;
    auto line = FrameReader(cell->from.get(), 4096).Next(Soon());
    ASSERT_TRUE(line) << call << ": " << line.error().message;
    EXPECT_EQ(std::atoi(line->c_str()), EPERM) << call;
  }
  BuiltPlan built = Build("paddock-cell", {"paddock-cell"});
  const auto mount = [&](const std::string& target) -> const MountOp* {
    const MountOp* found = nullptr;
    for (const MountOp& op : built.plan.mounts)
      if (op.target == target) found = &op;
    return found;
  };
  for (const char* target : {"/usr", "/workspace", "/tmp"}) {
    ASSERT_TRUE(mount(target)) << target;
    EXPECT_TRUE(mount(target)->no_exec) << target;
  }
  ASSERT_TRUE(mount("/usr/bin/git"));
  EXPECT_FALSE(mount("/usr/bin/git")->no_exec);
  EXPECT_TRUE(mount("/usr/bin/git")->read_only);
  for (const char* target : {"/bin/sh", "/usr/bin/sh", "/usr/bin/dash", "/usr/bin/perl"}) EXPECT_FALSE(mount(target)) << target;
}

}  // namespace
}  // namespace paddock::sandbox
