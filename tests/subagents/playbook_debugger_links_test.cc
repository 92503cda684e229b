// The debugger that needs no model: what a call is tied to, how names are searched for, how a log's file is read, and words that were compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "subagents/playbook/change_kinds.h"
#include "subagents/playbook/traces/compared.h"
#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string Traceback(int64_t line) { return "Traceback (most recent call last):\n  File \"test_a.py\", line " + std::to_string(line) + ", in test_a\n    assert a == 2\nAssertionError\n"; }

// A file below a folder core was "called", where the test imports from thing.core.
TEST(DebuggerPlaybook, AModuleOfPythonIsFoundByAllPartsOfItsName) {
  PlaybookRepo repo({{"thing/core.py", "def heat(x):\n    return x\n"}, {"other/core/util.py", "def heat(x):\n    return x + 1\n"}, {"test_a.py", "from thing.core import heat\n\ndef test_a():\n    assert heat(1) == 2\n"}});
  const Report report = repo.Run("debugger", "the tests fail", Traceback(4), 14);
  EXPECT_EQ(Path(report, 0), "thing/core.py");
  EXPECT_THAT(DetailOf(report, "thing/core.py"), HasSubstr("`heat` is called by the failing test"));
  EXPECT_THAT(DetailOf(report, "other/core/util.py"), Not(HasSubstr("is called by")));
}

TEST(DebuggerPlaybook, ARelativeModuleOfPythonIsFoundFromItsFolder) {
  PlaybookRepo repo({{"pkg/core.py", "def heat(x):\n    return x\n"}, {"pkg/tests/core.py", "x = 1\n"}, {"lib/core.py", "def heat(x):\n    return x + 1\n"}, {"pkg/tests/test_a.py", "from ..core import heat\n\ndef test_a():\n    assert heat(1) == 2\n"}});
  const Report report = repo.Run("debugger", "the tests fail", "Traceback (most recent call last):\n  File \"pkg/tests/test_a.py\", line 4, in test_a\nAssertionError\n", 14);
  EXPECT_THAT(DetailOf(report, "pkg/core.py"), HasSubstr("`heat` is called by the failing test"));
  EXPECT_THAT(DetailOf(report, "lib/core.py"), Not(HasSubstr("is called by")));
}

// `shop.core.total(1)` was tied to nothing.
TEST(DebuggerPlaybook, AReceiverMayBeAModuleOfTwoParts) {
  PlaybookRepo repo({{"shop/core.py", "def total(x):\n    return x\n"}, {"test_a.py", "import shop.core\n\ndef test_a():\n    a = shop.core.total(1)\n    assert a == 2\n"}});
  EXPECT_THAT(DetailOf(repo.Run("debugger", "the tests fail", Traceback(5), 14), "shop/core.py"), HasSubstr("`total` is called by the failing test (test_a.py:4)"));
  PlaybookRepo other({{"shop/core.py", "def total(x):\n    return x\n"}, {"test_a.py", "import shop\n\ndef test_a():\n    a = shop.cart.total(1)\n    assert a == 2\n"}});
  EXPECT_THAT(Titles(other.Run("debugger", "the tests fail", Traceback(5), 14)), Not(HasSubstr("core.py")));
}

// Ten long names made a pattern that the tool doesn't take, and nobody noticed.
TEST(DebuggerPlaybook, LongNamesAreSearchedForAFewAtATime) {
  std::string sources, test = "import core\n\ndef test_a():\n";
  for (int i = 0; i < 10; ++i) {
    const std::string name = "compute_the_total_amount_of_all_the_order_lines_of_one_customer_with_tax_and_all_" + std::to_string(i);
    sources += "def " + name + "(x):\n    return x\n";
    test += "    a = core." + name + "(1)\n";
  }
  PlaybookRepo repo({{"core.py", sources}, {"test_a.py", test + "    assert a == 2\n"}});
  EXPECT_EQ(Path(repo.Run("debugger", "the tests fail", Traceback(14), 14), 0), "core.py");
}

// A line that calls one function 480 times took a second, and sixty of them three quarters of a minute.
TEST(DebuggerPlaybook, ManyCallsInALineTakeNoLongerThanOne) {
  std::string line = "    heat(1)", test = "from oven import *\n\ndef test_a():\n";
  for (int i = 0; i < 479; ++i) line += "+heat(1)";
  for (int i = 0; i < 58; ++i) test += line + "\n";
  PlaybookRepo repo({{"oven.py", "def heat(x):\n    return x\n"}, {"test_a.py", test + "    assert heat(1) == 2\n"}});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Path(repo.Run("debugger", "the tests fail", Traceback(62), 14), 0), "oven.py");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

constexpr char kLate[] = "Traceback (most recent call last):\n  File \"stove.py\", line 2, in cook\n    return {}[1]\nKeyError: 1\n";

