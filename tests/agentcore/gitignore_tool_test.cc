// .gitignore against git itself: the same rules and paths, `git check-ignore --no-index` beside list_files.
#include <gmock/gmock.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <random>
#include <set>

#include "agentcore/tools/glob.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::ElementsAre;

class GitIgnoreTest : public WorkspaceTest {
 protected:
  // Runs git in the workspace with nothing of the machine's own settings; `input` on stdin, stdout returned.
  std::string Git(std::vector<std::string> arguments, const std::string& input = {}) {
    std::string in = outer_ + "/stdin", out = outer_ + "/stdout";
    std::ofstream(in, std::ios::binary) << input;
    arguments.insert(arguments.begin(), {"git", "-C", root_, "-c", "core.excludesFile=", "-c", "safe.directory=*"});
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::string home = "HOME=" + outer_, path = "PATH=/usr/local/bin:/usr/bin:/bin";
    std::string system = "GIT_CONFIG_NOSYSTEM=1", config = "XDG_CONFIG_HOME=" + outer_;
    char* environment[] = {home.data(), path.data(), system.data(), config.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t pid = -1;
    EXPECT_EQ(::posix_spawnp(&pid, "git", &actions, nullptr, argv.data(), environment), 0);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << status;
    std::ifstream result(out, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(result), {});
  }

  // Every file and folder on disk but .git, relative, without a trailing slash.
  std::vector<std::string> OnDisk() {
    std::vector<std::string> paths;
    for (auto it = std::filesystem::recursive_directory_iterator(root_); it != std::filesystem::recursive_directory_iterator(); ++it) {
      if (it->path().filename() == ".git") {
        it.disable_recursion_pending();
        continue;
      }
      paths.push_back(it->path().string().substr(root_.size() + 1));
    }
    return paths;
  }

  std::set<std::string> KeptByGit() {
    std::string input;
    std::set<std::string> kept;
    for (const auto& path : OnDisk()) {
      input += path + '\0';
      kept.insert(path);
    }
    std::string ignored = Git({"check-ignore", "--no-index", "-z", "--stdin"}, input);
    for (size_t at = 0; at < ignored.size();) {
      size_t end = ignored.find('\0', at);
      kept.erase(ignored.substr(at, end - at));
      at = end + 1;
    }
    return kept;
  }

  std::set<std::string> KeptByUs() {
    std::set<std::string> kept;
    for (int64_t offset = 0;;) {
      ToolResult result = List({{"limit", 2000}, {"offset", offset}});
      for (std::string entry : Entries(result)) {
        if (entry.ends_with('/')) entry.pop_back();
        kept.insert(*PathFromText(entry));
      }
      if (!Fact(result, "next_offset").is_number()) return kept;
      offset = Fact(result, "next_offset").get<int64_t>();
    }
  }

  // What differs, for a message.
  void ExpectSame(const std::string& rules) {
    std::set<std::string> git = KeptByGit(), us = KeptByUs();
    std::vector<std::string> only_git, only_us;
    std::set_difference(git.begin(), git.end(), us.begin(), us.end(), std::back_inserter(only_git));
    std::set_difference(us.begin(), us.end(), git.begin(), git.end(), std::back_inserter(only_us));
    EXPECT_THAT(only_git, ElementsAre()) << "kept by git only; rules:\n" << rules;
    EXPECT_THAT(only_us, ElementsAre()) << "kept by list_files only; rules:\n" << rules;
    compared_ += git.size();
  }

  void MakeTree(const std::vector<std::string>& files) {
    for (const auto& file : files) Write(file, "x");
  }
  // Rules that stand in the way of the next set.
  void Clear() {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_))
      if (entry.path().filename() == ".gitignore") stale_.push_back(entry.path());
    for (const auto& path : stale_) std::filesystem::remove(path);
    stale_.clear();
  }

  size_t compared_ = 0;
  std::vector<std::filesystem::path> stale_;
};

