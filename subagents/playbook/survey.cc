#include "subagents/playbook/survey.h"

#include <algorithm>

#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/entry_points.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kHugeTree = 30'000;  // files: then each walk over all of them is worth a second thought

struct Wanted {
  const char* path;  // RE2 of whole paths
  size_t count;      // at most so many files
  int64_t limit;     // lines of each
};
// Read at once, in this order.
constexpr Wanted kRootFiles[] = {
    {"(?i)README(\\.(md|rst|txt|markdown|adoc|pod|org))?", 2, 500},
    {"CMakePresets\\.json|\\.gitmodules", 2, 200},
    {"pyproject\\.toml|setup\\.py", 2, 400},
    {"package\\.json|composer\\.json", 2, 300},
    {"go\\.mod|Cargo\\.toml|build\\.zig|mix\\.exs|rebar\\.config|dune-project|Package\\.swift", 2, 300},
    {"(GNUm|M|m)akefile|Makefile\\.(am|PL|in)", 2, 700},
    {"CMakeLists\\.txt|meson\\.build|configure\\.(ac|in)|SConstruct", 3, 500},
    {"pom\\.xml|(build|settings)\\.gradle(\\.kts)?|build\\.sbt|build\\.xml", 2, 700},
    {"Rakefile|Build\\.PL|dist\\.ini|[\\w.-]+\\.(gemspec|cabal|rockspec|sln)", 2, 300},
    {"(?i)(CONTRIBUTING|INSTALL|HACKING|BUILDING|BUILD|DEVELOPMENT|DEVELOPING|TESTING)(\\.(md|rst|txt|adoc))?|(\\.github|docs?)/(?i:CONTRIBUTING)\\.(md|rst)", 3, 400},
    {"setup\\.cfg|tox\\.ini|noxfile\\.py|pytest\\.ini|Gemfile|stack\\.yaml", 3, 200},
    {"MODULE\\.bazel|WORKSPACE(\\.bazel)?|BUILD(\\.bazel)?|phpunit\\.xml(\\.dist)?|cabal\\.project|deno\\.jsonc?|requirements\\.txt|META\\.json|manage\\.py|index\\.(js|ts|mjs)", 2, 120},
    {"(check|test|tests|runtests|run_?tests?|run-tests|build|make|compile|quickstart)(\\.sh|\\.py)?", 3, 120},
    {"(tests?|unit_?tests?)/CMakeLists\\.txt", 2, 300},
};
constexpr Wanted kLater[] = {
    {"\\.travis\\.yml|\\.gitlab-ci\\.yml|\\.cirrus\\.yml|\\.circleci/config\\.yml|azure-pipelines\\.yml", 1, 300},
    {"(?i)(LICEN[CS]E|COPYING|MIT-LICENSE|UNLICENSE)[\\w.-]*", 1, 25},
    {"src/lib\\.rs|src/main\\.rs|lib/[\\w-]+\\.(rb|pm)|(src/)?\\w+/__init__\\.py|(src/)?\\w+/__main__\\.py", 3, 60},
    {"(script|bin|exe)/[\\w.-]+", 3, 10},
    {"[\\w./-]+_test\\.go", 1, 150},
    {"[\\w.-]+/run_?tests?\\.(py|sh|pl)", 1, 120},
    {"\\.clang-format|\\.clang-tidy|\\.?rustfmt\\.toml|\\.golangci\\.ya?ml|\\.eslintrc(\\.\\w+)?|\\.rubocop\\.yml|\\.perltidyrc|\\.pre-commit-config\\.yaml|\\.editorconfig", 3, 20},
    {"debian/(control|rules)", 2, 80},
};

