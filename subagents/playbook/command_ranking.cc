#include "subagents/playbook/command_ranking.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "subagents/playbook/build_rules.h"
#include "subagents/playbook/cmake_options.h"
#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/script_arguments.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxEvidence = 4;

struct Text {
  int score = 0;
  std::vector<Citation> evidence;
};
struct Group {
  bool setup = false;
  std::string system;
  const char* languages = "";
  int best_rule = 0;
  std::string rule_text;
  std::map<std::string, Text> texts;
  int bonus = 0;
  bool bonus_given[3] = {false, false, false};
  bool in_docs = false;
  std::vector<Citation> seen_in_docs;
};
using Groups = std::map<std::string, Group>;

bool AnyFile(const RepoView& view, const char* pattern) {
  return std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return MatchesWhole(path, pattern); });
}

void AddEvidence(std::vector<Citation>* to, const std::optional<Citation>& citation) {
  if (!citation || to->size() >= kMaxEvidence) return;
  for (const auto& have : *to)
    if (have.path == citation->path && have.line_start == citation->line_start) return;
  to->push_back(*citation);
}

size_t WordCount(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), ' ')) + 1; }

CommandKind Asked(CommandKind kind) { return kind == CommandKind::kSetup || kind == CommandKind::kConfigure ? CommandKind::kBuild : kind; }

void AddOffer(const RepoView& view, Groups* groups, const BuildRule& rule, const LineHit& hit, std::string text) {
  auto citation = CiteHit(view, hit);
  if (!citation) return;
  Group& group = (*groups)[FillTemplate(rule.group, hit)];
  group.setup = rule.kind == CommandKind::kSetup;
  Text& offer = group.texts[text];
  offer.score = std::max(offer.score, rule.score - (text.starts_with("make ") && text.ends_with("tests") ? 1 : 0));  // which only builds them, often
  AddEvidence(&offer.evidence, citation);
  if (rule.score > group.best_rule) {
    group.best_rule = rule.score;
    group.system = rule.system;
    group.languages = rule.languages;
    group.rule_text = std::move(text);
  }
}

// A target whose recipe starts nothing but linters and formatters, whatever it is called.
bool OnlyLints(const RepoView& view, const LineHit& hit) {
  static constexpr const char* kLine = R"(^\t[@+-]*\s*(?:\w+=\S*\s+)*(?:(?:python3?|\$[({]\w*PY\w*[)}])\s+-m\s+|(?:uvx|npx|pipx run|(?:uv|poetry|pdm|hatch|pipenv) run)\s+)?(?:\$[({])?(?:[\w.-]*/)*([\w.-]+))";
  static constexpr const char* kLinter = R"((?i)ruff|ty|mypy|pyright|stubtest|black|isort|pylint|pyflakes|pycodestyle|pydocstyle|flake8|bandit|vulture|eslint|prettier|standard|tslint|stylelint|biome|golangci-lint|golint|gofmt|goimports|staticcheck|shellcheck|shfmt|clang-format|clang-tidy|cppcheck|cpplint|rubocop|hadolint|yamllint|codespell|doc8|rstcheck|check-manifest|twine|pre-commit|typos)";
  const SeenLines& lines = *view.LinesOf(hit.path);
  bool lints = false;
  for (auto at = std::next(lines.find(hit.line)); at != lines.end(); ++at) {
    const std::string& text = at->second.text;
    if (!text.starts_with("\t")) break;
    const auto tool = FirstGroup(text, kLine);
    if (!tool || MatchesWhole(*tool, "echo|true|:|set|cd")) continue;
    if (!MatchesWhole(*tool, kLinter)) return false;
    lints = true;
  }
  return lints;
}

