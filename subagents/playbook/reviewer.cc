// The reviewer: gets the changes, judges them by its tables, reads in the tree what it wants to cite, and looks for who still
// relies on what is gone or otherwise.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_places.h"
#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_range.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFindings = 60, kMaxReads = 36, kMaxPages = 32;

std::string Short(std::string_view text, size_t bytes = 300) { return std::string(TruncateUtf8(text, bytes)); }
std::string Count(int64_t n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); }

class Reviewer : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    if (!outcome.call.tool.starts_with("git_")) return;
    if (!outcome.result.success) {
      if (outcome.call.tool != "git_log") fault_ = Short(outcome.result.error);
      return;
    }
    const bool page = outcome.call.arguments.is_object() && outcome.call.arguments.contains("path");
    std::set<std::string> here;
    for (const auto& artifact : outcome.result.artifacts) {
      if (artifact.kind == "diff" && !given_) TakeDiff(ReadDiffArtifact(artifact), page, !here.insert(artifact.path).second);
      if (artifact.kind == "commits" && commits_.empty()) commits_ = artifact.lines;
      if (artifact.kind != "listing" || page || !artifact.facts.is_object()) continue;
      listed_.insert(artifact.entries.begin(), artifact.entries.end());
      if (const Json files = artifact.facts.value("files", Json()); files.is_number_integer()) listed_files_ = std::max(listed_files_, std::min<int64_t>(files.get<int64_t>(), 1'000'000));
    }
  }

  // What comes by itself stands in place of what was a part of it. A second piece of the same file has lost the lines before it.
  void TakeDiff(FileDiff file, bool page, bool piece) {
    auto known = std::find_if(files_.begin(), files_.end(), [&](const auto& each) { return each.path == file.path; });
    if (known == files_.end()) {
      if (!piece) files_.push_back(std::move(file));
    } else if (piece) {
      known->whole = false;
    } else if (page && (file.whole || !known->whole)) {
      *known = std::move(file);
    }
  }

  // Asks by itself for each file of which the answer held nothing, or not all: first what is judged by most rules.
  void AskForRest() {
    std::vector<std::pair<int, std::string>> missing;
    for (const auto& path : Unread()) missing.emplace_back(IsMadePath(path) ? 3 : IsOwnSource(path) ? 0 : IsTestPath(path) ? 1 : 2, path);
    std::stable_sort(missing.begin(), missing.end());
    const bool show = range_.kind == ReviewRange::Kind::kCommit || (range_.kind == ReviewRange::Kind::kDefault && !commits_.empty());
    for (size_t i = 0; i < missing.size() && i < kMaxPages; ++i) {
      Json arguments{{"path", missing[i].second}};
      if (show) arguments["commit"] = range_.kind == ReviewRange::Kind::kCommit ? range_.to : "HEAD";
      if (range_.kind == ReviewRange::Kind::kRange) arguments["from"] = range_.from, arguments["to"] = range_.to;
      queue_.Add(show ? "git_show" : "git_diff", std::move(arguments));
    }
  }

  std::set<std::string> Unread() const {
    std::set<std::string> out = listed_;
    for (const auto& file : files_)
      if (file.whole) out.erase(file.path);
      else out.insert(file.path);
    std::erase_if(out, [](const auto& path) { return IsForeignPath(path); });
    return out;
  }
  int64_t CountUnread() const { return static_cast<int64_t>(Unread().size()) + std::max<int64_t>(0, listed_files_ - static_cast<int64_t>(listed_.size())); }

  void Plan(const ModelRequestFrame& request) override {
    if (stage_ == 0) Start(request);
    while (queue_.empty() && stage_ < 4) {
      switch (stage_++) {
        case 1:
          if (files_.empty() && range_.kind == ReviewRange::Kind::kDefault && fault_.empty()) {
            range_.text = "the last commit (the working tree has no changes)";
            queue_.Add("git_show", Json{{"commit", "HEAD"}});
          }
          break;
        case 2: AskForRest(); break;
        case 3: Judge(); break;
      }
    }
  }

  void Start(const ModelRequestFrame& request) {
    stage_ = 1;
    files_ = ReadUnifiedDiff(request.context);
    if (files_.empty()) files_ = ReadUnifiedDiff(request.goal);
    given_ = !files_.empty();
    range_ = given_ ? ReviewRange{ReviewRange::Kind::kDefault, "", "", "the diff that was given"} : ReadReviewRange(request.goal);
    if (!given_ && range_.kind == ReviewRange::Kind::kDefault) range_ = ReadReviewRange(request.context.substr(0, 2000));
    queue_.Add("list_files", Json{{"limit", 2000}});
    if (given_) return;
    switch (range_.kind) {
      case ReviewRange::Kind::kDefault:
        range_.text = "the working tree against HEAD";
        queue_.Add("git_diff", Json::object());
        break;
      case ReviewRange::Kind::kWorkingTree: queue_.Add("git_diff", Json::object()); break;
      case ReviewRange::Kind::kCommit: queue_.Add("git_show", Json{{"commit", range_.to}}); break;
      case ReviewRange::Kind::kRange:
        queue_.Add("git_diff", Json{{"from", range_.from}, {"to", range_.to}});
        queue_.Add("git_log", Json{{"revision", range_.from + ".." + range_.to}, {"limit", 50}});
        break;
    }
  }

  void Judge() {
    std::erase_if(files_, [](const FileDiff& file) { return IsForeignPath(file.path); });
    claims_ = ClaimsOfChanges(files_);
    for (auto& claim : ClaimsOfLines(files_)) claims_.push_back(std::move(claim));
    changed_ = ChangedInterfaces(files_);
    without_tests_ = ChangedWithoutTests(files_);
    std::stable_sort(claims_.begin(), claims_.end(), [](const auto& a, const auto& b) { return a.severity > b.severity; });
    std::map<std::string, std::set<int64_t>> wanted;
    auto want = [&](const ReviewSpot& spot) {
      if (spot.line > 0) wanted[spot.path].insert(spot.line);
    };
    for (const auto& claim : claims_)
      for (const auto& spot : claim.spots) {
        want(spot);
        for (const auto& near : spot.instead) want(near);
      }
    for (const auto& change : changed_) want(change.spot);
    if (!without_tests_.empty())
      if (auto spot = FirstAdded(without_tests_[0])) want(*spot);
    size_t reads = 0;
    for (const auto& [path, lines] : wanted) {
      int64_t first = 0, last = 0;
      auto read = [&] {
        if (first > 0 && reads++ < kMaxReads) queue_.ReadFrom(path, std::max<int64_t>(1, first - 3), last - first + 7);
      };
      for (int64_t line : lines) {
        if (first > 0 && line - last < 80) {
          last = line;
          continue;
        }
        read();
        first = last = line;
      }
      read();
    }
    for (const auto& change : changed_)
      if (change.name.size() >= 4) queue_.Add("search_text", Json{{"pattern", AnyOf({change.name})}, {"limit", 100}});
    size_t heads = 0;
    for (const auto& file : files_)
      if (file.status == "changed" && !file.binary && (!LanguageOf(file.path).empty() || IsBuildPath(file.path)) && heads++ < 12) queue_.Read(file.path, 8);
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
    if (report->findings.size() >= kMaxFindings) return;
    std::vector<Citation> evidence;
    std::string elsewhere;
    for (const auto& spot : claim.spots) {
      auto citation = Cite(spot);
      for (size_t i = 0; !citation && i < spot.instead.size(); ++i) citation = Cite(spot.instead[i]);
      if (citation) evidence.push_back(*citation);
      else elsewhere += (elsewhere.empty() ? "" : ", ") + Short(spot.path, 200) + (spot.line > 0 ? ":" + std::to_string(spot.line) : "");
    }
    if (!elsewhere.empty() && evidence.empty()) {
      claim.detail += " In " + range_.text + ", " + elsewhere + ".";
      ++uncited_;
    }
    report->findings.push_back({Short(claim.title, 500), claim.severity, Short(claim.detail, 2000), claim.confidence, std::move(evidence)});
  }

  void Interfaces(Report* report) {
    std::set<std::string> in_diff;
    for (const auto& file : files_) in_diff.insert(file.path);
    for (const auto& change : changed_) {
      if (change.name.size() < 4) continue;
      const auto places = PlacesOf(view_, Symbols(), change.name, "");
      ReviewClaim claim;
      if (change.after.empty()) {
        if (!places.Of(PlaceKind::kDefinition).empty() || !places.Of(PlaceKind::kDeclaration).empty()) continue;
        for (const auto& place : places.places) {
          if ((place.kind != PlaceKind::kCall && place.kind != PlaceKind::kUse && place.kind != PlaceKind::kTest) || LanguageOf(place.path).empty()) continue;
          const std::string& text = view_.LinesOf(place.path)->at(place.line).text;
          const size_t at = text.find(change.name);
          // A member of something else may have the same name, and so may a word in a text.
          if (at > 0 && (text[at - 1] == '.' || text[at - 1] == '>' || text[at - 1] == '"' || text[at - 1] == '\'')) continue;
          if (!MatchesPart(text.substr(at + change.name.size()), R"(^\s*\()")) continue;
          if (claim.spots.size() < 4) claim.spots.push_back({place.path, place.line, text, ""});
        }
        if (claim.spots.empty()) continue;
        claim.title = "`" + change.name + "` was removed and is still called: " + claim.spots[0].path;
        claim.severity = Severity::kHigh;
        claim.detail = "It was defined in " + change.path + ", and no definition is left.";
      } else {
        for (const Place* place : places.Of(PlaceKind::kProse))
          if (!IsChangeLog(place->path) && !in_diff.contains(place->path) && claim.spots.size() < 4) claim.spots.push_back({place->path, place->line, view_.LinesOf(place->path)->at(place->line).text, ""});
        if (claim.spots.empty()) continue;
        claim.title = "`" + change.name + "` has another interface, its documentation was not changed: " + claim.spots[0].path;
        claim.severity = Severity::kLow;
        claim.detail = "Before: `" + Short(change.before, 200) + "`. Now: `" + Short(change.after, 200) + "` in " + change.spot.path + ":" + std::to_string(change.spot.line) + ".";
      }
      claim.confidence = Confidence::kMedium;
      Add(report, std::move(claim));
    }
  }

  void Generated(Report* report) {
    for (const auto& file : files_) {
      const SeenLines* lines = file.status == "changed" ? view_.LinesOf(file.path) : nullptr;
      if (lines == nullptr) continue;
      for (const auto& [number, line] : *lines) {
        if (number > 8) break;
        if (line.cut || !MatchesPart(line.text, R"((?i)do not (edit|modify)|@generated|\b(auto(matically)?[- ]?)generated (by|from)\b|code generated by)")) continue;
        const std::string stem = TestedStem(file.path);
        const bool source_too = std::any_of(files_.begin(), files_.end(), [&](const auto& other) { return other.path != file.path && TestedStem(other.path) == stem; });
        if (!source_too) Add(report, {"A file that a program makes was changed: " + file.path, Severity::kLow, "Nothing that it could be made from is changed with it: what was edited by hand is lost the next time.", Confidence::kMedium, {{file.path, number, line.text, ""}}});
        break;
      }
    }
  }

  std::optional<ReviewSpot> FirstAdded(const std::string& path) const {
    for (const auto& file : files_) {
      if (file.path != path) continue;
      for (const auto& hunk : file.hunks)
        for (const auto& line : hunk.lines)
          if (line.sign == '+' && MatchesPart(line.text, R"(\w\w)")) return ReviewSpot{path, line.new_line, line.text, ""};
    }
    return std::nullopt;
  }

  bool AnyTestChanged() const {
    return std::any_of(files_.begin(), files_.end(), [](const auto& file) { return IsTestPath(file.path) && file.status != "removed" && file.Count('+') > 0; });
  }

  void Untested(Report* report) {
    const bool any_test = AnyTestChanged();
    const bool has_tests = std::any_of(view_.files().begin(), view_.files().end(), [](const auto& path) { return IsTestPath(path) && !LanguageOf(path).empty(); });
    if (without_tests_.empty() || !has_tests) return;
    std::string names;
    for (size_t i = 0; i < without_tests_.size() && i < 6; ++i) names += (i > 0 ? ", " : "") + without_tests_[i];
    if (without_tests_.size() > 6) names += " and more";
    ReviewClaim claim{"Code was changed, no test was: " + names, Severity::kLow, "The repository has tests, and none of them is in this change.", Confidence::kHigh, {}};
    if (any_test) claim = {"Code was changed, no test of the same name or folder was: " + names, Severity::kInfo, "Other tests were changed, and may be of it.", Confidence::kLow, {}};
    if (auto spot = FirstAdded(without_tests_[0])) claim.spots.push_back(*std::move(spot));
    if (!claim.spots.empty()) Add(report, std::move(claim));
  }

  Report Write(const PlaybookRun& run) override {
    Report report;
    if (stage_ <= 3 && claims_.empty() && !files_.empty()) Judge();
    for (auto& claim : claims_) Add(&report, std::move(claim));
    Interfaces(&report);
    Generated(&report);
    const int64_t unread = CountUnread();
    if (unread > 0) without_tests_.clear();  // the tests may be among those
    Untested(&report);
    std::stable_sort(report.findings.begin(), report.findings.end(), [](const auto& a, const auto& b) { return a.severity > b.severity; });

    int64_t added = 0, removed = 0;
    Json files = Json::array();
    for (const auto& file : files_) {
      added += file.Count('+');
      removed += file.Count('-');
      if (files.size() < 200) files.push_back(Json{{"path", file.path}, {"status", file.status}, {"added", file.Count('+')}, {"removed", file.Count('-')}});
    }
    std::string& out = report.summary;
    if (files_.empty()) {
      out = fault_.empty() ? "There is nothing to review: " + range_.text + " holds no change." : "The changes could not be read: " + fault_ + ". A unified diff in the context would do.";
    } else {
      out = "Reviewed " + range_.text + ": " + Count(static_cast<int64_t>(files_.size()), "file", "files") + ", " + std::to_string(added) + " lines added, " + std::to_string(removed) + " removed" +
            (commits_.size() > 1 ? ", " + std::to_string(commits_.size()) + " commits" : "") + ".";
      int64_t severe = 0, some = 0;
      for (const auto& finding : report.findings) {
        severe += finding.severity >= Severity::kHigh ? 1 : 0;
        some += finding.severity == Severity::kMedium ? 1 : 0;
      }
      out += report.findings.empty() ? " The rules found nothing to say, which is no proof that there is nothing." : " " + Count(static_cast<int64_t>(report.findings.size()), "finding", "findings") + ", " + std::to_string(severe) + " of high severity, " + std::to_string(some) + " of medium.";
      for (size_t i = 0; i < report.findings.size() && i < 3 && report.findings[i].severity >= Severity::kMedium; ++i) out += (i == 0 ? " First: " : "; ") + Short(report.findings[i].title, 160);
      if (severe + some > 0) out += ".";
      if (!without_tests_.empty() && !AnyTestChanged()) out += " No test was changed beside " + std::to_string(without_tests_.size()) + " of the changed source files.";
      if (uncited_ > 0) out += " " + Count(uncited_, "finding has", "findings have") + " no citation, since the lines do not stand in the tree as they do in the change.";
      if (unread > 0) out += " The change is larger than what was read of it: " + Count(unread, "file was", "files were") + " not looked at, or not as a whole.";
    }
    out += " No language model was used: a fixed playbook judged the lines by its tables and does not understand what the change is for.";
    report.complete = !files_.empty() && !run.cut_short && unread == 0;
    if (run.cut_short) report.next_actions.push_back("run the reviewer again with more turns: there was more to look at");
    if (unread > 0) report.next_actions.push_back("review the folders of the change one at a time: " + Count(unread, "file was", "files were") + " not looked at, or not as a whole");
    for (size_t i = 0; i < without_tests_.size() && i < 3 && !AnyTestChanged(); ++i) report.next_actions.push_back("add a test for what changed in " + Short(without_tests_[i], 200));
    report.data = Json{{"range", range_.text}, {"files", std::move(files)}, {"without_tests", without_tests_}};
    return report;
  }

  ReviewRange range_;
  std::vector<FileDiff> files_;
  std::vector<ReviewClaim> claims_;
  std::vector<ChangedName> changed_;
  std::vector<std::string> without_tests_, commits_;
  std::string fault_;
  std::set<std::string> listed_;  // what the change touches, read or not
  bool given_ = false;
  int64_t uncited_ = 0, listed_files_ = 0;
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<Playbook> MakeReviewer() { return std::make_unique<Reviewer>(); }

}  // namespace paddock::subagents
