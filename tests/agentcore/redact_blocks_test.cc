// Private keys over several lines, also where a text begins or ends inside of one.
#include <gtest/gtest.h>

#include "agentcore/pipeline/redact.h"

namespace paddock::agentcore {
namespace {

const std::string kBegin = "-----BEGIN RSA PRIVATE " "KEY-----", kEnd = "-----END RSA PRIVATE " "KEY-----";
const std::string kBody[] = {"MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmUZ2kFZ7rDm2pXbQv", "qN8wVtR3xLz0KfYhGdUa5JmBcEo9PsTi7WnXv1ZlQ4jHk2CrDgMbSeApFuIyO6t8",
                             "Rw3XzVq7KpLm9NbTcYd1HsGfJa5ZoUe2WiQx8RvBtMnCk0EyPl4DhSgFjIuAo6Tq"};
constexpr char kGone[] = "[redacted private-key]";
using Lines = std::vector<std::string>;

Lines RedactLines(const Lines& lines, int64_t first = 1) { return Redactor().RedactLines(lines, first, {}); }

TEST(RedactBlocks, BetweenBeginAndEndEachLineGoesAndTheMarksStay) {
  EXPECT_EQ(RedactLines({"a", kBegin, kBody[0], kBody[1], "Ab3=", kEnd, "b"}), (Lines{"a", kBegin, kGone, kGone, kGone, kEnd, "b"}));
}

TEST(RedactBlocks, AKeyWithoutItsEndGoesAsFarAsItLooksLikeOne) {
  EXPECT_EQ(RedactLines({kBegin, kBody[0], kBody[1], "the rest is text", "x"}), (Lines{kBegin, kGone, kGone, "the rest is text", "x"}));
  EXPECT_EQ(RedactLines({kBegin, kBody[0]}), (Lines{kBegin, kGone}));
}

TEST(RedactBlocks, AKeyWithoutItsBeginGoesBackToWhereItBegan) {
  EXPECT_EQ(RedactLines({"text here", kBody[0], kBody[1], "Ab3=", kEnd, "b"}, 40), (Lines{"text here", kGone, kGone, kGone, kEnd, "b"}));
}

TEST(RedactBlocks, TheMiddleOfAKeyGoesWhereTheFileGoesOnBeforeIt) {
  EXPECT_EQ(RedactLines({kBody[0], kBody[1], kBody[2]}, 12), (Lines{kGone, kGone, kGone}));
  EXPECT_EQ(RedactLines({kBody[1]}, 12), (Lines{kGone}));
  EXPECT_EQ(RedactLines({kBody[0], kBody[1]}, 1), (Lines{kBody[0], kBody[1]})) << "a file of base64: nothing is before it";
  EXPECT_EQ(RedactLines({kBody[0], "text"}, 12), (Lines{kBody[0], "text"}));
}

TEST(RedactBlocks, CertificatesPublicKeysAndHashesStay) {
  for (const std::string label : {"CERTIFICATE", "PUBLIC KEY", "PGP PUBLIC KEY BLOCK", "PGP SIGNATURE"}) {
    Lines lines{"-----BEGIN " + label + "-----", kBody[0], kBody[1], "-----END " + label + "-----"};
    EXPECT_EQ(RedactLines(lines), lines) << label;
    Lines tail(lines.begin() + 1, lines.end());
    EXPECT_EQ(RedactLines(tail, 7), tail) << label;
  }
  Lines hashes{std::string(64, 'a'), "3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b"};
  EXPECT_EQ(RedactLines(hashes, 9), hashes);
}

TEST(RedactBlocks, InDiffsNumberedLinesSourcesAndStrings) {
  const Lines out = RedactLines({"+" + kBegin, "+" + kBody[0], "+" + kEnd, "    7\t" + kBegin, "    8\t" + kBody[1], "    9\t" + kEnd, "  \"" + kBegin + "\\n\" +", "  \"" + kBody[2] + "\\n\" +",
                                 "  \"" + kEnd + "\";", "{\"key\":\"" + kBegin + "\\n" + kBody[0] + "\\n" + kBody[1] + "\\n" + kEnd + "\\n\",\"port\":80}"});
  for (const std::string& line : out)
    for (const std::string& body : kBody) EXPECT_EQ(line.find(body.substr(8)), std::string::npos) << line;
  EXPECT_EQ(out[4], std::string("    8\t") + kGone);
  EXPECT_TRUE(out[9].ends_with("\",\"port\":80}")) << out[9];
}

TEST(RedactBlocks, OneKeyCountsOnce) {
  RedactionTally tally;
  Redactor().RedactLines({kBegin, kBody[0], kBody[1], kEnd}, 1, {}, &tally);
  EXPECT_EQ(tally.total(), 1);
}

}  // namespace
}  // namespace paddock::agentcore
