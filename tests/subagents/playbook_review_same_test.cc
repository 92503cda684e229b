// What the reviewer says of the same thing in several languages, and of each thing once.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_range.h"
#include "subagents/playbook/review_untested.h"
#include "tests/subagents/changed_file.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string Said(const char* path, const char* line) { return TitlesOf(ClaimsOfLines({ChangedFile(path, {line})})); }

TEST(PlaybookReviewSame, AProgramThatIsNoLiteralIsToldInEachLanguage) {
  for (const auto& [path, line] : std::initializer_list<std::pair<const char*, const char*>>{
           {"A.java", "+    Runtime.getRuntime().exec(cmd);"}, {"A.java", "+    new ProcessBuilder(cmd).start();"}, {"A.kt", "+    ProcessBuilder(args.toList()).start()"}, {"a.cs", "+    Process.Start(path);"}, {"a.cs", "+    Process.Start($\"{tool}.exe\");"}})
    EXPECT_THAT(Said(path, line), HasSubstr("on something that is no literal")) << line;
  for (const auto& [path, line] : std::initializer_list<std::pair<const char*, const char*>>{{"A.java", "+    new ProcessBuilder(\"git\", name).start();"}, {"a.cs", "+    Process.Start(\"git\", name);"}, {"a.cs", "+    Process.Start(startInfo);"}, {"A.java", "+    // Runtime.getRuntime().exec(cmd);"}})
    EXPECT_THAT(Said(path, line), Not(HasSubstr("no literal"))) << line;
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookReviewSame, WhatIsNotWrittenYetIsALeftover) {
  for (const auto& [path, line] : std::initializer_list<std::pair<const char*, const char*>>{
           {"a.go", "+\tpanic(\"TODO\")"}, {"src/a.rs", "+    todo!()"}, {"src/a.rs", "+    unimplemented!()"}, {"a.js", "+  throw new Error(\"TODO: later\");"}})
    EXPECT_THAT(Said(path, line), HasSubstr("Something is not written yet")) << line;
}

TEST(PlaybookReviewSame, ABoundWeighsTheSameInEachLanguage) {
  for (const auto& [path, before, after] : std::initializer_list<std::tuple<const char*, const char*, const char*>>{{"a.go", "-\tok := n > most", "+\tok := n >= most"}, {"a.cc", "-  if (n > most) {", "+  if (n >= most) {"}}) {
    const auto claims = ClaimsOfBounds({ChangedFile(path, {before, after})});
    ASSERT_THAT(claims, SizeIs(1));
    EXPECT_EQ(claims[0].severity, Severity::kMedium) << path;
  }
}

TEST(PlaybookReviewSame, ALineOfCodeIsCitedAndNoInclude) {
  EXPECT_EQ(FirstAdded({ChangedFile("a.cc", {"+#include <map>", "+int x = f();"})}, "a.cc")->text, "int x = f();");
}

TEST(PlaybookReviewSame, AGoalMayAskInWordsForWhatIsNotCommitted) {
  for (const char* goal : {"review what isn't committed", "what is not yet committed", "look at what has not been committed"}) EXPECT_EQ(ReadReviewRange(goal).kind, ReviewRange::Kind::kWorkingTree) << goal;
}

TEST(PlaybookReviewSame, MediumFindingsHaveANextStepAndEachPlaceOnce) {
  const Report report = ReviewOf({{"a.cc", "int f(int n) {\n  if (n >= 1) g();\n  return 0;\n}\n"}}, {{"a.cc", {"@@ -1,4 +1,4 @@", " int f(int n) {", "-  if (n > 1) g();", "+  if (n >= 1) g();", "   return 0;", " }"}}});
  EXPECT_THAT(report.next_actions, testing::Contains(HasSubstr("look at a.cc:2"))) << report.summary;
  for (const auto& finding : report.findings)
    for (size_t i = 1; i < finding.evidence.size(); ++i) EXPECT_NE(finding.evidence[i].line_start, finding.evidence[i - 1].line_start);
}

}  // namespace
}  // namespace paddock::subagents
