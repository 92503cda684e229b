// What an evaluator judged to be false of the architect on fresh repositories: uses that no import tells, or that were left aside.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Files = std::map<std::string, std::string>;

Report ArchitectOf(Files files) {
  PlaybookRepo repo(std::move(files));
  Report report = repo.Run("architect", "?", "", 14);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
  return report;
}

std::vector<std::string> Edges(const Report& report) {
  std::vector<std::string> out;
  for (const auto& edge : report.data["edges"]) out.push_back(edge[0].get<std::string>() + " " + edge[1].get<std::string>() + " " + std::to_string(edge[2].get<int>()));
  return out;
}

const Files kJava = {{"src/main/java/org/oven/Oven.java", "package org.oven;\nimport org.oven.gas.Gas;\nimport org.oven.gas.Pipe;\nclass Oven { Door door; }\n"},
                     {"src/main/java/org/oven/Door.java", "package org.oven;\nimport org.oven.gas.Gas;\nclass Door { Oven oven; }\n"},
                     {"src/main/java/org/oven/gas/Gas.java", "package org.oven.gas;\nimport org.oven.Oven;\nclass Gas { Pipe pipe; }\n"},
                     {"src/main/java/org/oven/gas/Pipe.java", "package org.oven.gas;\nclass Pipe {}\n"},
                     {"src/main/java/org/shop/Shop.java", "package org.shop;\nimport org.oven.Oven;\n"}};

TEST(UnseenUses, OfJavaOnlyImportsAreCounted) {
  const Report report = ArchitectOf(kJava);
  EXPECT_THAT(Titles(report), HasSubstr("src/main/java/org/oven/Oven.java is imported by 2 others"));
  EXPECT_THAT(Titles(report), HasSubstr("src/main/java/org/oven/Oven.java imports 2 others"));
  EXPECT_THAT(Titles(report), Not(HasSubstr("used by")));
  EXPECT_THAT(DetailOf(report, "Gas.java is imported by"), HasSubstr("files of one package need no import to use each other"));
  for (const auto& finding : report.findings) EXPECT_THAT(finding.detail, Not(HasSubstr("through them")));
  EXPECT_THAT(report.summary, HasSubstr("At least 1 cycle between files"));
  EXPECT_THAT(report.summary, HasSubstr("Most imported: "));
  // Between packages the imports tell all.
  EXPECT_THAT(report.summary, HasSubstr("At the top: src/main/java/org/shop."));
  EXPECT_THAT(Titles(report), HasSubstr("Cycle: src/main/java/org/oven and src/main/java/org/oven/gas import each other"));
}

TEST(UnseenUses, OfFilesOfOnePackageThatThereIsNoCycleIsNotSaid) {
  const Report report = ArchitectOf({{"src/a/A.kt", "package a\nimport b.B\n"}, {"src/b/B.kt", "package b\n"}, {"src/c/C.kt", "package c\n"}});
  EXPECT_THAT(report.summary, HasSubstr("No cycle was seen between folders by their imports alone."));
}

TEST(UnseenUses, APackageInTwoFoldersLeavesTheLayersOpen) {
  Files files = kJava;
  files["src/main/java-templates/org/oven/Config.java"] = "package org.oven;\n";
  const Report report = ArchitectOf(files);
  EXPECT_THAT(report.summary, Not(HasSubstr("At the bottom")));
  EXPECT_THAT(DetailOf(report, "folders, with cycles"), HasSubstr("org/oven lies in more than one folder"));
}

TEST(UnseenUses, OfAGroupWithPairsItIsSaidThatLongerCyclesArentCounted) {
  const Report report = ArchitectOf({{"p/a.py", "import p.b\nimport p.c\n"}, {"p/b.py", "import p.a\nimport p.c\n"}, {"p/c.py", "import p.a\n"}, {"p/__init__.py", "\n"}});
  EXPECT_THAT(report.summary, HasSubstr("2 cycles between files in 1 group, first of all p/a and p/b (of a group that has pairs no longer ones are counted)."));
}

