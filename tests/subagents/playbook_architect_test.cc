// The architect on made-up repositories, one a language, and its graph by itself.
#include <gmock/gmock.h>

#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/module_graph.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "a -> b" of data.edges; "a ~> b" where no line of it counts at load time.
std::vector<std::string> Edges(const Report& report) {
  std::vector<std::string> out;
  for (const auto& edge : report.data["edges"]) out.push_back(edge[0].get<std::string>() + (edge[5].get<bool>() ? " ~> " : " -> ") + edge[1].get<std::string>());
  return out;
}

struct Expected {
  const char* name;
  Files files;
  std::vector<std::string> edges;
  std::string cycles;  // JSON
  std::string layers;
};
void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

class PlaybookArchitect : public testing::TestWithParam<Expected> {};

TEST_P(PlaybookArchitect, ReadsWhatDependsOnWhat) {
  const auto& expected = GetParam();
  PlaybookRepo repo(expected.files);
  Report report = repo.Run("architect", "the structure", "", 12);
  EXPECT_THAT(Edges(report), testing::UnorderedElementsAreArray(expected.edges)) << report.summary;
  EXPECT_EQ(DumpJson(report.data["cycles"]), expected.cycles);
  EXPECT_EQ(DumpJson(report.data["layers"]), expected.layers);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(report.summary, HasSubstr("No language model was used"));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

const Expected kCases[] = {
    {"C",
     {{"src/core/a.c", "#include \"a.h\"\n#include \"../base/b.h\"\n#include <stdio.h>\n"}, {"src/core/a.h", "#include \"net/n.h\"\n"}, {"src/base/b.h", "int b;\n"}, {"src/net/n.h", "# include \"core/a.h\"\n"},
      {"src/net/stdio.h", "\n"}, {"tests/t.c", "#include \"../src/core/a.h\"\n"}, {"third_party/z/b.h", "\n"}},
     {"src/core -> src/base", "src/core -> src/net", "src/net -> src/core"}, R"([["src/core","src/net"]])", R"([["src/base"],["src/core","src/net"]])"},
    {"Python",
     {{"src/p/__init__.py", "from .a import x\n"}, {"src/p/a.py", "import os, json\nfrom . import b\nfrom p.c import (y, z)\nimport p.d as d\n"}, {"src/p/b.py", "def f():\n    from .a import x\n"}, {"src/p/c.py", "import types\n"}, {"src/p/types.py", ""},
      {"src/p/d.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import x\n"}},
     {"src/p/__init__ -> src/p/a", "src/p/a -> src/p/b", "src/p/a -> src/p/c", "src/p/a -> src/p/d", "src/p/b ~> src/p/a", "src/p/d ~> src/p/a"}, "[]",
     R"([["src/p/b","src/p/c","src/p/d","src/p/types"],["src/p/a"],["src/p/__init__"]])"},
    {"JavaScript",
     {{"index.js", "module.exports = require('./lib/a')\n"}, {"lib/a.js", "const b = require('./b');\n// require('./c')\nimport x from '../util/index.js'\n"}, {"lib/b.ts", "import {\n  a,\n} from './a'\nimport fs from 'fs'\n"}, {"util/index.ts", "export * from './deep'\n"},
      {"util/deep/index.js", "\n"}},
     {". -> lib", "lib -> util", "util -> util/deep"}, "[]", R"([["util/deep"],["util"],["lib"],["."]])"},
    {"Workspace",
     {{"packages/a/package.json", "{\n  \"name\": \"@x/a\"\n}\n"}, {"packages/a/src/index.ts", "import { b } from '@x/b'\n"}, {"packages/b/package.json", "{\n  \"name\": \"@x/b\"\n}\n"}, {"packages/b/src/index.ts", "import type { a } from '@x/a'\n"}},
     {"packages/a/src -> packages/b/src", "packages/b/src ~> packages/a/src"}, "[]", R"([["packages/b/src"],["packages/a/src"]])"},
    {"Go",
     {{"go.mod", "module example.org/x/y\n"}, {"main.go", "package main\n\nimport (\n\t\"fmt\"\n\tz \"example.org/x/y/internal/z\"\n)\n"}, {"internal/z/z.go", "package z\n\nimport \"example.org/x/y/internal/w\"\n\nvar s = f(\"example.org/x/y\")\n"},
      {"internal/w/w.go", "package w\n"}, {"internal/w/w_test.go", "import \"example.org/x/y/internal/z\"\n"}},
     {". -> internal/z", "internal/z -> internal/w"}, "[]", R"([["internal/w"],["internal/z"],["."]])"},
    {"Rust",
     {{"Cargo.toml", "[package]\nname = \"x\"\n"}, {"src/main.rs", "mod a;\nuse a::f;\nfn main() {}\n"}, {"src/a.rs", "use crate::{\n    b::{c, d},\n    b::{\n        Other,\n    },\n    e,\n};\nuse std::fmt;\n"}, {"src/b/mod.rs", "mod c;\nuse super::e::g;\n"}, {"src/b/c.rs", "fn f() { crate::e::g(); }\n"}, {"src/e.rs", ""}, {"src/f.rs", ""}, {"src/g.rs", ""}, {"src/h.rs", ""}},
     {"src/main -> src/a", "src/a -> src/b/mod", "src/a -> src/b/c", "src/a -> src/e", "src/b/mod -> src/b/c", "src/b/mod -> src/e", "src/b/c -> src/e"}, "[]", R"([["src/e","src/f","src/g","src/h"],["src/b/c"],["src/b/mod"],["src/a"],["src/main"]])"},
    {"Java",
     {{"src/main/java/org/x/a/A.java", "package org.x.a;\nimport java.util.List;\nimport org.x.b.B;\nimport static org.x.c.C.Inner.NAME;\n"}, {"src/main/java/org/x/b/B.java", "import org.x.a.A;\n"}, {"src/main/java/org/x/c/C.java", "\n"}},
     {"src/main/java/org/x/a -> src/main/java/org/x/b", "src/main/java/org/x/a -> src/main/java/org/x/c", "src/main/java/org/x/b -> src/main/java/org/x/a"}, R"([["src/main/java/org/x/a","src/main/java/org/x/b"]])",
     R"([["src/main/java/org/x/c"],["src/main/java/org/x/a","src/main/java/org/x/b"]])"},
};
INSTANTIATE_TEST_SUITE_P(Languages, PlaybookArchitect, testing::ValuesIn(kCases), [](const auto& one) { return std::string(one.param.name); });

TEST(PlaybookArchitectReport, ACycleIsCitedByALineForEachDirection) {
  PlaybookRepo repo(kCases[0].files);
  Report report = repo.Run("architect", "the structure", "", 12);
  for (const auto& finding : report.findings) {
    if (!finding.title.starts_with("Cycle")) continue;
    ASSERT_EQ(finding.evidence.size(), 2u);
    EXPECT_EQ(finding.evidence[0].quote, "#include \"net/n.h\"");
    EXPECT_EQ(finding.evidence[1].quote, "# include \"core/a.h\"");
    return;
  }
  FAIL() << Titles(report);
}

TEST(PlaybookArchitectReport, SaysSoWhereThereIsNothingOrNoTime) {
  PlaybookRepo none(Files{{"README", "Hello.\n"}});
  EXPECT_THAT(none.Run("architect", "?", "", 12).summary, HasSubstr("No file of the repository was seen to include or import another"));
  PlaybookRepo hasty(kCases[0].files);
  EXPECT_FALSE(hasty.Run("architect", "?", "", 1).complete);
  PlaybookRepo failing(kCases[0].files);
  failing.fail_all = true;
  EXPECT_FALSE(failing.Run("architect", "?", "", 12).complete);
}

TEST(PlaybookArchitectReport, CyclesBetweenFilesOfOneFolderAreFound) {
  PlaybookRepo repo(Files{{"include/x/base.h", "#include \"more.h\"\n#include \"format.h\"\n"}, {"include/x/format.h", "// all\n#include \"base.h\"\n"}, {"include/x/more.h", "\n"}, {"src/a.cc", "#include \"x/base.h\"\n"}, {"src/b.cc", "#include \"x/more.h\"\n"}});
  const Report report = repo.Run("architect", "the structure", "", 12);
  EXPECT_EQ(report.data["level"], "folders");
  EXPECT_EQ(DumpJson(report.data["cycles"]), "[]");
  EXPECT_EQ(DumpJson(report.data["file_cycles"]), R"([["include/x/base.h","include/x/format.h"]])");
  EXPECT_THAT(report.summary, HasSubstr("1 cycle between files, first of all include/x/base.h and include/x/format.h."));
  EXPECT_THAT(report.summary, testing::Not(HasSubstr("No cycles")));
  const auto cycle = std::find_if(report.findings.begin(), report.findings.end(), [](const auto& finding) { return finding.title.starts_with("Cycle between files: "); });
  ASSERT_NE(cycle, report.findings.end()) << Titles(report);
  ASSERT_EQ(cycle->evidence.size(), 2u);
  EXPECT_EQ(cycle->evidence[0].quote, "#include \"format.h\"");
  EXPECT_EQ(cycle->evidence[1].quote, "#include \"base.h\"");
}

TEST(PlaybookArchitectReport, WhatWasNotLookedAtIsNotCalledFreeOfCycles) {
  const Files files{{"a/a.h", "#include \"b/b.h\"\n"}, {"b/b.h", "\n"}, {"c/c.php", "<?php\nrequire 'd.php';\n"}};
  PlaybookRepo whole(files);
  const Report report = whole.Run("architect", "?", "", 12);
  EXPECT_THAT(report.summary, HasSubstr("No cycles between folders or files."));
  EXPECT_THAT(report.summary, HasSubstr("What files in PHP import was not read."));
  bool hasty_saw = false;
  for (int turns = 2; turns < 6; ++turns) {
    PlaybookRepo hasty(files);
    const Report cut = hasty.Run("architect", "?", "", turns);
    if (cut.complete || cut.data["edges"].empty()) continue;
    hasty_saw = true;
    EXPECT_THAT(cut.summary, HasSubstr("but not all was looked at."));
  }
  (void)hasty_saw;
}

TEST(PlaybookArchitectReport, AFolderOfSourceNamedDocIsCode) {
  Files files{{"go.mod", "module example.org/c\n"}, {"c.go", "package c\n"}, {"d.go", "package c\n"}, {"doc/man.go", "package doc\n\nimport \"example.org/c\"\n"}, {"doc/man_test.go", "package doc\n"}, {"docs/conf.py", "import os\n"}};
  const Report report = PlaybookRepo(files).Run("architect", "?", "", 12);
  EXPECT_THAT(Edges(report), ElementsAre("doc -> ."));
  // Where pages lie, it is what makes the pages.
  files["doc/index.html"] = "<p>\n";
  EXPECT_THAT(Edges(PlaybookRepo(files).Run("architect", "?", "", 12)), IsEmpty());
}

TEST(ModuleGraph, FindsTheShortestWayRound) {
  ModuleGraph graph;
  const Citation line{"f", 1, 1, "x"};
  for (auto [from, to] : std::vector<std::pair<const char*, const char*>>{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "a"}, {"c", "a"}, {"d", "e"}}) graph.AddLine(from, to, line, false);
  graph.AddLine("e", "d", line, true);
  const auto cycles = graph.Cycles(9);
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_THAT(cycles[0].modules, ElementsAre("a", "b", "c"));
  EXPECT_THAT(graph.Layers(), ElementsAre(ElementsAre("e"), ElementsAre("a", "b", "c", "d")));

  ModuleGraph late;  // the first module is not on the shortest
  for (auto [from, to] : std::vector<std::pair<const char*, const char*>>{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "a"}, {"d", "b"}}) late.AddLine(from, to, line, false);
  ASSERT_EQ(late.Cycles(9).size(), 1u);
  EXPECT_THAT(late.Cycles(9)[0].modules, ElementsAre("b", "c", "d"));
}

