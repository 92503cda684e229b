// What is odd in a workspace is counted, told in words, and survives the bound on facts.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <functional>
#include <thread>

#include "agentcore/pipeline/clean.h"
#include "agentcore/tools/glob.h"
#include "agentcore/tools/gitignore.h"
#include "agentcore/tools/oddities.h"
#include "agentcore/tools/walk.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class OdditiesTest : public WorkspaceTest {
 protected:
  static std::string Odd(const ToolResult& result) {
    std::string text;
    for (const Artifact& artifact : result.artifacts)
      for (const Oddity& one : OdditiesOf(artifact.facts)) {
        text += std::string(text.empty() ? "" : " ") + NameOf(one.kind) + "=" + std::to_string(one.count);
        for (const auto& example : one.examples) text += ":" + example;
      }
    return text;
  }
  // A walk during which `act` is called at each entry.
  Oddities WalkWhile(const std::function<void(std::string_view)>& act) {
    GlobCost cost;
    WalkOptions options;
    options.details = true;
    auto report = Walk(context_.root_fd, options, &cost, [&](const WalkEntry& entry) {
      act(entry.path);
      return true;
    });
    EXPECT_TRUE(report.has_value());
    return report ? report->odd : Oddities();
  }
};

TEST_F(OdditiesTest, AnOrdinaryTreeHasNone) {
  Write("src/a.c", "int a;\n");
  Write(".git/HEAD", "ref: x\n");
  Write(".gitignore", "*.o\n");
  Write("\xc3\xa4 b\\c", "x");  // unusual, and readable
  std::filesystem::create_symlink("src", At("in"));
  EXPECT_EQ(Odd(List()), "");
  EXPECT_THAT(List().output, Not(HasSubstr("never opened")));
  EXPECT_EQ(Odd(Run("search_text", {{"pattern", "int"}})), "");
}

TEST_F(OdditiesTest, ThingsThatAreNeverOpened) {
  Write("a", "x");
  for (const char* name : {"p1", "p2", "p3"}) ASSERT_EQ(::mkfifo(At(name).c_str(), 0666), 0);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", At("s").c_str());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const ToolResult result = List();
  EXPECT_EQ(Odd(result), "fifo=3:p1:p2 socket=1:s");
  EXPECT_THAT(result.output, HasSubstr("3 FIFOs are never opened: p1, p2, ..."));
  EXPECT_THAT(result.output, HasSubstr("1 socket is never opened: s."));
}

TEST_F(OdditiesTest, LinksByWhereTheyLead) {
  Write("dir/a", "x");
  std::ofstream(outer_ + "/secret") << "outside";
  std::filesystem::create_directory(outer_ + "/folder");
  std::filesystem::create_symlink("a", At("dir/in"));
  std::filesystem::create_symlink(outer_ + "/secret", At("absolute"));
  std::filesystem::create_symlink("../secret", At("up"));
  std::filesystem::create_symlink("../../folder", At("dir/parent"));
  std::filesystem::create_symlink("dir/parent/x", At("through"));
  std::filesystem::create_symlink("/proc/self/environ", At("environ"));
  std::filesystem::create_symlink("nowhere", At("nowhere-else"));
  std::filesystem::create_symlink("loop2", At("loop1"));
  std::filesystem::create_symlink("loop1", At("loop2"));
  EXPECT_EQ(Odd(List()), "link_out=5:absolute:dir/parent link_broken=1:nowhere-else link_loop=2:loop1:loop2");
  for (const char* path : {"absolute", "up", "dir/parent", "through", "environ", "dir/parent/x"}) {
    ExpectFailure(Read(path), ToolStatus::kDenied);
    ExpectFailure(List({{"path", path}}), ToolStatus::kDenied);
    ExpectFailure(Run("search_text", {{"pattern", "x"}, {"path", path}}), ToolStatus::kDenied);
  }
  ExpectFailure(Read("loop1"), ToolStatus::kUnsupported);
  ExpectFailure(Read("nowhere-else"), ToolStatus::kNotFound);
}

TEST_F(OdditiesTest, HardLinksWithNamesElsewhere) {
  Write("both1", "x");
  std::filesystem::create_hard_link(At("both1"), At("both2"));
  std::ofstream(outer_ + "/outside") << "x";
  std::filesystem::create_hard_link(outer_ + "/outside", At("inside"));
  EXPECT_EQ(Odd(List()), "hard_link=1:inside");
  Folder("sub");
  std::filesystem::create_hard_link(At("both1"), At("sub/both3"));
  EXPECT_EQ(Odd(List({{"path", "sub"}})), "");  // a part of the tree says nothing of the rest
}

