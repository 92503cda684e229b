// A ticket's citations, checked again.
#include "orchestrator/delegation/recheck.h"

#include <fstream>
#include <sstream>

#include "base/sha256.h"
#include "orchestrator/report/recheck_text.h"
#include "tests/orchestrator/evidence_fixture.h"

namespace paddock::orchestrator {
namespace {

struct RecheckTest : EvidenceTest {
  RecheckTest() { files["a.c"] = "one\ntwo\nthree\nfour\nfive\n"; }

  static Evidence Cited(const std::string& path, int64_t first, int64_t last, const std::string& quote, const std::string& bytes = "") {
    Evidence one;
    one.path = path;
    one.line_start = first;
    one.line_end = last;
    one.quote = quote;
    one.verification = Verification::kVerified;
    one.read = true;
    if (!bytes.empty()) one.sha256 = Sha256Hex(bytes);
    return one;
  }
  RecheckedCitation Again(const Evidence& cited) {
    ticket.findings = {{"claim", {}, "", {}, {cited}}};
    return All().results.at(0);
  }
  Recheck All() {
    return RecheckCitations(ticket, [&]() -> Result<std::unique_ptr<CitationChecker>> { return std::make_unique<FakeChecker>(&files, &asked, dies_at); }, redactor);
  }
  CitingTicket ticket{"id-1", "explorer", {}, {{"a.c", 1, 5}, {"gone.c", 1, 9}, {"secret.env", 1, 3}}};
};

TEST_F(RecheckTest, AsItWasIsVerifiedWithTheSameBytes) {
  const auto again = Again(Cited("a.c", 2, 3, "two", "two\nthree\n"));
  EXPECT_EQ(again.now, Verification::kVerified) << again.note;
  EXPECT_EQ(again.same_bytes, true);
  EXPECT_EQ(again.note, "");
}

TEST_F(RecheckTest, TheQuoteCountsWhereOtherBytesOfTheLinesChanged) {
  files["a.c"] = "one\ntwo\nTHREE\nfour\nfive\n";
  const auto again = Again(Cited("a.c", 2, 3, "two", "two\nthree\n"));
  EXPECT_EQ(again.now, Verification::kVerified);
  EXPECT_EQ(again.same_bytes, false);
}

TEST_F(RecheckTest, OneOrTwoCharactersProveNothingUnlessTheyAreAllOfALine) {
  files["a.c"] = "one\n{\n";
  EXPECT_EQ(Again(Cited("a.c", 1, 1, "ne")).now, Verification::kUnknown);
  EXPECT_EQ(Again(Cited("a.c", 1, 2, "{")).now, Verification::kVerified);
}

TEST_F(RecheckTest, WhatIsGoneIsChanged) {
  files["a.c"] = "one\n2\nthree\nfour\nfive\n";
  EXPECT_EQ(Again(Cited("a.c", 2, 2, "two", "two\n")).now, Verification::kChanged);
  EXPECT_EQ(Again(Cited("gone.c", 1, 1, "x", "x\n")).now, Verification::kChanged);
  files["a.c"] = "one\n";
  EXPECT_EQ(Again(Cited("a.c", 2, 2, "two", "two\n")).now, Verification::kChanged);
}

TEST_F(RecheckTest, WhatMovedIsSaidWithItsPlace) {
  files["a.c"] = "zero\nzero\nzero\none\ntwo\nthree\nfour\nfive\n";
  const auto again = Again(Cited("a.c", 2, 3, "two\nthree", "two\nthree\n"));
  EXPECT_EQ(again.now, Verification::kChanged);
  ASSERT_TRUE(again.moved_to);
  EXPECT_EQ(again.moved_to->line_start, 5);
  EXPECT_EQ(again.moved_to->line_end, 6);
}

TEST_F(RecheckTest, AFileIsLookedThroughOnceThoughFilesAreCitedByTurns) {
  files["a.c"] = "zero\none\ntwo\nthree\n";
  files["b.c"] = "zero\nred\ngreen\nblue\n";
  ticket.reads.push_back({"b.c", 1, 3});
  ticket.findings = {{"claim", {}, "", {}, {Cited("a.c", 1, 1, "one"), Cited("b.c", 1, 1, "red"), Cited("a.c", 2, 2, "two"), Cited("b.c", 2, 2, "green")}}};
  const Recheck again = All();
  const size_t by_turns = asked.size();
  std::vector<std::string> paths;
  for (const auto& one : again.results) paths.push_back(one.path + std::to_string(one.moved_to ? one.moved_to->line_start : 0));
  EXPECT_EQ(paths, (std::vector<std::string>{"a.c2", "b.c2", "a.c3", "b.c3"}));
  asked.clear();
  std::swap(ticket.findings[0].evidence[1], ticket.findings[0].evidence[2]);
  All();
  EXPECT_EQ(by_turns, asked.size());
}

TEST_F(RecheckTest, AtSeveralPlacesNowIsUnknown) {
  files["a.c"] = "zero\nzero\ntwo\ntwo\n";
  const auto again = Again(Cited("a.c", 2, 2, "two", "two\n"));
  EXPECT_EQ(again.now, Verification::kUnknown);
  EXPECT_FALSE(again.moved_to);
  EXPECT_THAT(again.note, HasSubstr("2 other places"));
}

TEST_F(RecheckTest, WhatNeverStoodThereIsContradicted) {
  const auto again = Again(Cited("a.c", 2, 2, "never", "two\n"));
  EXPECT_EQ(again.now, Verification::kContradicted);
  EXPECT_THAT(again.note, HasSubstr("same bytes"));
  Evidence before = Cited("a.c", 2, 2, "never");
  before.verification = Verification::kContradicted;
  EXPECT_EQ(Again(before).now, Verification::kContradicted);
}

TEST_F(RecheckTest, NothingIsOpenedThatTheTicketDoesNotSayWasRead) {
  files["other.c"] = "two\n";
  EXPECT_EQ(Again(Cited("other.c", 1, 1, "two")).now, Verification::kUnknown);
  EXPECT_EQ(Again(Cited("a.c", 5, 6, "five")).now, Verification::kUnknown);
  EXPECT_TRUE(asked.empty());
}

TEST_F(RecheckTest, OddRangesAndQuotesAreNotLookedAt) {
  ticket.reads = {{"a.c", 1, 1'000'000}};
  EXPECT_EQ(Again(Cited("a.c", 3, 2, "two")).now, Verification::kUnknown);
  EXPECT_EQ(Again(Cited("a.c", 1, 5'000, "two")).now, Verification::kUnknown);
  EXPECT_EQ(Again(Cited("a.c", 1, 2, " \n")).now, Verification::kUnknown);
  EXPECT_TRUE(asked.empty());
}

TEST_F(RecheckTest, ASecretIsNeitherConfirmedNorCompared) {
  files["secret.env"] = "user=a\npassword=Tq83nVw92xLm\n";
  const auto guessed = Again(Cited("secret.env", 2, 2, "password=Tq83nVw92xLm", "password=Tq83nVw92xLm\n"));
  EXPECT_FALSE(guessed.same_bytes) << "a hash of it could be guessed";
  EXPECT_EQ(DumpJson(ToJson(guessed)).find("Tq83nVw92xLm"), std::string::npos);
  const auto wrong = Again(Cited("secret.env", 2, 2, "password=Aq11nVw92xLm", "password=Aq11nVw92xLm\n"));
  EXPECT_EQ(wrong.now, guessed.now) << "a right guess and a wrong one are answered alike";
}

TEST_F(RecheckTest, ACheckerThatDiesCostsOneCitation) {
  dies_at = "gone.c";
  ticket.findings = {{"claim", {}, "", {}, {Cited("gone.c", 1, 1, "x"), Cited("a.c", 1, 1, "one")}}};
  const Recheck recheck = All();
  EXPECT_EQ(recheck.results[0].now, Verification::kUnknown);
  EXPECT_EQ(recheck.results[1].now, Verification::kVerified);
  EXPECT_EQ(recheck.citations, 2);
  EXPECT_EQ(recheck.verified, 1);
  EXPECT_EQ(recheck.verified_before, 2);
}

TEST_F(RecheckTest, AFaultInTheTicketIsNamedByItsPlace) {
  const auto fault = [](const std::string& text) {
    auto read = ReadCitingTicket(*ParseJson(text));
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(fault("[]"), HasSubstr("$: expected a result ticket"));
  EXPECT_THAT(fault(R"({"findings": [{"title": "t", "severity": "info", "detail": "", "confidence": "low", "evidence": [{"path": "a", "line_start": 0}]}]})"), HasSubstr("$.findings[0].evidence[0]"));
  EXPECT_THAT(fault(R"({"findings": [], "reads": [{"path": "a", "line_start": 5, "line_end": 2}]})"), HasSubstr("$.reads[0]"));
  EXPECT_EQ(fault(R"({"findings": [], "reads": null, "more": 1})"), "");
}

TEST_F(RecheckTest, APersonIsToldWhatIsNotAsItWas) {
  files["a.c"] = "zero\none\ntwo\nthree\nfour\nfive\n";
  ticket.findings = {{"claim", {}, "", {}, {Cited("a.c", 2, 2, "two"), Cited("a.c", 1, 5, "four")}}};
  const std::string text = RecheckText(All(), {});
  EXPECT_THAT(text, HasSubstr("explorer id-1: 1 of 2 citations verified (50 %); when it was made, 2"));
  EXPECT_THAT(text, HasSubstr("moved         a.c:2 -> 3"));
  EXPECT_EQ(text.find("a.c:1-5"), std::string::npos) << "what is as it was is not listed";
}

TEST(PublishedRecheckSchema, IsThatOfTheCode) {
  std::ostringstream text;
  text << std::ifstream(std::string(PADDOCK_TEST_DATA) + "/../../orchestrator/schema/recheck.schema.json", std::ios::binary).rdbuf();
  EXPECT_TRUE(text.str() == PublishedRecheckSchema()) << "run build/check/bin/paddock-recheck-schema orchestrator/schema/recheck.schema.json";
}

}  // namespace
}  // namespace paddock::orchestrator