// Searches that show what a language's programs and tests look like.
struct Probe {
  const char* languages;
  const char* needs;  // RE2 of a file that must exist, or null
  const char* pattern;
  const char* glob;
  int64_t limit;
};
constexpr Probe kProbes[] = {
    {"C|C++|Objective-C", nullptr, R"(^\s*(static\s+|extern\s+("C"\s+)?)?((int|void|auto|signed)\s+)?(\w+\s+)?w?main\s*\()", "*.{c,cc,cpp,cxx,C}", 200},
    {"C|C++", "CMakeLists\\.txt", R"((?i)^\s*(\w*(test|spec|catch)\w*\s*\(|include\s*\(\s*CTest))", "{CMakeLists.txt,*.cmake}", 80},
    {"C|C++", "Makefile\\.am", R"(^\s*(TESTS|check_PROGRAMS|check_SCRIPTS|check-local)\s*(\+?=|:))", "Makefile.am", 40},
    {"C|C++|Rust|Python", "meson\\.build", R"(^\s*(test|executable)\s*\()", "meson.build", 20},
    {"C|C++|Go|Python|Java", "WORKSPACE|MODULE\\.bazel", R"(^\s*\w*_(test|binary)\s*\()", "{BUILD,BUILD.bazel}", 40},
    {"Go", nullptr, R"(^func main\(\))", "*.go", 100},
    {"Go", nullptr, R"(^func (Test|Example)\w*\()", "*_test.go", 40},
    {"Rust", nullptr, R"(^\s*(pub )?(async )?fn main\s*\()", "*.rs", 20},
    {"Rust", nullptr, R"(^\s*#\[(test|cfg\(test\)|tokio::test)\])", "*.rs", 40},
    {"Rust", nullptr, R"(^\s*path\s*=\s*"[\w./-]+\.rs")", "Cargo.toml", 40},
    {"Java|Kotlin|Scala", nullptr, R"(\bstatic\s+(final\s+)?void\s+main\s*\(|^\s*(suspend )?fun main\s*\(|\bextends\s+\w*App\b)", "*.{java,kt,scala}", 20},
    {"Java|Kotlin|Scala", "pom\\.xml", R"(<artifactId>(junit|testng|mockito)[\w.-]*</artifactId>|<mainClass>)", "pom.xml", 40},
    {"Java|Kotlin|Scala", "(build|settings)\\.gradle(\\.kts)?", R"(testImplementation|useJUnit|kotlin\("test|commonTest|mainClass)", "{build.gradle,build.gradle.kts}", 40},
    {"Python", nullptr, R"(^if __name__\s*==)", "*.py", 60},
    {"Python", nullptr, R"(^(import pytest|from pytest\b|import unittest\b|from unittest import))", "{test_*.py,*_test.py,conftest.py,tests.py}", 40},
    {"Python", nullptr, R"(^\s*(from|import)\s)", "__main__.py", 40},
    {"Perl", nullptr, R"(^\s*use\s+(Test::\w+|Test2?)\b)", "t/*.t", 40},
    {"Perl", nullptr, R"(^package\s+[\w:]+)", "lib/**/*.pm", 60},
    {"Ruby", nullptr, R"(RSpec|^\s*describe\b|Minitest)", "{spec_helper.rb,*_spec.rb,test_helper.rb}", 40},
    {"C#|F#", nullptr, R"(\bstatic\s+(async\s+)?(void|int|Task(<int>)?)\s+Main\s*\(|<EntryPoint>)", "*.{cs,fs}", 10},
    {"C#|F#", nullptr, R"(Microsoft\.NET\.Test\.Sdk|xunit|NUnit|<Project\b)", "*.{csproj,fsproj}", 40},
    {"Haskell", nullptr, R"((?i)^\s*(main-is\s*:|test-suite\s|name\s*:))", "*.cabal", 10},
    {"OCaml", "dune-project", R"(^\s*\((tests?|executables?|public_names?|names?|inline_tests)\b)", "dune", 15},
    {"Elixir", "mix\\.exs", R"(ExUnit)", "test/**/*.exs", 40},
    {"Erlang", nullptr, R"(eunit\.hrl)", "*.erl", 40},
    {"Zig", nullptr, R"(^pub fn main\s*\()", "*.zig", 40},
    {"Swift", nullptr, R"(^@main\b)", "*.swift", 40},
    {"Lua", nullptr, R"(\S)", "{main.lua,init.lua}", 40},
};

