// What repositories that the rules were not made on showed to be wrong, one test a kind, on repositories made up for it.
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

Report Explore(Files files) { return ReportOn("explorer", "map this repository", std::move(files), 12); }

TEST(PlaybookStrangers, AnEmptyFileMayBeRead) {
  const Report report = Explore({{"pyproject.toml", "[project]\nname = \"x\"\n"}, {"x/__init__.py", ""}, {"tests/__init__.py", ""}, {"README.md", ""}, {"x/a.py", "if __name__ == '__main__':\n"}});
  EXPECT_EQ(Listed(report, "languages").front(), "Python");
}

TEST(PlaybookStrangers, ScriptsOfGeneratedPagesAreNotTheLanguage) {
  Files files = {{"CMakeLists.txt", "project(shape)\n"}, {"shape.cpp", "#include \"shape.h\"\n"}, {"shape.h", "#pragma once\n"}, {"shapetest.cpp", "int main() {}\n"}};
  for (int i = 0; i < 40; ++i) files["docs/search/all_" + std::to_string(i) + ".js"] = "var searchData=[];\n";
  const Report report = Explore(files);
  EXPECT_THAT(Listed(report, "languages"), ElementsAre("C++"));
  EXPECT_EQ(Listed(report, "entry_points").front(), "shape.h");
  // Where pages are all that there is, they are the project.
  EXPECT_THAT(Listed(Explore({{"docs/app.js", "let x = 1;\n"}}), "languages"), ElementsAre("JavaScript"));
}

TEST(PlaybookStrangers, HeadersThatAPackageWorksOnAreNotItsLanguage) {
  Files files = {{"pyproject.toml", "[project]\nname = \"reader\"\n"}, {"reader/__init__.py", "import os\n"}, {"reader/a.py", "x = 1\n"}, {"reader/b.py", "x = 1\n"}, {"utils/internal/try.c", "int main() {}\n"}, {"utils/internal/run.py", "if __name__ == '__main__':\n"}};
  for (int i = 0; i < 40; ++i) files["utils/fake_include/h" + std::to_string(i) + ".h"] = "#include \"all.h\"\n";
  const Report report = Explore(files);
  EXPECT_EQ(Listed(report, "languages").front(), "Python");
  EXPECT_THAT(Listed(report, "entry_points"), ElementsAre("reader/__init__.py"));
  // A C library with a package for Python beside it stays one.
  files.insert({"CMakeLists.txt", "project(reader C)\n"});
  EXPECT_EQ(Listed(Explore(files), "languages").front(), "C");
}

TEST(PlaybookStrangers, ATargetThatOnlyLintsIsNoTest) {
  const Files files = {{"setup.py", "setup()\n"}, {"a.py", "x = 1\n"},
                       {"Makefile", "RUFF = uvx ruff\n.PHONY: check\ncheck:\n\t$(RUFF) check .\n\t@stubtest a\n\ntest:\n\tpython3 -m unittest discover\n"},
                       {".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: make check\n"}};
  const Report report = Explore(files);
  EXPECT_THAT(Listed(report, "test"), ElementsAre("make test"));
  EXPECT_THAT(Listed(report, "build"), ElementsAre("python3 -m pip install ."));
  // One that starts a program as well, or only others, may be.
  for (const char* recipe : {"\truff check\n\t./a\n", "lint\n", "\t$(MAKE) -C tests\n"}) {
    const std::string makefile = std::string("check:") + (*recipe == '\t' ? "\n" : " ") + recipe;
    EXPECT_THAT(Listed(Explore({{"Makefile", makefile}, {"a.c", "int main() {}\n"}}), "test"), ElementsAre("make check")) << makefile;
  }
}

TEST(PlaybookStrangers, MakeAloneIsNoBuildWhereAnotherToolWritesTheMakefile) {
  const Files files = {{"README.md", "Run\n\n    $ ./bootstrap\n    $ ./configure\n    $ make\n"}, {"bootstrap", "#!/bin/sh\n"}, {"configure.ac", "AC_INIT([y], [1])\n"},
                       {"Makefile.am", "SUBDIRS = src\n"}, {"y.c", "int main() {}\n"}};
  const Report report = Explore(files);
  EXPECT_THAT(Listed(report, "build"), ElementsAre("./bootstrap && ./configure && make"));
  EXPECT_THAT(DetailOf(report, "Build with"), HasSubstr("names it, and Autotools"));
}

TEST(PlaybookStrangers, MakeIsNoBuildWhereItsFirstTargetIsForSomethingElse) {
  const Files files = {{"Makefile", ".PHONY: help\nhelp:\n\t@echo x\n\nrun.o: run.c\n\tcc -c run.c\n"}, {"run.c", "int main() {}\n"}};
  EXPECT_THAT(Listed(Explore(files), "build"), IsEmpty());
}

TEST(PlaybookStrangers, AnotherFormOfACommandIsSaidToBeOne) {
  const Files files = {{"CMakeLists.txt", "project(x C)\nenable_testing()\nadd_test(a a)\n"}, {"x.c", "int main() {}\n"},
                       {".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: cmake -G Ninja -S . -B out\n      - run: ctest --output-on-failure\n"}};
  const Report report = Explore(files);
  EXPECT_THAT(DetailOf(report, "Test with `ctest --test-dir build`"), HasSubstr("names it in another form"));
  EXPECT_THAT(DetailOf(report, "Build with"), HasSubstr("names it in another form"));
}