TEST_F(OdditiesTest, NamesThatCantBeSeen) {
  for (const char* name : {"new\nline", "\x1b[31mred", "\xff\xfe", "\xe2\x80\xae" "bidi", "-rf", " ", "..foo"}) Write(name, "x");
  Write(std::string(255, 'n'), "x");
  const ToolResult result = List();
  EXPECT_EQ(Entries(result).size(), 8u);
  EXPECT_THAT(Odd(result), HasSubstr("odd_name=4:\\x1b[31mred:new\\nline"));
  for (const auto& entry : Entries(result)) EXPECT_THAT(Lines(Read(entry)), ElementsAre("x")) << entry;
}

TEST_F(OdditiesTest, WhatGitCallsGitAndIsNot) {
  Write("a/f", "x");
  Write("b/f", "x");
  Write("a/.git", "gitdir: /elsewhere\n");
  ASSERT_EQ(::mkfifo(At(".git").c_str(), 0666), 0);
  std::filesystem::create_symlink("/etc", At("b/.git"));
  Folder("a/.gitignore");
  ASSERT_EQ(::mkfifo(At(".gitignore").c_str(), 0666), 0);
  std::filesystem::create_symlink("/etc/passwd", At("b/.gitignore"));
  const ToolResult result = List();
  EXPECT_EQ(result.status, ToolStatus::kOk);
  EXPECT_THAT(Odd(result), HasSubstr("git=3:.git:a/.git ignore_file=3:.gitignore:a/.gitignore"));
}

TEST_F(OdditiesTest, LargeFiles) {
  Write("sparse", "");
  ASSERT_EQ(::truncate(At("sparse").c_str(), int64_t{1} << 40), 0);
  EXPECT_EQ(Odd(List()), "large_file=1:sparse");
}

TEST_F(OdditiesTest, ClosedFilesAndFolders) {
  if (::geteuid() == 0) {  // root may read all: in a jail it may not, see the flow tests
    Write("root", "x");
    EXPECT_EQ(Odd(List()), "");
    return;
  }
  Write("closed", "x");
  Write("open", "x");
  Write("folder/f", "x");
  ::chmod(At("closed").c_str(), 0);
  ::chmod(At("open").c_str(), 0600);
  ::chmod(At("folder").c_str(), 0);
  EXPECT_EQ(Odd(List()), "closed_file=1:closed closed_folder=1:folder");
  EXPECT_EQ(Odd(Run("search_text", {{"pattern", "x"}})), "closed_file=1:closed closed_folder=1:folder");
  ::chmod(At("folder").c_str(), 0700);
}

TEST_F(OdditiesTest, AFolderThatIsGoneOrSwappedBetweenListingAndOpening) {
  Write("a/f", "x");
  Write("b/f", "x");
  Write("c/f", "x");
  const Oddities odd = WalkWhile([&](std::string_view path) {
    if (path == "a") std::filesystem::remove_all(At("a"));
    if (path == "b") std::filesystem::remove_all(At("b")), std::filesystem::create_symlink("/etc", At("b"));
    if (path == "c") std::filesystem::remove_all(At("c")), ::mkfifo(At("c").c_str(), 0666);
    EXPECT_THAT(std::string(path), Not(HasSubstr("passwd")));
  });
  EXPECT_GE(odd.count(OddKind::kChanged), 3);
  EXPECT_EQ(odd.count(OddKind::kUnreadableFolder), 0);
}