bool HasName(std::string_view names, std::string_view wanted) {
  while (!names.empty()) {
    size_t bar = names.find('|');
    if (names.substr(0, bar) == wanted) return true;
    names = bar == std::string_view::npos ? std::string_view() : names.substr(bar + 1);
  }
  return false;
}

bool AnyFile(const RepoView& view, const char* pattern) {
  return std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return MatchesWhole(path, pattern); });
}

}  // namespace

void Survey::Search(const char* pattern, const char* glob, int64_t limit, const char* path) {
  Json arguments{{"pattern", pattern}, {"glob", glob}, {"context", 0}, {"limit", limit}};
  if (path != nullptr) arguments["path"] = path;
  queue_->Add("search_text", std::move(arguments));
}

// Where there is a source folder and much else, that folder by itself: a limit is used up by copies of other
// projects that come first in the alphabet.
void Survey::SearchWide(const RepoView& view, const char* pattern, const char* glob, int64_t limit) {
  if (view.total_files() > 1000)
    for (const char* folder : {"src", "cmd", "app"})
      if (view.HasFolder(folder)) Search(pattern, glob, limit, folder);
  Search(pattern, glob, limit);
}

void Survey::ReadFirst(const RepoView& view, const char* pattern, size_t count, int64_t limit) {
  std::vector<std::string> paths;
  for (const auto& path : view.files())
    if (MatchesWhole(path, pattern) && view.LinesOf(path) == nullptr && (!IsForeignPath(path) || path.starts_with("debian/"))) paths.push_back(path);
  std::stable_sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return PathDepth(a) < PathDepth(b); });
  for (size_t i = 0; i < paths.size() && i < count; ++i) queue_->Read(paths[i], limit);
}

void Survey::PlanRoot(const RepoView& view) {
  for (const auto& wanted : kRootFiles) ReadFirst(view, wanted.path, wanted.count, wanted.limit);
  // A build's wrapper that is there may be ignored all the same.
  if (AnyFile(view, R"(pom\.xml|(build|settings)\.gradle(\.kts)?)")) queue_->Add("list_files", Json{{"pattern", "/{gradlew,mvnw}"}, {"ignored", true}, {"limit", 10}});
  if (view.listing_cut()) {
    if (view.total_files() < kHugeTree) queue_->Add("list_files", Json{{"pattern", "{run_test*,runtest*,__main__.py,manage.py,main.c,main.cc,main.cpp,main.go,main.rs}"}, {"limit", 200}});
    queue_->Add("list_files", Json{{"path", ".github/workflows"}, {"limit", 100}});
    for (const char* folder : {"t", "test", "tests", "src", "lib", "bin", "script", "cmd", "docs"})
      if (view.HasFolder(folder) && !std::any_of(view.files().begin(), view.files().end(), [&](const auto& path) { return FolderName(path) == folder; }))
        queue_->Add("list_files", Json{{"path", folder}, {"depth", 1}, {"limit", 300}});
  }
}

void Survey::AskForTests(const RepoView& view, CallQueue* queue) {
  queue_ = queue;
  auto languages = RankLanguages(view);
  for (size_t i = 0; i < languages.size() && i < 3; ++i) {
    if (i > 0 && languages[i].files * 12 < languages[0].files) break;
    for (const auto& probe : kProbes)
      if (HasName(probe.languages, languages[i].name == "TypeScript" ? "JavaScript" : std::string_view(languages[i].name)) && (probe.needs == nullptr || AnyFile(view, probe.needs)))
        SearchWide(view, probe.pattern, probe.glob, probe.limit);
  }
  // The test targets of a Makefile too long to be read whole.
  for (const char* makefile : {"Makefile", "GNUmakefile", "makefile", "Makefile.in", "Makefile.am"})
    if (view.NextLine(makefile) > 0) Search("^(test|tests|check|all|unittest|unittests|test-all|check-all|runtests|TESTS)\\b[^=]*:([^=]|$)|^TESTS\\s*\\+?=", makefile, 20, makefile);
}

