// What is taken out of a text, what stays, and that hostile text costs no more than other text. (The labelled cases
// are judged through `paddock redact`, see tests/orchestrator/judge_redact.py.) No secret stands here in one piece.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <random>

#include "agentcore/pipeline/redact.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

const std::string kGithub = std::string("gh") + "p_" + "k3Xv9QmT2bLw7RzY5cHn8JdP4sFg6AuE1oNi";
const std::string kPassword = std::string("oD!c7B2") + "TOVdfNLV9";

std::string Redact(const std::string& text) { return Redactor().Redact(text); }

TEST(Redact, PutsTheKindInThePlaceOfTheSecretAndKeepsWhatStandsAround) {
  EXPECT_EQ(Redact("token: " + kGithub + " # mine"), "token: [redacted github-token] # mine");
  EXPECT_EQ(Redact("user: app\npassword: " + kPassword + "\nhost: h"), "user: app\npassword: [redacted password]\nhost: h");
  EXPECT_EQ(Redact("postgres://app:" + kPassword + "@db:5432/x"), "postgres://app:[redacted url-password]@db:5432/x");
}

TEST(Redact, LeavesCodeThatMovesSecretsAround) {
  for (const char* text : {"password = read_password(prompt)", "token = os.environ[\"TOKEN\"]", "if (token == kEndOfFile2) {", "secret: ${SECRET}",
                           "api_key = config.api_key", "const char* password;", "// the password must have 8 to 64 characters"})
    EXPECT_EQ(Redact(text), text);
}

TEST(Redact, ATallyCountsEachValueOnce) {
  RedactionTally tally;
  Redactor redactor;
  for (int i = 0; i < 3; ++i) redactor.Redact("a " + kGithub + " b", &tally);
  redactor.Redact("password: " + kPassword, &tally);
  EXPECT_EQ(tally.total(), 2);
  EXPECT_EQ(tally.Sentence(), "2 secrets were redacted (1 github-token, 1 password)");
  EXPECT_EQ(RedactionTally().Sentence(), "");
}

TEST(Redact, AMemberOfAnObjectIsJudgedByItsName) {
  Redactor redactor;
  Json in{{"db", {{"password", kPassword}, {"host", "h"}}}, {"note", kPassword}, {kGithub, 1}, {"list", Json::array({kGithub})}};
  Json out = redactor.RedactJson(in);
  EXPECT_EQ(out["db"]["password"], "[redacted password]");
  EXPECT_EQ(out["db"]["host"], "h");
  EXPECT_EQ(out["note"], kPassword) << "nothing says that it is one";
  EXPECT_TRUE(out.contains("[redacted github-token]"));
  EXPECT_EQ(out["list"][0], "[redacted github-token]");
}

TEST(Redact, ASecretAtTheEndOfALineThatWasCutIsTakenOutThoughItIsHalf) {
  Redactor redactor;
  const std::string half = "see " + kGithub.substr(0, 20);
  EXPECT_EQ(redactor.RedactLines({half}, 1, {false})[0], half);
  EXPECT_EQ(redactor.RedactLines({half}, 1, {true})[0], "see [redacted github-token]");
  EXPECT_EQ(redactor.RedactLines({"plain text", "more"}, 1, {true, true}), (std::vector<std::string>{"plain text", "more"}));
}

// Pieces of secrets, of marks and of what stands around them, put together by chance.
std::string Fuzz(std::mt19937* random, size_t pieces) {
  static const std::vector<std::string> kPieces = {
      kGithub, kPassword, "password", "token", "key", "=", ": ", "\"", "'", "\n", " ", "[redacted ", "[redacted secret]", "]", "://", "@", "user:", "-----BEGIN RSA PRIVATE ", "KEY-----", "-----END ",
      "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5\n", "eyJhbGciOiJIUzI1NiJ9", ".", "Bearer ", "Authorization: ", "\\n", "%3D", "\xff", "\xE2\x80\x8B", "\\u{1B}[1m", "<", ">", "sk-", "--", "value=", "name: API_TOKEN", "AKIA", "Zx9Qw3Er7Ty1Ui5Op8As2Df6Gh4Jk0"};
  std::string text;
  for (size_t i = 0; i < pieces; ++i) text += kPieces[(*random)() % kPieces.size()];
  return text;
}

TEST(Redact, OfItsOwnOutputChangesNothingAndKeepsLinesAndUtf8) {
  std::mt19937 random(7);
  Redactor redactor(std::vector<KnownSecret>{{"api-key", "correct-horse-battery-staple-9"}});
  for (int i = 0; i < 3000; ++i) {
    std::string text = VisibleText(Fuzz(&random, 1 + random() % 40), Newlines::kKeep);
    std::string once = redactor.Redact(text);
    ASSERT_EQ(redactor.Redact(once), once) << text;
    ASSERT_TRUE(IsValidUtf8(once)) << text;
    ASSERT_EQ(std::count(once.begin(), once.end(), '\n'), std::count(text.begin(), text.end(), '\n')) << text;
    ASSERT_EQ(once.find(kGithub), std::string::npos) << text;
  }
}

