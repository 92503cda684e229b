#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/report_writer.h"

#include <algorithm>

#include "subagents/playbook/command_ranking.h"
#include "subagents/playbook/dependency_notes.h"
#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/empty_submodules.h"
#include "subagents/playbook/entry_points.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/jailed_command.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_places.h"
#include "subagents/playbook/overview_goal.h"
#include "subagents/playbook/sentences.h"
#include "subagents/playbook/telling_line.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFindings = 40;
constexpr size_t kMaxOffers = 4;
constexpr size_t kMaxText = 300;  // of what the project is
constexpr size_t kDependencies = 8;
constexpr const char* kFetching = "npm install|npm run|pip|pip requirements|poetry|uv|tox|nox|bundle|composer|mix|mvn|mvn test|gradle|gradle test|sbt|sbt test|cargo|cargo test|go|go test";

class Writer {
 public:
  Writer(const RepoView& view, std::string_view goal, std::vector<Fact> empty_submodules) : view_(view), goal_(goal), languages_(RankLanguages(view)), empty_submodules_(std::move(empty_submodules)) {}

  void Describe() {
    description_ = DescribeRepository(view_);
    if (description_.fact.evidence.empty()) return;
    std::string title = "What it is: " + WholeSentences(description_.fact.text, kMaxText);
    Add(title, description_.name.empty() ? "" : "Its build files call it " + Short(description_.name, 100) + ".", Confidence::kHigh, description_.fact.evidence);
  }

  void Languages() {
    Json list = Json::array();
    int64_t all = 0;
    for (const auto& language : languages_) all += language.files;
    for (size_t i = 0; i < languages_.size() && i < 6; ++i) {
      const auto& language = languages_[i];
      if (i > 0 && language.files * 20 < languages_[0].files) continue;
      list.push_back(language.name);
      if (i > 2) continue;
      AddLanguage((i == 0 ? "Main language: " : "Also written in ") + language.name, language, all);
    }
    // Few files of it may hold all that a user's types come from.
    for (size_t i = 1; i < languages_.size(); ++i)
      if (languages_[i].name == "TypeScript" && languages_[0].name == "JavaScript" && std::find(list.begin(), list.end(), "TypeScript") == list.end()) AddLanguage("Has some TypeScript", languages_[i], all);
    data_["languages"] = std::move(list);
  }

  void Commands(CommandKind kind, const char* key, const char* verb) {
    auto offers = RankCommands(view_, languages_, kind);
    if (kind == CommandKind::kTest && !data_["build"].empty()) FitToBuild(data_["build"][0].get<std::string>(), &offers);
    if (!offers.empty())
      for (const auto& submodule : empty_submodules_) offers[0].evidence.push_back(submodule.evidence[0]);
    Json list = Json::array();
    for (size_t i = 0; i < offers.size() && i < kMaxOffers; ++i) {
      const auto& offer = offers[i];
      // What is far behind the first is a side matter: a web front-end's tests, packaging.
      if (i > 0 && !offer.in_docs && offer.score + 45 < offers[0].score) continue;
      list.push_back(offer.text);
      std::string detail = HowKnown(offer);
      if (MatchesWhole(offer.group, kFetching) && NeedsOthers(offer.group)) detail += " It fetches what it needs: in a jail without a network it works only where all of that is there already.";
      if (MatchesWhole(offer.group, "npm test|npm script:.*") && NeedsOthers(offer.group)) detail += " It needs what installing with the package manager brings.";
      if (offer.group == "unittest" && !FindLines(view_, {"src/\\w+/__init__\\.py", "."}, 1).empty()) detail += " The package lies in src: it has to be installed first, or src to be in PYTHONPATH.";
      if (i == 0) detail += FirstSubmodules();
      Add(std::string(offer.setup ? "Install" : verb) + (i == 0 ? " with `" : ", other way: `") + offer.text + "`" + (offer.setup && i == 0 ? "; no build step was found" : ""), detail,
          offer.in_docs && !offer.system.empty() ? Confidence::kHigh : Confidence::kMedium, offer.evidence);
      if (i == 0 && kind == CommandKind::kBuild) only_installs_ = offer.setup;
    }
    data_[key] = std::move(list);
  }

  void EntryPoints() {
    Json list = Json::array();
    for (const auto& point : RankEntryPoints(view_, languages_, description_.name)) {
      const bool aside = !point.library && (point.aside || IsSidePath(point.where) || IsSidePath(point.evidence.path));
      if (list.empty()) only_aside_ = aside;
      list.push_back(point.where);
      Add(EntryTitle(view_, point), point.what + ".", point.score >= 60 ? Confidence::kHigh : Confidence::kMedium, {point.evidence});
    }
    data_["entry_points"] = std::move(list);
  }

