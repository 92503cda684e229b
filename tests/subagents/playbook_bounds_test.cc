// What files cost that are made to be dear: the work grows as the files do, not as a product of their parts.
#include <gmock/gmock.h>

#include "subagents/playbook/cmake_options.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/import_searches.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

// What has been read of one file.
RepoView ViewOf(const std::string& path, const std::string& text) {
  agentcore::CallOutcome outcome;
  outcome.call.tool = "read_file";
  outcome.result.success = true;
  agentcore::Artifact excerpt;
  excerpt.kind = "excerpt";
  excerpt.path = path;
  excerpt.line_start = 1;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    excerpt.lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  outcome.result.artifacts.push_back(std::move(excerpt));
  RepoView view;
  view.Take(outcome);
  return view;
}

std::string Times(int n, const std::string& text) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

// Patterns tried for tests below so many conditions of that many parts.
int64_t WorkOfConditions(int conditions, int parts) {
  const RepoView view = ViewOf("CMakeLists.txt", "option(B \"b\" OFF)\n" + Times(conditions, "if(" + Times(parts, "A AND ") + "A)\n") + Times(60, "add_test(a b)\n") + Times(conditions, "endif()\n"));
  const int64_t before = PatternsTried();
  EXPECT_TRUE(FindCMakeTests(view).any);
  return PatternsTried() - before;
}

TEST(PlaybookBounds, EachConditionOfCMakeIsReadOnce) {
  const int64_t some = WorkOfConditions(10, 20), more = WorkOfConditions(40, 80);
  EXPECT_LT(more, some * 4) << some;
}

TEST(PlaybookBounds, TheOutermostOptionOfAConditionIsTold) {
  const RepoView view = ViewOf("CMakeLists.txt", "option(ONE \"1\" OFF)\noption(TWO \"2\")\noption(ON \"3\" ON)\nif(ON AND TWO)\nif(ONE)\nadd_test(a b)\nendif()\nelse()\nx()\nendif()\ny()\n");
  const CMakeOptions options(view);
  EXPECT_EQ(options.Of("CMakeLists.txt", 6), "TWO");
  EXPECT_EQ(options.Of("CMakeLists.txt", 9), std::nullopt) << "the other branch";
  EXPECT_EQ(options.Of("CMakeLists.txt", 11), std::nullopt);
}

TEST(PlaybookBounds, AModuleOfPythonIsLookedForOnceHoweverManyFoldersHoldPackages) {
  ImportIndex index;
  for (int i = 0; i < 2000; ++i) index.Add("r" + std::to_string(i) + "/p/__init__.py");
  index.Add("r7/p/oven.py");
  ImportReader reader(index, "m.py");
  const int64_t before = index.looked_up();
  const auto imports = reader.Read("import " + Times(300, "p.a, ") + "p.oven, numpy", 1);
  EXPECT_LT(index.looked_up() - before, 2500);
  ASSERT_EQ(imports.size(), 1u);
  EXPECT_EQ(imports[0].path, "r7/p/oven.py");
}

TEST(PlaybookBounds, APythonModuleIsBelowTheTopOrBelowWhatHoldsAPackage) {
  ImportIndex index;
  for (const char* path : {"src/oven/__init__.py", "src/oven/heat.py", "tools/oven/heat.py", "tools/run.py", "tools/help.py", "src/oven/deep/__init__.py"}) index.Add(path);
  auto read = [&](const char* from, const char* line) {
    std::vector<std::string> out;
    for (const auto& import : ImportReader(index, from).Read(line, 1)) out.push_back(import.path);
    return out;
  };
  using testing::ElementsAre;
  EXPECT_THAT(read("a.py", "from oven import heat, cool"), ElementsAre("src/oven/heat.py", "src/oven/__init__.py"));
  EXPECT_THAT(read("a.py", "import oven.deep, tools.run"), ElementsAre("src/oven/deep/__init__.py", "tools/run.py"));
  EXPECT_THAT(read("tools/run.py", "import help"), ElementsAre("tools/help.py")) << "beside it";
  EXPECT_THAT(read("src/oven/heat.py", "import deep"), testing::IsEmpty()) << "a package's own folder is no root";
  EXPECT_THAT(read("src/oven/deep/__init__.py", "from ..heat import x"), ElementsAre("src/oven/heat.py"));
}

TEST(PlaybookBounds, CodeInStringsIsFollowedSoDeepAndNoDeeper) {
  const auto last = [](int depth) { return MaskOf("a.js", *ViewOf("a.js", Times(depth, "`${") + "`a${b\n").LinesOf("a.js")).at(1).bytes.back(); };
  EXPECT_EQ(last(31), kCodeByte);
  EXPECT_EQ(last(32), kStringByte);
}

TEST(PlaybookBounds, ANameIsFoundHoweverMuchStandsBeforeIt) {
  EXPECT_TRUE(NamesFile(std::string(5000, 'x') + " inc", "inc"));
  EXPECT_FALSE(NamesFile(std::string(5000, 'x') + "inc", "inc"));
  EXPECT_FALSE(NamesFile("x.inc inc-y incs", "inc"));
  EXPECT_TRUE(NamesFile("(inc)", "inc"));
}

TEST(PlaybookBounds, IncludePathsAreToldByTheirLinesHoweverManyThereAre) {
  std::map<std::string, std::string> files{{"src/a.c", "#include <x.h>\nint a(void) { return b(); }\n"}, {"inc/x.h", "int b(void);\n"}, {"src/c.c", "#include \"d.h\"\n"}, {"src/d.h", "int d;\n"}};
  std::string many;
  for (int i = 0; i < 60; ++i) many += "set(" + std::string(60, 'A') + "_INCLUDE_DIR_" + std::to_string(i) + " a)\n";
  for (const std::string& before : {std::string(), many}) {
    files["CMakeLists.txt"] = before + "include_directories(inc)\n";
    EXPECT_THAT(PlaybookRepo(files).Run("architect", "?", "", 12).summary, testing::HasSubstr("not all includes could be followed"));
  }
}

// Names passed to plan the searches of a chain of so many folders, a file in each.
int64_t WorkOfNestedFolders(int depth) {
  ImportSearches searches;
  std::string folder;
  for (int i = 0; i < depth; ++i) searches.AddFile((folder += "d/") + "a.py", *ImportLanguageOf("a.py"));
  searches.Plan();
  return searches.names_passed();
}

TEST(PlaybookBounds, FoldersWithinFoldersArePlannedInTheTimeOfTheirNumber) {
  const int64_t some = WorkOfNestedFolders(400), more = WorkOfNestedFolders(1600);
  EXPECT_LT(more, some * 8) << some;
}

TEST(PlaybookBounds, SmallFoldersAreSearchedSeveralAtATime) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 120; ++i) {
    const std::string folder = "d" + std::to_string(i);
    files[folder + "/__init__.py"] = "";
    files[folder + "/a.py"] = "import d" + std::to_string((i + 1) % 120) + ".a\n";
  }
  PlaybookRepo repo(files);
  const Report report = repo.Run("architect", "the structure", "", 12);
  EXPECT_LT(repo.calls(), 40);
  EXPECT_THAT(report.summary, testing::Not(testing::HasSubstr("Not all lines were seen")));
  EXPECT_EQ(report.data["counts"]["edges"], 120);
}

}  // namespace
}  // namespace paddock::subagents
