#include "agentcore/pipeline/clean.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

Artifact Excerpt(std::string path, int64_t start, std::vector<std::string> lines) {
  Artifact artifact;
  artifact.kind = "excerpt";
  artifact.path = std::move(path);
  artifact.line_start = start;
  for (const std::string& line : lines) artifact.lines.push_back(WireFromBytes(line));
  return artifact;
}

TEST(CleanLine, MakesEverythingInvisibleVisibleButKeepsTabs) {
  EXPECT_EQ(CleanLine("a\tb"), "a\tb");
  EXPECT_EQ(CleanLine("a\nb\r"), "a\\u{A}b\\u{D}");
  EXPECT_EQ(CleanLine("\xff\x1b[2J\xE2\x80\xAE"), "\\xff\\u{1B}[2J\\u{202E}");
}

TEST(CleanLine, IsStableOnItsOwnOutput) {
  std::string once = CleanLine("x\xfe\x01\xE2\x80\x8B\n");
  EXPECT_EQ(CleanLine(once), once);
}

TEST(CleanResult, DecodesWireLinesAndKeepsTheirRawBytes) {
  ToolResult raw;
  raw.success = true;
  raw.status = ToolStatus::kOk;
  raw.artifacts.push_back(Excerpt("a.txt", 7, {"\xff!", "plain\r"}));
  raw.artifacts[0].cut = {8};
  raw.artifacts[0].matches = {7, 99};
  auto clean = CleanResult(raw, {}, Redactor(), nullptr);
  ASSERT_EQ(clean.result.artifacts.size(), 1u);
  EXPECT_EQ(clean.result.artifacts[0].lines, (std::vector<std::string>{"\\xff!", "plain\\u{D}"}));
  EXPECT_EQ(clean.result.artifacts[0].matches, std::vector<int64_t>{7});
  EXPECT_EQ(clean.result.artifacts[0].cut, std::vector<int64_t>{8});
  EXPECT_EQ(clean.result.status, ToolStatus::kOk);
  ASSERT_EQ(clean.seen.size(), 1u);
  EXPECT_EQ(clean.seen[0].lines, (std::vector<std::string>{"\xff!", "plain\r"}));
  EXPECT_EQ(clean.seen[0].cut, (std::vector<bool>{false, true}));
  EXPECT_EQ(clean.seen[0].line_start, 7);
}

TEST(HeadAndTail, KeepNoHalfOfAnEmoji) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "\U0001F469\u200D\U0001F4BB";
  for (size_t most = 100; most < 140; ++most) {
    const std::string both = HeadAndTail(text, most);
    EXPECT_LE(both.size(), most);
    EXPECT_EQ(VisibleText(both, Newlines::kKeep), both) << most;
  }
}

