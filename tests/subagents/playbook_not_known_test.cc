// What wasn't seen isn't denied: lines that were shown in part, files beyond a listing, searches that were cut, languages left out.
#include <gmock/gmock.h>

#include "subagents/playbook/dependency_notes.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::Not;
using Files = std::map<std::string, std::string>;

Report ReportOf(const std::string& playbook, Files files, const std::string& goal) { return PlaybookRepo(std::move(files)).Run(playbook, goal); }

const std::string kLong(4500, 'a');

TEST(PlaybookNotKnown, ANameBehindTheCutOfALineMayBeUsed) {
  const Report report = ReportOf("investigator", {{"lib.py", "def alpha_one(x):\n    return x\n"}, {"use.py", "from lib import *\nx = \"" + kLong + "\"; alpha_one(1)\n"}}, "where is `alpha_one` used?");
  EXPECT_THAT(report.summary, Not(HasSubstr("no use of")));
  EXPECT_THAT(report.summary, Not(HasSubstr("no test names")));
  EXPECT_THAT(report.summary, HasSubstr("What `alpha_one` is in use.py:2 isn't known"));
  EXPECT_FALSE(report.complete);
}

TEST(PlaybookNotKnown, ATestsLineThatWasShownInPartMayNameAnyFunction) {
  const std::string definitions = "def alpha_one(x):\n    return x\n\ndef beta_two(x):\n    return x\n";
  const Report report = ReportOf("test-planner", {{"lib.py", definitions}, {"tests/test_lib.py", "from lib import *\n\ndef test_a():\n    x = \"" + kLong + "\"; alpha_one(1)\n"}}, "what should be tested?");
  EXPECT_THAT(Titles(report), Not(HasSubstr("No test names `alpha_one`")));
  EXPECT_GT(report.data["unknown"], 0) << report.summary;
  EXPECT_FALSE(report.complete);
}

TEST(PlaybookNotKnown, AnImportBehindTheCutOfALineMayMakeACycle) {
  const Report report = ReportOf("architect", {{"a.js", "var y=\"" + kLong + "\";import {x} from \"./b.js\";\nexport const q=1\n"}, {"b.js", "import {q} from \"./a.js\";\nexport const x=1\n"}, {"c.js", "import {q} from \"./a.js\";\n"}}, "the structure");
  EXPECT_THAT(report.summary, HasSubstr("Not all lines were seen in 1 places, first of all a.js."));
  EXPECT_FALSE(report.complete);
}

TEST(PlaybookNotKnown, FunctionsBeyondWhatASearchGives) {
  Files files{{"tests/test_a.py", "from m0 import func_0_0\n\ndef test_a():\n    assert func_0_0(1)\n"}};
  for (int i = 0; i < 30; ++i) {
    std::string& text = files["m" + std::to_string(i) + ".py"];
    for (int k = 0; k < 40; ++k) text += "def func_" + std::to_string(i) + "_" + std::to_string(k) + "(a):\n    return a\n\n";
  }
  const Report report = ReportOf("test-planner", files, "what should be tested?");
  EXPECT_THAT(report.summary, HasSubstr("A search for functions was cut off"));
  EXPECT_FALSE(report.complete);
}

TEST(PlaybookNotKnown, LanguagesWhoseFunctionsWereNotLookedFor) {
  Files files{{"x.go", "package x\n\nfunc Heat() int {\n\treturn 1\n}\n"}};
  for (int i = 0; i < 30; ++i) files["m" + std::to_string(i) + ".py"] = "def f" + std::to_string(i) + "(a):\n    return a\n";
  EXPECT_THAT(ReportOf("test-planner", files, "what should be tested?").summary, HasSubstr("Functions in Go were not looked for."));
}

TEST(PlaybookNotKnown, TheLargestFileMayBeBeyondTheListing) {
  PlaybookRepo repo({{"a.txt", "x\n"}, {"b.txt", "x\n"}, {"c.txt", "x\n"}, {"z/big.c", "int x;\n"}});
  repo.tell_largest = true;
  repo.list_limit = 2;
  EXPECT_THAT(DetailOf(repo.Explore(), "Largest file: "), HasSubstr("z/big.c"));
}

TEST(PlaybookNotKnown, AManifestHasMoreWaysThanOneToNameWhatItNeeds) {
  const Files none{{"go.mod", "module example.org/x\n\ngo 1.21\n"}, {"a.go", "package x\n"}};
  EXPECT_THAT(Titles(ReportOf("explorer", none, "?")), HasSubstr("No runtime dependencies: go.mod names none"));
  for (const auto& [path, text] : Files{{"go.mod", "module example.org/x\n\n\trequire example.org/y v1.0.0\n"},
                                        {"package.json", "{\n  \"name\": \"x\",\n  \"dependencies\"\n  : {\n    \"left-pad\": \"1.0.0\"\n  }\n}\n"},
                                        {"Cargo.toml", "dependencies.serde = \"1\"\n[package]\nname = \"x\"\n"},
                                        {"pyproject.toml", "project.dependencies = [\"y\"]\n[project]\nname = \"x\"\n"}})
    EXPECT_THAT(Titles(ReportOf("explorer", {{path, text}, {"src/a.c", "int x;\n"}}, "?")), Not(HasSubstr("No runtime dependencies"))) << text;
}

TEST(PlaybookNotKnown, WordsOfTheGoalAreTriedWhereItsNameStandsNowhere) {
  const Report report = ReportOf("investigator", {{"parse.py", "def parse_config(x):\n    return x\n"}}, "how does `frobnicate` parse the configuration?");
  EXPECT_THAT(report.summary, HasSubstr("`parse_config` is defined in parse.py:1"));
  EXPECT_THAT(report.summary, HasSubstr("`frobnicate` stands in no file that was searched"));
}

TEST(PlaybookNotKnown, ACutSearchIsToldOfANameWithAHyphenToo) {
  Files files{{"d.lisp", "(defun rate-limit (x) x)\n"}};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 120; ++k) files["s" + std::to_string(i) + ".lisp"] += "(rate-limit 1)\n";
  EXPECT_THAT(ReportOf("investigator", files, "where is `rate-limit` used?").summary, HasSubstr("used in at least "));
}

}  // namespace
}  // namespace paddock::subagents
