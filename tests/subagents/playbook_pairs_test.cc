// What an evaluator judged to be false on repositories of C, C++, TypeScript and Python: a header told for its source, and more.
#include <gmock/gmock.h>

#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report ReportOf(const char* playbook, Files files) { return ReportOn(playbook, "?", std::move(files), 14); }

// kiln.c includes door.h, kiln.h doesn't: who includes kiln.h has nothing of a change in door.h.
const Files kKiln = {{"kiln/kiln.h", "#include \"kiln/base.h\"\n"}, {"kiln/kiln.c", "#include \"kiln/kiln.h\"\n#include \"kiln/door.h\"\n#include \"kiln/gas.h\"\n"}, {"kiln/base.h", "\n"}, {"kiln/door.h", "\n"}, {"kiln/gas.h", "\n"},
                     {"kiln/pipe.c", "#include \"kiln/door.h\"\n"}, {"shop/shop.c", "#include \"kiln/kiln.h\"\n"}, {"shop/till.c", "#include \"kiln/kiln.h\"\n"}, {"desk/desk.c", "#include \"kiln/kiln.h\"\n"}};

TEST(Pairs, AHeaderIsNotNamedForWhatItsSourceIncludes) {
  const Report report = ReportOf("architect", kKiln);
  EXPECT_THAT(Titles(report), HasSubstr("kiln/kiln.h and .c together use 3 others"));
  EXPECT_THAT(Titles(report), Not(HasSubstr("kiln/kiln.h uses")));
  EXPECT_EQ(report.data["hubs"]["using_most"][0].value("files", 0), 2);
}

TEST(Pairs, AHeaderDoesNotHandOnWhatOnlyItsSourceIncludes) {
  const Report report = ReportOf("architect", kKiln);
  EXPECT_THAT(DetailOf(report, "kiln/door.h is used by 2 others"), Not(HasSubstr("through them")));
  Files handed = kKiln;
  handed["kiln/kiln.h"] += "#include \"kiln/door.h\"\n";
  EXPECT_THAT(DetailOf(ReportOf("architect", handed), "kiln/door.h is used by 2 others"), HasSubstr("through them 3 more of the 8 modules (a header and its source are one)"));
}

TEST(Pairs, ModulesOfTwoFilesAreNotCountedAsFiles) {
  const Report report = ReportOf("architect", {{"a.c", "#include \"a.h\"\n#include \"b.h\"\n"}, {"a.h", "\n"}, {"b.h", "\n"}});
  EXPECT_THAT(report.summary, HasSubstr("2 modules (a header and its source are one) with 1 dependency"));
  EXPECT_THAT(ReportOf("architect", {{"a.py", "import b\n"}, {"b.py", "\n"}}).summary, HasSubstr("2 files with 1 dependency"));
}

TEST(Pairs, HelpersOfTestsAreLeftAside) {
  const Files files = {{"util/env.h", "\n"}, {"util/testutil.h", "#include \"memory/memenv.h\"\n"}, {"util/harness.h", "#include \"gtest/gtest.h\"\n"}, {"util/harness.cc", "#include \"util/harness.h\"\n#include \"memory/memenv.h\"\n"},
                       {"memory/memenv.h", "#include \"util/env.h\"\n"}, {"db/db_test_helper.cc", "#include \"memory/memenv.h\"\n"}, {"db/db.cc", "#include \"util/env.h\"\n"}};
  const Report report = ReportOf("architect", files);
  EXPECT_EQ(DumpJson(report.data["cycles"]), "[]") << Titles(report);
  EXPECT_THAT(Titles(report), Not(HasSubstr("util depends on memory")));
  EXPECT_THAT(Titles(report), Not(HasSubstr("db depends on memory")));
  EXPECT_THAT(report.summary, HasSubstr("4 of tests, examples"));
  // That its users may befriend a test makes no test of it.
  Files friends = files;
  friends["util/harness.h"] = "#include \"gtest/gtest_prod.h\"\n";
  EXPECT_THAT(Titles(ReportOf("architect", friends)), HasSubstr("util depends on memory"));
}