TEST_F(OdditiesTest, AFolderThatChangesWhileItIsWalked) {
  Write("a/f", "x");
  timespec old[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ::utimensat(AT_FDCWD, At("a").c_str(), old, 0);
  EXPECT_EQ(WalkWhile([](std::string_view) {}).count(OddKind::kChanged), 0);
  EXPECT_EQ(WalkWhile([&](std::string_view path) {
              if (path == "a/f") Write("a/g", "x");
            }).count(OddKind::kChanged),
            1);
}

TEST_F(OdditiesTest, AFileThatIsWrittenWhileItIsRead) {
  std::string text;
  while (text.size() < 16u << 20) text += "a line of a file\n";
  Write("f", text);
  EXPECT_EQ(Odd(Read("f")), "");
  std::jthread writer([this](std::stop_token stop) {
    for (time_t n = 4'000'000'000; !stop.stop_requested(); ++n) {  // a time that no clock gives by chance
      timespec times[2] = {{n, 0}, {n, 0}};
      ::utimensat(AT_FDCWD, At("f").c_str(), times, 0);
    }
  });
  ToolResult result;
  for (int i = 0; i < 100 && Odd(result).empty(); ++i) result = Read("f");
  EXPECT_EQ(Odd(result), "changed=1:f");
  EXPECT_THAT(result.output, HasSubstr("changed while it was looked at"));
}

TEST_F(OdditiesTest, WhatMattersSurvivesTheBoundOnFacts) {
  // Long names of links, special things and folders fill the room that a parent leaves for facts.
  for (int i = 0; i < 60; ++i) {
    const std::string name = std::string(200, static_cast<char>('a' + i % 26)) + std::to_string(i);
    std::filesystem::create_symlink("/" + std::string(900, 'x'), At("l" + name));
    ASSERT_EQ(::mkfifo(At("p" + name).c_str(), 0666), 0);
    Write("d" + name + "/" + name + "." + std::string(10, static_cast<char>('a' + i % 26)), "x");
    Write("d" + name + "/\x1b" + name, "x");
  }
  const CleanedResult cleaned = CleanResult(List({{"limit", 1}}), {}, Redactor(), nullptr);
  EXPECT_EQ(Fact(cleaned.result, "complete"), true);
  EXPECT_EQ(Fact(cleaned.result, "truncated"), true);
  EXPECT_THAT(Odd(cleaned.result), HasSubstr("link_out=60:l"));
  EXPECT_THAT(Odd(cleaned.result), HasSubstr("fifo=60:p"));
  EXPECT_THAT(Odd(cleaned.result), HasSubstr("odd_name=60:d"));
}

TEST_F(OdditiesTest, FactsThatAreNoOdditiesAreLeftOut) {
  const Json facts = *ParseJson(R"({"odd": [1, {"kind": "nonsense", "count": 3}, {"kind": "fifo", "count": -1}, {"kind": "fifo"},
      {"kind": "fifo", "count": 2, "examples": ["a", "b", "c"]}, {"kind": "socket", "count": 2}]})");
  ASSERT_EQ(OdditiesOf(facts).size(), 1u);
  EXPECT_EQ(SentenceOf(OdditiesOf(facts)[0]), "2 sockets are never opened");
  for (const char* text : {"{}", "[]", "3", R"({"odd": {}})", R"({"odd": null})"}) EXPECT_TRUE(OdditiesOf(*ParseJson(text)).empty()) << text;
}

// Rules of a stranger: their whole cost in one walk is bounded, and what is no longer applied is said.
TEST_F(OdditiesTest, CostlyIgnoreRulesEndAndAreSaid) {
  std::string rules = "plain\n";
  for (int i = 0; i < 90'000; ++i) rules += "*x" + std::to_string(i) + "*y\n";
  Write(".gitignore", rules);
  for (int i = 0; i < 3000; ++i) Write("d/file_number_" + std::to_string(i), "x");
  const auto started = std::chrono::steady_clock::now();
  const ToolResult result = List({{"limit", 1}});
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));  // without a bound: minutes
  EXPECT_EQ(Fact(result, "files"), 3001);
  EXPECT_EQ(Fact(result, "complete"), true);
  EXPECT_THAT(Odd(result), HasSubstr("ignore_rules=1"));
  EXPECT_THAT(result.output, HasSubstr("ignored files may be among those seen"));
}

TEST_F(OdditiesTest, IgnoreFilesOfManyFoldersAreBoundedTogether) {
  std::string rules;
  while (rules.size() < 1'000'000) rules += "?a\n";
  for (int i = 0; i < 12; ++i) {
    Folder("d" + std::to_string(i));
    if (i == 0) Write("d0/.gitignore", rules);
    else std::filesystem::create_hard_link(At("d0/.gitignore"), At("d" + std::to_string(i) + "/.gitignore"));
    Write("d" + std::to_string(i) + "/xa", "x");
  }
  const ToolResult result = List();
  EXPECT_THAT(Odd(result), HasSubstr("ignore_rules=1"));
  EXPECT_THAT(Entries(result), ::testing::Contains("d9/xa"));
  EXPECT_THAT(Entries(result), Not(::testing::Contains("d0/xa")));
}

TEST(GlobWindow, CostsOnlyWhatIsAlive) {
  // One state or two are alive at a time in what people write.
  GlobCost cost;
  EXPECT_TRUE(Glob("*.so.*", GlobMode::kName).Match("libsomething.so.6", &cost));
  EXPECT_LE(cost.steps, 3 * 17u);
  GlobCost long_pattern;
  EXPECT_FALSE(Glob(std::string(100, 'a') + "*", GlobMode::kName).Match(std::string(99, 'a') + "b", &long_pattern));
  EXPECT_LE(long_pattern.steps, 100u);
}

TEST(GlobWindow, EndsAtItsBudget) {
  GlobCost cost{.max_steps = 2u << 20};
  const Glob glob("*a*a*a*b", GlobMode::kName);
  const std::string text(4000, 'a');
  for (int i = 0; i < 1000; ++i) glob.Match(text, &cost);
  EXPECT_TRUE(cost.exhausted);
  EXPECT_LT(cost.steps, 4u << 20);
}

}  // namespace
}  // namespace paddock::agentcore
