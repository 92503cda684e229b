// The reviewer: gets the changes, judges them by its tables, reads in the tree what it wants to cite, and looks for who still
// relies on what is gone or otherwise.
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "subagents/playbook/counted.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/long_comments.h"
#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/review_change_set.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_range.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/review_summary.h"
#include "subagents/playbook/review_tree.h"
#include "subagents/playbook/review_untested.h"
#include "subagents/playbook/review_wanted.h"
#include "subagents/playbook/test_files.h"
#include "subagents/playbook/visibility.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFindings = 60, kMaxPages = 32, kMaxHeads = 12;

constexpr char kTestsOfNew[] = "tests of what is new", kPrints[] = "other prints";  // searches that are for no name

class Reviewer : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    if (outcome.call.tool.starts_with("git_")) changes_.Take(outcome, given_);
    if (outcome.call.tool == "search_text") TakeSearch(outcome);
    if (outcome.call.tool == "read_file") wanted_.Take(outcome, view_);
  }

  void TakeSearch(const agentcore::CallOutcome& outcome) {
    const auto name = searches_.find(outcome.call.arguments.value("pattern", std::string()));
    if (name == searches_.end() || !outcome.result.success) return;
    const bool cut = std::any_of(outcome.result.artifacts.begin(), outcome.result.artifacts.end(), [](const auto& artifact) {
      return artifact.facts.is_object() && (artifact.facts.value("truncated", Json(false)) == Json(true) || artifact.facts.value("complete", Json(true)) == Json(false));
    });
    if (!cut) searched_.insert(name->second);
  }

  const std::vector<FileDiff>& files() const { return changes_.files; }

  // Asks by itself for each file of which the answer held nothing, or not all: first what is judged by most rules.
  void AskForRest() {
    if (given_) return;
    std::vector<std::pair<int, std::string>> missing;
    for (const auto& path : changes_.Unread()) missing.emplace_back(IsMadePath(path) ? 3 : IsOwnSource(path) ? 0 : IsTestPath(path) ? 1 : 2, path);
    std::stable_sort(missing.begin(), missing.end());
    const bool show = range_.kind == ReviewRange::Kind::kCommit || (range_.kind == ReviewRange::Kind::kDefault && !changes_.commits.empty());
    for (size_t i = 0; i < missing.size() && i < kMaxPages; ++i) {
      Json arguments{{"path", missing[i].second}};
      if (show) arguments["commit"] = range_.kind == ReviewRange::Kind::kCommit ? range_.to : "HEAD";
      if (range_.kind == ReviewRange::Kind::kRange) arguments["from"] = range_.from, arguments["to"] = range_.to;
      queue_.Add(show ? "git_show" : "git_diff", std::move(arguments));
    }
  }

  // Of programs without a suffix the first line tells the language.
  void AskForHeads() {
    size_t heads = 0;
    for (const auto& file : files())
      if (ReviewLanguage(file.path) == "Text" && BaseName(file.path).find('.') == std::string_view::npos && file.status != "removed" && heads++ < kMaxHeads) queue_.Read(file.path, 1);
  }

  void TakeHeads() {
    for (auto& file : changes_.files)
      if (const SeenLines* lines = view_.LinesOf(file.path); lines != nullptr && lines->contains(1)) file.first_line = lines->at(1).text;
  }

  void Plan(const ModelRequestFrame& request) override {
    if (stage_ == 0) Start(request);
    while (queue_.empty() && stage_ < 5) {
      switch (stage_++) {
        case 1:
          if (range_.guess && !changes_.fault.empty()) {
            TakeDefault("`" + ShortenWords(range_.to, 100) + "` is no revision here");
            stage_ = 1;
          } else if (files().empty() && range_.kind == ReviewRange::Kind::kDefault && changes_.fault.empty() && !given_) {
            range_.text = "the last commit";
            range_.why += changes_.hidden() > 0 ? ", and what has changed in the working tree is hidden by the profile" : ", and the working tree has no changes";
            queue_.Add("git_show", Json{{"commit", "HEAD"}});
          }
          break;
        case 2:
          AskForHeads();
          AskForRest();
          break;
        case 3: Judge(); break;
        case 4: SearchAgain(); break;
      }
    }
  }

  void Start(const ModelRequestFrame& request) {
    stage_ = 1;
    given_ = changes_.Give(request.context) || changes_.Give(request.goal);
    range_ = given_ ? ReviewRange{ReviewRange::Kind::kDefault, "", "", "the diff that was given", "", false} : ReadReviewRange(request.goal);
    if (!given_ && range_.kind == ReviewRange::Kind::kDefault) range_ = ReadReviewRange(request.context.substr(0, 2000));
    if (!given_ && range_.kind == ReviewRange::Kind::kDefault) range_ = GuessReviewRange(request.goal);
    queue_.Add("list_files", Json{{"limit", 2000}});
    if (given_) return;
    switch (range_.kind) {
      case ReviewRange::Kind::kDefault: TakeDefault("the goal names no revision"); break;
      case ReviewRange::Kind::kWorkingTree: queue_.Add("git_diff", Json::object()); break;
      case ReviewRange::Kind::kCommit: queue_.Add("git_show", Json{{"commit", range_.to}}); break;
      case ReviewRange::Kind::kRange:
        queue_.Add("git_diff", Json{{"from", range_.from}, {"to", range_.to}});
        queue_.Add("git_log", Json{{"revision", range_.from + ".." + range_.to}, {"limit", 50}});
        break;
    }
  }

  void TakeDefault(std::string why) {
    changes_ = ChangeSet();
    range_ = {ReviewRange::Kind::kDefault, "", "", "the working tree against HEAD", std::move(why), false};
    queue_.Add("git_diff", Json::object());
  }

  void Judge() {
    TakeHeads();
    const auto foreign = std::stable_partition(changes_.files.begin(), changes_.files.end(), [](const FileDiff& file) { return !IsForeignPath(file.path); });
    const std::vector<FileDiff> others(foreign, changes_.files.end());
    foreign_ = static_cast<int64_t>(others.size());
    changes_.files.erase(foreign, changes_.files.end());
    claims_ = ClaimsOfChanges(files());
    for (auto& claim : ClaimsOfLines(files())) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfLines(others))
      if (claim.severity >= Severity::kHigh) claims_.push_back(std::move(claim));
    if (changes_.CountUnread() > 0)
      for (auto& claim : claims_)
        if (claim.of_absence) {
          claim.detail += " Not all of the change was read: it may stand in a file of it that was not.";
          claim.confidence = Confidence::kLow;
        }
    changed_ = ChangedInterfaces(files());
    without_tests_ = ChangedWithoutTests(files());
    new_ = NewFunctions(files());
    std::stable_sort(claims_.begin(), claims_.end(), [](const auto& a, const auto& b) { return a.severity > b.severity; });
    for (const auto& claim : claims_)
      for (const auto& spot : claim.spots) wanted_.Add(spot);
    for (const auto& change : changed_) wanted_.Add(change.spot);
    for (const auto& function : new_) {
      if (IsHeader(function.spot.path)) queue_.Read(function.spot.path, 2000);  // whether it offers it
      wanted_.Add(function.spot);
    }
    if (!without_tests_.empty())
      if (auto spot = FirstAdded(files(), without_tests_[0])) wanted_.Add(*spot);
    for (const auto& path : without_tests_)
      if (MatchesWhole(LanguageOf(path), "C|C\\+\\+") && queue_.size() < 40) queue_.Read(path, 2000);  // its own tests
    wanted_.Ask(&queue_);
    for (const auto& change : changed_)
      if (change.name.size() >= 4) Search(change.name, AnyOf({change.name}));
    LookAround();
    size_t heads = 0;
    for (const auto& file : files())
      if (file.status == "changed" && !file.binary && (!LanguageOf(file.path).empty() || IsBuildPath(file.path)) && heads++ < 12) queue_.Read(file.path, 8);
  }

  void Search(const std::string& name, const std::string& pattern) {
    searches_[pattern] = name;
    queue_.Add("search_text", Json{{"pattern", pattern}, {"limit", 100}});
  }

  // For the definition alone, where a name that is gone stands on too many lines.
  void SearchAgain() {
    for (const auto& change : changed_)
      if (change.name.size() >= 4 && change.after.empty() && !searched_.contains(change.name)) Search(change.name, DefinitionPattern(RE2::QuoteMeta(change.name)));
  }

  // Who tests what is new, who else prints, and which lines of docstrings are: a hunk may not show it.
  void LookAround() {
    std::vector<std::string> new_names;
    for (const auto& function : new_) new_names.push_back(function.name);
    if (!new_.empty()) SearchIn(kTestsOfNew, AnyOf(new_names), kTestGlob);
    for (const auto& print : PrintsToLookFor(files())) SearchIn(kPrints, print.pattern, print.glob);
    for (size_t i = 0; i < without_tests_.size() && i < 6; ++i)
      if (LanguageOf(without_tests_[i]) == "Python") queue_.ReadFrom(without_tests_[i], 1, 2000);
  }

  void SearchIn(const char* what, const std::string& pattern, const char* glob) {
    searches_[pattern] = what;
    queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", glob}, {"limit", 500}});
  }

  // The line as a citation, where it stands in the tree as the diff has it.
  std::optional<Citation> Cite(const ReviewSpot& spot) const {
    const SeenLines* lines = spot.line > 0 ? view_.LinesOf(spot.path) : nullptr;
    if (lines == nullptr) return std::nullopt;
    auto line = lines->find(spot.line);
    if (line == lines->end() || line->second.cut || line->second.text != spot.text) return std::nullopt;
    if (spot.quote.empty()) return view_.Cite(spot.path, spot.line, spot.line);
    Citation citation{spot.path, spot.line, spot.line, spot.quote};
    if (citation.quote.size() > 300) citation.quote = Short(citation.quote, 300);
    return citation;
  }

  void Add(Report* report, ReviewClaim claim) {
    if (report->findings.size() >= kMaxFindings) {
      ++not_told_;
      return;
    }
    std::vector<Citation> evidence;
    std::string elsewhere;
    for (const auto& spot : claim.spots) {
      auto citation = Cite(spot);
      for (size_t i = 0; !citation && i < spot.instead.size(); ++i) citation = Cite(spot.instead[i]);
      const auto same = [&](const Citation& one) { return std::tie(one.path, one.line_start, one.quote) == std::tie(citation->path, citation->line_start, citation->quote); };
      if (citation && std::any_of(evidence.begin(), evidence.end(), same)) continue;
      if (citation) evidence.push_back(*citation);
      else elsewhere += (elsewhere.empty() ? "" : ", ") + ShortenWords(spot.path, 200) + (spot.line > 0 ? ":" + std::to_string(spot.line) : "");
    }
    if (!elsewhere.empty() && evidence.empty()) {
      claim.detail += " In " + range_.text + ", " + elsewhere + ".";
      ++(std::any_of(claim.spots.begin(), claim.spots.end(), [&](const auto& spot) { return wanted_.IsUnread(spot); }) ? not_looked_up_ : uncited_);
    }
    report->findings.push_back({std::move(claim.title), claim.severity, Short(claim.detail, 2000), claim.confidence, std::move(evidence)});
  }

  void TakeUntested() {
    if (auto claim = ClaimOfFilesWithoutTests(view_, files(), without_tests_)) claims_.push_back(*std::move(claim));
    if (!searched_.contains(kTestsOfNew) || changes_.CountUnread() > 0) return;
    if (auto claim = ClaimOfNewFunctions(view_, files(), new_)) claims_.push_back(*std::move(claim));
  }

  Report Write(const PlaybookRun& run) override {
    Report report;
    if (stage_ <= 3 && claims_.empty() && !files().empty()) Judge();
    std::set<std::string> said;
    for (const auto& claim : claims_)
      if (claim.title.starts_with("Debug output") && !claim.spots.empty()) said.insert(claim.spots[0].path);
    if (searched_.contains(kPrints))
      for (auto& claim : ClaimsOfPrints(view_, files(), said)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfInterfaces(view_, files(), changed_, searched_)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfMadeFiles(view_, files(), changes_.Paths())) claims_.push_back(std::move(claim));
    const int64_t unread = changes_.CountUnread();
    if (unread > 0) without_tests_.clear();  // the tests may be among those
    std::erase_if(without_tests_, [&](const auto& path) {
      return std::any_of(files().begin(), files().end(), [&](const auto& file) { return file.path == path && (CountChangedCode(file, view_.LinesOf(path)) < kLeastCode || AddsToOwnTests(view_, file)); });
    });
    TakeUntested();
    std::stable_sort(claims_.begin(), claims_.end(), [](const auto& a, const auto& b) { return a.severity > b.severity; });
    for (auto& claim : claims_) Add(&report, std::move(claim));
    Json rows = Json::array();
    for (const auto& file : files())
      if (rows.size() < 200) rows.push_back(Json{{"path", file.path}, {"status", file.status}, {"added", file.Added()}, {"removed", file.Removed()}, {"read_whole", file.whole}});
    report.summary = ReviewSummary({range_, changes_, without_tests_, uncited_, not_looked_up_, not_told_, foreign_, HasTests(view_)}, report.findings);
    report.complete = !files().empty() && !run.cut_short && unread == 0 && not_told_ == 0 && changes_.hidden() == 0 && changes_.unreadable() == 0;
    for (size_t i = 0; i < report.findings.size() && i < 2 && report.findings[i].severity >= Severity::kMedium; ++i) {
      const auto& worst = report.findings[i];
      const std::string place = worst.evidence.empty() ? "" : ShortenWords(worst.evidence[0].path, 160) + ":" + std::to_string(worst.evidence[0].line_start) + ": ";
      report.next_actions.push_back(std::string(worst.severity >= Severity::kHigh ? "before it is merged, mend " : "before it is merged, look at ") + place + ShortenWords(worst.title, 160));
    }
    if (run.cut_short) report.next_actions.push_back("run the reviewer again with more turns: there was more to look at");
    if (unread > 0) report.next_actions.push_back("review the folders of the change one at a time: " + Count(unread, "file was", "files were") + " not looked at, or not as a whole");
    for (size_t i = 0; i < without_tests_.size() && i < 3 && !AnyTestChanged(files()); ++i) report.next_actions.push_back(std::string(HasTests(view_) ? "add a test for what changed in " : "there are no tests among the files that were listed; a first one could be for what changed in ") + ShortenWords(without_tests_[i], 200));
    report.data = Json{{"range", range_.text}, {"files", std::move(rows)}, {"without_tests", without_tests_}, {"unread", changes_.Unread()}, {"hidden", changes_.hidden()}};
    return report;
  }

  ReviewRange range_;
  ChangeSet changes_;
  std::vector<ReviewClaim> claims_;
  std::vector<ChangedName> changed_;
  std::vector<std::string> without_tests_;
  std::vector<NewFunction> new_;
  bool given_ = false;
  WantedLines wanted_;
  std::map<std::string, std::string> searches_;  // pattern → name
  std::set<std::string> searched_;               // names of which all lines, or all that define them, were given
  int64_t uncited_ = 0, not_looked_up_ = 0, not_told_ = 0, foreign_ = 0;
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<Playbook> MakeReviewer() { return std::make_unique<Reviewer>(); }

}  // namespace paddock::subagents
