// How the repository is kept: its licence, CI, formatters and linters.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

struct ConventionRule {
  LineRule rule;
  const char* text;
};
constexpr ConventionRule kConventions[] = {
    {{"\\.gitlab-ci\\.yml", R"(^[\w.-]+\s*:)"}, "CI: GitLab ({base})"},
    {{"\\.travis\\.yml", R"(^(language|script|jobs|matrix)\s*:)"}, "CI: Travis ({base})"},
    {{"\\.circleci/config\\.yml|\\.cirrus\\.yml|azure-pipelines\\.yml|\\.?appveyor\\.yml|Jenkinsfile", R"(\w)"}, "CI: {base}"},
    {{"\\.clang-format", R"(^\s*\w+\s*:)"}, "C and C++ are formatted by clang-format"},
    {{"\\.clang-tidy", R"(^\s*\w+\s*:)"}, "clang-tidy is configured"},
    {{"\\.?rustfmt\\.toml", R"(^\w+\s*=)"}, "Rust is formatted by rustfmt"},
    {{"\\.golangci\\.ya?ml", R"(^\w+\s*:)"}, "Go is checked by golangci-lint"},
    {{"\\.eslintrc(\\.\\w+)?|eslint\\.config\\.\\w+", R"(\w)"}, "JavaScript is checked by ESLint"},
    {{"pyproject\\.toml", R"(^\[tool\.(ruff|black|mypy|isort|pylint)\b)"}, "Python is checked by {1}"},
    {{"setup\\.cfg|tox\\.ini|\\.flake8", R"(^\[flake8\])"}, "Python is checked by flake8"},
    {{"\\.pre-commit-config\\.yaml", R"(^\s*-?\s*(repos|repo|id)\s*:)"}, "pre-commit hooks are configured"},
    {{"\\.rubocop\\.yml", R"(^\w+)"}, "Ruby is checked by RuboCop"},
    {{"\\.perltidyrc", R"(^-)"}, "Perl is formatted by perltidy"},
    {{"\\.editorconfig", R"(^\s*indent_(style|size)\s*=)"}, "{base} sets indentation"},
    {{"(spotbugs|checkstyle)[\\w.-]*\\.xml", R"(<\w+)"}, "Java is checked ({base})"},
};