  void Rest() {
    auto dependencies = FindDependencies(view_, kDependencies + 1);
    const bool more = dependencies.size() > kDependencies;
    if (more) dependencies.pop_back();
    if (!dependencies.empty()) {
      std::string names;
      std::vector<Citation> evidence;
      for (auto& dependency : dependencies) {
        names += (names.empty() ? "" : ", ") + Short(dependency.text, 60);
        evidence.push_back(dependency.evidence[0]);
      }
      Add("Depends on " + names + (more ? ", and more" : ""), more ? "The first of its direct dependencies." : "The direct dependencies that were seen.", Confidence::kHigh, std::move(evidence));
    } else if (auto none = NoDependencies(view_)) {
      Add(none->text, "Those for development and tests are not counted.", Confidence::kMedium, std::move(none->evidence));
    }
    for (auto& convention : FindConventions(view_)) Add(convention.text, "", Confidence::kHigh, std::move(convention.evidence));
  }

  Report Finish(const PlaybookRun& run) {
    Report report;
    auto first = [&](const char* key) { return data_[key].empty() ? std::string() : data_[key][0].get<std::string>(); };
    std::string& out = report.summary;
    const bool answers = IsOfOverview(goal_, {description_.name, LastPart(description_.name), description_.heading});
    if (!answers) out += "The goal was not worked on as asked: without a language model this is an overview of the repository, whatever is asked. ";
    if (!description_.fact.text.empty() && !description_.name.empty() && description_.fact.text.starts_with(description_.name)) out += Sentence(description_.fact.text);
    else if (!description_.fact.text.empty()) out += (description_.name.empty() ? "" : Short(description_.name, 100) + ": ") + Sentence(description_.fact.text);
    else out += "Nothing that was read says what this repository is.";
    if (!languages_.empty()) out += " Main language: " + languages_[0].name + ".";
    out += first("build").empty() ? " No build command was found." : (only_installs_ ? " Install: `" : " Build: `") + first("build") + "`" + (empty_submodules_.empty() ? "" : std::string(", after `") + kFetchSubmodules + "`") + ".";
    out += first("test").empty() ? " No test command was found." : " Test: `" + first("test") + "`.";
    out += first("entry_points").empty() ? " No entry point was found." : only_aside_ ? " No entry point was found but of tests, examples or tools." : IsBuildPath(first("entry_points")) ? " No entry point was found but what declares it: " + first("entry_points") + "." : " Entry point: " + first("entry_points") + ".";
    out += " No language model was used: a fixed playbook looked at " + std::to_string(view_.ReadFiles().size()) + " of " +
           std::to_string(std::max<int64_t>(view_.total_files(), static_cast<int64_t>(view_.files().size()))) + " files in " + std::to_string(run.tool_calls) + " tool calls.";
    if (view_.tree_incomplete()) out += " Some of the tree could not be seen (unreadable, too deep, or out of time).";
    if (view_.failed_calls() > 0) out += " " + std::to_string(view_.failed_calls()) + " of the calls failed.";
    report.findings = std::move(findings_);
    report.complete = answers && !run.cut_short && !view_.tree_incomplete() && !report.findings.empty();
    if (!answers) report.next_actions.push_back("ask a language model (--model), or the subagent whose playbook answers it (paddock subagents list): investigator for names of the code, debugger for a failure, reviewer for a change");
    if (run.cut_short) report.next_actions.push_back("run the explorer again with more turns: there was more to look at");
    if (!empty_submodules_.empty()) report.next_actions.push_back(std::string("run `") + kFetchSubmodules + "`, which needs a network: " + empty_submodules_[0].text + " is an empty submodule");
    for (const char* key : {"build", "test"})
      if (!first(key).empty()) report.next_actions.push_back(std::string("confirm the ") + key + " command in a jail, which has no network: " + Jailed(first(key)));
    report.data = std::move(data_);
    return report;
  }

 private:
  std::string FirstSubmodules() const {
    std::string names;
    for (const auto& submodule : empty_submodules_) names += (names.empty() ? "" : ", ") + Short(submodule.text, 80);
    return names.empty() ? "" : std::string(" First `") + kFetchSubmodules + "`, for what it takes of its submodules: empty here are " + names + ".";
  }

  // Tests that want a folder which the first build command doesn't make: another way comes first, or what makes the folder.
  static void FitToBuild(const std::string& build, std::vector<CommandOffer>* tests) {
    static constexpr const char* kConfigures = R"(\b(cmake|meson)\b)";
    const auto fits = [](const CommandOffer& test) { return !MatchesPart(test.text, R"(\b(ctest|meson test|ninja)\b)") || MatchesPart(test.text, R"(\b(cmake -|cmake \.|meson setup))"); };
    if (tests->empty() || MatchesPart(build, kConfigures) || fits(tests->front())) return;
    const auto other = std::find_if(tests->begin(), tests->end(), fits);
    if (other != tests->end() && other->score + 45 >= tests->front().score) std::rotate(tests->begin(), other, other + 1);
    else if (tests->front().text.starts_with("ctest --test-dir build")) tests->front().text = "cmake -S . -B build && cmake --build build && " + tests->front().text, tests->front().word_for_word = false;
  }

