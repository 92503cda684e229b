// Secrets that a change adds: by the redactor's rules, in pieces, and as keys.
#include <gmock/gmock.h>

#include "agentcore/pipeline/redact.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kToken[] = "ghp_R7kQ2mZx9LwTn4VbYc81JdHsPe6UfA3gXo5i";

std::vector<ReviewClaim> ClaimsOf(const std::string& path, const std::vector<std::string>& lines) { return ClaimsOfLines({ChangedFile(path, lines, 40)}); }

// What the redactor hides is a secret to the reviewer, and what it lets stand is none.
TEST(PlaybookReviewSecrets, AreWhatTheRedactorTakesForOne) {
  const agentcore::Redactor redactor;
  for (const std::string value : {kToken, "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "AKIAZQ3DRSTUVWXY2345", "AKIAIOSFODNN7EXAMPLE", "glpat-Zx9LwTn4VbYc81JdHsPe", "npm_R7kQ2mZx9LwTn4VbYc81JdHsPe6UfA3gXo5i", "hello"}) {
    const std::string line = "x = \"" + value + "\"";
    EXPECT_EQ(redactor.Redact(line) != line, TitlesOf(ClaimsOf("a.py", {"+" + line})).find("A secret is added") != std::string::npos) << value;
  }
}

TEST(PlaybookReviewSecrets, StandInPiecesToo) {
  for (const std::vector<std::string>& lines : {std::vector<std::string>{"+    password = (\"hunter2\"", "+                \"Xk29dkZZ\")"}, {std::string("+    x = \"ghp_R7kQ2mZx9LwTn4\" + \"VbYc81JdHsPe6UfA3gXo5i\"")}, {"+    x = \"ghp_R7kQ2mZx9LwTn4\" +", "+        \"VbYc81JdHsPe6UfA3gXo5i\""}})
    EXPECT_THAT(TitlesOf(ClaimsOf("a.py", lines)), HasSubstr("left out")) << lines[0];
  EXPECT_THAT(TitlesOf(ClaimsOf("a.js", {"+  const apiKey = `9f8a7c6b5d4e3f2a1b0c9d8e`;"})), HasSubstr("left out"));
  EXPECT_THAT(TitlesOf(ClaimsOf("a.py", {"+    names = [\"hunter2\",", "+             \"Xk29dkZZ\"]"})), Not(HasSubstr("left out")));
}

TEST(PlaybookReviewSecrets, NothingOfThemIsShown) {
  for (const std::string& line : {std::string("+x = \"") + kToken + "\"", std::string("+") + kToken, std::string("+x = \"ghp_R7kQ2mZx9LwTn4\" + \"VbYc81JdHsPe6UfA3gXo5i\"")}) {
    const auto claims = ClaimsOf("a.py", {line});
    ASSERT_EQ(claims.size(), 1u) << line;
    EXPECT_THAT(claims[0].spots.at(0).quote, Not(HasSubstr("R7k"))) << line;
    EXPECT_FALSE(claims[0].spots.at(0).quote.empty());
  }
}

TEST(PlaybookReviewSecrets, APrivateKeyIsOneInAnyFormat) {
  for (const char* line : {"+-----BEGIN PGP PRIVATE KEY BLOCK-----", "+-----BEGIN PRIVATE KEY-----", "+---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "+Private-Lines: 14"}) EXPECT_THAT(TitlesOf(ClaimsOf("k.txt", {line, "+abc"})), HasSubstr("A private key is added")) << line;
  EXPECT_THAT(TitlesOf(ClaimsOf("k.txt", {"+-----BEGIN PGP PUBLIC KEY BLOCK-----"})), Not(HasSubstr("private key")));
}

}  // namespace
}  // namespace paddock::subagents
