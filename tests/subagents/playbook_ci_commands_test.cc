// The explorer on commands of CI: what they back up, and which folder they are of; and on sentences of what a project can't.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report Map(Files files) {
  Report report = ReportOn("explorer", "map this repository", std::move(files));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
  return report;
}
std::string Workflow(const std::string& steps, const std::string& before = "") { return "on: push\n" + before + "jobs:\n  test:\n    runs-on: x\n    steps:\n" + steps; }

TEST(PlaybookCiCommands, WhereNoBuildFileSaysHowTestsRunCiDoes) {
  const Files files = {{"oven.js", "exports.heat = function (t) {\n  return t\n}\n"}, {"spec/oven.js", "heat(1)\n"}};
  Files with = files;
  with[".github/workflows/ci.yml"] = Workflow("      - run: npx mocha\n");
  EXPECT_THAT(Listed(Map(with), "test"), testing::ElementsAre("npx mocha"));
  EXPECT_THAT(Titles(Map(with)), HasSubstr("Test with `npx mocha`"));
  Files gitlab = files;
  gitlab[".gitlab-ci.yml"] = "test:\n  script:\n    - npx mocha\n";
  EXPECT_THAT(Listed(Map(gitlab), "test"), testing::ElementsAre("npx mocha"));
  // A build file's own command needs none of it.
  with["package.json"] = "{\n  \"name\": \"oven\",\n  \"scripts\": {\n    \"test\": \"mocha\"\n  }\n}\n";
  EXPECT_THAT(Listed(Map(with), "test"), testing::ElementsAre("npm test"));
}

// Found on a library whose CI runs the made Makefile of its build folder: "Build, other way: `make`", which there builds an image.
TEST(PlaybookCiCommands, MakeInAFolderThatABuildMakesIsNotTheRootsMake) {
  const Files files = {{"CMakeLists.txt", "project(oven C)\nenable_testing()\nadd_executable(t t.c)\nadd_test(NAME t COMMAND t)\n"}, {"t.c", "int main(void) {\n    return 0;\n}\n"}, {"Makefile", "help: image\n\t@echo x\n\nimage:\n\tdocker build .\n"}};
  Files with = files;
  with[".github/workflows/ci.yml"] = Workflow("      - run: |\n          mkdir build\n          cd build\n          cmake ..\n          make\n          ctest\n");
  for (const auto& command : Listed(Map(with), "build")) EXPECT_NE(command, "make");
  with[".github/workflows/ci.yml"] = Workflow("      - run: |\n          make\n");
  EXPECT_THAT(Listed(Map(with), "build"), testing::Contains("make"));
}

TEST(PlaybookCiCommands, AStepsFolderIsSaid) {
  const Files files = {{"web/package.json", "{\n}\n"}, {"web/oven.js", "exports.heat = function (t) {\n  return t\n}\n"}};
  for (const auto& steps : {Workflow("      - working-directory: web\n        run: npx mocha\n"), Workflow("      - run: npx mocha\n        working-directory: ./web\n"), Workflow("      - run: npx mocha\n", "defaults:\n  run:\n    working-directory: web\n")}) {
    Files with = files;
    with[".github/workflows/ci.yml"] = steps;
    EXPECT_THAT(Listed(Map(with), "test"), testing::ElementsAre("cd web && npx mocha")) << steps;
  }
  Files unknown = files;
  unknown[".github/workflows/ci.yml"] = Workflow("      - run: npx mocha\n        working-directory: ${{ matrix.folder }}\n");
  EXPECT_THAT(Listed(Map(unknown), "test"), IsEmpty()) << "which folder isn't known";
}

// Found on a workflow that has `go test -tags '${{ matrix.tags }}' ./...`: "CI files don't name it".
TEST(PlaybookCiCommands, AnOptionThatIsFilledInMayStandInQuotes) {
  const Report report = Map({{"go.mod", "module example.org/oven\n"}, {"oven.go", "package oven\n\nfunc Heat() {}\n"}, {"oven_test.go", "package oven\n\nimport \"testing\"\n\nfunc TestHeat(t *testing.T) {}\n"}, {".github/workflows/ci.yml", Workflow("      - run: go test -race -v -tags '${{ matrix.tags }}' -shuffle=on ./...\n")}});
  EXPECT_THAT(DetailOf(report, "Test with"), Not(HasSubstr("don't name it"))) << Titles(report);
  EXPECT_THAT(DetailOf(report, "Test with"), HasSubstr("CI names it")) << Titles(report);
}

// Found on a client whose scripts/check formats and checks types.
TEST(PlaybookCiCommands, AScriptForChecksIsNoTestBesideATestCommand) {
  Files files = {{"pyproject.toml", "[project]\nname = \"x\"\n[tool.pytest.ini_options]\n"}, {"tests/test_x.py", "import pytest\n"}, {"scripts/check", "#!/bin/sh\nruff check x\n"}, {"scripts/test", "#!/bin/sh\npytest\n"}, {"CONTRIBUTING.md", "Run\n\n```\n$ scripts/test\n$ scripts/check\n```\n"}};
  EXPECT_THAT(Listed(Map(files), "test"), testing::AllOf(testing::Contains("scripts/test"), Not(testing::Contains("scripts/check"))));
}

// Found on a library of configuration: "What it is: A single Viper instance only supports a single configuration file".
TEST(PlaybookCiCommands, ASentenceOfWhatItCannotIsNotWhatItIs) {
  const Report report = Map({{"go.mod", "module example.org/oven\n"}, {"oven.go", "package oven\n"}, {"README.md", "# Oven\n\nA single Oven instance only supports a single tray, but more shelves may be used for one.\n\nOven is a complete solution for baking in Go applications.\n"}});
  EXPECT_THAT(report.summary, HasSubstr("Oven is a complete solution for baking")) << Titles(report);
}

}  // namespace
}  // namespace paddock::subagents
