// Triage on small made-up repositories, and its tables by themselves.
#include <gmock/gmock.h>

#include <set>

#include "agentcore/tools/path_filter.h"
#include "agentcore/tools/regex.h"
#include "subagents/playbook/triage_findings.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string Verdict(const Report& report) { return report.data.value("verdict", ""); }

TEST(PlaybookTriage, TheTablesAreSound) {
  std::set<std::string> keys;
  for (const TriageArea& area : TriageAreas()) {
    EXPECT_TRUE(agentcore::PathFilter::Parse(area.glob)) << area.name;
    EXPECT_LE(std::string_view(area.glob).size(), 1024u) << area.name;
    EXPECT_TRUE(keys.insert(std::string(area.glob) + std::to_string(area.limit)).second) << area.name << ": a search is known by glob and limit";
    EXPECT_TRUE(agentcore::LineRegex::Compile(area.search != nullptr ? area.search : ".", {})) << area.name;
    for (const TriageRule& rule : area.rules()) {
      EXPECT_TRUE(agentcore::LineRegex::Compile(rule.line, {})) << rule.label;
      MatchesWhole("x", rule.files ? rule.files : ".*");
      MatchesPart("x", rule.unless ? rule.unless : "x");
    }
  }
  for (const TriageSign& sign : TriageSigns()) EXPECT_TRUE(agentcore::LineRegex::Compile(sign.line, {})) << sign.label;
  for (const NameRule& rule : NameRules()) MatchesWhole("x", rule.path);
  for (const char* glob : NameGlobs()) EXPECT_TRUE(agentcore::PathFilter::Parse(glob)) << glob;
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookTriage, TheVerdictIsTheWorstOfIt) {
  const struct {
    std::map<std::string, std::string> files;
    const char* verdict;
  } cases[] = {
      {{{"a.c", "int x;\n"}, {"README", "Hello.\n"}}, "nothing found that runs by itself"},
      {{{"package.json", "{\n  \"scripts\": {\n    \"prepare\": \"husky\"\n  }\n}\n"}}, "runs on install or build"},
      {{{"docs/pyproject.toml", "build-backend = \"x\"\n"}}, "nothing found that runs by itself"},
      {{{"docs/pyproject.toml", "build-backend = \"x\"\n"}, {"pyproject.toml", "build-backend = \"x\"\n"}}, "runs on install or build"},
      {{{".devcontainer/devcontainer.json", "{\n  \"initializeCommand\": \"docker pull x\"\n}\n"}, {"Makefile", "all:\n\tcc x.c\n"}}, "runs on open"},
      {{{".vscode/tasks.json", "\"runOn\": \"folderOpen\"\n"}, {"Makefile", "all:\n\tcc x.c\n"}}, "hostile signs"},
  };
  for (const auto& one : cases) {
    PlaybookRepo repo(one.files);
    Report report = repo.Run("triage", "what would it do?", "", 10);
    EXPECT_EQ(Verdict(report), one.verdict) << report.summary;
    EXPECT_TRUE(repo.EveryCitationHolds(report));
    EXPECT_THAT(report.summary, HasSubstr("No language model was used"));
  }
}

TEST(PlaybookTriage, AHookIsAsHarmlessAsWhatItStarts) {
  std::map<std::string, std::string> files = {{"package.json", "{\n  \"scripts\": {\n    \"postinstall\": \"node scripts/post.js\"\n  }\n}\n"}, {"scripts/post.js", "console.log('thanks');\n"}};
  PlaybookRepo mild(files);
  EXPECT_EQ(Verdict(mild.Run("triage", "?", "", 10)), "runs on install or build");
  files["scripts/post.js"] = "require('./deep/more.js');\n";
  files["scripts/deep/more.js"] = "require('fs').readFileSync(require('os').homedir() + '/.ssh/id_rsa');\n";
  PlaybookRepo wild(files);
  Report report = wild.Run("triage", "?", "", 10);
  EXPECT_EQ(Verdict(report), "hostile signs") << report.summary;
  EXPECT_THAT(Titles(report), HasSubstr("scripts/deep/more.js"));
}

TEST(PlaybookTriage, ReportsWhateverHappens) {
  for (int turns : {1, 2}) {
    PlaybookRepo repo(std::map<std::string, std::string>{{"Makefile", "all:\n\tcc x.c\n"}});
    EXPECT_FALSE(repo.Run("triage", "?", "", turns).complete);
  }
  PlaybookRepo repo(std::map<std::string, std::string>{{"Makefile", "all:\n"}});
  repo.fail_all = true;
  Report report = repo.Run("triage", "?", "", 10);
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.summary, HasSubstr("could not be seen"));
}

TEST(PlaybookTriage, LinksAreJudgedByWhereTheyLead) {
  EXPECT_FALSE(LeadsOut({"a/b/link", "../c"}));
  EXPECT_TRUE(LeadsOut({"a/link", "../../c"}));
  EXPECT_TRUE(LeadsOut({"link", "/opt/x"}));
  EXPECT_FALSE(LeadsToSecrets({"link", "/opt/x"}));
  EXPECT_TRUE(LeadsToSecrets({"link", "/etc/passwd"}));
  EXPECT_TRUE(LeadsToSecrets({"link", "../../.ssh/id_rsa"}));
  EXPECT_FALSE(LeadsToSecrets({"a/link", "../.ssh/x"}));
}

}  // namespace
}  // namespace paddock::subagents