TEST(Redact, AStreamGivesTheSameInPiecesOfAnySize) {
  std::mt19937 random(11);
  Redactor redactor;
  std::string text;
  while (text.size() < (1u << 20)) text += "an ordinary line of text, number " + std::to_string(text.size()) + "\n" + (random() % 50 ? "" : "x = \"" + kGithub + "\"\n");
  std::string key = "-----BEGIN RSA PRIVATE " "KEY-----\n";
  for (int i = 0; i < 40; ++i) key += "MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmUZ2kFZ7rDm2pXbQv\n";
  key += "-----END RSA PRIVATE " "KEY-----\n";
  for (size_t at : {262'144u - 300, 524'288u - 40, 786'432u + 1}) text.insert(text.find('\n', at) + 1, key);
  const std::string whole = redactor.Redact(text);
  EXPECT_EQ(whole.find("MIIEpAIB"), std::string::npos);
  for (size_t piece : {1000u, 65'536u, 5'000'000u}) {
    RedactStream stream(&redactor, nullptr);
    std::string out;
    for (size_t at = 0; at < text.size(); at += piece) out += stream.Feed(std::string_view(text).substr(at, piece));
    out += stream.Finish();
    EXPECT_TRUE(out == whole) << "in pieces of " << piece;
  }
}

// Where one line is longer than what a stream holds, what gives a secret away stays with it.
TEST(Redact, AStreamDoesNotCutBetweenANameAndItsValue) {
  Redactor redactor;
  constexpr size_t kCut = (1u << 20) - (32u << 10);
  for (const std::string& name : {std::string("\"password\": \""), std::string("password="), std::string("curl -u me:")})
    for (size_t before = 0; before < 24; ++before) {
      std::string text(kCut - name.size() - 8 + before, '.');
      text[kCut / 2] = ' ', text.back() = ' ';
      text += name + kPassword + "\" " + std::string(200'000, '.');
      RedactStream stream(&redactor, nullptr);
      std::string out = stream.Feed(text);
      out += stream.Finish();
      for (size_t i = 0; i + 6 <= kPassword.size(); ++i) EXPECT_EQ(out.find(kPassword.substr(i, 6)), std::string::npos) << name << before;
      EXPECT_EQ(out.size(), text.size() - kPassword.size() + std::string_view("[redacted password]").size()) << name << before;
    }
}

TEST(Redact, WhatIsMadeByChanceIsTakenOutInWhateverPlaceItStands) {
  const std::string letters = "qXbTrKLmwPzHnVcYdSfGjRtQxWvBkZaMhN", hex = "0f3a9c1e5b8d2046a1c7e9034f6b8d25";
  for (const auto& [before, secret, after] : std::vector<std::array<std::string, 3>>{
           {"", "hf_" + letters, ""}, {"https://hooks.slack." "com/services/", "T0QXKRBTZA/B0PLKMNBVC/" + letters.substr(0, 24), ""}, {"DB_PASSWORD=", "qXbTrKLm", ""},
           {"secret: |\n  ", letters, "\nx: 1"}, {"password:\n  ", "qX7bTr2KLm", "\nhost: h"}, {"\"secretAccessKey\": [ \"", letters, "\" ]"}, {"GET https://h/p?key=", hex, "&x=1"},
           {"https://h/p?X-Amz-Signature=", hex + hex, ""}, {"TOTP_SECRET=", "PXQRWTEGLBXLASXM", ""}, {"SECRET_KEY = '", "d*^w54#kwru42o$(d-x2k@ri=x&z5^6rjx+t=_!t6-r7t@%6b*", "'"}}) {
    const std::string out = Redact(before + secret + after);
    EXPECT_TRUE(out.starts_with(before + "[redacted ") && out.ends_with("]" + after)) << out;
  }
  for (const char* text : {"password:\n  secretKeyRef:\n    name: db", "secret: |\n  two words", "password = parseURLForHTTP", "token: [\n  \"access\",\n]", "password:\nhost: a1B2c3D4e5"})
    EXPECT_EQ(Redact(text), text);
}

// Twice the text takes twice the time, not four times; and none takes long.
// 4 MiB, a tenth of a second each when quiet; half a minute where each name's value was read to its end.
TEST(Redact, NamesWithinNamesAreNotJudgedOverAndOver) {
  for (const std::string piece : {"token=", "password=", "key=", "key=pw=", "token=pass=", "sk-", "secret: |\n "}) {
    std::string text;
    while (text.size() < (4u << 20)) text += piece;
    auto started = std::chrono::steady_clock::now();
    Redactor().Redact(text);
    auto took = std::chrono::steady_clock::now() - started;
    if (getenv("REDACT_TIMES")) printf("%6ld ms %s\n", static_cast<long>(took / std::chrono::milliseconds(1)), piece.c_str());
    EXPECT_LT(took, std::chrono::seconds(6)) << piece;
  }
}

TEST(Redact, HostileTextIsNotWorkedOnOverAndOver) {
  Redactor redactor(std::vector<KnownSecret>{{"api-key", "correct-horse-battery-staple-9"}});
  for (const std::string& piece : {std::string("sk-"), std::string("key="), std::string("password="), std::string("://a:"), std::string("-----BEGIN PRIVATE " "KEY-----"),
                                   std::string("-----END PRIVATE " "KEY-----"), std::string("[redacted "), std::string("eyJ"), std::string("A"), std::string("\"kty\""), std::string("authorization:"),
                                   std::string("curl -u "), std::string("mysql -p"), std::string("%41"), std::string("token=\n"), std::string("-----BEGIN PRIVATE " "KEY-----\n"), kGithub + " ", std::string("\\")}) {
    std::string text;
    while (text.size() < (512u << 10)) text += piece;
    auto started = std::chrono::steady_clock::now();
    redactor.Redact(text);
    auto took = std::chrono::steady_clock::now() - started;
    if (getenv("REDACT_TIMES")) printf("%6ld ms %s\n", static_cast<long>(took / std::chrono::milliseconds(1)), piece.c_str());
    EXPECT_LT(took, std::chrono::seconds(20)) << piece;  // a quarter of a second when quiet; quadratic: minutes
  }
}

}  // namespace
}  // namespace paddock::agentcore