void AddRules(const RepoView& view, CommandKind kind, Groups* groups) {
  const CMakeTests cmake = FindCMakeTests(view);
  for (const auto& rule : BuildRules()) {
    if (Asked(rule.kind) != kind) continue;
    const bool ctest = std::string_view(rule.group) == "ctest";
    if (ctest && !cmake.any) continue;
    if (rule.requires_file != nullptr && !AnyFile(view, rule.requires_file)) continue;
    if (rule.without_file != nullptr && AnyFile(view, rule.without_file)) continue;
    for (const auto& hit : FindLines(view, rule.basis, std::string_view(rule.command).find("{1}") == std::string_view::npos ? 2 : 4)) {
      std::string_view command = rule.command;
      // Names of files and folders go into a command only where a shell takes them as they are.
      if (command.find('{') != std::string_view::npos && !IsPlainPath(hit.path)) continue;
      if (std::string_view(rule.group) == "make" && kind == CommandKind::kTest && OnlyLints(view, hit)) continue;
      // Plain `make` is its first target: where that is for something else, it builds nothing.
      if (std::string_view(rule.group) == "make" && kind == CommandKind::kBuild && (OnlyLints(view, hit) || MatchesPart(hit.text, R"(^(help|usage|clean|tests?|check|lint|format|docs?|install|deploy|requirements|venv)\s*:)"))) break;
      if (std::string_view(rule.group).starts_with("script:") && NeedsArguments(view, hit.path)) continue;
      AddOffer(view, groups, rule, hit, (ctest && !cmake.option.empty() ? "cmake -S . -B build -D" + cmake.option + "=ON && cmake --build build && " : "") + FillTemplate(rule.command, hit));
    }
  }
}

// The first preset that is not hidden.
void AddPreset(const RepoView& view, CommandKind kind, Groups* groups) {
  const SeenLines* lines = view.LinesOf("CMakePresets.json");
  if (lines == nullptr || !view.HasFile("CMakeLists.txt")) return;
  bool builds = !FindLines(view, {"CMakePresets\\.json", "\"buildPresets\"\\s*:"}, 1).empty();
  for (const auto& hit : FindLines(view, {"CMakePresets\\.json", R"re("name"\s*:\s*"([\w.-]+)")re", "configurePresets"}, 40)) {
    bool hidden = false;
    for (auto line = lines->find(hit.line); line != lines->end(); ++line) {
      if (line->first != hit.line && MatchesPart(line->second.text, "\"name\"\\s*:")) break;
      if (MatchesPart(line->second.text, "\"hidden\"\\s*:\\s*true")) hidden = true;
      if (line->first > hit.line + 12) break;
    }
    if (hidden) continue;
    const std::string& name = hit.groups[0];
    BuildRule rule{"CMake presets", CommandKind::kBuild, "cmake", "", {"", ""}, 52, "C|C\\+\\+"};
    std::string folder = "build";
    std::optional<Citation> folder_line;
    for (const auto& binary : FindLines(view, {"CMakePresets\\.json", R"re("binaryDir"\s*:\s*"\$\{sourceDir\}/([\w./-]*(?:\$\{presetName\}[\w./-]*)?)")re", "configurePresets"}, 1)) {
      folder = binary.groups[0];
      if (size_t at = folder.find("${presetName}"); at != std::string::npos) folder.replace(at, 13, name);
      folder_line = CiteHit(view, binary);
    }
    if (kind == CommandKind::kBuild) {
      AddOffer(view, groups, rule, hit, "cmake --preset " + name + " && cmake --build " + (builds ? "--preset " + name : folder));
    } else if (auto found = groups->find("ctest"); found != groups->end() && folder_line && !folder.empty()) {
      Group& group = found->second;
      Text text = group.texts[group.rule_text];
      text.score += 1;
      AddEvidence(&text.evidence, folder_line);
      group.rule_text = "ctest --test-dir " + folder;
      group.texts = {{group.rule_text, std::move(text)}};
    }
    return;
  }
}

// Documentation of the whole project, not of one of its parts.
bool IsProjectDoc(std::string_view path) {
  if (PathDepth(path) == 0 || IsCiPath(path)) return true;
  return MatchesPart(path, R"((?i)^(\.github|docs?|documentation|doc-\w+)/)");
}

bool IsExtra(const std::string& group_name) { return group_name == "bazel" || group_name == "bazel test"; }

// `python` is not everywhere, and where it is python3 is too.
std::string WithPython3(std::string text) {
  static const RE2 kPython(R"((^|&& )python )");
  RE2::GlobalReplace(&text, kPython, R"(\1python3 )");
  return text;
}

