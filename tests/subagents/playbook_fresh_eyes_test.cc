// What an evaluator with repositories that nobody had seen judged to be false in the architect's, explorer's and triage's reports.
#include <gmock/gmock.h>

#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report ReportOf(const char* playbook, Files files) { return ReportOn(playbook, "?", std::move(files), 12); }

std::vector<std::string> Edges(const Report& report) {
  std::vector<std::string> out;
  for (const auto& edge : report.data["edges"]) out.push_back(edge[0].get<std::string>() + " " + edge[1].get<std::string>() + " " + std::to_string(edge[2].get<int>()));
  return out;
}

TEST(FreshEyesArchitect, SuperOfAnInlineModuleIsTheFileItself) {
  const Report report = ReportOf("architect", {{"Cargo.toml", "[package]\nname = \"oven\"\n"}, {"src/lib.rs", "pub mod heat;\nmod door;\n"}, {"src/door.rs", "pub fn open() {}\n"},
                                          {"src/heat/mod.rs", "mod gas;\nmod wood;\n"}, {"src/heat/wood.rs", "pub struct Log;\n"},
                                          {"src/heat/gas.rs", "use super::wood::Log;\n\nmod inner {\n    use super::*;\n    use super::super::wood;\n}\n\nfn f() {\n    use crate::door;\n}\n\n#[cfg(test)]\nmod tests {\n    use crate::heat::wood::Log;\n}\n"}});
  EXPECT_THAT(Edges(report), ElementsAre("src src/heat 1", "src/heat src 1"));
  EXPECT_THAT(Titles(report), Not(HasSubstr("uses 4 others")));
  // Of Rust nothing is loaded later.
  for (const auto& finding : report.findings) EXPECT_THAT(finding.detail, Not(HasSubstr("load")));
  EXPECT_THAT(report.summary, Not(HasSubstr("At the bottom")));
  ImportIndex index;
  for (const char* path : {"src/lib.rs", "src/a.rs", "src/a/b.rs", "src/c.rs"}) index.Add(path);
  index.packages["oven-kit"] = "";
  auto path = [&](const char* from, const char* line) {
    const auto found = ImportReader(index, from).Read(line, 1);
    return found.empty() ? std::string() : found[0].path;
  };
  EXPECT_EQ(path("src/a.rs", "pub mod b;"), "src/a/b.rs");
  EXPECT_EQ(path("src/a.rs", "mod b { }"), "");
  EXPECT_EQ(path("src/a/b.rs", "    super::super::c::f();"), "src/c.rs");
  EXPECT_EQ(path("src/a.rs", "use super::*;"), "src/lib.rs");
  EXPECT_EQ(path("benches/x.rs", "use oven_kit::a::b::X;"), "src/a/b.rs");
  EXPECT_EQ(path("src/bin/x.rs", "use crate::a;"), "");
}

TEST(FreshEyesArchitect, AUserOfTheCrateInBenchesIsLeftAside) {
  const Report report = ReportOf("architect", {{"Cargo.toml", "[package]\nname = \"oven\"\n"}, {"src/lib.rs", "mod a;\n"}, {"src/a.rs", "\n"}, {"benches/b.rs", "use oven::a;\n"}});
  EXPECT_THAT(Titles(report), Not(HasSubstr("benches")));
}

TEST(FreshEyesArchitect, ALineCountsOnceHoweverManyNamesStandOnIt) {
  const Report report = ReportOf("architect", {{"p/__init__.py", "from .keys import a, b, c, d\nfrom .keys import e\n"}, {"p/keys.py", "\n"}});
  EXPECT_THAT(Edges(report), ElementsAre("p/__init__ p/keys 2"));
  for (const auto& finding : report.findings) {
    if (!finding.title.starts_with("p/__init__ depends on")) continue;
    ASSERT_EQ(finding.evidence.size(), 2u);
    EXPECT_NE(finding.evidence[0].line_start, finding.evidence[1].line_start);
  }
}

TEST(FreshEyesArchitect, WhatDependsWithinOneFolderIsTold) {
  const Report report = ReportOf("architect", {{"src/x.cpp", "#include \"x.hpp\"\n"}, {"src/x.hpp", "#include \"config.hpp\"\n"}, {"src/config.hpp", "\n"}, {"tool/t.py", "import os\n"}, {"more/u.py", "import os\n"}});
  EXPECT_EQ(report.data["level"], "files");
  EXPECT_THAT(Edges(report), ElementsAre("src/x src/config 1"));
  EXPECT_THAT(report.summary, HasSubstr("with 1 dependency between them"));
  // A header and its source are one module, and one includes the other all the same.
  const Report own = ReportOf("architect", {{"a/x.c", "#include \"x.h\"\n"}, {"a/x.h", "\n"}, {"b/y.c", "\n"}, {"c/z.c", "\n"}});
  EXPECT_THAT(own.summary, HasSubstr("a/x.c includes a/x.h"));
  EXPECT_THAT(own.summary, Not(HasSubstr("No file")));
}