TEST(Pairs, ASystemHeaderIsNoNamesakeOfTheRepository) {
  Files files = {{"adapters/glib.h", "#include <glib.h>\n#include \"core/kiln.h\"\n"}, {"adapters/poll.h", "#include \"core/kiln.h\"\n"}, {"core/kiln.h", "#include <poll.h>\n"}, {"core/uv.c", "#include <uv.h>\n"}, {"adapters/uv.h", "\n"}, {"Makefile", "CFLAGS = -Icore -O2\n"}};
  EXPECT_THAT(ReportOf("architect", files).summary, HasSubstr("At the bottom: core. At the top: adapters."));
  // Where its folder is on the include path it may be.
  files["Makefile"] = "CFLAGS = -Icore -I adapters\n";
  EXPECT_THAT(ReportOf("architect", files).summary, HasSubstr("not all includes could be followed"));
}

TEST(Pairs, ImportsOfTypesOnlyAreDeferred) {
  ImportIndex index;
  for (const char* path : {"src/a.ts", "src/b.ts"}) index.Add(path);
  auto deferred = [&](std::vector<std::pair<const char*, int64_t>> lines) {
    ImportReader reader(index, "src/b.ts");
    std::vector<Import> found;
    for (const auto& [line, number] : lines)
      for (const auto& import : reader.Read(line, number)) found.push_back(import);
    EXPECT_EQ(found.size(), 1u) << lines[0].first;
    return found.size() == 1 && found[0].deferred;
  };
  EXPECT_TRUE(deferred({{"import {type A, type B} from './a.js';", 1}}));
  EXPECT_TRUE(deferred({{"import type {", 1}, {"} from './a.js';", 9}}));
  EXPECT_TRUE(deferred({{"export type {", 1}, {"} from './a.js';", 9}}));
  EXPECT_TRUE(deferred({{"import {", 1}, {"\ttype A,", 2}, {"\ttype B,", 3}, {"} from './a.js';", 4}}));
  EXPECT_FALSE(deferred({{"import {type A, b} from './a.js';", 1}}));
  EXPECT_FALSE(deferred({{"import {", 1}, {"\ttype A,", 2}, {"} from './a.js';", 4}}));  // of which a line wasn't one of types
  EXPECT_FALSE(deferred({{"import b, {", 1}, {"\ttype A,", 2}, {"} from './a.js';", 3}}));
  EXPECT_FALSE(deferred({{"import {", 1}, {"} from './a.js';", 3}}));
  EXPECT_FALSE(deferred({{"import type from './a.js';", 1}}));
}

TEST(Pairs, ACycleOfTypesOnlyIsNone) {
  const Report report = ReportOf("architect", {{"core/a.ts", "import {b} from '../types/b.js';\n"}, {"types/b.ts", "import type {\n\tA,\n\tB,\n} from '../core/a.js';\nimport {\n\ttype C,\n\ttype D,\n} from '../core/a.js';\n"}, {"util/u.ts", "\n"}});
  EXPECT_EQ(DumpJson(report.data["cycles"]), "[]");
  EXPECT_THAT(report.summary, HasSubstr("with lines that are indented or for types only"));
}

