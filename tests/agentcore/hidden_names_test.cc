// Names that a profile hides: what a pattern matches, and what the tools do with names that appear later.
#include "agentcore/tools/hidden_names.h"

#include <gmock/gmock.h>

#include "workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HiddenNames Names(const std::vector<std::string>& patterns) {
  auto names = HiddenNames::Parse(patterns);
  EXPECT_TRUE(names) << names.error().message;
  return names ? *std::move(names) : HiddenNames();
}

TEST(HiddenNames, MatchNamesAnywhereAndPathsFromTheTop) {
  struct Case {
    const char* pattern;
    const char* path;
    bool folder, hidden;
  };
  const Case cases[] = {
      {".env", ".env", false, true},           {".env", "a/b/.env", false, true},        {".env", ".env.txt", false, false},     {".env", ".env/x", false, true},
      {"*.pem", "a/key.pem", false, true},     {"*.pem", "key.pem.txt", false, false},   {"secrets/", "secrets", true, true},    {"secrets/", "secrets", false, false},
      {"secrets/", "a/secrets/x", false, true}, {"secrets", "secrets", false, true},     {"config/*.key", "config/a.key", false, true},
      {"config/*.key", "a/config/a.key", false, false}, {"config/*.key", "config/b/a.key", false, false}, {"/top", "top", false, true},    {"/top", "a/top", false, false},
      {"./top", "top", false, true},           {"**/x.key", "a/b/x.key", false, true},   {"**/x.key", "x.key", false, true},     {"a/**", "a/b/c", false, true},
      {"a/**", "a", true, false},              {"*.{pem,key}", "a/x.key", false, true},  {"a/b/", "a/b/c", false, true},         {"x?", "x\xff", false, true},
      {"\\!odd", "!odd", false, true},         {"[ab].key", "b.key", false, true},     {"Secrets/", "secrets", true, false}};
  for (const Case& one : cases) EXPECT_EQ(Names({one.pattern}).Hides(one.path, one.folder), one.hidden) << one.pattern << " " << one.path;
  EXPECT_TRUE(Names({"nothing", "*.pem"}).Hides("a.pem", false));
  EXPECT_FALSE(Names({}).Hides("a.pem", false));
}

TEST(HiddenNames, RefusePatternsThatCouldHideNothing) {
  for (const std::string& pattern : {std::string(""), std::string("/"), std::string("./"), std::string("a//b"), std::string("../x"), std::string("a/./b"), std::string("!x"),
                                    std::string("a\0b", 3), std::string("[a"), std::string("x\\"), std::string("{.env,secrets"), std::string("*.{pem"), std::string("secrets}"),
                                    std::string("*"), std::string("?*"), std::string("{*,x}"), std::string("**?"), std::string("*{,}")}) {
    auto names = HiddenNames::Parse({"good", pattern});
    ASSERT_FALSE(names) << pattern;
    EXPECT_EQ(names.error().kind, ErrorKind::kInvalid);
    EXPECT_TRUE(names.error().message.starts_with("\"")) << "which one; its file and line the profile's reader says: " << names.error().message;
    EXPECT_FALSE(names.error().hint.empty()) << pattern;
  }
}

class HiddenFromTools : public WorkspaceTest {
 protected:
  HiddenFromTools() : hidden_(Names({".env", "secrets/", "config/*.key"})) {
    context_.hidden = &hidden_;
    Write("seen.txt", "TOKEN seen\n");
    Write(".env", "TOKEN env\n");
    Write("secrets/a", "TOKEN a\n");
    Write("config/x.key", "TOKEN key\n");
    Write("config/readme", "TOKEN readme\n");
  }
  const HiddenNames hidden_;
};

TEST_F(HiddenFromTools, ListsAndSearchesLeaveThemOutAndCountThem) {
  ToolResult list = List();
  EXPECT_THAT(Entries(list), ElementsAre("config/", "config/readme", "seen.txt"));
  EXPECT_THAT(list.output, HasSubstr("3 files or folders are hidden by the profile"));
  ToolResult search = Run("search_text", Json{{"pattern", "TOKEN"}});
  EXPECT_THAT(Entries(search), ElementsAre("config/readme", "seen.txt"));
  EXPECT_THAT(search.output, HasSubstr("3 files or folders are hidden by the profile"));
}

TEST_F(HiddenFromTools, EveryWayToThemIsRefused) {
  std::filesystem::create_symlink(".env", At("link"));
  std::filesystem::create_symlink("secrets", At("folder-link"));
  std::filesystem::create_symlink("../secrets/a", At("config/deep"));
  std::filesystem::create_symlink("folder-link/a", At("twice"));
  for (const char* path : {".env", "secrets/a", "config/x.key", "config/../.env", "/workspace/.env", "link", "folder-link/a", "config/deep", "twice"}) {
    ToolResult read = Read(path);
    ExpectFailure(read, ToolStatus::kDenied);
    EXPECT_THAT(read.error, HasSubstr("hidden by the profile")) << path;
    ExpectFailure(Run("search_text", Json{{"pattern", "TOKEN"}, {"path", path}}), ToolStatus::kDenied);
  }
  ExpectFailure(List(Json{{"path", "secrets"}}), ToolStatus::kDenied);
  ExpectFailure(List(Json{{"path", "folder-link"}}), ToolStatus::kDenied);
  ExpectFailure(Run("search_text", Json{{"pattern", "TOKEN"}, {"path", "folder-link"}}), ToolStatus::kDenied);
}

TEST_F(HiddenFromTools, WhatDoesNotMatchIsReadAsEver) {
  std::filesystem::create_symlink("seen.txt", At("link"));
  std::filesystem::create_symlink("link", At("loop"));
  EXPECT_THAT(Lines(Read("loop")), ElementsAre("TOKEN seen"));
  EXPECT_THAT(Lines(Read("config/readme")), ElementsAre("TOKEN readme"));
  ExpectFailure(Read("missing"), ToolStatus::kNotFound);
  ExpectFailure(Read("seen.txt/x"), ToolStatus::kNotFound);
}

}  // namespace
}  // namespace paddock::agentcore