TEST_F(GitIgnoreTest, HandPickedRulesActAsInGit) {
  Git({"init", "-q"});
  MakeTree({"a.o", "b.o", "keep.o", "dir/a.o", "dir/sub/a.o", "build/x", "src/build/x", "foo/bar", "foo/x/bar", "foo/x/y/bar", "foobar", "trail ", "trail",
            "#hash", "!bang", "back\\slash", "[x]", "a]b", "a-b", "a[b", "abc", "aXc", "a\nb", "\xff.o", "cr", "cr\r", "deep/a/b/c/d", "deep/keep/b",
            "logs/one.log", "logs/keep.log", "A.O", "x y", "tab\t", "star*", "q?", "a/b/c", "a/c", "c", "dir.d/f", "x/dir.d", ".hidden", "space inside", "z1",
            "z9", "zA", "z_", "z-", "z ", "\xc3\xa4", "\xc3\xb6"});
  const char* sets[] = {
      "*.o\n!keep.o\n", "/*.o\n", "build/\n", "/build/\n", "build\n!build/x\n", "foo/*\n!foo/x\n", "foo/**/bar\n", "**/bar\n", "foo/**\n", "/**\n!/foo\n",
      "**/x/**\n", "foo**bar\n", "trail \n", "trail\\ \n", "\\#hash\n", "#hash\n", "\\!bang\n", "!bang\n", "back\\\\slash\n", "back\\slash\n", "[[]x]\n",
      "\\[x\\]\n", "[[]x[]]\n", "a[]]b\n", "a[!]]b\n", "a[^a-z]b\n", "a[b-]b\n", "a[-b]b\n", "z[[:digit:]]\n", "z[![:digit:]]\n", "z[[:alpha:][:space:]]\n",
      "z[[:nope:]]\n", "z[[:alpha]\n", "z[[:]]\n", "z[[::]]\n", "z[a\n", "z[]\n", "z[!]\n", "z\\\n", "cr\r\n", "cr\r", "*.o\r\n!keep.o\r\n", "\xef\xbb\xbf*.o\n",
      "deep/\n!deep/keep/\n", "deep/*\n!deep/keep\n", "*\n!*/\n!*.o\n", "logs/*\n!logs/keep.log\n", "dir.d/\n", "dir.d\n", "/\n", "//\n", "!\n", "!/\n", "/a/\n",
      "a/b\n", "a/*/c\n", "/a/*/c\n", "a/**/c\n", "*/c\n", "**/c\n", "**c\n", "c**\n", "***\n!a\n", "a**/c\n", "?\n", "??\n", "star\\*\n", "q\\?\n",
      "*[*]\n", "\xff.o\n", "?.o\n", "x y\n", "x\\ y\n", "space*\n", "tab\t\n", "tab*\n", "z[1-9]\n", "z[9-1]\n", "z[\\1-\\9]\n", "z[1-\\9]\n", "z[^[:punct:]]\n",
      "[[:cntrl:]]*\n*[[:cntrl:]]*\n", "\xc3\xa4\n", "\xc3?\n", "[\xc3\xa4]?\n", "\n\n  \n*.o\n   #x\n", "*.o  \n", "*.o\t\n", "*.o/\n", "!*.o\n*.o\n!*.o\n",
      "a/\\b/c\n", "a\\/c\n", "a/**\\/c\n", "foo/\\*\\*/bar\n", "**/**/c\n", "a/**/**/c\n", "**/\n", "/**/c\n", "a/**/\n", ".*\n!.gitignore\n", "x/**/dir.d/\n"};
  for (const char* rules : sets) {
    Write(".gitignore", rules);
    ExpectSame(rules);
  }
  EXPECT_GT(compared_, 3000u);
}

