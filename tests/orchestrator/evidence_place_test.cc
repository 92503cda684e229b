// A quote that does not stand where it was cited.
#include "orchestrator/delegation/quote_finder.h"
#include "tests/orchestrator/evidence_fixture.h"

namespace paddock::orchestrator {
namespace {

struct EvidencePlace : EvidenceTest {
  EvidencePlace() {
    std::string text;
    for (int n = 1; n <= 100; ++n) text += "line " + std::to_string(n) + ";\n";
    files["long.c"] = text + "}\n}\n";
  }
};

TEST_F(EvidencePlace, AtOneOtherPlaceThatWasReadItIsPointedThere) {
  Read("long.c", 1, 40);
  const Evidence evidence = Check({"long.c", 3, 4, "line 17;"});
  EXPECT_EQ(evidence.verification, Verification::kVerified) << evidence.note;
  EXPECT_EQ(evidence.line_start, 17);
  EXPECT_EQ(evidence.line_end, 17);
  EXPECT_EQ(evidence.note, "cited as lines 3-4");
  EXPECT_TRUE(evidence.read);
  EXPECT_EQ(evidence.sha256, Check({"long.c", 17, 17, "line 17;"}).sha256) << "of the range that it was pointed to";
}

TEST_F(EvidencePlace, SeveralWholeLinesToo) {
  Read("long.c", 1, 40);
  const Evidence evidence = Check({"long.c", 21, 21, "line 20;\nline 21;\nline 22;"});
  EXPECT_EQ(evidence.verification, Verification::kVerified) << evidence.note;
  EXPECT_EQ(evidence.line_start, 20);
  EXPECT_EQ(evidence.line_end, 22);
  EXPECT_EQ(evidence.note, "cited as line 21");
}

TEST_F(EvidencePlace, FromLinesThatWereNotReadNothingIsPointed) {
  Read("long.c", 1, 10);
  Read("long.c", 50, 60);
  const Evidence evidence = Check({"long.c", 30, 31, "line 55;"});
  EXPECT_EQ(evidence.verification, Verification::kUnknown) << "it may stand there too";
  EXPECT_TRUE(asked.empty());
}

TEST_F(EvidencePlace, AtSeveralPlacesIsUnknownAndNeverContradicted) {
  Read("long.c", 1, 102);
  const Evidence evidence = Check({"long.c", 3, 4, "}"});
  EXPECT_EQ(evidence.verification, Verification::kUnknown);
  EXPECT_EQ(evidence.line_start, 3) << "as it was cited";
  EXPECT_THAT(evidence.note, HasSubstr("cited as lines 3-4"));
  EXPECT_THAT(evidence.note, HasSubstr("2 places that were read (lines 101, 102)"));
  EXPECT_FALSE(evidence.sha256);
}

TEST_F(EvidencePlace, WhatStandsOnlyWhereNothingWasReadIsNotFound) {
  Read("long.c", 1, 40);
  asked.clear();
  EXPECT_EQ(Check({"long.c", 3, 4, "line 77;"}).verification, Verification::kContradicted);
  for (const CiteFrame& cite : asked) EXPECT_LE(cite.line_end, 40) << "nothing is opened that was not read";
  EXPECT_EQ(Check({"long.c", 76, 78, "line 77;"}).verification, Verification::kUnknown);
  EXPECT_EQ(Check({"a.c", 1, 1, "line 7;"}).verification, Verification::kUnknown) << "another file is not looked at";
}

TEST_F(EvidencePlace, OneThatWasReadTwiceIsOnePlace) {
  Read("long.c", 1, 20);
  Read("long.c", 10, 30);
  EXPECT_EQ(Check({"long.c", 3, 3, "line 15;"}).verification, Verification::kVerified);
}

TEST_F(EvidencePlace, ALineThatHoldsItTwiceIsOnePlace) {
  files["twice.c"] = "abc b abc\nc\n";
  Read("twice.c", 1, 2);
  EXPECT_EQ(Check({"twice.c", 2, 2, "abc"}).line_start, 1);
}

TEST_F(EvidencePlace, InAFileThatIsNotAsItWasReadItIsNotLookedFor) {
  Read("long.c", 1, 40);
  files["long.c"].replace(files["long.c"].find("line 33;"), 8, "other 33");
  EXPECT_EQ(Check({"long.c", 3, 4, "line 17;"}).verification, Verification::kContradicted);
}

TEST_F(EvidencePlace, CitedLinesThatHaveChangedStayChanged) {
  Read("long.c", 1, 40);
  files["long.c"].replace(files["long.c"].find("line 3;"), 7, "other 3");
  EXPECT_EQ(Check({"long.c", 3, 4, "line 17;"}).verification, Verification::kChanged);
}

TEST_F(EvidencePlace, AFileIsAskedForOnce) {
  Read("long.c", 1, 40);
  subagents::Report report;
  for (int n = 10; n < 20; ++n) report.findings.push_back({"t", {}, "", {}, {{"long.c", 1, 1, "nowhere " + std::to_string(n)}}});
  Run(report);
  EXPECT_EQ(asked.size(), 11u) << "ten citations, one look at all of it";
}

TEST_F(EvidencePlace, MoreThanTheBoundsIsNotLookedFor) {
  for (int n = 1; n <= 99; n += 2) Read("long.c", n, n);
  QuoteFinder finder(read, redactor, [&](const std::string& path, int64_t first, int64_t last) -> std::optional<RangeFrame> { return RangeOf(files, {1, path, first, last}); }, {.max_ranges = 10});
  EXPECT_FALSE(finder.Find("long.c", {{"line 17;"}}));
  QuoteFinder wide(read, redactor, [&](const std::string& path, int64_t first, int64_t last) -> std::optional<RangeFrame> { return RangeOf(files, {1, path, first, last}); });
  EXPECT_THAT(*wide.Find("long.c", {{"line 17;"}}), testing::ElementsAre(17));
}

TEST_F(EvidencePlace, ASecretThatWasTakenOutIsFoundAsItWasShown) {
  files["c.env"] = "a=1\nb=2\nPASSWORD=x\n";
  read.Add({"c.env", 1, {"a=1", "b=2", "PASSWORD=x"}, {false, false, false}, {"", "", "PASSWORD=[redacted password]"}});
  const Evidence evidence = Check({"c.env", 1, 1, "PASSWORD=[redacted password]"});
  EXPECT_EQ(evidence.verification, Verification::kVerified) << evidence.note;
  EXPECT_EQ(evidence.line_start, 3);
  EXPECT_FALSE(evidence.sha256);
}

TEST_F(EvidencePlace, RangesAreMergedSortedAndBounded) {
  Read("long.c", 10, 12);
  Read("long.c", 1, 2);
  Read("long.c", 3, 4);
  Read("a.c", 1, 3);
  size_t all = 0;
  const auto ranges = read.Ranges(100, &all);
  std::string text;
  for (const auto& one : ranges) text += one.path + " " + std::to_string(one.line_start) + "-" + std::to_string(one.line_end) + "; ";
  EXPECT_EQ(text, "a.c 1-3; long.c 1-4; long.c 10-12; ");
  EXPECT_EQ(read.Ranges(2, &all).size(), 2u);
  EXPECT_EQ(all, 3u);
  EXPECT_EQ(read.RangesOf("./long.c").size(), 2u);
  EXPECT_TRUE(read.RangesOf("nowhere").empty());
}

TEST_F(EvidencePlace, OfTooManyRangesANoteSays) {
  for (int n = 1; n <= 2 * static_cast<int>(kMaxReadRanges) + 3; n += 2) read.Add({"many", n, {"x"}, {false}});
  std::vector<std::string> notes;
  EXPECT_EQ(ReadsOf(read, redactor, &notes).size(), kMaxReadRanges);
  EXPECT_THAT(notes, testing::ElementsAre(HasSubstr("the first 2000 of 2002 ranges")));
}

}  // namespace
}  // namespace paddock::orchestrator
