// What an evaluator judged to be false of the explorer, and of triage on Maven, on fresh repositories.
#include <gmock/gmock.h>

#include <algorithm>

#include "agentcore/tools/read_only_tools.h"
#include "subagents/playbook/empty_submodules.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Files = std::map<std::string, std::string>;

Report ReportOf(const char* playbook, Files files) {
  PlaybookRepo repo(std::move(files));
  Report report = repo.Run(playbook, "?", "", 14);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
  return report;
}

// Found on spdlog: ctest finds no test unless one of two options is set.
TEST(ToldTruly, TestsBelowOneOfTwoOptionsThatAreOffNeedOne) {
  Files files = {{"CMakeLists.txt", "project(oven C)\noption(OVEN_ALL \"All\" OFF)\noption(OVEN_TESTS \"Tests\" OFF)\nif(OVEN_TESTS OR OVEN_ALL)\n  enable_testing()\n  add_subdirectory(tests)\nendif()\nif(OVEN_GAS OR OVEN_ALL)\n  find_package(Gas)\nendif()\n"},
                 {"tests/CMakeLists.txt", "add_test(NAME oven COMMAND oven)\n"}, {"oven.c", "int x;\n"}};
  EXPECT_THAT(Titles(ReportOf("explorer", files)), HasSubstr("OVEN_TESTS"));
  files["CMakeLists.txt"] = "project(oven C)\noption(OVEN_ALL \"All\" ON)\noption(OVEN_TESTS \"Tests\" OFF)\nif(OVEN_TESTS OR OVEN_ALL)\n  enable_testing()\n  add_subdirectory(tests)\nendif()\n";
  EXPECT_THAT(Titles(ReportOf("explorer", files)), Not(HasSubstr("OVEN_TESTS")));
}

TEST(ToldTruly, ASentenceBeforeBadgesIsTheDescriptionAndAnInstructionIsNone) {
  const Report report = ReportOf("explorer", {{"README.md", "# oven\n\nVery fast oven library of small parts. [![ci](https://img.shields.io/x.svg)](https://example.org)&nbsp; [![b](https://x.org/badge.svg)](https://example.org)\n\n## Install\n\nCopy the include [folder](https://example.org) to your tree and use a C++11 compiler.\n"}, {"oven.h", "int x;\n"}});
  EXPECT_THAT(report.summary, HasSubstr("Very fast oven library of small parts."));
  EXPECT_THAT(report.summary, Not(HasSubstr("Copy the include")));
}