TEST(CleanResult, LongResultsKeepHeadAndTailAndOnlyTheseAreSeen) {
  ToolResult raw;
  raw.status = ToolStatus::kOk;
  std::vector<std::string> lines;
  for (int i = 1; i <= 1000; ++i) lines.push_back("line " + std::to_string(i) + std::string(90, 'x'));
  raw.artifacts.push_back(Excerpt("big", 1, lines));
  auto clean = CleanResult(raw, {.max_bytes = 10'000, .max_line_bytes = 1000}, Redactor(), nullptr);
  EXPECT_EQ(clean.result.status, ToolStatus::kPartial);
  EXPECT_NE(clean.result.output.find("left out"), std::string::npos);
  ASSERT_EQ(clean.result.artifacts.size(), 2u);
  EXPECT_EQ(clean.result.artifacts[0].line_start, 1);
  const Artifact& tail = clean.result.artifacts[1];
  EXPECT_EQ(tail.line_start + static_cast<int64_t>(tail.lines.size()) - 1, 1000);
  EXPECT_EQ(tail.lines.front().substr(0, 9), "line " + std::to_string(tail.line_start) + "x");
  ASSERT_EQ(clean.seen.size(), 2u);
  EXPECT_EQ(clean.seen[0].lines.size(), clean.result.artifacts[0].lines.size());
  EXPECT_EQ(clean.seen[1].line_start, tail.line_start);
  EXPECT_LT(ResultBytes(clean.result), 10'500u);
}

TEST(CleanResult, AShortenedLineIsSeenAsFarAsItIsShown) {
  ToolResult raw;
  raw.artifacts.push_back(Excerpt("min.js", 1, {std::string(100'000, 'a')}));
  auto clean = CleanResult(raw, {.max_bytes = 256u << 10, .max_line_bytes = 6000}, Redactor(), nullptr);
  ASSERT_EQ(clean.seen.size(), 1u);
  EXPECT_TRUE(clean.seen[0].cut[0]);
  EXPECT_EQ(clean.seen[0].lines[0].size(), 1000u);
  EXPECT_EQ(CleanLine(clean.seen[0].lines[0]), clean.result.artifacts[0].lines[0]);
  EXPECT_EQ(clean.result.artifacts[0].cut, std::vector<int64_t>{1});
}

TEST(CleanResult, EveryStringIsCleanedAndBounded) {
  ToolResult raw;
  raw.output = "out\x1b]0;x\x07" + std::string(3u << 20, 'o');
  raw.error = std::string("e\xE2\x80\xAE") + std::string(100'000, 'e');
  raw.summary = "s\ns";
  raw.recovery_hint = "h\x1b";
  raw.next_actions.assign(100, "n\x1b");
  Artifact listing;
  listing.kind = "listing";
  listing.path = "d\x1b";
  listing.entries = {"a\x1b", "ok/"};
  listing.facts = Json{{"k\x1b", "v\x1b"}};
  raw.artifacts.push_back(listing);
  auto clean = CleanResult(raw, {}, Redactor(), nullptr);
  std::string all = DumpJson(ToJson(clean.result));
  EXPECT_EQ(all.find("\\u001b"), std::string::npos);
  EXPECT_EQ(all.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_LT(all.size(), 300u << 10);
  EXPECT_EQ(clean.result.summary, "s\\u{A}s");
  EXPECT_EQ(clean.result.next_actions.size(), 16u);
  EXPECT_EQ(clean.result.artifacts[0].entries, (std::vector<std::string>{"a\\u{1B}", "ok/"}));
  EXPECT_EQ(clean.result.artifacts[0].facts["k\\u{1B}"], "v\\u{1B}");
}

TEST(CleanResult, AbsurdNumbersAndShapesDoNoHarm) {
  ToolResult raw;
  raw.artifacts.push_back(Excerpt("x", INT64_MAX, {"a", "b"}));
  raw.artifacts.push_back(Excerpt("y", 0, {"a"}));
  raw.artifacts.push_back(Artifact{});
  raw.artifacts[2].facts = Json::array({1});
  Json deep = "x";
  for (int i = 0; i < 50; ++i) deep = Json{{"d", deep}};
  Artifact facts;
  facts.facts = deep;
  raw.artifacts.push_back(facts);
  auto clean = CleanResult(raw, {}, Redactor(), nullptr);
  EXPECT_TRUE(clean.seen.empty());
  ASSERT_EQ(clean.result.artifacts.size(), 4u);
  EXPECT_TRUE(clean.result.artifacts[2].facts.is_object());
  EXPECT_EQ(DumpJson(clean.result.artifacts[3].facts).find("\"x\""), std::string::npos);
}

TEST(CleanResult, ManyArtifactsWithBigFactsStayWithinBounds) {
  ToolResult raw;
  for (int i = 0; i < 2000; ++i) {
    Artifact artifact;
    artifact.kind = "listing";
    artifact.facts = Json{{"k", std::string(4000, 'v')}};
    raw.artifacts.push_back(artifact);
  }
  auto clean = CleanResult(raw, {}, Redactor(), nullptr);
  EXPECT_LT(DumpJson(ToJson(clean.result)).size(), 400u << 10);
  EXPECT_NE(clean.result.output.find("whole artifacts"), std::string::npos);
}

// A control character of a path becomes six that are shown, and was paid for as one.
TEST(CleanResult, PathsArePaidForAsTheyAreShown) {
  ToolResult raw;
  for (int i = 0; i < 100; ++i) raw.artifacts.push_back(Excerpt(std::string(150, '\1'), 1, {"a"}));
  auto clean = CleanResult(raw, {.max_bytes = 4000, .max_line_bytes = 100}, Redactor(), nullptr);
  size_t bytes = 0;
  for (const Artifact& artifact : clean.result.artifacts) bytes += artifact.path.size();
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, 4000u);
}

// In parts, so that no secret stands here.
const std::string kToken = std::string("gh") + "p_" + "k3Xv9QmT2bLw7RzY5cHn8JdP4sFg6AuE1oNi";

TEST(CleanResult, NoStringOfItHoldsASecret) {
  ToolResult raw;
  raw.output = "output " + kToken;
  raw.error = "error " + kToken;
  raw.summary = "summary " + kToken;
  raw.recovery_hint = "hint " + kToken;
  raw.next_actions = {"next " + kToken};
  Artifact excerpt;
  excerpt.kind = "excerpt";
  excerpt.path = "path/" + kToken;
  excerpt.line_start = 1;
  excerpt.lines = {"plain", "line " + kToken + " end"};
  excerpt.facts = Json{{kToken, kToken}, {"deep", {{"list", Json::array({kToken})}}}, {"password", std::string("oD!c7B2") + "TOVdfNLV9"}};
  Artifact listing;
  listing.kind = "listing";
  listing.path = ".";
  listing.entries = {"entry/" + kToken};
  raw.artifacts = {excerpt, listing};
  RedactionTally tally;
  auto clean = CleanResult(raw, {}, Redactor(), &tally);
  const std::string all = DumpJson(ToJson(clean.result));
  EXPECT_EQ(all.find(kToken), std::string::npos) << all;
  EXPECT_EQ(all.find("TOVdf"), std::string::npos) << all;
  EXPECT_EQ(clean.result.artifacts[0].lines[1], "line [redacted github-token] end");
  EXPECT_EQ(tally.total(), 2);
  // What was read is the line itself; beside it stands what was shown.
  ASSERT_EQ(clean.seen.size(), 1u);
  EXPECT_EQ(clean.seen[0].lines[1], "line " + kToken + " end");
  EXPECT_EQ(clean.seen[0].redacted, (std::vector<std::string>{"", "line [redacted github-token] end"}));
  EXPECT_EQ(clean.seen[0].path, "path/" + kToken);
}

TEST(CleanResult, ASecretIsTakenOutBeforeALineOrATextIsCut) {
  ToolResult raw;
  raw.output = std::string(900, 'x') + " " + kToken + " " + std::string(4000, 'y');
  Artifact excerpt;
  excerpt.kind = "excerpt";
  excerpt.path = "a";
  excerpt.line_start = 1;
  excerpt.lines = {std::string(990, '.') + " " + kToken + std::string(4000, '.')};
  raw.artifacts = {excerpt};
  for (size_t bytes = 3600; bytes < 3800; bytes += 7) {
    auto clean = CleanResult(raw, {.max_bytes = bytes, .max_line_bytes = bytes - 2600}, Redactor(), nullptr);
    const std::string all = DumpJson(ToJson(clean.result));
    EXPECT_EQ(all.find(kToken.substr(0, 12)), std::string::npos) << bytes << all;
  }
}

TEST(CleanResult, AKeyThatIsReadInPiecesIsTakenOutOfEach) {
  const std::string body[] = {"MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmUZ2kFZ7rDm2pXbQv", "qN8wVtR3xLz0KfYhGdUa5JmBcEo9PsTi7WnXv1ZlQ4jHk2CrDgMbSeApFuIyO6t8"};
  ToolResult raw;
  Artifact excerpt;
  excerpt.kind = "excerpt";
  excerpt.path = "id_rsa";
  excerpt.line_start = 5;
  excerpt.lines = {body[0], body[1]};
  raw.artifacts = {excerpt};
  auto clean = CleanResult(raw, {}, Redactor(), nullptr);
  EXPECT_EQ(clean.result.artifacts[0].lines, (std::vector<std::string>{"[redacted private-key]", "[redacted private-key]"}));
}

TEST(CleanResult, NoPieceOfAKnownSecretIsLeftWhereATextIsCut) {
  const std::string key = "q7zKettle93sings41BlueHorse";
  const Redactor redactor({{"api-key", key}});
  for (size_t into = 1; into < key.size(); ++into) {
    auto over = [&](size_t bound) { return std::string(bound - into, 'a') + key + std::string(bound, 'b'); };
    ToolResult raw;
    raw.status = ToolStatus::kFailed;
    raw.summary = over(1024);
    raw.error = over((4096 - 40) / 3 * 2);
    raw.recovery_hint = over((1024 - 40) / 3 * 2);
    raw.next_actions = {over(512)};
    const ToolResult clean = CleanResult(raw, {}, redactor, nullptr).result;
    const std::string all = clean.summary + " " + clean.error + " " + clean.recovery_hint + " " + clean.next_actions.at(0);
    for (size_t i = 0; i + 8 <= key.size(); ++i) EXPECT_EQ(all.find(key.substr(i, 8)), std::string::npos) << into << all;
  }
}

}  // namespace
}  // namespace paddock::agentcore