TEST(FreshEyesArchitect, AHeadersOwnSourceIsNotHidden) {
  const Report report = ReportOf("architect", {{"ini.c", "#include \"ini.h\"\n"}, {"ini.h", "\n"}, {"cpp/r.cpp", "#include \"../ini.h\"\n"}});
  EXPECT_THAT(report.summary, HasSubstr("Most used: ini.h (by 1 other besides its own ini.c)."));
  EXPECT_THAT(report.summary, HasSubstr("At the bottom: the top folder. At the top: cpp."));
}

// <kiln/door.h> is where src/api is installed: who includes it so isn't at the bottom.
TEST(FreshEyesArchitect, AnIncludeThatCantBeFollowedLeavesTheLayersOpen) {
  const Report report = ReportOf("architect", {{"src/api/door.h", "int d;\n"}, {"src/door.c", "#include \"api/door.h\"\n"}, {"verify/v.c", "#include <kiln/door.h>\n#include <sys/types.h>\n"}, {"perf/p.c", "#include <stdio.h>\n"}});
  EXPECT_THAT(report.summary, Not(HasSubstr("At the bottom")));
  EXPECT_THAT(report.summary, HasSubstr("not all includes could be followed"));
}

TEST(FreshEyesArchitect, ACycleThatClosesLaterIsNotDenied) {
  const Report report = ReportOf("architect", {{"a/__init__.py", "\n"}, {"a/x.py", "import b.y\n"}, {"b/__init__.py", "\n"}, {"b/y.py", "def f():\n    import a.x\n"}, {"c/z.py", "\n"}});
  EXPECT_THAT(report.summary, HasSubstr("No cycle at load time was seen between folders"));
  EXPECT_THAT(report.summary, Not(HasSubstr("No cycles")));
}

