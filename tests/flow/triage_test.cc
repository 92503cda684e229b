// Triage in a jail: every trap of a hostile repository is found, none is sprung, and what honest projects have is not called hostile.
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "tests/flow/flow_fixture.h"
#include "tests/flow/hostile_repository.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using subagents::Severity;
using subagents::Verification;

class TriageTest : public FlowTest {
 protected:
  subagents::ResultTicket Triage() {
    outcome_ = Perform(Paddock({"investigate", "triage", "what would it do?", "--json", "--repo", Path("repo")}));
    return TicketOf(outcome_);
  }

  struct Found {
    Severity severity;
    std::string when;
  };
  // By label and path.
  static std::map<std::pair<std::string, std::string>, Found> Places(const subagents::ResultTicket& ticket) {
    std::map<std::pair<std::string, std::string>, Found> out;
    for (const auto& finding : ticket.data["findings"])
      for (const auto& place : finding["places"]) {
        auto severity = FromJson<subagents::ClaimedFinding>(Json{{"title", "x"}, {"severity", finding["severity"]}});
        Found& worst = out[{finding["label"], place["path"]}];
        if (worst.when.empty() || severity->severity > worst.severity) worst = {severity->severity, finding["when"]};
      }
    return out;
  }

  Outcome outcome_;
};

TEST_F(TriageTest, FindsEveryTrapAndSpringsNone) {
  std::set<std::string> planted;
  for (const Planted& trap : Traps()) {
    planted.insert(trap.path);
    if (!trap.text.empty()) Write(std::string("repo/") + trap.path, trap.text);
  }
  for (const Honest& file : HonestFiles()) Write(std::string("repo/") + file.path, file.text);
  for (const char* name : {"HEAD", "objects/x", "refs/x"}) Write(std::string("repo/docs/bare/") + name, "ref: refs/heads/main\n");
  Write("repo/.git/HEAD", "ref: refs/heads/main\n");
  Write("repo/.gitignore", "*\n");  // nothing of this is hidden by it
  fs::create_symlink("/etc/passwd", Path("repo/passwords"));
  fs::create_symlink("../../.ssh/id_rsa", Path("repo/docs/key"));
  ASSERT_EQ(::mkfifo(Path("repo/pipe").c_str(), 0600), 0);
  for (const char* script : {".git/hooks/post-checkout", "tools/helper"}) fs::permissions(Path(std::string("repo/") + script), fs::perms::owner_exec, fs::perm_options::add);
  const auto before = List("repo"), home = List("home");

  const auto ticket = Triage();
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome_.err << outcome_.out.substr(0, 2000);
  EXPECT_EQ(ticket.data["verdict"], "hostile signs");
  EXPECT_TRUE(ticket.summary.starts_with("Hostile signs.")) << ticket.summary;
  EXPECT_EQ(List("repo"), before);
  EXPECT_EQ(List("home"), home);

  const auto found = Places(ticket);
  size_t right = 0, all = 0;
  auto expect = [&](const std::string& label, const std::string& path, Severity at_least) {
    ++all;
    auto it = found.find({label, path});
    EXPECT_TRUE(it != found.end()) << "not found: " << label << " in " << path;
    if (it == found.end()) return;
    ++right;
    EXPECT_GE(it->second.severity, at_least) << label << " in " << path;
  };
  for (const Planted& trap : Traps()) expect(trap.label, trap.path, trap.at_least);
  expect("link-out", "passwords", Severity::kHigh);
  expect("link-out", "docs/key", Severity::kHigh);
  expect("special-file", "pipe", Severity::kMedium);
  planted.insert({"passwords", "docs/key", "pipe", "sub/.GIT"});

  size_t severe = 0, wrong = 0;
  for (const auto& [key, what] : found) {
    if (what.severity < Severity::kHigh) continue;
    ++severe;
    if (planted.contains(key.second)) continue;
    ++wrong;
    ADD_FAILURE() << "called severe: " << key.first << " in " << key.second;
  }
  EXPECT_EQ(ticket.citations, ticket.citations_verified);
  std::printf("[ FIGURES  ] %zu of %zu traps found; %zu severe places, %zu of them honest; %d citations, %d verified\n", right, all, severe, wrong, static_cast<int>(ticket.citations),
              static_cast<int>(ticket.citations_verified));
}

TEST_F(TriageTest, HonestProjectsAreNotCalledHostile) {
  for (const Honest& file : HonestFiles()) Write(std::string("repo/") + fs::path(file.path).lexically_relative("honest").string(), file.text);
  const auto ticket = Triage();
  EXPECT_EQ(ticket.data["verdict"], "runs on install or build") << ticket.summary;
  for (const auto& finding : ticket.findings) EXPECT_LT(finding.severity, Severity::kMedium) << finding.title;
  EXPECT_EQ(ticket.citations, ticket.citations_verified);
}

TEST_F(TriageTest, AFolderOfTextRunsNothing) {
  Write("repo/a.txt", "Hello.\n");
  const auto ticket = Triage();
  EXPECT_EQ(ticket.data["verdict"], "nothing found that runs by itself");
  EXPECT_TRUE(ticket.findings.empty());
}

}  // namespace
}  // namespace paddock::flow