TEST(UnseenUses, AModuleNamedWithinPythonsBracketsIsImported) {
  Files files = {{"oven/__init__.py", "from .gas import (  # all of it\n    Pipe,\n    Valve,\n)\n"}, {"oven/gas.py", "\n"}, {"oven/heat/__init__.py", "from oven import (\n    Door,\n    _parts,  # noqa\n    gas as g\n)\nDoor = (\n    wood,\n)\n"},
                 {"oven/_parts.py", "\n"}, {"oven/wood.py", "\n"}, {"oven/peel.py", "def f():\n    from . import (wood,\n        gas)\n"}};
  EXPECT_THAT(Edges(ArchitectOf(files)), testing::UnorderedElementsAre("oven/__init__ oven/gas 1", "oven/heat/__init__ oven/__init__ 1", "oven/heat/__init__ oven/_parts 1", "oven/heat/__init__ oven/gas 1", "oven/peel oven/wood 1", "oven/peel oven/gas 1"));
  // However long it is.
  std::string names;
  for (int i = 0; i < 30; ++i) names += "    Part" + std::to_string(i) + ",\n";
  files["oven/heat/__init__.py"] = "from oven import (\n" + names + "    wood,\n)\n";
  EXPECT_THAT(Edges(ArchitectOf(files)), testing::Contains("oven/heat/__init__ oven/wood 1"));
}

const Files kTestHelper = {{"oven.h", "#include \"parts.h\"\n"}, {"parts.h", "\n"}, {"oven-test.h", "#include \"parts.h\"\n"}, {"bake_data.h", "\n"}, {"bake_data.cc", "#include \"bake_data.h\"\n#include \"oven-test.h\"\n"},
                           {"bake_tool.cc", "#include \"bake_data.h\"\n#include \"oven.h\"\n#include \"oven-test.h\"\n"}};

TEST(UnseenUses, WhatUsesFilesLeftAsideIsNotPutAtTheBottom) {
  const Report report = ArchitectOf(kTestHelper);
  EXPECT_THAT(report.summary, HasSubstr("At the bottom: parts."));
  EXPECT_THAT(report.summary, Not(HasSubstr("At the top: bake_tool")));
  EXPECT_THAT(DetailOf(report, "layers"), HasSubstr("Not placed, as what they use of tests, examples and the like isn't counted: bake_data, bake_tool."));
  EXPECT_THAT(DetailOf(report, "bake_tool.cc uses 2 others"), HasSubstr("What it uses of tests, examples and the like is not counted."));
  // Of folders only what lies in another counts.
  const Report folders = ArchitectOf({{"a/a.h", "#include \"a-test.h\"\n"}, {"a/a-test.h", "\n"}, {"b/b.h", "#include \"a/a.h\"\n"}, {"c/c.h", "#include \"../tests/all.h\"\n"}, {"tests/all.h", "\n"}});
  EXPECT_THAT(folders.summary, HasSubstr("At the bottom: a. At the top: b."));
  EXPECT_THAT(DetailOf(folders, "layers"), HasSubstr("isn't counted: c."));
}

TEST(UnseenUses, ATestOfTypesIsATest) {
  const Report report = ArchitectOf({{"source/index.js", "import './parts.js';\n"}, {"source/parts.js", "\n"}, {"source/index.test-d.ts", "import oven from './index.js';\n"}, {"more/a.js", "import '../source/index.js'\n"}});
  EXPECT_THAT(report.summary, HasSubstr("1 of tests, examples"));
  EXPECT_THAT(Edges(report), testing::ElementsAre("more source 1"));
}

TEST(UnseenUses, WhatPackageJsonCallsItsOwnFilesIsFollowed) {
  const Report report = ArchitectOf({{"package.json", "{\n  \"name\": \"oven\",\n  \"imports\": {\n    \"#gas\": \"./vendor-gas/index.js\",\n    \"#heat\": {\n      \"node\": \"./heat/index.js\",\n      \"default\": \"./heat/browser.js\"\n    },\n    \"#parts/*\": \"./parts/*.js\"\n  },\n  \"main\": \"./source/index.js\"\n}\n"},
                                     {"source/index.js", "import gas from '#gas';\nimport heat from '#heat';\nimport door from '#parts/door';\nimport no from '#main';\n"}, {"vendor-gas/index.js", "\n"}, {"heat/index.js", "\n"}, {"heat/browser.js", "\n"}, {"parts/door.js", "\n"}});
  EXPECT_THAT(Edges(report), testing::UnorderedElementsAre("source vendor-gas 1", "source heat 1", "source parts 1"));
}

}  // namespace
}  // namespace paddock::subagents
