#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "agentcore/tools/walk.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using ListFilesTest = WorkspaceTest;

TEST_F(ListFilesTest, SortsByNameWithFoldersBeforeTheirContent) {
  Write("b.txt", "x");
  Write("a/z", "x");
  Write("a/b/c.py", "xx");
  Write("a.txt", "x");
  Folder("empty");
  ToolResult result = List();
  EXPECT_TRUE(result.success);
  EXPECT_EQ(result.status, ToolStatus::kOk);
  EXPECT_THAT(Entries(result), ElementsAre("a/", "a/b/", "a/b/c.py", "a/z", "a.txt", "b.txt", "empty/"));
  EXPECT_EQ(Fact(result, "total"), 7);
  EXPECT_EQ(Fact(result, "files"), 4);
  EXPECT_EQ(Fact(result, "folders"), 3);
  EXPECT_EQ(Fact(result, "truncated"), false);
  EXPECT_TRUE(Fact(result, "next_offset").is_null());
  EXPECT_EQ(DumpJson(Fact(result, "by_extension")), R"([[".txt",2],["",1],[".py",1]])");
  EXPECT_EQ(DumpJson(Fact(result, "top_level")), R"([["a",2],["empty",0]])");
  EXPECT_EQ(DumpJson(Fact(result, "largest")[0]), R"(["a/b/c.py",2])");
}

TEST_F(ListFilesTest, DepthPatternLimitAndOffset) {
  for (const char* path : {"src/a.c", "src/a.h", "src/deep/b.c", "c.c", "d.py"}) Write(path, "x");
  EXPECT_THAT(Entries(List({{"depth", 1}})), ElementsAre("c.c", "d.py", "src/"));
  EXPECT_THAT(Entries(List({{"path", "src"}, {"depth", 1}})), ElementsAre("src/a.c", "src/a.h", "src/deep/"));
  EXPECT_THAT(Entries(List({{"pattern", "*.c"}})), ElementsAre("c.c", "src/a.c", "src/deep/b.c"));
  EXPECT_THAT(Entries(List({{"pattern", "src/*.{c,h}"}})), ElementsAre("src/a.c", "src/a.h"));
  EXPECT_THAT(Entries(List({{"pattern", "src/**/*.c"}})), ElementsAre("src/a.c", "src/deep/b.c"));
  ToolResult part = List({{"limit", 2}, {"offset", 1}});
  EXPECT_THAT(Entries(part), ElementsAre("d.py", "src/"));
  EXPECT_EQ(Fact(part, "total"), 7);
  EXPECT_EQ(Fact(part, "next_offset"), 3);
  EXPECT_EQ(Fact(part, "truncated"), true);
  ASSERT_FALSE(part.next_actions.empty());
  EXPECT_THAT(part.next_actions[0], HasSubstr("\"offset\":3"));
  context_.max_output_bytes = 10;
  EXPECT_EQ(Fact(List(), "next_offset"), 2);
}

TEST_F(ListFilesTest, ThreeThousandFilesAreAllCounted) {
  Folder("many");
  for (int i = 0; i < 3000; ++i) std::ofstream(At("many/f" + std::to_string(10000 + i))) << "x";
  ToolResult result = List({{"path", "many"}, {"limit", 100}, {"offset", 2950}});
  EXPECT_EQ(Fact(result, "files"), 3000);
  EXPECT_EQ(Entries(result).size(), 50u);
  EXPECT_EQ(Entries(result).back(), "many/f12999");
}