void Survey::PlanLeads(const RepoView& view) {
  std::vector<std::string> workflows;
  for (const auto& path : view.files())
    if (IsWorkflowPath(path) && WorkflowRank(path) < 5) workflows.push_back(path);
  std::stable_sort(workflows.begin(), workflows.end(), [](const auto& a, const auto& b) { return WorkflowRank(a) < WorkflowRank(b); });
  for (size_t i = 0; i < workflows.size() && i < 2; ++i) queue_->Read(workflows[i], 250);

  AskForTests(view, queue_);
  // Documents that the README and the like point to for building and testing.
  std::set<std::string> linked;
  for (const auto& hit : FindLines(view, {"(?i)(README|CONTRIBUTING|HACKING|INSTALL)[^/]*", R"((?i)([\w./-]*(?:test|build|hack|contribut|install|develop|compil)[\w./-]*\.(?:md|rst|txt|adoc)))"}, 20)) {
    std::string path = hit.groups[0];
    if (path.starts_with("./")) path.erase(0, 2);
    if (path.starts_with("/") || path.find("//") != std::string::npos || path.find("..") != std::string::npos || path.find('/') == std::string::npos) continue;
    if (view.LinesOf(path) != nullptr || (!view.HasFile(path) && !view.listing_cut())) continue;
    if (linked.size() < 3 && linked.insert(path).second) queue_->Read(path, 400);
  }
  for (const auto& wanted : kLater) ReadFirst(view, wanted.path, wanted.count, wanted.limit);
}

void Survey::PlanRest(const RepoView& view) {
  // Of each main language a file of the project itself: what shows the language, and where a library begins.
  auto languages = RankLanguages(view);
  std::string project = DescribeRepository(view).name;
  for (size_t i = 0; i < languages.size() && i < 2; ++i) {
    const std::string& name = languages[i].name;
    auto read = view.ReadFiles();
    bool c_like = name == "C" || name == "C++";
    auto is_main = [&](const auto& path) { return LanguageOf(path) == name && !IsForeignPath(path) && !IsSidePath(path); };
    bool seen = std::any_of(read.begin(), read.end(), is_main);
    std::string best;
    int best_cost = 1000;
    for (const auto& path : view.files()) {
      std::string language = LanguageOf(path);
      if ((language != name && !(c_like && language == "C header")) || IsForeignPath(path)) continue;
      int affinity = NameAffinity(path, project);
      if (seen && affinity < 2 && !(c_like && affinity > 0)) continue;
      int cost = PathDepth(path) + (IsSidePath(path) ? 20 : 0) - 3 * affinity - (c_like && (language == "C header" || MatchesPart(path, "\\.(hpp|hh|hxx)$")) && affinity > 0 ? 2 : 0);
      if (cost < best_cost) best_cost = cost, best = path;
    }
    if (!best.empty()) queue_->Read(best, 120);
  }
  for (const auto& path : FilesWithMain(view)) queue_->Add("search_text", Json{{"pattern", kConditionals}, {"path", path}, {"limit", 400}});
  // The rest of long documents: the commands often stand at their end.
  for (const auto& path : view.ReadFiles())
    if (PathDepth(path) == 0 && IsDocPath(path) && view.NextLine(path) > 0) queue_->ReadFrom(path, view.NextLine(path), 2000);
  ReadFirst(view, "(script|bin|exe|cmd)/[\\w.-]+(/main\\.\\w+)?", 2, 10);
}

void Survey::Next(const RepoView& view, CallQueue* queue) {
  queue_ = queue;
  while (queue_->empty() && stage_ < stages_) {
    switch (stage_++) {
      case 0:
        queue_->Add("list_files", Json{{"limit", 2000}});
        queue_->Add("list_files", Json{{"depth", 1}, {"limit", 500}});
        break;
      case 1: PlanRoot(view); break;
      case 2: PlanLeads(view); break;
      case 3: PlanRest(view); break;
    }
  }
}

}  // namespace paddock::subagents
