// Triage: what would this repository do to a machine that opens, installs or builds it?
//
// All names, then one search an area (triage_areas.cc), then the scripts that what was found starts, and the binaries. A hit counts only
// for the area whose search gave it.
#include <algorithm>
#include <map>
#include <utility>

#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/triage_heeded.h"
#include "subagents/playbook/triage_probes.h"
#include "subagents/playbook/triage_reads.h"
#include "subagents/playbook/triage_report.h"
#include "subagents/playbook/triage_settings.h"
#include "subagents/playbook/triage_started.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxReadsAndProbes = 40, kMaxSettings = 4;  // together with the searches not more calls than there are
constexpr int64_t kTurnsOfProbes = 4;  // with the report's
constexpr size_t kMostSkipped = 200;   // names that search_text gives for each reason

constexpr int64_t kHeadLines = 10;     // of what is only to be recognized

constexpr size_t kMaxFolderLinks = 8;   // that are looked behind

class Triage : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    const Json& arguments = outcome.call.arguments;
    const Json facts = outcome.result.artifacts.empty() ? Json::object() : outcome.result.artifacts[0].facts;
    if (outcome.call.tool == "read_file") return TakeRead(outcome);
    if (outcome.call.tool == "list_files" && arguments.contains("path")) return TakeBehindLink(arguments.value("path", ""), outcome.result);
    if (!outcome.result.success || outcome.result.status == agentcore::ToolStatus::kPartial) gaps_.failed_searches = true;
    if (outcome.call.tool == "list_files") return TakeListing(facts, arguments, outcome.result);
    auto area = searches_.find(KeyOf(arguments));
    if (area != searches_.end()) TakeSearch(area->second, outcome.result, facts);
  }

  void TakeSearch(size_t area, const agentcore::ToolResult& result, const Json& facts) {
    const bool runs = RunsByItself(TriageAreas()[area]);
    bool& cut = runs ? gaps_.cut_lines : gaps_.cut_source;
    for (const char* beginnings : {"long_lines", "cut_files"})
      if (facts.is_object() && facts.contains(beginnings) && facts[beginnings] != Json(0)) cut = true;
    std::string last;
    for (const auto& artifact : result.artifacts) {
      if (artifact.kind == "skipped" && runs) TakeSkipped(area, artifact);
      if (artifact.kind != "excerpt") continue;
      last = artifact.path;
      cut = cut || !artifact.cut.empty();
      for (size_t i = 0; i < artifact.lines.size(); ++i) {
        seen_.hits[area].insert({artifact.path, artifact.line_start + static_cast<int64_t>(i)});
        if (IsSplit(view_, TriageAreas()[area], artifact.path, artifact.lines[i])) whole_[artifact.path].insert(area);
        if (IsByMap(TriageAreas()[area], artifact.path, artifact.lines[i])) mapped_.emplace(artifact.path, area);
      }
    }
    if (!facts.is_object() || facts.value("truncated", Json(false)) != Json(true)) return;
    gaps_.cut_searches = true;
    if (runs) seen_.cut_areas[area] = last;
  }

  // What the glob of an area takes, and its search did not look into.
  void TakeSkipped(size_t area, const agentcore::Artifact& skipped) {
    const std::string why = skipped.facts.value("why", "");
    for (const auto& entry : skipped.entries) {
      const size_t arrow = entry.find(" -> ");
      const std::string path = entry.substr(0, arrow), target = arrow == std::string::npos ? "" : entry.substr(arrow + 4);
      if (!target.empty()) seen_.followed[path] = target;
      if (why == "folder link") FollowFolder(path);
      else if (!IsHeeded(view_, TriageAreas()[area], path)) continue;
      else if (why == "link") FollowFile(area, path, target);
      else Unseen(path, area, why == "binary" ? "it is no text" : why == "unreadable" ? "it can't be read" : why == "large" ? "it is too large" : why == "long line" ? kLongLine : "it is no file");
    }
    if (skipped.entries.size() >= kMostSkipped) gaps_.cut_searches = true, seen_.cut_areas[area] = skipped.entries.back();
  }

  void Unseen(const std::string& path, size_t area, const std::string& why) {
    const When when = TriageAreas()[area].when;
    auto& unseen = seen_.unseen.try_emplace(path, TriageUnseen{when, seen_.followed.contains(path) ? "it is a " + LinkWords(seen_, path) + ", and " + why : why}).first->second;
    unseen.when = std::max(unseen.when, when);
  }

  // A link to a file is judged as what it is named.
  void FollowFile(size_t area, const std::string& path, const std::string& target) {
    const std::string there = LinkedPath(path, target);
    if (!there.empty() && view_.HasFile(there) && !seen_.followed.contains(there) && SameRules(TriageAreas()[area], path, there)) return;
    whole_[path].insert(area);
  }

  // So is all that a link to a folder leads to; but not again what is behind such a link.
  void FollowFolder(const std::string& path) {
    const bool again = std::any_of(folders_.begin(), folders_.end(), [&](const std::string& known) { return path.starts_with(known + "/"); });
    if (again || (folders_.size() >= kMaxFolderLinks && !folders_.contains(path))) {
      seen_.unseen.try_emplace(path, TriageUnseen{When::kOpen, "it is a " + LinkWords(seen_, path)});
    } else if (folders_.insert(path).second) {
      queue_.Add("list_files", Json{{"path", path}, {"ignored", true}, {"limit", 2000}});
    }
  }

  void TakeBehindLink(const std::string& path, const agentcore::ToolResult& result) {
    const std::string leads = "it is a " + LinkWords(seen_, path);
    if (!result.success) {
      // A file of such a name is looked at by itself.
      if (result.status != agentcore::ToolStatus::kUnsupported) seen_.unseen.try_emplace(path, TriageUnseen{When::kOpen, leads + (result.status == agentcore::ToolStatus::kNotFound ? ", where nothing is" : ", which is out of reach")});
      return;
    }
    seen_.followed.try_emplace(path, "");
    std::set<size_t> areas;
    for (const auto& artifact : result.artifacts) {
      if (artifact.facts.is_object() && artifact.facts.value("truncated", Json(false)) == Json(true)) seen_.unseen.try_emplace(path, TriageUnseen{When::kOpen, leads + ", and too much is there"});
      for (const auto& entry : artifact.entries)
        if (!entry.ends_with('/')) areas.merge(AreasHeeding(view_, entry));
    }
    for (const size_t area : areas)
      for (const auto& pattern : PatternsOf(TriageAreas()[area]))
        if (!Search(area, pattern, path)) seen_.unseen.try_emplace(path, TriageUnseen{When::kOpen, leads + ", and too much is there"});
  }

  void TakeRead(const agentcore::CallOutcome& outcome) {
    const std::string path = outcome.call.arguments.value("path", "");
    reads_.Take(outcome);
    const auto whole = whole_.find(path);
    for (const auto& artifact : outcome.result.artifacts) {
      const int64_t last = artifact.line_start + static_cast<int64_t>(artifact.lines.size()) - 1;
      pages_.push_back({path, artifact.line_start, last});
      if (whole == whole_.end()) continue;
      for (const size_t area : whole->second)
        for (int64_t line = artifact.line_start; line <= last; ++line) seen_.hits[area].insert({path, line});
    }
    const auto mapped = mapped_.find(path);
    if ((whole == whole_.end() && mapped == mapped_.end()) || reads_.NextUnread(path) > 0 || !HasFilePieces(path)) return;
    ReadAsWhole(path, whole != whole_.end() ? *whole->second.begin() : mapped->second);
  }

  void ReadAsWhole(const std::string& path, size_t area) {
    const SeenLines* lines = view_.LinesOf(path);
    if (lines == nullptr || std::any_of(lines->begin(), lines->end(), [](const auto& line) { return line.second.cut; })) return;
    const auto& pieces = seen_.pieces[path] = PiecesOfFile(path, *lines);
    if (!pieces.understood) seen_.unseen.try_emplace(path, TriageUnseen{TriageAreas()[area].when, "some of what it runs may be missed", "was not understood as a whole"});
  }

  void TakeListing(const Json& facts, const Json& arguments, const agentcore::ToolResult& result) {
    const bool whole = !arguments.contains("pattern");
    if (!facts.is_object()) return;
    // The first listing is only for its counts.
    if (!whole && facts.value("truncated", Json(false)) == Json(true)) (IsSettingsGlob(arguments.value("pattern", "")) ? gaps_.cut_settings : gaps_.cut_names) = true;
    if (arguments.value("pattern", "") == HeededFolders())
      for (const auto& artifact : result.artifacts)
        for (const auto& entry : artifact.entries)
          if (!entry.ends_with('/')) FollowFolder(entry);
    if (whole) TakeNames(facts, &seen_);
  }

  void Plan(const ModelRequestFrame& request) override {
    if (!queue_.empty()) return;
    if (stage_ == 0) {
      PlanNames();
      PlanSearches();
      ++stage_;
      return;
    }
    PlanStarted();
    // Once nothing more is started, or the turns are only just enough for it.
    if (stage_ > 1 || (!queue_.empty() && request.turn + kTurnsOfProbes < request.max_turns)) return;
    PlanProbes();
    ++stage_;
  }

  void PlanNames() {
    queue_.Add("list_files", Json{{"ignored", true}, {"limit", 2000}});
    queue_.Add("list_files", Json{{"ignored", true}, {"pattern", HeededFolders()}, {"limit", 1000}});
    for (const char* glob : SettingsGlobs()) queue_.Add("list_files", Json{{"ignored", true}, {"pattern", glob}, {"limit", 1000}});
    for (const char* glob : NameGlobs()) queue_.Add("list_files", Json{{"ignored", true}, {"pattern", glob}, {"limit", 1000}});
  }

  // Not by the pattern, which may be redacted on its way: areas differ by glob and limit.
  static std::string KeyOf(const Json& arguments) { return arguments.value("glob", "") + "\n" + std::to_string(arguments.value("limit", 0)); }

  bool Search(size_t area, const std::string& pattern, const std::string& path = "") {
    const TriageArea& of = TriageAreas()[area];
    Json arguments{{"pattern", pattern}, {"glob", GlobOf(of)}, {"limit", of.limit}, {"ignored", true}};
    if (!path.empty()) arguments["path"] = path;
    searches_[KeyOf(arguments)] = area;
    return queue_.Add("search_text", std::move(arguments));
  }

  void PlanSearches() {
    for (size_t area = 0; area < TriageAreas().size(); ++area)
      for (const auto& pattern : PatternsOf(TriageAreas()[area])) Search(area, pattern);
  }

  void PlanProbes() {
    const TriageProbes probes = ChooseProbes(view_, reads_.binary());
    for (const auto& path : probes.paths) queue_.Read(path, kHeadLines);
    gaps_.unprobed = probes.left_out;
    const auto unknown = UnknownSettings(view_);
    if (const std::string glob = GlobOfSettings(unknown); !glob.empty())
      for (const auto& pattern : PatternsOfSigns()) queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", glob}, {"limit", 100}, {"ignored", true}});
    for (size_t i = 0; i < unknown.size() && i < kMaxSettings; ++i)
      if (view_.LinesOf(unknown[i]) == nullptr) queue_.Read(unknown[i], kHeadLines);
    for (const auto& folder : BareRepositories(view_)) queue_.Read(folder + "/config", 200);
  }

  // What has to be read whole, and scripts that something starts by itself, all of each, and what they start in turn.
  void PlanStarted() {
    FollowHits();
    FollowPages();
    if (!std::exchange(most_reads_known_, true)) reads_.SetMost(kMaxReadsAndProbes - ChooseProbes(view_, reads_.binary()).paths.size());
    for (const auto& [path, areas] : whole_) reads_.ReadOn(path, &queue_);
    for (const bool begun : {false, true})
      for (const auto& [script, when] : seen_.started)
        if (reads_.Begun(script) == begun) reads_.ReadOn(script, &queue_);
    for (const auto& [path, area] : mapped_) reads_.ReadOn(path, &queue_);
  }

  // All hits are there before the first script is read.
  void FollowHits() {
    const auto areas = TriageAreas();
    if (std::exchange(hits_followed_, true)) return;
    for (const auto& path : view_.files())
      if (IsGitSettings(path)) whole_[path].merge(AreasHeeding(view_, path));
    std::erase_if(whole_, [](const auto& one) { return one.second.empty(); });
    for (const auto& [area, hits] : seen_.hits) {
      if (areas[area].when == When::kSign || areas[area].signs != Signs::kAll) continue;
      for (const auto& [path, number] : hits) FollowLine(area, path, number);
    }
  }

  void FollowLine(size_t area, const std::string& path, int64_t line) {
    for (const auto& finding : FindingsOf(view_, seen_, TriageAreas()[area], path, line)) Follow(path, finding.text, TriageAreas()[area].when);
  }

  void FollowPages() {
    while (!pages_.empty()) {
      const Page page = std::move(pages_.back());
      pages_.pop_back();
      const auto script = seen_.started.find(page.path);
      const SeenLines* lines = view_.LinesOf(page.path);
      if (lines == nullptr) continue;
      if (const auto whole = whole_.find(page.path); whole != whole_.end())
        for (const size_t area : whole->second)
          for (int64_t line = page.first; line <= page.last && line <= lines->rbegin()->first; ++line) FollowLine(area, page.path, line);
      if (script == seen_.started.end()) continue;
      for (auto line = lines->lower_bound(page.first); line != lines->end() && line->first <= page.last; ++line) Follow(page.path, line->second.text, script->second);
    }
  }

  void Follow(const std::string& path, std::string_view line, When when) {
    for (auto& script : scripts_.In(path, line)) {
      const auto [known, fresh] = seen_.started.try_emplace(script, when);
      if (fresh ? !reads_.Begun(script) : known->second >= when) continue;
      // What it starts is started as early.
      known->second = when;
      pages_.push_back({script, 1, INT64_MAX});
    }
  }

  Report Write(const PlaybookRun& run) override {
    seen_.binary = reads_.binary();
    for (const auto& [path, areas] : whole_)
      for (const size_t area : areas)
        if (reads_.NextUnread(path) > 0) Unseen(path, area, reads_.WhyNot(path));
    for (const auto& [script, when] : seen_.started) {
      if (seen_.binary.contains(script)) continue;
      if (reads_.NextUnread(script) > 0) gaps_.unread.push_back(script);
      if (const SeenLines* lines = view_.LinesOf(script))
        gaps_.cut_lines = gaps_.cut_lines || std::any_of(lines->begin(), lines->end(), [](const auto& line) { return line.second.cut; });
    }
    gaps_.unfollowed = scripts_.more();
    return WriteTriageReport(view_, seen_, gaps_, run);
  }

  struct Page {
    std::string path;
    int64_t first = 1, last = 1;
  };

  int stage_ = 0;
  TriageSeen seen_;
  TriageGaps gaps_;
  std::map<std::string, size_t> searches_;
  std::vector<Page> pages_;  // read, and not followed yet
  std::map<std::string, std::set<size_t>> whole_;  // what is read to its end → for which areas
  std::map<std::string, size_t> mapped_;           // what is read to its end only to tell what is around a line → for which area
  std::set<std::string> folders_;                   // links to folders, or what may be one
  TriageReads reads_{view_};
  StartedScripts scripts_{view_};
  bool hits_followed_ = false, most_reads_known_ = false;
};

}  // namespace

std::unique_ptr<Playbook> MakeTriage() { return std::make_unique<Triage>(); }

}  // namespace paddock::subagents