TEST_F(GitIgnoreTest, RulesOfFoldersBelowAndOfInfoExcludeActAsInGit) {
  Git({"init", "-q"});
  MakeTree({"a.o", "b.o", "d/a.o", "d/b.o", "d/e/a.o", "d/e/b.o", "d/e/f/a.o", "x/a.o", "x/y/a.o", "nested/.git/config", "nested/a.o", "link-rules/a.o"});
  Write(".git/info/exclude", "x/\nb.o\n");
  Write(".gitignore", "*.o\n!b.o\n/d/e/f/\n");
  Write("d/.gitignore", "!a.o\n/b.o\n");
  Write("d/e/.gitignore", "/a.o\n!f\n");
  Write("x/.gitignore", "!*\n");
  Write("nested/.gitignore", "!a.o\n");
  std::filesystem::create_symlink("../d/.gitignore", At("link-rules/.gitignore"));  // git follows no such link
  ExpectSame("nested files");
  EXPECT_FALSE(KeptByUs().contains("x"));
  EXPECT_FALSE(KeptByUs().contains("link-rules/a.o"));
  EXPECT_TRUE(KeptByUs().contains("nested/a.o"));
}

TEST_F(GitIgnoreTest, RandomRulesActAsInGit) {
  Git({"init", "-q"});
  std::mt19937 random(20240607);
  const auto pick = [&](const auto& list) { return list[random() % list.size()]; };
  const std::vector<std::string> names = {"a", "b", "ab", "abc", "a.c", "b.c", ".c", "a b", "d", "ad", "a]", "a-", "b!", "*", "[a]", "A", "0", "a\\"};
  for (int i = 0; i < 160; ++i) {
    std::string path;
    for (unsigned depth = random() % 4; depth > 0; --depth) path += "d" + pick(names) + "/";
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(At(path + "x")).parent_path(), failed);
    std::string file = At(path + pick(names));
    if (!failed && !std::filesystem::exists(file)) std::ofstream(file) << "x";
  }
  const std::vector<std::string> atoms = {"a",  "b",    "c",   "d",    "*",    "*",         "**",  "/",   "/",  "/",      "?",      "[ab]",        "[!a]", "[^b]", ".c", "\\a", "\\",
                                          " ",  "[a-c]", "[]a]", "**/", "/**/", "[[:alpha:]]", "da", "d*", "da/", "[", "[a", "-", "[!-]", "[*]", "\\*", "[a-", "[\\]]", "!", "\\ "};
  const std::vector<std::string> folders = {"", "", "", "da/", "db/", "dab/", "dd/", "da/da/"};
  for (int round = 0; round < 120; ++round) {
    Clear();
    std::string shown;
    for (unsigned files = 1 + random() % 3; files > 0; --files) {
      std::string folder = pick(folders), rules;
      if (!folder.empty() && !std::filesystem::is_directory(At(folder))) continue;
      for (unsigned lines = 1 + random() % 6; lines > 0; --lines) {
        if (random() % 4 == 0) rules += "!";
        if (random() % 5 == 0) rules += "/";
        for (unsigned count = 1 + random() % 5; count > 0; --count) rules += pick(atoms);
        if (random() % 5 == 0) rules += "/";
        rules += random() % 8 == 0 ? "\r\n" : "\n";
      }
      Write(folder + ".gitignore", rules);
      shown += folder + ".gitignore:\n" + rules;
    }
    ExpectSame(shown);
    if (HasFailure()) return;
  }
  EXPECT_GT(compared_, 4000u);
}

TEST(GlobTest, HostilePatternsTakeLinearTime) {
  std::string pattern, text(4000, 'a');
  for (int i = 0; i < 1000; ++i) pattern += "*a";
  pattern += "b";
  GlobCost cost;
  EXPECT_FALSE(Glob(pattern, GlobMode::kPath).Match(text, &cost));
  EXPECT_LT(cost.steps, 10'000'000u);
}

TEST(GlobTest, StopsAtItsDeadline) {
  std::string pattern, text(8000, 'a');
  for (int i = 0; i < 3500; ++i) pattern += "*a";
  GlobCost cost{.deadline = Deadline::After(std::chrono::nanoseconds(0))};
  EXPECT_FALSE(Glob(pattern + "b", GlobMode::kPath).Match(text, &cost));
  EXPECT_TRUE(cost.exhausted);
}

}  // namespace
}  // namespace paddock::agentcore