// Found on jsoup, gin and zustand.
TEST(ToldTruly, AManifestIsNoEntry) {
  const Report report = ReportOf("explorer", {{"pom.xml", "<project>\n  <groupId>org.x</groupId>\n  <artifactId>oven</artifactId>\n</project>\n"}, {"src/main/java/org/x/Oven.java", "package org.x;\npublic class Oven {\n  public int heat() {\n    return 1;\n  }\n}\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("Declares the library oven: pom.xml"));
  EXPECT_THAT(report.summary, HasSubstr("No entry point was found but what declares it: pom.xml."));
}

TEST(ToldTruly, AnEmptySubmoduleIsFetchedFirst) {
  Files files = {{"CMakeLists.txt", "project(oven C)\nenable_testing()\nadd_test(oven oven)\nadd_subdirectory(third_party/gas)\n"}, {"oven.c", "int x;\n"}, {".gitmodules", "[submodule \"gas\"]\n\tpath = third_party/gas\n\turl = https://example.org/gas\n"}};
  const Report report = ReportOf("explorer", files);
  EXPECT_THAT(report.summary, HasSubstr("Build: `cmake -S . -B build && cmake --build build`, after `git submodule update --init`."));
  EXPECT_THAT(DetailOf(report, "Build with"), HasSubstr("First `git submodule update --init`, for what it takes of its submodules: empty here are third_party/gas."));
  EXPECT_THAT(DetailOf(report, "Test with"), HasSubstr("git submodule update"));
  EXPECT_THAT(report.next_actions, Contains(HasSubstr("third_party/gas is an empty submodule")));
  files["third_party/gas/gas.c"] = "int g;\n";
  EXPECT_THAT(ReportOf("explorer", files).summary, Not(HasSubstr("submodule")));
  files[".gitmodules"] = "[submodule \"gas\"]\n\tpath = third_party/gas/\n\turl = https://example.org/gas\n";
  EXPECT_THAT(ReportOf("explorer", files).summary, Not(HasSubstr("submodule")));
  files.erase("third_party/gas/gas.c");
  EXPECT_THAT(DetailOf(ReportOf("explorer", files), "Build with"), HasSubstr("empty here are third_party/gas."));
}

TEST(ToldTruly, ASubmoduleOfWhichNothingIsShownIsNotSaidToBeEmpty) {
  const auto empty = [](const char* status, std::vector<std::string> entries) {
    RepoView view;
    agentcore::Artifact lines = RowsArtifact("excerpt", ".gitmodules", {"[submodule \"gas\"]", "\tpath = gas"});
    lines.line_start = 1;
    view.Take({{"", "read_file", Json{{"path", ".gitmodules"}}}, ResultWith({lines})});
    CallQueue queue;
    EmptySubmodules submodules;
    submodules.Ask(view, &queue);
    auto calls = queue.Take(9);
    EXPECT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].arguments["ignored"], Json(true));
    agentcore::Artifact listing = RowsArtifact("listing", "gas", {});
    listing.entries = std::move(entries);
    listing.facts = {{"unreadable", 0}, {"complete", true}};
    agentcore::ToolResult result = ResultWith({listing});
    if (std::string_view(status) == "denied") result = agentcore::ToolFailure(agentcore::ToolStatus::kDenied, "gas is hidden by the profile", "");
    if (std::string_view(status) == "unreadable") result.artifacts[0].facts["unreadable"] = 1;
    view.Take({calls[0], result});
    submodules.Take({calls[0], result});
    return submodules.In(view).size();
  };
  EXPECT_EQ(empty("listed", {}), 1u);
  EXPECT_EQ(empty("listed", {"gas/gas.c"}), 0u) << "content that .gitignore leaves out of other lists";
  EXPECT_EQ(empty("denied", {}), 0u) << "hidden by the profile";
  EXPECT_EQ(empty("unreadable", {}), 0u);
}

TEST(ToldTruly, AnIndirectRequirementIsNoDirectDependency) {
  const Report report = ReportOf("explorer", {{"go.mod", "module example.org/oven\n\nrequire example.org/gas v1.0.0\n\nrequire example.org/deep v1.0.0 // indirect\n"}, {"oven.go", "package oven\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("Depends on example.org/gas\n"));
}

TEST(ToldTruly, APomThatHoldsOthersTogetherIsNoLibrary) {
  const char* head = "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <artifactId>oven-parent</artifactId>\n";
  const Report parent = ReportOf("explorer", {{"pom.xml", std::string(head) + "  <packaging>pom</packaging>\n  <modules>\n    <module>oven</module>\n  </modules>\n</project>\n"}, {"oven/src/main/java/o/Oven.java", "package o;\nclass Oven {}\n"}});
  EXPECT_THAT(Titles(parent), Not(HasSubstr("entry")));
  EXPECT_THAT(parent.summary, HasSubstr("No entry point was found."));
  const Report one = ReportOf("explorer", {{"pom.xml", std::string(head) + "</project>\n"}, {"src/main/java/o/Oven.java", "package o;\nclass Oven {}\n"}});
  EXPECT_THAT(Listed(one, "entry_points"), ElementsAre("pom.xml"));
  EXPECT_THAT(DetailOf(one, "Declares the library oven-parent: pom.xml"), Not(HasSubstr("no main")));
}

TEST(ToldTruly, AToolThatTheBuildStartsIsNoEntry) {
  const char* pom = "<project>\n  <packaging>pom</packaging>\n  <build>\n    <configuration>\n      <mainClass>com.other.Shrinker</mainClass>\n    </configuration>\n  </build>\n</project>\n";
  const Report report = ReportOf("explorer", {{"pom.xml", pom}, {"bench/src/main/java/o/Bench.java", "package o;\nclass Bench {\n  public static void main(String[] args) {}\n}\n"}});
  EXPECT_THAT(Titles(report), Not(HasSubstr("Shrinker")));
  // Nor is what only measures it the project's.
  EXPECT_THAT(report.summary, HasSubstr("No entry point was found but of tests, examples or tools."));
  EXPECT_THAT(Titles(report), HasSubstr("Program of tests, examples or tools: bench/src/main/java/o/Bench.java"));
}

TEST(ToldTruly, AClassOfKotlinIsItsFiles) {
  const auto titles = [](const std::string& main) {
    return Titles(ReportOf("explorer", {{"pom.xml", "<project>\n  <artifactId>oven</artifactId>\n  <build>\n    <configuration>\n      <mainClass>" + main + "</mainClass>\n    </configuration>\n  </build>\n</project>\n"},
                                        {"src/main/kotlin/org/oven/App.kt", "package org.oven\n\nfun main() {\n}\n"}, {"src/main/kotlin/org/oven/Other.java", "package org.oven;\nclass Other {}\n"}}));
  };
  EXPECT_THAT(titles("org.oven.AppKt"), HasSubstr("Starts at org.oven.AppKt"));
  EXPECT_THAT(titles("org.oven.OtherKt"), Not(HasSubstr("OtherKt")));
}

TEST(ToldTruly, PythonIsCalledPython3) {
  const Report report = ReportOf("explorer", {{"setup.py", "from setuptools import setup\nsetup(name='oven')\n"}, {"oven/__init__.py", "\"\"\"Bread.\"\"\"\nimport os\n\n\ndef bake():\n    pass\n"}, {"tests/test_oven.py", "import pytest\n"}, {"README.md", "# oven\n\n```\npython -m pytest\n```\n"}});
  EXPECT_THAT(Listed(report, "build"), ElementsAre("python3 -m pip install ."));
  EXPECT_THAT(Listed(report, "test"), ElementsAre("python3 -m pytest"));
  EXPECT_THAT(DetailOf(report, "Test with"), HasSubstr("names it in another form"));
  // And the entry is shown by what it offers, not by what it imports.
  const auto entry = std::find_if(report.findings.begin(), report.findings.end(), [](const auto& finding) { return finding.title == "Library entry: oven/__init__.py"; });
  ASSERT_NE(entry, report.findings.end()) << Titles(report);
  EXPECT_EQ(entry->evidence[0].quote, "def bake():");
}

TEST(ToldTruly, WhatTheReadmeBuildsWithWins) {
  const Files files = {{"pom.xml", "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <artifactId>oven</artifactId>\n  <dependencies>\n    <dependency>\n      <artifactId>junit</artifactId>\n    </dependency>\n  </dependencies>\n</project>\n"},
                       {"src/main/java/o/Oven.java", "package o;\nclass Oven {}\n"}, {"README.md", "# oven\n\nThe oven is a thing.\n\n### Building\n\nIt takes Maven:\n```\nmvn clean verify\n```\n"}};
  const Report report = ReportOf("explorer", files);
  EXPECT_THAT(Listed(report, "build"), ElementsAre("mvn clean verify"));
  EXPECT_THAT(Listed(report, "test"), ElementsAre("mvn test"));
  Files tests = files;
  tests["README.md"] = "# oven\n\nThe oven is a thing.\n\n### Building and testing\n```\nmvn clean verify\n```\n";
  EXPECT_THAT(Listed(ReportOf("explorer", tests), "test"), ElementsAre("mvn clean verify"));
}

TEST(ToldTruly, ThatChangesCouldNotBeCountedIsSaid) {
  PlaybookRepo repo(Files{{"README.md", "# oven\n"}, {"oven.c", "int x;\n"}});
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool != "git_log") return std::nullopt;
    auto commits = RowsArtifact("commits", ".", {"a\t2026\tme\t-\t-\t-\tone", "b\t2026\tme\t-\t-\t-\ttwo", "c\t2026\tme\t1\t1\t1\tthree", "d\t2026\tme\t1\t1\t1\tfour"});
    commits.facts = {{"uncounted", 2}};
    return ResultWith({commits, RowsArtifact("changes", ".", {"oven.c\t2\t2\t2\tc"})});
  };
  const Report report = repo.Explore();
  EXPECT_THAT(report.summary, HasSubstr("Which files change most is not told: what 2 of the last 4 commits changed could not be counted"));
  EXPECT_THAT(Titles(report), Not(HasSubstr("Most changed")));
}

TEST(ToldTruly, AReadmesWarningIsNoEvidenceOfWhatItIs) {
  const auto quoted = [](const Report& report) {
    std::vector<std::string> out;
    for (const auto& citation : report.findings[0].evidence) out.push_back(citation.path);
    return out;
  };
  Files files = {{"package.json", "{\n  \"name\": \"oven\",\n  \"description\": \"Bread that bakes itself\"\n}\n"}, {"index.js", "module.exports = 1;\n"}, {"README.md", "# oven\n\n**IMPORTANT:** Oven 5 is the new one and you may want the old one for now.\n"}};
  EXPECT_THAT(quoted(ReportOf("explorer", files)), ElementsAre("package.json"));
  files["README.md"] = "# oven\n\nOven is a library for baking, of everybody's breads.\n";
  EXPECT_THAT(quoted(ReportOf("explorer", files)), ElementsAre("package.json", "README.md"));
}

TEST(ToldTruly, PluginManagementRunsNothingByItself) {
  const char* plugin = "      <plugin>\n        <artifactId>maven-antrun-plugin</artifactId>\n      </plugin>\n";
  const std::string managed = std::string("<project>\n  <build>\n    <pluginManagement>\n") + plugin + "    </pluginManagement>\n  </build>\n</project>\n";
  const Report report = ReportOf("triage", {{"pom.xml", managed}});
  EXPECT_THAT(report.summary + Titles(report), Not(HasSubstr("Maven starts programs at build")));
  const Report both = ReportOf("triage", {{"pom.xml", managed}, {"shrink/pom.xml", "<project>\n  <build>\n      <plugin>\n        <artifactId>exec-maven-plugin</artifactId>\n      </plugin>\n  </build>\n</project>\n"}});
  EXPECT_THAT(Titles(both), HasSubstr("Maven starts programs at build (exec-maven-plugin)"));
}

}  // namespace
}  // namespace paddock::subagents