TEST(Pairs, APurposeDoesNotEndAmidASentence) {
  Report report = ReportOf("explorer", {{"CMakeLists.txt", "project(kiln C)\n"}, {"src/kiln.c", "int k;\n"},
                                        {"README.md", "[![Build](https://x.org/b.svg)](https://x.org)\n\n# KILN\n\nKiln is a minimal C library for the firing of clay.\n\nIt is minimal because it just adds minimal support for kilns.\n\nThe library comes with multiple ways to fire. There is the\n*synchronous way*, the *asynchronous way* and the *open fire*.\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("What it is: Kiln is a minimal C library for the firing of clay."));
  report = ReportOf("explorer", {{"README.md", "# Kiln\n\nThe thing is a library for firing clay in the\n*open air*, and not in rooms.\n"}, {"src/kiln.c", "int k;\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("firing clay in the *open air*, and not in rooms."));
}

TEST(Pairs, APackageThatOnlyAnOptionWantsIsOptional) {
  const Report report = ReportOf("explorer", {{"CMakeLists.txt", "project(kiln C)\noption(ENABLE_TLS \"Build with TLS\" OFF)\nfind_package(Threads REQUIRED)\nif(ENABLE_TLS)\n  find_package(OpenSSL REQUIRED)\nendif()\n"}, {"src/kiln.c", "int k;\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("Depends on Threads, OpenSSL (optional: with ENABLE_TLS=ON)"));
}

TEST(Pairs, TheFirstTestCommandFitsTheFirstBuildCommand) {
  const Report report = ReportOf("explorer", {{"CMakeLists.txt", "project(kiln C)\nenable_testing()\nadd_test(NAME kiln COMMAND kiln-test)\n"}, {"Makefile", "all: kiln\nkiln: kiln.c\n\tcc kiln.c\ncheck: all\n\t./test.sh\n"}, {"kiln.c", "int k;\n"},
                                              {"README.md", "# Kiln\n\n## Build\n\n```sh\nmake\n```\n"}, {".travis.yml", "script:\n  - cmake -S . -B build\n  - ctest --test-dir build\n"}});
  EXPECT_THAT(report.summary, HasSubstr("Build: `make`. Test: `make check`."));
}

TEST(Pairs, HooksOfPreCommitDoNotRunOnOpening) {
  const Report report = ReportOf("triage", {{".pre-commit-config.yaml", "repos:\n  - repo: https://github.com/x/y\n    hooks:\n      - id: z\n        entry: ./check.sh\n"}, {"a.py", "import os\n"}});
  EXPECT_THAT(report.summary, Not(HasSubstr("On opening")));
  EXPECT_THAT(report.summary, HasSubstr("Once hooks are installed:"));
  EXPECT_EQ(report.data["findings"][0]["when"], "hooked");
}

TEST(Pairs, AConditionOfCMakeIsReadWithItsBrackets) {
  const auto depends = [](const std::string& condition) {
    return Titles(ReportOf("explorer", {{"CMakeLists.txt", "project(kiln C)\noption(DEV \"For developers\" OFF)\noption(EXTRA \"More\" OFF)\nif(" + condition + ")\n  find_package(ZLIB REQUIRED)\nendif()\n"}, {"src/kiln.c", "int k;\n"}}));
  };
  for (const char* always : {"(DEV AND MSVC) OR UNIX", "UNIX OR (WIN32 AND EXTRA)", "DEV AND MSVC OR UNIX", "NOT DEV", "NOT (DEV)", "NOT (DEV AND EXTRA)", "(DEV", "DEV)", "(DEV OR UNIX) AND MSVC", "DEV STREQUAL \"x\"", "((DEV) OR (UNIX AND (MSVC)))"})
    EXPECT_THAT(depends(always), testing::AllOf(HasSubstr("Depends on ZLIB"), Not(HasSubstr("optional")))) << always;
  for (const char* asked : {"DEV", "(DEV)", "DEV AND UNIX", "UNIX AND (DEV)", "(DEV AND MSVC) OR (DEV AND UNIX)", "DEV OR EXTRA", "UNIX OR MSVC AND DEV", "NOT (MSVC) AND DEV", "(DEV OR (EXTRA AND UNIX)) AND NOT MSVC", "((DEV) OR (UNIX AND (EXTRA)))"})
    EXPECT_THAT(depends(asked), HasSubstr("Depends on ZLIB (optional: with DEV=ON)")) << asked;
  EXPECT_THAT(depends(std::string(3000, '(') + "DEV" + std::string(3000, ')')), Not(HasSubstr("optional")));
}

TEST(Pairs, FoldersOfAHeadersNameAreComparedWithTheBuildsLinesOnce) {
  ImportIndex index;
  for (int i = 0; i < 100; ++i) index.Add("part" + std::to_string(i) + "/part.h");
  for (int i = 0; i < 50; ++i) index.AddIncludeLine("CFLAGS += -Ikiln" + std::to_string(i));
  const auto work = [&] {
    const int64_t before = index.looked_up();
    EXPECT_FALSE(index.MayBeOnIncludePath("part.h"));
    return index.looked_up() - before;
  };
  EXPECT_GT(work(), 0);
  EXPECT_EQ(work(), 0);
  // What comes later counts.
  index.AddIncludeLine("CFLAGS += -Ipart7");
  EXPECT_TRUE(index.MayBeOnIncludePath("part.h"));
}

}  // namespace
}  // namespace paddock::subagents