TEST_F(ListFilesTest, OddThingsAreListedAndNeverOpenedOrFollowed) {
  Write("real/file", "x");
  std::filesystem::create_symlink("/etc", At("out"));
  std::filesystem::create_symlink("loop", At("loop"));
  std::filesystem::create_symlink("real", At("in"));
  ASSERT_EQ(::mkfifo(At("pipe").c_str(), 0600), 0);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(At("socket").size(), sizeof address.sun_path);
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", At("socket").c_str());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::mkfifo(At("real/.gitignore").c_str(), 0600), 0);  // no rules, and no hang
  ToolResult result = List();
  EXPECT_THAT(Entries(result), ElementsAre("in", "loop", "out", "pipe", "real/", "real/.gitignore", "real/file", "socket"));
  EXPECT_EQ(Fact(result, "symlinks"), 3);
  EXPECT_EQ(Fact(result, "special"), 3);
  EXPECT_EQ(DumpJson(Fact(result, "links")), R"([["in","real"],["loop","loop"],["out","/etc"]])");
  EXPECT_EQ(DumpJson(Fact(result, "special_paths")), R"(["pipe","real/.gitignore","socket"])");
}

TEST_F(ListFilesTest, NamesOfAnyBytesSurvive) {
  for (const char* name : {"new\nline", "\xff\xfe", "tab\tname", "back\\slash", "\xe2\x80\xae" "bidi"}) Write(name, "hello");
  ToolResult result = List();
  ASSERT_EQ(Entries(result).size(), 5u);
  for (const std::string& entry : Entries(result)) {
    EXPECT_TRUE(entry.find('\n') == std::string::npos);
    EXPECT_THAT(Lines(Read(entry)), ElementsAre("hello")) << entry;
  }
}

TEST_F(ListFilesTest, GitIsSkippedAtEveryDepthAndIgnoredFoldersSaySo) {
  Write(".git/config", "x");
  Write("a/.git", "gitdir: ../x");
  Write("a/f", "x");
  Write("out/f", "x");
  Write("a/deep/skip/f", "x");
  Write(".gitignore", "/out/\nskip\n");
  ToolResult result = List();
  EXPECT_THAT(Entries(result), ElementsAre(".gitignore", "a/", "a/deep/", "a/f"));
  EXPECT_EQ(Fact(result, "ignored"), 2);
  EXPECT_THAT(Entries(List({{"path", "a"}})), ElementsAre("a/deep/", "a/f"));  // rules from above apply
  for (const char* path : {"out", "a/deep/skip", ".git", "a/deep/skip/"}) {
    ToolResult ignored = List({{"path", path}});
    EXPECT_TRUE(ignored.success) << path;
    EXPECT_TRUE(Entries(ignored).empty()) << path;
    EXPECT_EQ(Fact(ignored, "path_ignored"), true) << path;
    EXPECT_FALSE(ignored.next_actions.empty());
  }
}

TEST_F(ListFilesTest, IgnoredShowsWhatIgnoreRulesLeaveOutAndGitWithoutItsObjects) {
  Write(".gitignore", "out/\n*.log\n");
  Write(".git/info/exclude", "kept\n");
  for (const char* path : {".git/config", ".git/hooks/pre-commit", ".git/objects/pack/p.pack", ".git/lfs/objects/o", ".git/modules/m/objects/aa/b", ".git/modules/m/config",
                           ".git/refs/heads/objects/f", "out/f", "x.log", "kept", "objects/f", "bare.git/objects/f"})
    Write(path, "x");
  Write("sub/.git", "gitdir: ../.git/modules/m\n");
  EXPECT_THAT(Entries(List({{"ignored", true}, {"path", ".git"}})),
              ElementsAre(".git/config", ".git/hooks/", ".git/hooks/pre-commit", ".git/info/", ".git/info/exclude", ".git/modules/", ".git/modules/m/", ".git/modules/m/config",
                          ".git/refs/", ".git/refs/heads/", ".git/refs/heads/objects/", ".git/refs/heads/objects/f"));
  EXPECT_THAT(Entries(List({{"ignored", true}, {"depth", 1}})), ElementsAre(".git/", ".gitignore", "bare.git/", "kept", "objects/", "out/", "sub/", "x.log"));
  EXPECT_THAT(Entries(List({{"ignored", true}, {"path", "sub"}})), ElementsAre("sub/.git"));
  EXPECT_THAT(Entries(List({{"ignored", true}, {"path", "out"}})), ElementsAre("out/f"));
  EXPECT_EQ(Fact(List({{"ignored", true}, {"path", ".git/objects/pack"}}), "path_ignored"), true);
  for (const char* path : {".git/config", ".git/hooks/pre-commit", "out/f"}) EXPECT_THAT(Lines(Read(path)), ElementsAre("x")) << path;
  EXPECT_THAT(List({{"path", "out"}}).next_actions, testing::Contains(HasSubstr("\"ignored\":true")));

  auto hidden = HiddenNames::Parse({"*.log", ".git/config"});
  ASSERT_TRUE(hidden);
  context_.hidden = &*hidden;
  EXPECT_THAT(Entries(List({{"ignored", true}, {"depth", 1}})), testing::Not(testing::Contains("x.log")));
  EXPECT_THAT(Entries(List({{"ignored", true}, {"path", ".git"}})), testing::Not(testing::Contains(".git/config")));
}