// Captures of 1 name the licence; the text of a licence file itself otherwise.
constexpr LineRule kLicences[] = {
    {"package\\.json|composer\\.json", R"re(^\s*"license"\s*:\s*"([^"]{2,60})")re"},
    {"pyproject\\.toml|Cargo\\.toml", R"re(^license\s*=\s*"([^"]{2,60})")re"},
    {"setup\\.cfg", R"(^license\s*=\s*(\S.{1,60})$)", "metadata"},
    {"setup\\.py", R"(^\s*license\s*=\s*["']([^"']{2,60})["'])"},
    {"Makefile\\.PL", R"(^\s*LICENSE\s*=>\s*['"]([\w.-]+)['"])"},
    {"[\\w.-]+\\.gemspec", R"(\.licenses?\s*=\s*\[?["']([^"']{2,60})["'])"},
    {"(?i:LICEN[CS]E|COPYING|UNLICENSE|MIT-LICENSE)[^/]*", R"((?i)^\s*#*\s*((?:The )?(?:MIT|BSD|ISC|Apache|Mozilla Public|Boost Software|GNU (?:\w+ )?General Public|GNU \w+ General Public|zlib|Artistic|Eclipse Public|PostgreSQL)[\w ,.0-9-]{0,60}Licen[cs]e.*|GNU (?:LESSER |AFFERO )?GENERAL PUBLIC LICENSE.*|Apache License.*|This is free and unencumbered.*))"},
    {"(?i:LICEN[CS]E|COPYING|UNLICENSE)[^/]*", R"((?i)^\s*#*\s*((?:the )?public domain\b.{0,60}|.{0,80}\b(?:in|into|to) the public domain\b.{0,60}|CC0\b.{0,80}|Creative Commons\b.{0,80}|.{0,20}\bDO WHAT THE \w+ YOU WANT TO PUBLIC LICENSE.*))"},
    {"(?i:LICEN[CS]E|COPYING|MIT-LICENSE)[^/]*", R"(^\s*(?://|#)?\s*((?:Copyright|\(c\)|©).{4,100}|Permission is hereby granted.*|Redistribution and use in source.*))"},
    {"README[^/]*", R"((?i)^\s*((?:\S+ ){0,8}(?:is |are )?(?:released |distributed |licensed )under (?:the |an? )?.{0,60}licen[cs]e.*))"},
};

// Of several workflows the one that builds and tests, by its name and by what it runs.
std::optional<Fact> FindWorkflow(const RepoView& view) {
  std::map<std::string, LineHit> first;
  for (auto& hit : FindLines(view, {"\\.github/workflows/[^/]+\\.ya?ml", R"(^(name|on)\s*:)"}, 200)) first.try_emplace(hit.path, std::move(hit));
  const LineHit* best = nullptr;
  int best_cost = 0;
  for (const auto& [path, hit] : first) {
    bool tests = false;
    for (const auto& [number, line] : *view.LinesOf(path)) tests = tests || MatchesPart(line.text, R"((?i)^\s*(-\s*)?(run:)?.*\b(c?test|pytest|tox|nox|check)\b)");
    const int cost = 2 * WorkflowRank(path) - (tests ? 5 : 0);
    if (best == nullptr || cost < best_cost) best = &hit, best_cost = cost;
  }
  if (best == nullptr) return std::nullopt;
  const auto citation = CiteHit(view, *best);
  if (!citation) return std::nullopt;
  const auto all = std::count_if(view.files().begin(), view.files().end(), [](const auto& path) { return IsWorkflowPath(path); });
  return Fact{"CI: GitHub Actions (" + std::string(BaseName(best->path)) + (all > 1 ? ", one of " + std::to_string(all) + " workflows" : "") + ")", {*citation}};
}

// By phrases that one licence alone has; "" where there is none.
std::string LicenceOfText(const RepoView& view, const LineHit& hit) {
  std::string text;
  for (const auto& [number, line] : *view.LinesOf(hit.path)) text += line.text + " ";
  struct Phrase {
    const char *in, *name;
  };
  static constexpr Phrase kPhrases[] = {
      {R"((?i)permission\s+is\s+hereby\s+granted,\s+free\s+of\s+charge,\s+to\s+any\s+person\s+or\s+organization)", "Boost Software License"},
      {R"((?i)permission\s+is\s+hereby\s+granted,\s+free\s+of\s+charge,\s+to\s+any\s+person\s+obtaining)", "MIT License"},
      {R"((?i)permission\s+to\s+use,\s+copy,\s+modify,?\s+(and|or|and/or)\s+distribute\s+this\s+software\s+for\s+any\s+purpose\s+with\s+or\s+without\s+fee)", "ISC License"},
      {R"((?i)redistribution\s+and\s+use\s+in\s+source\s+and\s+binary\s+forms.*neither\s+the\s+name)", "BSD 3-Clause License"},
      {R"((?i)redistribution\s+and\s+use\s+in\s+source\s+and\s+binary\s+forms)", "BSD License"},
      {R"((?i)this\s+software\s+is\s+provided\s+'as-is',\s+without\s+any\s+express\s+or\s+implied\s+warranty)", "zlib License"},
  };
  for (const auto& phrase : kPhrases)
    if (MatchesPart(text, phrase.in)) return phrase.name;
  return "";
}

}  // namespace

std::vector<Fact> FindConventions(const RepoView& view) {
  std::vector<Fact> out;
  for (const auto& hit : FindLines(view, {"(?i:LICEN[CS]E|COPYING|MIT-LICENSE)[^/]*", R"((?i)permission is hereby granted|permission to use, copy|redistribution and use in source|software is provided 'as-is')"}, 1)) {
    const std::string name = LicenceOfText(view, hit);
    if (auto citation = CiteHit(view, hit); citation && !name.empty()) out.push_back({"License: " + name + ", by the text of " + std::string(BaseName(hit.path)), {*citation}});
  }
  for (const auto& rule : kLicences) {
    if (!out.empty()) break;
    auto hits = FindLines(view, rule, 1);
    if (hits.empty()) continue;
    auto citation = CiteHit(view, hits[0]);
    if (!citation) continue;
    out.push_back({(MatchesPart(hits[0].text, R"(Permission is hereby|Redistribution and use|Copyright)") ? "License file says: " : "License: ") + std::string(TruncateUtf8(FirstGroup(hits[0].groups[0], R"(^\s*(.*?)\s*$)").value_or(""), 120)), {*citation}});
    break;
  }
  if (auto workflow = FindWorkflow(view)) out.push_back(*std::move(workflow));
  for (const auto& convention : kConventions) {
    for (const auto& hit : FindLines(view, convention.rule, 1)) {
      auto citation = CiteHit(view, hit);
      if (citation && PathDepth(hit.path) <= 2 && out.size() < 10) out.push_back({FillTemplate(convention.text, hit), {*citation}});
    }
  }
  return out;
}

}  // namespace paddock::subagents