TEST(ModuleGraph, DeepChainsNeedNoStack) {
  ModuleGraph graph;
  for (int i = 0; i < 50'000; ++i) graph.AddLine("m" + std::to_string(i), "m" + std::to_string(i + 1), {"f", 1, 1, "x"}, false);
  EXPECT_EQ(graph.Layers().size(), 50'001u);
  EXPECT_THAT(graph.Cycles(1), IsEmpty());
}

TEST(ImportIndex, ANameThatCouldBeTwoIsNone) {
  ImportIndex index;
  for (const char* path : {"a/x/config.h", "b/x/config.h", "c/only.h"}) index.Add(path);
  EXPECT_EQ(index.EndingWith("x/config.h", "a/main.c"), "a/x/config.h");
  EXPECT_EQ(index.EndingWith("x/config.h", "z/main.c"), std::nullopt);
  EXPECT_EQ(index.EndingWith("only.h", "z/main.c"), "c/only.h");
}

// The parent keeps 2,000 values of data and drops the rest without a word: cycles, layers and gaps stood behind the edges.
TEST(PlaybookArchitectReport, DataOfALargeGraphBeginsWithWhatMattersAndCountsWhatIsLeftOut) {
  Files files;
  const auto folder = [](int i) { return "m" + std::to_string(100 + i); };
  for (int i = 0; i < 100; ++i) {
    std::string text;
    for (int k = 1; k <= 4; ++k) text += "#include \"" + folder((i + k) % 100) + "/" + folder((i + k) % 100) + ".h\"\n";
    files[folder(i) + "/" + folder(i) + ".h"] = text;
  }
  const Report report = PlaybookRepo(files).Run("architect", "the structure", "", 12);
  EXPECT_LE(ValuesOf(report.data), kMaxDataValues);
  EXPECT_EQ(report.data["counts"], (Json{{"modules", 100}, {"edges", 400}, {"cycles", 1}, {"file_cycles", 1}, {"layers", 1}}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : report.data.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("level", "counts", "cycles", "file_cycles", "layers", "left_out", "hubs", "entry_points", "omitted", "modules", "edges"));
  EXPECT_EQ(report.data["edges"].size() + report.data["omitted"]["edges"].get<size_t>(), 400u);
  EXPECT_GT(report.data["omitted"]["edges"], 0);
  EXPECT_THAT(report.summary, HasSubstr("of 400 dependencies between them."));
}

TEST(PlaybookArchitectReport, DataOfASmallGraphIsWhole) {
  const Report report = PlaybookRepo(kCases[0].files).Run("architect", "the structure", "", 12);
  EXPECT_EQ(report.data["omitted"], Json::object());
  EXPECT_THAT(report.summary, testing::Not(HasSubstr("`data` holds")));
}

}  // namespace
}  // namespace paddock::subagents