TEST_F(ListFilesTest, PassedDeadlineKeepsTheFirstFolder) {
  Write("a/b", "x");
  Write("a/sub/b", "x");
  Write("c/d", "x");
  context_.deadline = Deadline::After(std::chrono::nanoseconds(0));
  ToolResult result = List();
  EXPECT_TRUE(result.success);
  EXPECT_EQ(result.status, ToolStatus::kPartial);
  EXPECT_THAT(Entries(result), ElementsAre("a/"));
  EXPECT_EQ(Fact(result, "complete"), false);
  EXPECT_THAT(result.output, HasSubstr("deadline"));
  EXPECT_FALSE(result.recovery_hint.empty());
  EXPECT_FALSE(result.next_actions.empty());
}

TEST_F(ListFilesTest, DeepTreesNeedFewDescriptors) {
  // Deeper than PATH_MAX allows for one path, made by descriptors; removed the same way.
  constexpr int kDepth = 1100;
  std::vector<UniqueFd> chain;
  UniqueFd at(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(::mkdirat(at.get(), "dddd", 0700), 0);
    at.reset(::openat(at.get(), "dddd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(at);
    if (i == 299 || i == 989) {
      UniqueFd file(::openat(at.get(), "leaf", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
      ASSERT_EQ(::write(file.get(), "deep\n", 5), 5);
    }
  }
  // As many free descriptors as a cell has, and no more.
  std::vector<UniqueFd> taken;
  int highest = ::dup(0);
  while (highest >= 0 && highest < 150) taken.emplace_back(std::exchange(highest, ::dup(0)));
  if (highest >= 0) ::close(highest);

  ToolResult result = List({{"pattern", "leaf"}});
  EXPECT_EQ(Fact(result, "files"), 2);
  EXPECT_EQ(Fact(result, "folders"), 1001);
  EXPECT_EQ(Fact(result, "too_deep"), 1);
  EXPECT_EQ(result.status, ToolStatus::kPartial);
  ASSERT_EQ(Entries(result).size(), 2u);
  for (const auto& entry : Entries(result)) EXPECT_THAT(Lines(Read(entry)), ElementsAre("deep"));
  ToolResult found = Run("search_text", {{"pattern", "deep"}});
  EXPECT_EQ(Fact(found, "matches"), 2);

  // Removal from the top down needs no long path: move the inner tree up, step by step.
  UniqueFd root(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kDepth; ++i) {
    UniqueFd top(::openat(root.get(), "dddd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ::unlinkat(top.get(), "leaf", 0);
    bool last = ::renameat(top.get(), "dddd", root.get(), "next") != 0;
    ::unlinkat(root.get(), "dddd", AT_REMOVEDIR);
    if (!last) ::renameat(root.get(), "next", root.get(), "dddd");
  }
}

TEST_F(ListFilesTest, ManyNamesAreBoundedAndSaidToBe) {
  for (int i = 0; i < 20; ++i) Write("f" + std::to_string(i), "x");
  GlobCost cost;
  int seen = 0;
  auto report = Walk(context_.root_fd, {.start = ".", .max_level = 0, .details = false, .deadline = {}, .max_names = 7, .max_depth = 10}, &cost,
                     [&](const WalkEntry&) { return ++seen > 0; });
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(seen, 7);
  EXPECT_TRUE(report->names_capped);
  EXPECT_FALSE(report->complete());
  EXPECT_THAT(report->Gaps(), HasSubstr("more names"));
}

TEST_F(ListFilesTest, HostileIgnoreFilesAreBounded) {
  std::string rules;
  for (int i = 0; i < 300'000; ++i) rules += "zzz*y\n";
  Write(".gitignore", rules + "x\n");
  Write("x", "x");
  ToolResult result = List();
  EXPECT_THAT(Entries(result), ElementsAre(".gitignore", "x"));  // the rule for x was not held: it says so
  EXPECT_EQ(result.status, ToolStatus::kOk);
  EXPECT_THAT(result.output, HasSubstr("ignore rules"));
}

TEST_F(ListFilesTest, FailuresExplainThemselves) {
  Write("src/main.cc", "x");
  std::filesystem::create_symlink("/", At("out"));
  ExpectFailure(List({{"path", "scr"}}), ToolStatus::kNotFound);
  EXPECT_THAT(List({{"path", "scr"}}).recovery_hint, HasSubstr("\"src\""));
  ExpectFailure(List({{"path", "src/main.cc"}}), ToolStatus::kUnsupported);
  ExpectFailure(List({{"path", ".."}}), ToolStatus::kDenied);
  ExpectFailure(List({{"path", "/etc"}}), ToolStatus::kDenied);
  ExpectFailure(List({{"path", "out"}}), ToolStatus::kDenied);
  ExpectFailure(List({{"path", "a\\q"}}), ToolStatus::kInvalidArguments);
  ExpectFailure(List({{"limit", 0}}), ToolStatus::kInvalidArguments);
  ExpectFailure(List({{"pattern", "[a"}}), ToolStatus::kInvalidArguments);
  ExpectFailure(List({{"pattern", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"}}), ToolStatus::kInvalidArguments);
  ExpectFailure(List({{"patern", "x"}}), ToolStatus::kInvalidArguments);
  EXPECT_THAT(List({{"patern", "x"}}).recovery_hint, HasSubstr("pattern"));
  context_.root_fd = 9999;
  ExpectFailure(List(), ToolStatus::kFailed);
}

TEST_F(ListFilesTest, HarmlessPathsArePutRight) {
  Write("src/a", "x");
  for (const char* path : {"src", "./src/", "src//.", "/workspace/src", "src/../src", "/workspace/./src/"})
    EXPECT_THAT(Entries(List({{"path", path}})), ElementsAre("src/a")) << path;
  for (const char* path : {".", "", "/workspace", "/workspace/", "./"}) EXPECT_THAT(Entries(List({{"path", path}})), ElementsAre("src/", "src/a")) << path;
}

// Found in trees of two hundred levels: eight walks at a time held more descriptors than a cell has, and folders that could be
// read were said to be closed.
TEST_F(ListFilesTest, AWalkOfADeepTreeHoldsAnEighthOfACellsDescriptors) {
  std::string deep = "d";
  for (int i = 0; i < 120; ++i) deep += "/d";
  Write(deep + "/file", "x\n");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const auto next = static_cast<rlim_t>(UniqueFd(::dup(0)).get());  // the lowest number that is free
  const rlimit small{next + 256 / 8, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &small), 0);
  const ToolResult result = List();
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(result.status, ToolStatus::kOk) << result.output;
  EXPECT_EQ(Fact(result, "files"), 1);
}

}  // namespace
}  // namespace paddock::agentcore
