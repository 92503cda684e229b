#include "subagents/playbook/file_kinds.h"

#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

bool IsTestPath(std::string_view path) {
  if (MatchesPart(FolderName(path), R"((?i)(^|/)(tests?|t|specs?|testing|testsuite|test_suite|testdata|test-data|__tests__|unittests?|unit|e2e|functional|integration|regress(ion)?|[\w.-]+[_.-]tests?|tests?[_.-][\w.-]+)(/|$))")) return true;
  // "xmltest.cpp" is a test, "protest.c" is a word.
  if (MatchesPart(BaseName(path), R"((?i)^\w{2,}tests?\.(c|cc|cpp|cxx)$)") && !MatchesPart(FolderName(path), R"((?i)(^|/)(examples?|samples?|demos?)(/|$))") && !MatchesPart(BaseName(path), R"((?i)(^|_)(g|doc|la|con|pro|at|de|grea|fas|shor|ligh|brigh|swee|cu|fit|hot|wet|flat|nea|sof|smar|stric|exac|tigh|righ|quie|fain|fat)tests?\.)")) return true;
  return MatchesPart(BaseName(path), R"(^(test[s_-].*\.\w+|tests?\.\w+|.*[_-]tests?\.\w+|.*[_.-]unittest\.\w+|.*\.(test|spec)\.\w+|.*_spec\.rb|.*(Test|Tests|TestCase|Spec|IT)\.(java|kt|cs|scala|groovy|swift|php)|Test[A-Z]\w*\.(java|kt|cs)|conftest\.py|.*\.(t|bats))$)");
}

bool IsTypeTestPath(std::string_view path) { return MatchesWhole(BaseName(path), R"(.*(\.|-)test-d\.(ts|tsx|mts|cts)|.*\.(test|spec)-?d\.ts|.*\.tst\.tsx?|.*\.(types?|typing)\.(test|spec)\.tsx?)") || MatchesPart(path, R"((^|/)(test-d|tests?-types|type-tests?|dtslint)/)"); }

bool IsToolSettingsPath(std::string_view path) {
  return MatchesWhole(BaseName(path), R"((?i).*\.(config|conf)\.[cm]?[jt]s|\.\w+rc\.[cm]?js|(grunt|gulp|jake)file\.[cm]?[jt]s|(webpack|rollup|karma|babel)\.[\w.]*[jt]s)") ||
         MatchesPart(path, R"((?i)(^|/)(docs?|documentation)/(source/)?conf\.py$)");
}

bool IsChangeLog(std::string_view path) { return LanguageOf(path).empty() && MatchesWhole(BaseName(path), R"((?i)(change\w*|history|news|releases?|release[_-]?notes)(\.\w+)?)"); }

bool IsProsePath(std::string_view path) {
  // "todos.go" and "Usage.java" are source, and "security.yml" is settings, whatever else such names promise.
  if (!LanguageOf(path).empty()) return false;
  if (IsDocPath(path) || IsChangeLog(path)) return true;
  return (MatchesWhole(BaseName(path), R"((?i).*\.(rdoc|texi|texinfo|man|dox|[1-9]([a-z]+)?(\.in)?|asciidoc|org|textile|tex)|(AUTHORS|THANKS|COPYING|LICEN[CS]E|NOTICE|TODO|SECURITY|CODE_OF_CONDUCT)([._-][^/]*)?)") && !MatchesPart(path, R"((?i)\.(json5?|ya?ml|toml|ini|cfg|xml|css)$)")) ||
         (MatchesPart(path, R"((?i)(^|/)(docs?|man|manual|documentation)/)") && MatchesWhole(BaseName(path), R"(.*\.(html?|xml|in|rst|svg))"));
}