// The words before a command say that it builds: "To build it: `mvn verify`", which runs the tests as well.
bool IsToldToBuild(const RepoView& view, const DocCommand& doc) {
  if (doc.source == DocSource::kCi) return false;
  const SeenLines& lines = *view.LinesOf(doc.path);
  for (auto at = lines.upper_bound(doc.line); at != lines.begin() && (--at)->first >= doc.line - 4;) {
    if (MatchesPart(at->second.text, R"((?i)\btest(s|ing|ed)?\b)")) return false;
    if (MatchesPart(at->second.text, R"((?i)\b(re)?build(ing|s)?\b)")) return true;
  }
  return false;
}

// "scripts/check" is more often for linters, where the tests have a command of their own.
bool IsCheckScript(const std::string& tool) { return tool.starts_with("script:") && MatchesPart(BaseName(tool), "(?i)check") && !MatchesPart(BaseName(tool), "(?i)test"); }

// `named` gets all commands of the documentation, word for word.
void AddDocs(const RepoView& view, CommandKind kind, Groups* groups, std::set<std::string>* named) {
  static constexpr int kBonus[] = {40, 22, 15};  // by DocSource
  auto docs = FindDocCommands(view, WorldOf(view));
  for (auto& doc : docs) {
    named->insert(doc.command.text);
    doc.command.text = WithPython3(doc.command.text);
    if (doc.command.tool != "mvn test" || !IsToldToBuild(view, doc)) continue;
    if (kind == CommandKind::kBuild) doc.command.tool = "mvn", doc.command.kind = CommandKind::kBuild;
    else if (groups->contains("mvn test")) doc.command.kind = CommandKind::kOther;  // which has a command for the tests alone
  }
  std::stable_sort(docs.begin(), docs.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
  const bool has_rule = !groups->empty();
  // Where no build file says how tests are run, what CI runs does.
  const bool ci_alone = kind == CommandKind::kTest && !has_rule;
  for (const auto& doc : docs) {
    if (Asked(doc.command.kind) != kind || !IsProjectDoc(doc.path)) continue;
    const char* basis = BasisFilesOf(doc.command.tool);
    auto known = groups->find(doc.command.tool);
    if (known == groups->end() && kind == CommandKind::kTest && has_rule && IsCheckScript(doc.command.tool)) continue;
    if (known == groups->end()) {
      // No build file implies it. A make target or an npm script that was not seen is no command of this project.
      const bool by_ci = ci_alone && doc.source == DocSource::kCi;
      if (!by_ci && (basis == nullptr || !AnyFile(view, basis))) continue;
      // Without a Makefile in the tree it is a step after another tool's, which wrote one.
      if (doc.command.tool == "make" && ((kind == CommandKind::kTest && !by_ci) || !AnyFile(view, "(GNUm|M|m)akefile"))) continue;
    }
    auto citation = view.Cite(doc.path, doc.line, doc.line);
    if (!citation) continue;
    Group& group = (*groups)[doc.command.tool];
    int source = static_cast<int>(doc.source);
    int bonus = kBonus[source] - (PathDepth(doc.path) > 0 && doc.source != DocSource::kCi ? 10 : 0);
    // A script that only CI runs is more often its plumbing than the project's way of testing.
    if (doc.source == DocSource::kCi && group.best_rule == 0 && doc.command.tool.starts_with("script:")) bonus = -10;
    if (!group.bonus_given[source]) {
      group.bonus += bonus;
      group.bonus_given[source] = true;
    }
    group.in_docs = true;
    group.setup = group.setup || (group.best_rule == 0 && doc.command.kind == CommandKind::kSetup);
    if (constexpr std::string_view kScript = "npm script:"; doc.command.tool.starts_with(kScript))
      for (const auto& hit : FindLines(view, {"package\\.json", R"re(^\s*"([\w:.-]+)"\s*:\s*")re", ".*scripts"}, 100))
        if (hit.groups[0] == doc.command.tool.substr(kScript.size())) AddEvidence(&group.seen_in_docs, CiteHit(view, hit));
    AddEvidence(&group.seen_in_docs, citation);
    bool chain = group.rule_text.find("&&") != std::string::npos;
    auto text = group.texts.find(doc.command.text);
    if (text == group.texts.end()) {
      bool refine = group.best_rule == 0 ||
                    (!chain && doc.command.extras == 0 && doc.command.tool != "make" && WordCount(doc.command.text) >= WordCount(group.rule_text));
      if (!refine || doc.command.kind == CommandKind::kConfigure) continue;
      text = group.texts.emplace(doc.command.text, Text{std::max(group.best_rule, 20) - 3 * doc.command.extras, {}}).first;
    }
    text->second.score += bonus / 4;
    AddEvidence(&text->second.evidence, citation);
  }
}

// For the languages of a rule, or the one that a script is written in.
int LanguageBonus(const char* pattern, std::string_view own, const std::vector<LanguageShare>& languages) {
  if (languages.empty() || (own.empty() && *pattern == '\0')) return 6;
  for (size_t i = 0; i < languages.size() && i < 6; ++i) {
    if (own.empty() ? !MatchesWhole(languages[i].name, pattern) : languages[i].name != own) continue;
    if (i == 0) return 24;
    return languages[i].files * 4 >= languages[0].files ? 12 : languages[i].files * 10 >= languages[0].files ? 5 : -10;
  }
  return -15;
}

// So, or step by step.
bool IsNamed(std::string_view text, const std::set<std::string>& named) {
  if (named.contains(std::string(text))) return true;
  for (bool more = text.find(" && ") != std::string_view::npos; more;) {
    const size_t end = text.find(" && ");
    const std::string step(text.substr(0, end));
    if (!named.contains(step)) return false;
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 4);
    else return true;
  }
  return false;
}

}  // namespace

CommandWorld WorldOf(const RepoView& view) {
  CommandWorld world;
  world.has_file = [&view](std::string_view path) { return view.HasFile(path); };
  world.has_folder = [&view](std::string_view path) { return view.HasFolder(path); };
  for (const auto& hit : FindLines(view, {"(GNUm|M|m)akefile(\\.am|\\.in)?", R"(^([\w][\w./-]*)(?:\s+[\w./-]+)*\s*::?([^=]|$))"}, 400)) world.make_targets.insert(hit.groups[0]);
  for (const auto& hit : FindLines(view, {"package\\.json", R"re(^\s*"([\w:.-]+)"\s*:\s*")re", ".*scripts"}, 100)) world.npm_scripts.insert(hit.groups[0]);
  return world;
}

std::vector<CommandOffer> RankCommands(const RepoView& view, const std::vector<LanguageShare>& languages, CommandKind kind) {
  Groups groups;
  AddRules(view, kind, &groups);
  AddPreset(view, kind, &groups);
  std::set<std::string> named;
  AddDocs(view, kind, &groups, &named);

  bool has_build = std::any_of(groups.begin(), groups.end(), [&](const auto& entry) { return !entry.second.setup && entry.second.best_rule >= 40 && LanguageBonus(entry.second.languages, "", languages) >= 12; });
  std::vector<CommandOffer> offers;
  for (const auto& [name, group] : groups) {
    const std::pair<const std::string, Text>* best = nullptr;
    for (const auto& text : group.texts)
      if (!text.second.evidence.empty() && (best == nullptr || text.second.score > best->second.score ||
                                            (text.second.score == best->second.score && text.first == group.rule_text)))
        best = &text;
    if (best == nullptr) continue;
    const char* languages_of = group.languages;
    const std::string own_language = name.starts_with("script:") ? LanguageOf(name) : "";  // its extension's
    if (group.best_rule == 0)
      for (const auto& rule : BuildRules())
        if (name == rule.group) languages_of = rule.languages;
    CommandOffer offer{kind, name, group.system, best->first, 0, group.in_docs, IsNamed(best->first, named), best->second.evidence, group.setup};
    offer.score = best->second.score + group.bonus + LanguageBonus(languages_of, own_language, languages) - (IsExtra(name) ? 5 : 0);
    if (group.setup && has_build) offer.score -= 100;  // what it installs is what the build needs, not the build
    for (const auto& citation : group.seen_in_docs) AddEvidence(&offer.evidence, citation);
    offers.push_back(std::move(offer));
  }
  std::stable_sort(offers.begin(), offers.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return offers;
}

}  // namespace paddock::subagents
