// Triage, with the real tools: what stands at a name that some tool heeds is looked at, also through links, or it is told that it was not.
#include <gmock/gmock.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "subagents/playbook/triage_heeded.h"
#include "tests/subagents/playbook_repo.h"
#include "tests/subagents/triaged_folder.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kTask[] = "{\"tasks\":[{\"label\":\"x\",\"type\":\"shell\",\"command\":\"touch x\",\"runOptions\":{\"runOn\":\"folderOpen\"}}]}\n";
constexpr char kFsmonitor[] = "[core]\n\tfsmonitor = touch x\n";

void ExpectToldAsUnseen(const Report& report, const std::string& title) {
  EXPECT_EQ(VerdictOf(report), "not all looked at") << report.summary << Titles(report);
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(Titles(report), HasSubstr(title));
  EXPECT_THAT(report.summary, Not(HasSubstr("Nothing found")));
}

TEST(PlaybookTriageUnseen, ALinkIsJudgedAsWhatItIsNamed) {
  const struct {
    const char *link, *target, *file, *text, *label;
  } cases[] = {
      {".vscode", "v", "v/tasks.json", kTask, "vscode-folder-open"},
      {".vscode/tasks.json", "../z/t", "z/t", kTask, "vscode-folder-open"},
      {".claude", "z", "z/settings.json", "{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"touch x\"}]}]}}\n", "agent-hook"},
      {".mcp.json", "z/m", "z/m", "{\"mcpServers\":{\"x\":{\"command\":\"sh\"}}}\n", "agent-command"},
      {".envrc", "z/e", "z/e", "touch x\n", "envrc"},
      {".devcontainer", "z", "z/devcontainer.json", "{\"initializeCommand\":\"touch x\"}\n", "devcontainer-host"},
      {"setup.py", "z/m", "z/m", "setup()\n", "setup-py"},
      {"package.json", "pk", "pk", "{\"scripts\":{\"preinstall\":\"touch x\"}}\n", "npm-script"},
      {".git/config", "../gc", "gc", kFsmonitor, "git-fsmonitor"},
      {".git/hooks", "../hk", "hk/post-checkout", "#!/bin/sh\ntouch x\n", "git-hook"},
      {".git/hooks/post-checkout", "../../x", "x", "touch x\n", "git-hook"},
      {"build.rs", "z/m", "z/m", "fn main() {}\n", "build-rs"},
      {".cargo", "z", "z/config.toml", "rustc-wrapper = \"./x\"\n", "cargo-config"},
      {"Makefile", "z/m", "z/m", "all:\n\ttouch x\n", "make"},
  };
  for (const auto& one : cases) {
    TriagedFolder folder({{one.file, one.text}, {".git/HEAD", "ref: refs/heads/main\n"}});
    folder.Link(one.link, one.target);
    const Report report = folder.Triage();
    EXPECT_THAT(report.data.dump(), HasSubstr(std::string("\"") + one.label + "\"")) << one.link << report.summary;
    EXPECT_THAT(Titles(report), HasSubstr(std::string(one.link) + " is a link to " + one.target));
    EXPECT_NE(VerdictOf(report), "nothing found that runs by itself") << one.link;
    EXPECT_TRUE(report.complete) << one.link << report.summary;
  }
}

TEST(PlaybookTriageUnseen, ALinkThatLeadsNowhereOrOutIsTold) {
  for (const char* link : {".envrc", "package.json", ".vscode", ".git/hooks", ".claude/settings.json"}) {
    for (const char* target : {"/nowhere/at/all", "none"}) {
      TriagedFolder folder({{"README", "x\n"}, {".git/HEAD", "ref: refs/heads/main\n"}});
      folder.Link(link, target);
      const Report report = folder.Triage();
      ExpectToldAsUnseen(report, std::string(link) + " was not looked at: it is a link");
      EXPECT_EQ(WorstOf(report, "not-looked-at"), Severity::kMedium);
    }
  }
}

// A link to a file of the same rules, which was looked at by itself, needs no second look.
TEST(PlaybookTriageUnseen, ALinkToTheSameKindOfFileIsNoGap) {
  TriagedFolder folder({{"AGENTS.md", "Be kind.\n"}, {"a/b.mk", "x = 1\n"}, {"README", "x\n"}});
  folder.Link("CLAUDE.md", "AGENTS.md");
  folder.Link("c.mk", "a/b.mk");
  folder.Link("docs", "a");
  folder.Link("notes.txt", "/nowhere");
  const Report report = folder.Triage();
  EXPECT_TRUE(report.complete) << report.summary;
  EXPECT_THAT(report.data.dump(), Not(HasSubstr("not-looked-at")));
}

TEST(PlaybookTriageUnseen, ANulMakesNothingHarmless) {
  for (const char* path : {".git/config", "package.json", ".envrc", "setup.py", ".vscode/tasks.json", ".git/hooks/pre-commit"})
    ExpectToldAsUnseen(TriageOf({{path, std::string("[core]\n\tfsmonitor = touch x\n;") + '\0' + "\n"}, {".git/HEAD", "x\n"}}), std::string(path) + " was not looked at: it is no text");
  EXPECT_EQ(VerdictOf(TriageOf({{".idea/icon.png", std::string("\x89PNG\0", 5)}, {"data/config", std::string("\0", 1)}})), "nothing found that runs by itself");
}

