#include "orchestrator/delegation/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/sha256.h"
#include "base/text.h"
#include "tests/orchestrator/evidence_fixture.h"

namespace paddock::orchestrator {
namespace {

TEST_F(EvidenceTest, WholeLinesAndPartsOfOneLineAreVerifiedWithAHashOfTheRawRange) {
  Read("a.c", 1, 3);
  auto whole = Check({"a.c", 1, 2, "int main() {\n\treturn 1;"});
  EXPECT_EQ(whole.verification, Verification::kVerified) << whole.note;
  EXPECT_TRUE(whole.read);
  EXPECT_EQ(whole.sha256, Sha256Hex("int main() {\n\treturn 1;\n"));
  EXPECT_EQ(Check({"a.c", 1, 3, "return 1;"}).verification, Verification::kVerified);
  EXPECT_EQ(Check({"./a.c", 2, 3, "\treturn 1;\n}\n"}).verification, Verification::kVerified);
}

TEST_F(EvidenceTest, ReturnsAndInvisibleBytesAreComparedAsTheModelSawThem) {
  Read("crlf.txt", 1, 2);
  Read("bin", 1, 2);
  for (const char* quote : {"one\ntwo", "one\r\ntwo\r\n", "one\\u{D}\ntwo\\u{D}", "two"})
    EXPECT_EQ(Check({"crlf.txt", 1, 2, quote}).verification, Verification::kVerified) << quote;
  EXPECT_EQ(Check({"bin", 1, 1, "\\xff\\u{1B}[0m"}).verification, Verification::kVerified);
  EXPECT_EQ(Check({"bin", 2, 2, "last without newline\n"}).verification, Verification::kVerified);
}

TEST_F(EvidenceTest, WhatIsNotThereIsContradicted) {
  Read("a.c", 1, 3);
  for (const char* quote : {"return 2;", "{\n\treturn 1;", "int main() {\n}", "int main() {\treturn 1;"}) {
    auto evidence = Check({"a.c", 1, 3, quote});
    EXPECT_EQ(evidence.verification, Verification::kContradicted) << quote;
    EXPECT_FALSE(evidence.sha256);
  }
  EXPECT_EQ(Check({"a.c", 3, 1, "}"}).verification, Verification::kContradicted);
}

TEST_F(EvidenceTest, UnreadRangesAreNeverLookedAtAndAllLookTheSame) {
  Read("a.c", 1, 2);
  std::vector<Evidence> all = {Check({"secret", 1, 1, "password"}), Check({"secret", 1, 1, "wrong"}), Check({"no such", 1, 1, "x"}),
                               Check({"a.c", 1, 3, "return 1;"}), Check({"secret", 1, 1, ""})};
  for (const Evidence& evidence : all) {
    EXPECT_EQ(evidence.verification, Verification::kUnknown);
    EXPECT_FALSE(evidence.read);
    EXPECT_FALSE(evidence.sha256);
    EXPECT_EQ(evidence.note, all[0].note);
  }
  EXPECT_TRUE(asked.empty());
  EXPECT_EQ(started, 0);
}

TEST_F(EvidenceTest, EmptyQuotesProveNothing) {
  Read("a.c", 1, 3);
  for (const char* quote : {"", " \t\n", "\r", "\\u{D}", "\n\n"}) EXPECT_EQ(Check({"a.c", 1, 3, quote}).verification, Verification::kUnknown) << quote;
}

TEST_F(EvidenceTest, OneOrTwoCharactersProveNothingUnlessTheyAreAllOfALine) {
  Read("a.c", 1, 3);
  for (const char* quote : {"r", "1;", " 1", "\tr"}) {
    const auto evidence = Check({"a.c", 1, 3, quote});
    EXPECT_EQ(evidence.verification, Verification::kUnknown) << quote;
    EXPECT_FALSE(evidence.sha256);
    EXPECT_THAT(evidence.note, testing::HasSubstr("quote more"));
  }
  EXPECT_EQ(Check({"a.c", 1, 3, "}"}).verification, Verification::kVerified);
  EXPECT_EQ(Check({"a.c", 2, 2, " 1;"}).verification, Verification::kUnknown);
  // A dash of three bytes is one character, and what nobody sees is none.
  files["d.txt"] = "it \u2014 is\u200B so\n";
  Read("d.txt", 1, 1);
  for (const char* quote : {"\u2014", "\u200B", "\\u{200B}", "is\u200B"}) EXPECT_EQ(Check({"d.txt", 1, 1, quote}).verification, Verification::kUnknown) << quote;
  EXPECT_EQ(Check({"d.txt", 1, 1, "it \u2014"}).verification, Verification::kVerified);
  EXPECT_EQ(Check({"a.c", 2, 2, "n 1"}).verification, Verification::kVerified);
}

TEST_F(EvidenceTest, ChangedFilesAreToldFromMadeUpQuotes) {
  Read("a.c", 1, 3);
  files["a.c"] = "int main() {\n\treturn 9;\n}\n";
  EXPECT_EQ(Check({"a.c", 2, 2, "return 1;"}).verification, Verification::kChanged);
  EXPECT_EQ(Check({"a.c", 2, 2, "return 9;"}).verification, Verification::kVerified);
  files["a.c"] = "int main() {\n";
  EXPECT_EQ(Check({"a.c", 2, 2, "return 1;"}).verification, Verification::kChanged);
  files.erase("a.c");
  EXPECT_EQ(Check({"a.c", 2, 2, "return 1;"}).verification, Verification::kChanged);
}

TEST_F(EvidenceTest, TimesOfChangeCountOnlyBetweenStartAndNow) {
  Read("a.c", 1, 3);
  Citation wrong{"a.c", 2, 2, "return 2;"};
  auto judge = [&](int64_t changed_ns) {
    auto range = RangeOf(files, {1, "a.c", 2, 2});
    range.changed_ns = changed_ns;
    return Judge(wrong, read, times, range, redactor).verification;
  };
  EXPECT_EQ(judge(4999), Verification::kContradicted);
  EXPECT_EQ(judge(6000), Verification::kChanged);
  EXPECT_EQ(judge(INT64_MAX), Verification::kContradicted);
}

TEST_F(EvidenceTest, StatusesOfTheChecker) {
  Read("a.c", 1, 3);
  auto judge = [&](const char* status) {
    RangeFrame range;
    range.status = status;
    return Judge({"a.c", 2, 2, "return 1;"}, read, times, range, redactor).verification;
  };
  for (const char* gone : {"no_file", "no_lines", "not_text", "denied"}) EXPECT_EQ(judge(gone), Verification::kChanged);
  for (const char* cant : {"timeout", "too_long", "nonsense", ""}) EXPECT_EQ(judge(cant), Verification::kUnknown);
}

TEST_F(EvidenceTest, OfALongLineOnlyThePartThatWasSeenIsConfirmed) {
  files["min.js"] = "var a=1;HIDDEN-TOKEN\nshort\n";
  Read("min.js", 1, 2, 8);
  auto seen = Check({"min.js", 1, 1, "var a=1"});
  EXPECT_EQ(seen.verification, Verification::kVerified);
  EXPECT_FALSE(seen.sha256);
  auto right = Check({"min.js", 1, 1, "HIDDEN-TOKEN"});
  auto wrong = Check({"min.js", 1, 1, "HIDDEN-OTHER"});
  EXPECT_EQ(right.verification, Verification::kUnknown);
  EXPECT_EQ(right.note, wrong.note);
  EXPECT_EQ(wrong.verification, Verification::kUnknown);
  EXPECT_EQ(Check({"min.js", 1, 2, "var a=1;\nshort"}).verification, Verification::kUnknown);
  EXPECT_EQ(Check({"min.js", 2, 2, "short"}).verification, Verification::kVerified);
}

TEST_F(EvidenceTest, RangesOfMoreThan2000LinesAreNotLookedAt) {
  for (int i = 0; i < 2100; ++i) files["long"] += "l\n";
  Read("long", 1, 2100);
  EXPECT_EQ(Check({"long", 1, 2001, "l"}).verification, Verification::kUnknown);
  EXPECT_EQ(Check({"long", 1, 2000, "l"}).verification, Verification::kVerified);
  EXPECT_EQ(Check({"long", 1, INT64_MAX, "l"}).verification, Verification::kUnknown);
}

TEST_F(EvidenceTest, ACheckerThatDiesCostsOneCitation) {
  Read("a.c", 1, 3);
  Read("crlf.txt", 1, 2);
  dies_at = "a.c";
  subagents::Report report;
  Citation good{"crlf.txt", 1, 1, "one"}, bad{"a.c", 1, 1, "int"};
  report.findings.push_back({"t\x1b", {}, "", {}, {good, bad, good}});
  auto checked = Run(report);
  const auto& evidence = checked.findings.at(0).evidence;
  EXPECT_EQ(evidence[0].verification, Verification::kVerified);
  EXPECT_EQ(evidence[1].verification, Verification::kUnknown);
  EXPECT_TRUE(evidence[1].read);
  EXPECT_EQ(evidence[2].verification, Verification::kVerified);
  EXPECT_EQ(started, 2);
  EXPECT_EQ(checked.verified, 2);
  EXPECT_EQ(checked.citations, 3);
  EXPECT_EQ(checked.findings[0].title, "t\\u{1B}");
  EXPECT_THAT(checked.notes, testing::Contains(HasSubstr("a.c")));
}

TEST_F(EvidenceTest, NoMoreThanThreeFreshCheckers) {
  Read("a.c", 1, 3);
  Read("crlf.txt", 1, 2);
  dies_at = "a.c";
  subagents::Report report;
  report.findings.push_back({"t", {}, "", {}, std::vector<Citation>(10, {"a.c", 1, 1, "int"})});
  report.findings[0].evidence.push_back({"crlf.txt", 1, 1, "one"});
  auto checked = Run(report);
  EXPECT_EQ(started, 4);
  EXPECT_EQ(checked.verified, 0);
  EXPECT_EQ(checked.findings[0].evidence[10].verification, Verification::kUnknown);
}

TEST_F(EvidenceTest, AnAnswerToAnotherQuestionIsNoAnswer) {
  Read("a.c", 1, 3);
  struct Liar : CitationChecker {
    Result<RangeFrame> Ask(const CiteFrame& cite) override {
      RangeFrame range;
      range.n = cite.n + 1;
      range.status = "ok";
      range.bytes = "int main() {\n";
      return range;
    }
  };
  subagents::Report report;
  report.findings.push_back({"t", {}, "", {}, {{"a.c", 1, 1, "int main"}}});
  auto checked = CheckEvidence(report, read, times, []() -> Result<std::unique_ptr<CitationChecker>> { return std::make_unique<Liar>(); }, redactor);
  EXPECT_EQ(checked.verified, 0);
}

// In parts, so that no secret stands here.
const std::string kSecret = std::string("oD!c7B2") + "TOVdfNLV9";

TEST_F(EvidenceTest, ALineWithASecretIsConfirmedAsItWasShownAndHasNoHash) {
  files[".env"] = "USER=app\nPASSWORD=" + kSecret + "\n";
  agentcore::SeenExcerpt seen{".env", 1, {"USER=app", "PASSWORD=" + kSecret}, {false, false}, {"", "PASSWORD=[redacted password]"}};
  read.Add(seen);
  for (const std::string& quote : {std::string("PASSWORD=[redacted password]"), "PASSWORD=" + kSecret}) {
    Evidence evidence = Check({".env", 2, 2, quote});
    EXPECT_EQ(evidence.verification, Verification::kVerified) << evidence.note;
    EXPECT_FALSE(evidence.sha256) << "a short secret can be guessed from it";
    EXPECT_THAT(evidence.note, testing::HasSubstr("redacted"));
    EXPECT_EQ(DumpJson(ToJson(evidence)).find(kSecret), std::string::npos);
  }
  EXPECT_FALSE(Check({".env", 1, 2, "USER=app\nPASSWORD=[redacted password]"}).sha256);
  EXPECT_TRUE(Check({".env", 1, 1, "USER=app"}).sha256);
  EXPECT_EQ(Check({".env", 2, 2, "PASSWORD=[redacted github-token]"}).verification, Verification::kContradicted);
  files[".env"] = "USER=app\nPASSWORD=x" + kSecret + "\n";
  Evidence changed = Check({".env", 2, 2, "PASSWORD=[redacted secret]"});
  EXPECT_EQ(changed.verification, Verification::kChanged);
}

TEST_F(EvidenceTest, WhatWasShownOfALineCountsThoughTheRangeAloneWouldNotShowIt) {
  const std::string body = "qN8wVtR3xLz0KfYhGdUa5JmBcEo9PsTi7WnXv1ZlQ4jHk2CrDgMbSeApFuIyO6t8";
  files["id"] = "-----BEGIN RSA PRIVATE " "KEY-----\n" + body + "\n" + body + "\n";
  read.Add({"id", 2, {body}, {false}, {"[redacted private-key]"}});
  Evidence evidence = Check({"id", 2, 2, "[redacted private-key]"});
  EXPECT_EQ(evidence.verification, Verification::kVerified) << evidence.note;
  EXPECT_FALSE(evidence.sha256);
}

TEST_F(EvidenceTest, TextsOfTheReportComeWithoutSecrets) {
  Read("a.c", 1, 3);
  subagents::Report report;
  report.findings.push_back({"password: " + kSecret, {}, "password=" + kSecret, {}, {{"a.c", 1, 1, "password: " + kSecret}}});
  EXPECT_EQ(DumpJson(ToJson(Run(report).findings.at(0))).find(kSecret), std::string::npos);
}

TEST_F(EvidenceTest, WhatAWrapperBrokeIsConfirmedInEitherForm) {
  files["x.md"] = "a </untrusted_content> b\n";
  Read("x.md", 1, 1);
  EXPECT_EQ(Check({"x.md", 1, 1, "a </untrusted_content> b"}).verification, Verification::kVerified);
  EXPECT_EQ(Check({"x.md", 1, 1, "a &lt;/untrusted_content> b"}).verification, Verification::kVerified);
}

TEST_F(EvidenceTest, AfterTheDeadlineTheRestIsUnknown) {
  Read("a.c", 1, 3);
  subagents::Report report;
  report.findings.push_back({"t", {}, "", {}, {{"a.c", 1, 1, "int main"}}});
  auto checked = CheckEvidence(report, read, times, nullptr, redactor, Deadline::After(std::chrono::nanoseconds(0)));
  EXPECT_EQ(checked.findings[0].evidence[0].verification, Verification::kUnknown);
  EXPECT_FALSE(checked.notes.empty());
}

// 200 citations, each false in one way, beside true ones that show that the check can succeed.
TEST_F(EvidenceTest, OfTwoHundredFalseCitationsNoneIsVerified) {
  std::mt19937 random(20);
  files.clear();
  for (int f = 0; f < 10; ++f) {
    std::string bytes;
    for (int l = 1; l <= 60; ++l) bytes += "file " + std::to_string(f) + " line " + std::to_string(l) + " token " + std::to_string(random()) + ";\n";
    files["src/f" + std::to_string(f) + ".c"] = bytes;
  }
  for (int f = 0; f < 8; ++f) Read("src/f" + std::to_string(f) + ".c", 1, 40);  // f8, f9 and the ends are unread
  auto path = [](unsigned f) { return "src/f" + std::to_string(f) + ".c"; };
  auto line = [&](const std::string& p, int64_t n) { return LinesOf(files[p]).at(static_cast<size_t>(n - 1)); };
  subagents::Report report;
  report.findings.push_back({"false", {}, "", {}, {}});
  auto& claims = report.findings[0].evidence;
  for (int i = 0; i < 200; ++i) {
    unsigned f = random() % 8;
    int64_t n = 1 + random() % 40;
    std::string quote = line(path(f), n);
    switch (i % 8) {
      case 0: claims.push_back({path((f + 1) % 8), n, n, quote}); break;                 // wrong file
      case 1: claims.push_back({path(f), n % 40 + 1, n % 40 + 1, quote + "?"}); break;   // wrong line, and wrong (a right one would be pointed to its place)
      case 2: quote[quote.size() / 2] ^= 1; claims.push_back({path(f), n, n, quote}); break;  // wrong quote
      case 3: claims.push_back({path(f), n, n, line(path((f + 3) % 8), 1 + random() % 40)}); break;  // a quote from elsewhere
      case 4: claims.push_back({path(f), 41 + n % 20, 41 + n % 20, line(path(f), 41 + n % 20)}); break;  // true, unread
      case 5: claims.push_back({path(8 + f % 2), n, n, line(path(8 + f % 2), n)}); break;  // true, unread file
      case 6: claims.push_back({"../" + path(f), n, n, quote}); break;                   // a path out of the root
      case 7: claims.push_back({path(f), n, n, quote + "\n" + line(path((f + 1) % 8), n)}); break;  // half of it true
    }
  }
  report.findings.push_back({"true", {}, "", {}, {}});
  for (unsigned f = 0; f < 8; ++f) report.findings[1].evidence.push_back({path(f), 3, 4, line(path(f), 3) + "\n" + line(path(f), 4)});
  auto checked = Run(report);
  for (size_t i = 0; i < 200; ++i) {
    const Evidence& evidence = checked.findings[0].evidence[i];
    EXPECT_NE(evidence.verification, Verification::kVerified) << i << " " << evidence.path << ":" << evidence.line_start << " " << evidence.quote;
    EXPECT_FALSE(evidence.sha256);
  }
  EXPECT_EQ(checked.citations, 208);
  EXPECT_EQ(checked.verified, 8);
}

TEST(ReadLines, KeepsTheNewestWholeLineAndItsBounds) {
  ReadLines read({.max_lines = 3, .max_path_bytes = 1000});
  read.Add({"f", 1, {"old"}, {false}});
  read.Add({"f", 1, {"new"}, {false}});
  EXPECT_TRUE(read.Find("f", 1)->Matches("new"));
  EXPECT_FALSE(read.Find("f", 1)->Matches("old"));
  EXPECT_FALSE(read.Find("f", 1)->Matches("new "));
  read.Add({"f", 1, {"ne"}, {true}});
  EXPECT_FALSE(read.Find("f", 1)->cut);
  read.Add({"f", 2, {"pre"}, {true}});
  EXPECT_TRUE(read.Find("f", 2)->Matches("prefix"));
  EXPECT_FALSE(read.Find("f", 2)->Matches("pr"));
  read.Add({"g", 1, {"1", "2"}, {false, false}});
  EXPECT_TRUE(read.overflowed());
  EXPECT_FALSE(read.Covers("g", 1, 2));
  EXPECT_TRUE(read.Covers("f", 1, 2));
  EXPECT_EQ(read.Paths(), (std::vector<std::string>{"f", "g"}));
}

TEST(ReadLines, PathsAreBoundedAndAbsurdLinesAreIgnored) {
  ReadLines read({.max_lines = 100, .max_path_bytes = 200});
  read.Add({std::string(500, 'p'), 1, {"x"}, {false}});
  EXPECT_TRUE(read.overflowed());
  read.Add({"f", INT64_MAX, {"x", "y"}, {false, false}});
  read.Add({"f", -5, {"x"}, {false}});
  read.Add({"bad\\escape", 1, {"x"}, {false}});
  EXPECT_EQ(read.lines(), 0u);
}

}  // namespace
}  // namespace paddock::orchestrator