// Of a log that the goal names the first 2,000 lines were read, and the rest wasn't told of.
TEST(DebuggerPlaybook, ALongLogIsReadToItsEnd) {
  for (const int lines : {2500, 9000}) {
    std::string log;
    for (int i = 0; i < lines; ++i) log += "step " + std::to_string(i) + " ok\n";
    PlaybookRepo repo({{"build.log", log + kLate}, {"stove.py", "def cook():\n    return {}[1]\n"}});
    const Report report = repo.Run("debugger", "why does it fail, see build.log", "", 14);
    EXPECT_EQ(Path(report, 0), "stove.py") << report.summary;
    EXPECT_EQ(report.summary.find("not all of its lines were read") != std::string::npos, lines > 4000) << report.summary;
  }
}

// Of a line of many tokens the first 400 were compared.
TEST(ChangeKinds, WhatIsChangedBehindTheTokensThatAreComparedIsNoIdleChange) {
  std::string line;
  for (int i = 0; i < 300; ++i) line += "a" + std::to_string(i) + " + ";
  EXPECT_EQ(KindOfChange({line + "b"}, {line + "b"}), ChangeKind::kPlain) << "not all of it is known to be alike";
  EXPECT_EQ(KindOfChange({line + "b"}, {line + "c"}), ChangeKind::kPlain);
  EXPECT_EQ(KindOfChange({"const int a = 1;"}, {"int a = 1;"}), ChangeKind::kIdle);
}

TEST(ComparedWords, AreThoseAroundTheFirstDifference) {
  EXPECT_THAT(DifferingWords("<td style=\"text-align:right\">", "<td style=\"text-align:center\">"), ElementsAre("text-align", "text-align:right", "text-align:center"));
  EXPECT_THAT(DifferingWords("1 2", "1 3"), ElementsAre());
  EXPECT_THAT(DifferingWords("nothing", "nothing"), ElementsAre());
  const auto words = [](std::string_view line, std::string_view behind) {
    std::vector<std::string> all;
    AddWordsCompared(line, behind, &all);
    return all;
  };
  EXPECT_THAT(words("AssertionError: expected 'a left b' to equal 'a right b'", ""), ElementsAre("left", "right"));
  EXPECT_THAT(words("E   AssertionError: assert 'left' == 'right'", ""), ElementsAre("left", "right"));
  EXPECT_THAT(words("AssertionError: 'left' != 'right'", ""), ElementsAre("left", "right"));
  EXPECT_THAT(words("-  side: left", "+  side: right"), ElementsAre("left", "right"));
  EXPECT_THAT(words("    Expected: \"left\"", "    Received: \"right\""), ElementsAre("left", "right"));
  EXPECT_THAT(words("-memory leaks: 0", "+/workspace/words.c:76:5: runtime error"), ElementsAre()) << "two other things";
  EXPECT_THAT(words("--- a/left", "+++ b/right"), ElementsAre());
}

// The frames are a library's, and the suite is named after its fixtures: what differs leads to who writes it.
TEST(DebuggerPlaybook, TheOneSourceThatHoldsWhatComparedValuesDifferInIsSuspect) {
  auto files = Words();
  files["lib/table.js"] = "exports.cell = function (side) {\n  return '<td style=\"text-align:' + side + '\">'\n}\n";
  files["lib/other.js"] = "// text-align is not made here\nexports.side = 'right'\n";
  files["lib/more.js"] = "exports.right = 'right'\n";
  files["test/fixtures/tables.txt"] = "<td style=\"text-align:center\">\n";
  const std::string log = "  1) tables.txt\n       line 29:\n\n      AssertionError: expected '<td style=\"text-align:right\">' to equal '<td style=\"text-align:center\">'\n      at Context.<anonymous> (node_modules/testgen/index.js:196:26)\n";
  PlaybookRepo repo(files);
  const Report report = repo.Run("debugger", "the tests fail", log, 14);
  EXPECT_EQ(Path(report, 0), "lib/table.js") << All(report);
  EXPECT_THAT(All(report), HasSubstr("the compared values differ at the word `text-align`, which, beside tests, examples and tools, stands in this file's code alone, as far as was searched"));
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  // Where two hold it, it says nothing of either.
  files["lib/second.js"] = files["lib/table.js"];
  PlaybookRepo two(files);
  EXPECT_THAT(All(two.Run("debugger", "the tests fail", log, 14)), Not(HasSubstr("compared values differ")));
}

TEST(DebuggerPlaybook, ComparedWordsAreSearchedForWhereAllSourcesHaveOneExtension) {
  Files files = {{"shop/side.py", "def side(x):\n    if x:\n        return 'right'\n    return 'left'\n"}, {"shop/other.py", "def other():\n    return 'right'\n"},
                 {"tests/test_side.py", "from shop.side import side\n\ndef test_side():\n    assert side(1) == 'left'\n"}};
  const std::string log = "tests/test_side.py:4: in test_side\n    assert side(1) == 'left'\nE   AssertionError: assert 'right' == 'left'\n";
  EXPECT_THAT(All(PlaybookRepo(files).Run("debugger", "the tests fail", log, 14)), Not(HasSubstr("the word `right`")));
  files.erase("shop/other.py");
  EXPECT_THAT(All(PlaybookRepo(files).Run("debugger", "the tests fail", log, 14)), HasSubstr("the word `right`"));
}

}  // namespace
}  // namespace paddock::subagents