TEST(PlaybookStrangers, WhatFetchesIsSaidToNeedANetwork) {
  const Report report = Explore({{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"node a.js\"\n  }\n}\n"}, {"a.js", "let x = 1;\n"}});
  EXPECT_THAT(DetailOf(report, "Install with `npm install`"), HasSubstr("without a network"));
  EXPECT_THAT(DetailOf(report, "Test with `npm test`"), Not(HasSubstr("without a network")));
}

TEST(PlaybookStrangers, OneTestByItsNameIsNotAllTests) {
  const Files files = {{"tox.ini", "[tox]\nenvlist = py\n"}, {"pyproject.toml", "[project]\nname = \"m\"\n"}, {"tests/test_meta.py", "import unittest\n"}, {"m/__init__.py", "import os\n"},
                       {".github/workflows/version_check.yml", "jobs:\n  a:\n    steps:\n      - run: python -m unittest tests.test_meta.TestVersion.test_is_valid\n"},
                       {".github/workflows/tox.yml", "on: push\njobs:\n  a:\n    steps:\n      - run: python -m tox\n"}, {".github/workflows/changelog-enforcer.yml", "on: push\n"}};
  const Report report = Explore(files);
  EXPECT_THAT(Listed(report, "test"), Not(Contains(HasSubstr("TestVersion"))));
  EXPECT_THAT(DetailOf(report, "Test with `"), HasSubstr("documentation or CI names it"));
  EXPECT_THAT(Titles(report), HasSubstr("GitHub Actions (tox.yml, one of 3"));
}

TEST(PlaybookStrangers, ATitleMaySayWhatItIs) {
  for (const char* readme : {"## LibQ - A C library for reading and writing Q.\n\nTo build and install the library, run:\n\n    $ make\n\nDiscuss LibQ with the maintainers in the channel q.\n",
                             "LibQ: A C library for reading and writing Q.\n============================================\n\nJoin the mailing list of the maintainers today.\n"})
    EXPECT_THAT(Titles(Explore({{"README.md", readme}, {"q.c", "int x;\n"}})), HasSubstr("A C library for reading and writing Q.")) << readme;
}

TEST(PlaybookStrangers, ALongParagraphEndsWithASentence) {
  const Files files = {{"README.md", "The itertools library is a gem and it lets you write solutions\nfor many problems with its functions. Here we collect more of\nthem, and recipes, and routines for working with\niterables of all kinds.\n"}, {"q.py", "x = 1\n"}};
  EXPECT_THAT(Titles(Explore(files)), HasSubstr("for many problems with its functions.\n"));
}

TEST(PlaybookStrangers, RequirementsBesideAPackageAreNotItsDependencies) {
  Files files = {{"pyproject.toml", "[project]\nname = \"sorted\"\n"}, {"requirements.txt", "tox\nsphinx\n"}, {"sorted/__init__.py", "import os\n"}};
  EXPECT_THAT(Titles(Explore(files)), Not(HasSubstr("Depends on")));
  files["pyproject.toml"] += "[tool.setuptools.dynamic]\ndependencies = {file = [\"requirements.txt\"]}\n";
  EXPECT_THAT(Titles(Explore(files)), HasSubstr("Depends on tox, sphinx"));
}

TEST(PlaybookStrangers, ALicenceFileInAnySpelling) {
  EXPECT_THAT(Titles(Explore({{"License", "Permission is hereby granted, free of charge, to any person obtaining\na copy\n"}, {"x.c", "int x;\n"}})), HasSubstr("License: MIT License, by the text of License"));
}

TEST(PlaybookStrangers, AGoPackageBeginsWhereItsNameIs) {
  Files files = {{"go.mod", "module example.org/pflag\n"}, {"bytes.go", "package pflag\n"}, {"zflag.go", "package pflag\n"}, {"flag.go", "package pflag\n"}};
  EXPECT_THAT(Listed(Explore(files), "entry_points"), ElementsAre("flag.go"));
  files.erase("flag.go");
  EXPECT_THAT(Listed(Explore(files), "entry_points"), ElementsAre("go.mod"));
}

TEST(PlaybookStrangers, AFolderThatIsRequiredIsItsIndex) {
  ImportIndex index;
  for (const char* path : {"index.js", "bin/run.js", "lib/index.js", "lib/a.js"}) index.Add(path);
  auto one = [&](const char* from, const char* line) {
    const auto found = ImportReader(index, from).Read(line, 1);
    return found.empty() ? std::string() : found[0].path;
  };
  EXPECT_EQ(one("bin/run.js", "const x = require('../')"), "index.js");
  EXPECT_EQ(one("bin/run.js", "const x = require('..')"), "index.js");
  EXPECT_EQ(one("lib/a.js", "const x = require('./')"), "lib/index.js");
}