bool IsBuildPath(std::string_view path) {
  return IsCiPath(path) || MatchesPart(path, R"((^|/)\.(github/(workflows|actions)|circleci|gitlab)/)") ||
         MatchesWhole(BaseName(path),
                      R"((?i)(GNU)?Makefile(\.\w+)?|.*\.(mk|cmake|m4|am|gradle|kts|gemspec|cabal|spec|bazel|bzl|gyp|gypi|csproj|fsproj|sln|nix)|CMakeLists\.txt|CMakePresets\.json|meson(_options)?\.(build|txt)|configure(\.(ac|in))?|autogen\.sh|bootstrap(\.sh)?|setup\.(py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|Cargo\.toml|build\.rs|package\.json|composer\.json|pom\.xml|build\.(xml|zig|sbt)|go\.mod|Rakefile|Gemfile|Dockerfile.*|docker-compose\.ya?ml|Jenkinsfile|install(\.sh|-sh)?|.*install.*\.(sh|ps1|bat)|Build\.PL|Makefile\.PL|dune(-project)?|SConstruct|requirements[\w-]*\.txt|\.pre-commit-config\.yaml)");
}

bool IsWorkflowPath(std::string_view path) { return MatchesWhole(path, R"(\.github/workflows/[^/]+\.ya?ml)"); }

int WorkflowRank(std::string_view path) {
  std::string_view base = BaseName(path);
  if (MatchesPart(base, R"((?i)codeql|release|publish|stale|label|lint|change-?log|version[_-]?check|check[_-]?version|spell|links?\b|titles?\b|commitlint|dco\b|cla\b|welcome|greet|docs?\b|deploy|depend|pages|sonar|scorecard|supply|nightly|bench|lock|triage|format|style|fuzz)")) return 5;
  if (MatchesPart(base, R"((?i)^(ci|tests?|build|main|unit\w*|check)\b)")) return 0;
  if (MatchesPart(base, R"((?i)(ci|test|tox|nox|build|linux|ubuntu|maven|gradle|cmake|check|node|python|go|rust))")) return 1;
  return 3;
}

bool IsMadePath(std::string_view path) {
  return MatchesWhole(BaseName(path), R"((?i)(package-lock|npm-shrinkwrap)\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock|.*\.min\.(js|css)|.*\.(map|snap|pb\.go|pb\.(cc|h)|lock)|.*_pb2(_grpc)?\.py|bindata\.go|.*\.generated\.\w+)") ||
         MatchesPart(path, R"((^|/)(dist|generated|__snapshots__)/)") ||
         // Pages that a documentation tool has made of the sources.
         MatchesPart(path, R"((^|/)((class|struct|union|namespace|interface)\w+_1_1\w+|\w+_8(h|hh|hpp|c|cc|cpp)(_source)?|\w+-members|(functions|globals)_\w+)\.html$|(^|/)search/\w+_[0-9a-f]+\.(js|html)$)");
}

bool IsOwnSource(std::string_view path) {
  return !LanguageOf(path).empty() && !IsForeignPath(path) && !IsTestPath(path) && !IsBuildPath(path) && !IsMadePath(path) && !IsProsePath(path);
}

bool NamesFile(std::string_view text, std::string_view base) {
  static constexpr std::string_view kOfNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  const auto goes_on = [&](size_t at, std::string_view also) { return at < text.size() && (kOfNames.find(text[at]) != std::string_view::npos || also.find(text[at]) != std::string_view::npos); };
  for (size_t at = text.find(base); at != std::string_view::npos; at = text.find(base, at + 1))
    if ((at == 0 || !goes_on(at - 1, ".")) && !goes_on(at + base.size(), "")) return true;
  return false;
}

std::string TestedStem(std::string_view path) {
  std::string stem(BaseName(path));
  stem = stem.substr(0, stem.find('.', 1));
  if (MatchesWhole(stem, R"(_[A-Za-z0-9].*)")) stem.erase(0, 1);  // Python's sign of a private module
  for (char& c : stem)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const char* pattern : {R"(^tests?[_-](.+)$)", R"(^(.+?)[_-](?:unit)?(?:tests?|spec)$)", R"(^(.{2,}?)tests?$)", R"(^test(.{2,})$)"})
    if (auto inner = FirstGroup(stem, pattern)) return *inner;
  return stem;
}

}  // namespace paddock::subagents