  static std::string Sentence(std::string_view text) {
    std::string out = WholeSentences(text, kMaxText);
    return out + (out.ends_with("…") || out.ends_with("...") || out.ends_with(".") || out.ends_with("!") || out.ends_with(":") ? "" : ".");
  }

  void Add(std::string title, std::string detail, Confidence confidence, std::vector<Citation> evidence) {
    if (evidence.empty() || findings_.size() >= kMaxFindings) return;
    if (evidence.size() > 8) evidence.resize(8);
    findings_.push_back({std::move(title), Severity::kInfo, Short(detail, 2000), confidence, std::move(evidence)});
  }

  void AddLanguage(std::string title, const LanguageShare& language, int64_t all) {
    if (auto citation = SourceLine(language.name))
      Add(std::move(title), std::to_string(language.files) + " of " + std::to_string(all) + " source files, by their extensions; documentation left aside.", Confidence::kHigh, {*std::move(citation)});
  }

  std::string HowKnown(const CommandOffer& offer) const {
    if (offer.in_docs) return std::string("The project's documentation or CI names it") + (offer.word_for_word ? "" : " in another form") + (offer.system.empty() ? "." : ", and " + offer.system + " files support it.");
    std::string out = "Follows from the " + offer.system + " files";
    // The last step, without its options.
    std::string_view step = offer.text;
    if (const size_t at = step.rfind("&& "); at != step.npos) step.remove_prefix(at + 3);
    step = step.substr(0, step.find(" -"));
    if (step.find(' ') == step.npos) return out + ".";
    for (const auto& path : view_.ReadFiles()) {
      if (IsForeignPath(path) || (!IsCiPath(path) && !IsDocPath(path))) continue;
      for (const auto& [number, line] : *view_.LinesOf(path))
        if (const size_t at = line.text.find(step); at != std::string::npos && (at + step.size() == line.text.size() || !IsStepByte(line.text[at + step.size()])) && (at == 0 || !IsStepByte(line.text[at - 1])))
          return out + "; line " + std::to_string(number) + " of " + path + " has `" + std::string(step) + "`, too.";
    }
    return out + "; the documentation and CI files that were read don't name it.";
  }

  static bool IsStepByte(char c) { return IsWordByte(c) || c == '-'; }

  // Does the manifest name anything that would have to be fetched? Of other tools it isn't known, and taken for so.
  bool NeedsOthers(const std::string& group) const {
    if (group.starts_with("cargo")) return !FindLines(view_, {"(.*/)?Cargo\\.toml", R"(^\[.*dependencies\b.*\])"}, 1).empty();
    if (group.starts_with("go")) return !view_.HasFolder("vendor") && !FindLines(view_, {"go\\.mod", R"(^require\b)"}, 1).empty();
    if (group == "npm test" || group.starts_with("npm script:")) return !FindLines(view_, {"package\\.json", R"re("(devD|d)ependencies"\s*:\s*\{)re"}, 1).empty();
    return true;
  }

  // A line that shows the language: of a source file that was read, the nearest to the root and not a test's; of a header only where there is no source.
  std::optional<Citation> SourceLine(const std::string& language) const {
    std::string best;
    auto cost = [&](const std::string& path) { return (IsSidePath(path) ? 1 : 0) + (LanguageOf(path) == language && !MatchesPart(path, R"(\.(h|hh|hpp|hxx|d\.ts)$)") ? 0 : 2); };
    for (const auto& path : view_.ReadFiles()) {
      const std::string of = LanguageOf(path);
      if ((of != language && !(of == "C header" && (language == "C" || language == "C++"))) || IsForeignPath(path)) continue;
      if (best.empty() || cost(path) < cost(best)) best = path;
    }
    return best.empty() ? std::nullopt : TellingLine(view_, best);
  }

  const RepoView& view_;
  const std::string_view goal_;
  std::vector<LanguageShare> languages_;
  std::vector<Fact> empty_submodules_;
  Description description_;
  bool only_installs_ = false, only_aside_ = false;
  std::vector<ClaimedFinding> findings_;
  Json data_ = Json::object();
};

}  // namespace

Report WriteExplorerReport(const RepoView& view, std::string_view goal, const PlaybookRun& run, std::vector<Fact> empty_submodules) {
  Writer writer(view, goal, std::move(empty_submodules));
  writer.Describe();
  writer.Languages();
  writer.Commands(CommandKind::kBuild, "build", "Build");
  writer.Commands(CommandKind::kTest, "test", "Test");
  writer.EntryPoints();
  writer.Rest();
  return writer.Finish(run);
}

}  // namespace paddock::subagents