TEST(PlaybookStrangers, APublicHeaderInAnglesIsTheProjects) {
  ImportIndex index;
  for (const char* path : {"include/q.h", "include/string.h", "src/p.h", "src/q.c", "a/include/two.h", "b/include/two.h"}) index.Add(path);
  auto one = [&](const char* line) {
    const auto found = ImportReader(index, "src/q.c").Read(line, 1);
    return found.empty() ? std::string() : found[0].path;
  };
  EXPECT_EQ(one("#include <q.h>"), "include/q.h");
  for (const char* line : {"#include <string.h>", "#include <p.h>", "#include <two.h>", " * #include <q.h>"}) EXPECT_EQ(one(line), "") << line;
}

TEST(PlaybookStrangers, OnePackageIsAWholeAnswer) {
  PlaybookRepo repo(Files{{"go.mod", "module example.org/x\n"}, {"a.go", "package x\n\nimport \"fmt\"\n"}, {"b.go", "package x\n"}});
  const Report report = repo.Run("architect", "the structure", "", 12);
  EXPECT_TRUE(report.complete) << report.summary;
  EXPECT_THAT(report.summary, HasSubstr("All source is in one folder"));
}

TEST(PlaybookStrangers, AMakefilesPartIsNoSource) {
  const Report report = PlaybookRepo(Files{{"Makefile.inc", "#include <x>\n"}, {"lib/a.c", "#include \"a.h\"\n"}, {"lib/a.h", "int a;\n"}, {"programs/p.c", "#include \"../lib/a.h\"\n"}}).Run("architect", "?", "", 12);
  EXPECT_EQ(DumpJson(report.data["layers"]), R"([["lib"],["programs"]])");
}

TEST(PlaybookStrangers, ProgramsOfTestsAreNotTheStart) {
  PlaybookRepo repo(Files{{"include/q.h", "int q;\n"}, {"src/q.c", "#include <q.h>\n"}, {"tests/run.c", "int main(int argc, char** argv)\n"}});
  const Report report = repo.Run("architect", "the structure", "", 12);
  EXPECT_THAT(Titles(report), Not(HasSubstr("Starts at tests/run.c")));
}

std::string Verdict(Files files) { return PlaybookRepo(std::move(files)).Run("triage", "?", "", 10).data.value("verdict", ""); }

TEST(PlaybookStrangers, IndentationOfVimIsNoHostility) {
  EXPECT_EQ(Verdict({{".vimrc", "\" indentation\nautocmd FileType python set shiftwidth=4\nau BufRead,BufNewFile *.q setlocal ts=2 et\n"}}), "nothing found that runs by itself");
  for (const char* line : {"autocmd BufRead * set shiftwidth=4 | !touch x", "autocmd BufRead * !touch x", "au FileType python call F()", "autocmd BufRead * set makeprg=x", "autocmd BufRead * set sw=`x`"})
    EXPECT_EQ(Verdict({{".vimrc", std::string(line) + "\n"}}), "hostile signs") << line;
}

TEST(PlaybookStrangers, InstalledPackagesDontRunTheirPrepare) {
  const std::string package = "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"prepare\": \"cd ..; npm run build:main\",\n    \"dependencies\": \"node -p x | npx y\",\n    \"prepublish\": \"not-in-publish || npm run x\"\n  }\n}\n";
  const Report report = PlaybookRepo(Files{{"node_modules/x/package.json", package}, {"index.js", "\n"}}).Run("triage", "?", "", 10);
  for (const auto& finding : report.findings) EXPECT_EQ(finding.severity, Severity::kInfo) << finding.title;
  const Report own = PlaybookRepo(Files{{"package.json", package}}).Run("triage", "?", "", 10);
  EXPECT_EQ(own.findings.at(0).severity, Severity::kMedium) << Titles(own);
}

TEST(PlaybookStrangers, OnlyAWorkflowThatTakesACommitIsToldOf) {
  auto severity = [](const char* line) {
    const Report report = PlaybookRepo(Files{{".github/workflows/a.yml", std::string("on: pull_request\njobs:\n") + line + "\n"}}).Run("triage", "?", "", 10);
    return report.findings.empty() ? Severity::kInfo : report.findings[0].severity;
  };
  EXPECT_EQ(severity("          ref: ${{ github.event.pull_request.head.sha }}"), Severity::kMedium);
  EXPECT_EQ(severity("      - run: git fetch origin ${{ github.event.pull_request.head.sha }}"), Severity::kMedium);
  EXPECT_EQ(severity("      - run: echo ${{ github.event.pull_request.head.ref }}"), Severity::kMedium);  // whose name is a stranger's text
  EXPECT_EQ(severity("        run: npx lint --to ${{ github.event.pull_request.head.sha }}"), Severity::kInfo);
}

TEST(PlaybookStrangers, MessagesOfALanguageMixAlphabets) {
  EXPECT_NE(Verdict({{"lib/ru/messages.json", "\"a\": \"Tипы\"\n"}}), "hostile signs");
  EXPECT_NE(Verdict({{"i18n/app.ru-RU.json", "\"a\": \"Tипы\"\n"}}), "hostile signs");
}

}  // namespace
}  // namespace paddock::subagents