// Root reads everything, by capabilities: laid down for as long as this lives.
class AsAnybody {
 public:
  AsAnybody() {
    EXPECT_EQ(::syscall(SYS_capget, &header_, had_), 0);
    __user_cap_data_struct less[2] = {had_[0], had_[1]};
    less[0].effective &= ~((1u << CAP_DAC_OVERRIDE) | (1u << CAP_DAC_READ_SEARCH));
    EXPECT_EQ(::syscall(SYS_capset, &header_, less), 0);
  }
  ~AsAnybody() { ::syscall(SYS_capset, &header_, had_); }

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct had_[2] = {};
};

TEST(PlaybookTriageUnseen, AClosedFileOrFolderIsTold) {
  const AsAnybody anybody;
  for (const char* path : {".git/config", ".envrc"}) {
    TriagedFolder folder({{path, kFsmonitor}, {".git/HEAD", "x\n"}});
    ASSERT_EQ(::chmod((folder.root() + "/" + path).c_str(), 0), 0);
    ExpectToldAsUnseen(folder.Triage(), std::string(path) + " was not looked at: it can't be read");
  }
  TriagedFolder folder(std::map<std::string, std::string>{{".vscode/tasks.json", kTask}});
  const std::string closed = folder.root() + "/.vscode";
  ASSERT_EQ(::chmod(closed.c_str(), 0), 0);
  ExpectToldAsUnseen(folder.Triage(), ".vscode was not looked at: it is a folder that can't be read");
  ::chmod(closed.c_str(), 0700);
}

TEST(PlaybookTriageUnseen, NoFileAtSuchANameIsTold) {
  TriagedFolder folder(std::map<std::string, std::string>{{"README", "x\n"}});
  ASSERT_EQ(::mkfifo((folder.root() + "/.envrc").c_str(), 0600), 0);
  ExpectToldAsUnseen(folder.Triage(), ".envrc was not looked at: it is no file");
}

TEST(PlaybookTriageUnseen, WhatStandsFarToTheRightIsTold) {
  for (size_t blanks : {5000u, 70'000u}) {
    const std::string far(blanks, ' ');
    for (const auto& [path, text] : std::map<std::string, std::string>{{".git/config", "[core]\n" + far + "fsmonitor = touch x\n"},
                                                                       {"package.json", "{\"scripts\":{\"x\":1," + far + "\"preinstall\":\"touch x\"}}\n"},
                                                                       {".envrc", far + "touch x\n"},
                                                                       {".vscode/tasks.json", "{\"tasks\":[{" + far + "\"runOn\":\"folderOpen\"}]}\n"},
                                                                       {".claude/settings.json", "{" + far + "\"hooks\":{\"SessionStart\":[]}}\n"},
                                                                       {"setup.py", far + "setup()\n"}}) {
      const Report report = TriageOf({{path, text}, {".git/HEAD", "x\n"}});
      EXPECT_NE(VerdictOf(report), "nothing found that runs by itself") << path << blanks << report.summary;
      EXPECT_FALSE(report.complete) << path << blanks;
      EXPECT_GE(std::max(WorstOf(report, "cut-line"), WorstOf(report, "not-looked-at")), Severity::kMedium) << path << blanks;
    }
  }
}

TEST(PlaybookTriageUnseen, CodeBehindMoreBlanksThanAreShownStandsFarToTheRight) {
  EXPECT_EQ(VerdictOf(TriageOf({{"src/a.js", "let a = 1;" + std::string(5000, ' ') + "require('./far');\n"}})), "hostile signs");
}

TEST(PlaybookTriageUnseen, ASearchThatGaveItsLimitIsTold) {
  std::string many = "all:\n";
  for (int i = 0; i < 900; ++i) many += "x" + std::to_string(i) + " != git describe\n";
  const Report report = TriageOf({{"a/Makefile", many}, {"b/Makefile", "all:\n"}});
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(Titles(report), HasSubstr("not looked at from a/Makefile on"));
}

// What is behind a link is not followed in circles.
TEST(PlaybookTriageUnseen, LinksInCirclesEnd) {
  TriagedFolder folder({{"README", "x\n"}, {".claude/settings.json", "{}\n"}});
  folder.Link(".claude/again", "..");
  folder.Link(".claude/self", "self");
  folder.Link(".vscode", ".");
  EXPECT_FALSE(folder.Triage().complete);
}

TEST(PlaybookTriageUnseen, HeededFoldersComeOfTheAreas) {
  for (const char* name : {".vscode", ".claude", ".git", "hooks", ".cargo", ".devcontainer", "debian"}) EXPECT_THAT(HeededFolders(), HasSubstr(name));
  EXPECT_LE(HeededFolders().size(), 1024u);
  EXPECT_EQ(LinkedPath("a/b/c", "../d/./e"), "a/d/e");
  EXPECT_EQ(LinkedPath("a", "../x"), "");
}

}  // namespace
}  // namespace paddock::subagents