TEST(FreshEyesArchitect, TheHeaderThatUsersIncludeIsAnEntry) {
  const Report report = ReportOf("architect", {{"CMakeLists.txt", "project(kiln C)\n"}, {"src/kiln.c", "#include \"kiln.h\"\n"}, {"src/kiln.h", "#include \"part.h\"\n"}, {"src/part.h", "\n"}, {"src/door.c", "#include \"part.h\"\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("Library entry: src/kiln.h"));
  // What a change in a hub touches.
  EXPECT_THAT(DetailOf(report, "src/part.h is used by 2 others"), HasSubstr("A change of what it offers can touch those"));
}

TEST(FreshEyesExplorer, APackageOfTestsIsNoEntry) {
  const Report report = ReportOf("explorer", {{"pyproject.toml", "[project]\nname = \"oven\"\n"}, {"src/oven/__init__.py", "import os\n"}, {"tests/__init__.py", "import unittest\n"}});
  EXPECT_THAT(Listed(report, "entry_points"), ElementsAre("src/oven/__init__.py"));
}

TEST(FreshEyesExplorer, AScriptThatNeedsArgumentsIsNoTestCommand) {
  const Files files{{"Makefile", "all: x\n"}, {"x.c", "int main() {}\n"}};
  for (const auto& [script, offered] : std::initializer_list<std::pair<const char*, bool>>{
           {"#!/bin/sh\nset -eu\ncc $1 -o $2\n", false}, {"#!/bin/sh\nif [ $# -lt 1 ]; then exit 2; fi\n", false}, {"#!/bin/sh\nout=${1:?which}\n", false}, {"#!/bin/sh\n./x\n", true}, {"#!/bin/sh\nif [ \"$1\" = -v ]; then set -x; fi\n./x\n", true},
           {"#!/bin/sh\nrun() {\n  ./x $1\n}\nrun a\n", true}, {"#!/bin/sh\n./x \"${1:-all}\"\n", true}}) {
    Files all = files;
    all["tests/runtest.sh"] = script;
    const auto tests = Listed(ReportOf("explorer", all), "test");
    EXPECT_EQ(std::find(tests.begin(), tests.end(), "cd tests && ./runtest.sh") != tests.end(), offered) << script;
  }
}

TEST(FreshEyesExplorer, CTestRunsNothingWhereNothingIsRegistered) {
  const Files none{{"CMakeLists.txt", "project(x C)\ninclude(CTest)\n"}, {"x.c", "int main() {}\n"}};
  EXPECT_THAT(Listed(ReportOf("explorer", none), "test"), IsEmpty());
  Files off = none;
  off["CMakeLists.txt"] = "project(x C)\ninclude(CTest)\ncmake_dependent_option(X_TESTS\n\t\"Build tests\" OFF\n\t\"BUILD_TESTING\" OFF)\nif(X_TESTS)\n  add_executable(x-check t.c)\n  add_test(NAME c COMMAND x-check)\nendif()\n";
  const Report report = ReportOf("explorer", off);
  EXPECT_THAT(Listed(report, "test"), ElementsAre("cmake -S . -B build -DX_TESTS=ON && cmake --build build && ctest --test-dir build"));
  EXPECT_THAT(Titles(report), Not(HasSubstr("Starts at x-check")));
  Files below = none;
  below["CMakeLists.txt"] = "project(x C)\noption(X_TESTS OFF)\nenable_testing()\nif(X_TESTS AND UNIX)\n  add_subdirectory(tests)\nendif()\n";
  below["tests/CMakeLists.txt"] = "my_add_test(a)\n";
  EXPECT_THAT(Listed(ReportOf("explorer", below), "test"), ElementsAre(HasSubstr("-DX_TESTS=ON")));
  for (const char* text : {"project(x C)\noption(X_TESTS ON)\nenable_testing()\nif(X_TESTS)\n  add_test(a a)\nendif()\n", "project(x C)\noption(X_TESTS OFF)\nenable_testing()\nif(NOT X_TESTS)\n  add_test(a a)\nendif()\n"}) {
    Files on = none;
    on["CMakeLists.txt"] = text;
    EXPECT_THAT(Listed(ReportOf("explorer", on), "test"), ElementsAre("ctest --test-dir build")) << text;
  }
}

TEST(FreshEyesExplorer, InstallingIsNoBuild) {
  const Report report = ReportOf("explorer", {{"package.json", "{\n  \"name\": \"x\",\n  \"devDependencies\": {\n    \"mocha\": \"1\"\n  },\n  \"scripts\": {\n    \"test\": \"mocha\",\n    \"check\": \"eslint .\"\n  }\n}\n"}, {"a.js", "let x = 1;\n"}, {"a.d.ts", "export const x: number;\n"},
                                         {"README.md", "# x\n\n```sh\nnpm test\nnpm run check\n```\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("Install with `npm install`; no build step was found"));
  EXPECT_THAT(report.summary, HasSubstr("Install: `npm install`."));
  EXPECT_THAT(Titles(report), HasSubstr("No runtime dependencies: package.json names none"));
  EXPECT_THAT(DetailOf(report, "Test with `npm test`"), HasSubstr("It needs what installing"));
  EXPECT_THAT(Listed(report, "test"), ElementsAre("npm test", "npm run check"));
  const auto check = std::find_if(report.findings.begin(), report.findings.end(), [](const auto& finding) { return finding.title == "Test, other way: `npm run check`"; });
  ASSERT_NE(check, report.findings.end());
  EXPECT_TRUE(std::any_of(check->evidence.begin(), check->evidence.end(), [](const Citation& citation) { return citation.path == "package.json" && citation.quote.find("\"check\"") != std::string::npos; }));
  EXPECT_THAT(Titles(report), HasSubstr("TypeScript"));
}

TEST(FreshEyesExplorer, CargoFetchesWhatItNeedsToo) {
  Files files{{"Cargo.toml", "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\", optional = true }\n[dependencies.sval]\nversion = \"2\"\noptional = true\n"}, {"src/lib.rs", "pub mod a;\n"}};
  const Report report = ReportOf("explorer", files);
  EXPECT_THAT(DetailOf(report, "Build with `cargo build`"), HasSubstr("It fetches what it needs"));
  EXPECT_THAT(Titles(report), HasSubstr("Depends on serde (optional), sval (optional)"));
  files["Cargo.toml"] = "[package]\nname = \"x\"\n";
  EXPECT_THAT(DetailOf(ReportOf("explorer", files), "Build with `cargo build`"), Not(HasSubstr("It fetches")));
  EXPECT_THAT(Titles(ReportOf("explorer", files)), HasSubstr("No runtime dependencies: Cargo.toml names none"));
}

TEST(FreshEyesExplorer, ACommandThatCiHasIsNotSaidToBeUnnamed) {
  const Report report = ReportOf("explorer", {{"Makefile", "all: x\ntest: x\n\t./x\n"}, {"x.c", "int main() {}\n"}, {".github/workflows/build.yml", "on: push\njobs:\n  a:\n    steps:\n      - run: make test defines=${{ matrix.d }} -j2\n"}});
  EXPECT_THAT(DetailOf(report, "Test with `make test`"), Not(HasSubstr("don't name it")));
}

TEST(FreshEyesExplorer, WhatAPluginNeedsIsNoDependency) {
  const char* one = "    <dependency>\n      <artifactId>csvlib</artifactId>\n      <scope>test</scope>\n    </dependency>\n  </dependencies>\n";
  const char* plugin = "  <build>\n    <plugins>\n      <plugin>\n        <dependencies>\n          <dependency>\n            <artifactId>checks</artifactId>\n          </dependency>\n        </dependencies>\n      </plugin>\n    </plugins>\n  </build>\n";
  EXPECT_THAT(Titles(ReportOf("explorer", {{"pom.xml", std::string("<project>\n  <dependencies>\n") + one + plugin + "</project>\n"}, {"src/main/java/A.java", "class A {}\n"}})), HasSubstr("Depends on csvlib (for tests)\n"));
}

TEST(FreshEyesExplorer, OfDependenciesTheCutIsSaid) {
  std::string cargo = "[package]\nname = \"x\"\n[dependencies]\n";
  for (char c = 'a'; c < 'k'; ++c) cargo += std::string(3, c) + " = \"1\"\n";
  EXPECT_THAT(Titles(ReportOf("explorer", {{"Cargo.toml", cargo}, {"src/lib.rs", "pub mod a;\n"}})), HasSubstr("hhh, and more"));
}

TEST(FreshEyesTriage, OtherCiFilesAreReadAsWorkflowsAre) {
  for (const char* path : {"appveyor.yml", ".cirrus.yml", ".github/workflows/a.yml"})
    EXPECT_THAT(Titles(ReportOf("triage", {{path, "script:\n  - bash <(curl -s https://a.example/bash)\n"}})), HasSubstr("fetches a program and runs it")) << path;
}

TEST(FreshEyesTriage, ScriptsThatBecomeRootAreTold) {
  const Report report = ReportOf("triage", {{"tools/setup.sh", "#!/bin/sh\nsudo apt-get install cmake\ngit clone https://a.example/x.git\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("setup.sh runs `apt-get install cmake` as root"));
  EXPECT_THAT(Titles(report), HasSubstr("setup.sh fetches another repository"));
  EXPECT_EQ(report.data["verdict"], "nothing found that runs by itself");
}

TEST(FreshEyesTriage, WhatMakeRunsLaterIsNotRunAsItReads) {
  Report report = ReportOf("triage", {{"Makefile", "docs/%.html: docs/%.adoc $$(shell sed -n p docs/%.adoc)\n\tcp x y\n"}});
  EXPECT_THAT(Titles(report), Not(HasSubstr("make runs `sed")));
  report = ReportOf("triage", {{"Makefile", "V := $(shell sed -n 's/version \\(.*\\)/\\1/p' a.h)\nW = $(shell git ls-files)\n"}});
  EXPECT_THAT(Titles(report), HasSubstr(R"(make runs `sed -n 's/version \(.*\)/\1/p' a.h` whenever it reads the file)"));
  EXPECT_THAT(Titles(report), HasSubstr("make runs `git ls-files` whenever it needs that variable"));
}

TEST(FreshEyesTriage, BuildSystemsAreTreatedAlike) {
  for (const auto& [path, text] : std::initializer_list<std::pair<const char*, const char*>>{{"meson.build", "project('x', 'c')\n"}, {"Cargo.toml", "[dependencies]\nserde = \"1\"\n"}, {"package.json", "{\n  \"dependencies\": {\n    \"a\": \"1\"\n  }\n}\n"},
                                                                                              {"CMakeLists.txt", "project(x)\n"}, {"debian/rules", "#!/usr/bin/make -f\n%:\n\tdh $@\n"}}) {
    const Report report = ReportOf("triage", {{path, text}});
    ASSERT_EQ(report.findings.size(), 1u) << path << Titles(report);
    EXPECT_EQ(report.findings[0].severity, Severity::kInfo) << path;
    EXPECT_THAT(report.findings[0].title, HasSubstr("normal for")) << path;
  }
}

}  // namespace
}  // namespace paddock::subagents
