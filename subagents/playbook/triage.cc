// Triage: what would this repository do to a machine that opens, installs or builds it?
//
// All names, then one search an area (triage_areas.cc), then the scripts that what was found starts, and the binaries. A hit counts only
// for the area whose search gave it.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/triage_report.h"

namespace paddock::subagents {
namespace {

// Bytes of one search's pattern. search_text takes 4,096; but where much text is searched, a few small ones together are far
// faster than one of many alternatives.
constexpr size_t kMaxPattern = 3'900, kMaxWidePattern = 700;
constexpr size_t kMaxReadsAndProbes = 58, kMaxProbes = 34;  // together with the searches not more calls than there are
constexpr int64_t kTurnsOfProbes = 4;  // with the report's
constexpr int64_t kPage = 2000;        // lines of a script in one call

class Triage : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    const Json& arguments = outcome.call.arguments;
    const Json facts = outcome.result.artifacts.empty() ? Json::object() : outcome.result.artifacts[0].facts;
    if (outcome.call.tool == "read_file") return TakeRead(outcome);
    if (!outcome.result.success || outcome.result.status == agentcore::ToolStatus::kPartial) gaps_.failed_searches = true;
    if (facts.is_object() && facts.value("truncated", Json(false)) == Json(true)) {
      // The first listing is only for its counts.
      if (outcome.call.tool == "search_text" || arguments.contains("pattern")) gaps_.cut_searches = true;
    }
    if (outcome.call.tool == "list_files") return TakeListing(facts, !arguments.contains("pattern"));
    auto area = searches_.find(KeyOf(arguments));
    if (area == searches_.end()) return;
    bool& cut = RunsByItself(TriageAreas()[area->second]) ? gaps_.cut_lines : gaps_.cut_source;
    for (const char* beginnings : {"long_lines", "cut_files"})
      if (facts.is_object() && facts.contains(beginnings) && facts[beginnings] != Json(0)) cut = true;
    for (const auto& artifact : outcome.result.artifacts) {
      if (artifact.kind != "excerpt") continue;
      cut = cut || !artifact.cut.empty();
      for (size_t i = 0; i < artifact.lines.size(); ++i) seen_.hits[area->second].insert({artifact.path, artifact.line_start + static_cast<int64_t>(i)});
    }
  }

  void TakeRead(const agentcore::CallOutcome& outcome) {
    const std::string path = outcome.call.arguments.value("path", "");
    if (outcome.result.success) read_.insert(path);
    for (const auto& artifact : outcome.result.artifacts) {
      pages_.push_back({path, artifact.line_start, artifact.line_start + static_cast<int64_t>(artifact.lines.size()) - 1});
      if (artifact.facts.is_object() && artifact.facts.contains("total_lines") && artifact.facts["total_lines"].is_number_integer()) length_of_[path] = artifact.facts["total_lines"].get<int64_t>();
    }
    constexpr std::string_view kMark = " is not text: ";
    if (size_t at = outcome.result.error.find(kMark); at != std::string::npos) {
      std::string kind = outcome.result.error.substr(at + kMark.size(), 60);
      seen_.binary[path] = kind.substr(0, kind.find(','));
    }
  }

  void TakeListing(const Json& facts, bool whole) {
    if (!facts.is_object() || !whole) return;
    auto each = [&](const char* key, auto&& take) {
      if (auto it = facts.find(key); it != facts.end() && it->is_array())
        for (size_t i = 0; i < it->size() && i < 50; ++i) take((*it)[i]);
    };
    each("links", [&](const Json& pair) {
      if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string()) seen_.links.push_back({pair[0].get<std::string>(), pair[1].get<std::string>()});
    });
    each("special_paths", [&](const Json& path) {
      if (path.is_string()) seen_.special.push_back(path.get<std::string>());
    });
    each("odd", [&](const Json& odd) {
      if (!odd.is_object() || odd.value("kind", Json()) != Json("odd_name")) return;
      for (const auto& example : odd.value("examples", Json::array()))
        if (example.is_string()) seen_.odd_names.push_back(example.get<std::string>());
    });
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
    for (const char* glob : NameGlobs()) queue_.Add("list_files", Json{{"ignored", true}, {"pattern", glob}, {"limit", 1000}});
  }

  // Not by the pattern, which may be redacted on its way: areas differ by glob and limit.
  static std::string KeyOf(const Json& arguments) { return arguments.value("glob", "") + "\n" + std::to_string(arguments.value("limit", 0)); }

  void Search(size_t area, const std::string& pattern) {
    const TriageArea& of = TriageAreas()[area];
    Json arguments{{"pattern", pattern}, {"glob", of.glob}, {"limit", of.limit}, {"ignored", true}};
    searches_[KeyOf(arguments)] = area;
    queue_.Add("search_text", std::move(arguments));
  }

  // One search an area, or as few as the length of a pattern allows.
  void PlanSearches() {
    for (size_t area = 0; area < TriageAreas().size(); ++area) {
      const TriageArea& of = TriageAreas()[area];
      if (of.search != nullptr) {
        Search(area, of.search);
        continue;
      }
      std::vector<std::string> parts;
      for (const auto& rule : of.rules()) parts.emplace_back(rule.line);
      for (const auto& sign : TriageSigns())
        if (of.signs == Signs::kAll || (of.signs == Signs::kSource && sign.in_source != Severity::kInfo)) parts.emplace_back(sign.line);
      std::string pattern;
      for (const auto& part : parts) {
        if (!pattern.empty() && pattern.size() + part.size() > (of.when == When::kSign ? kMaxWidePattern : kMaxPattern)) {
          Search(area, pattern);
          pattern.clear();
        }
        pattern += (pattern.empty() ? "(?:" : "|(?:") + part + ")";
      }
      Search(area, pattern);
    }
  }

  // Files whose name doesn't say what they are, or says that they can't be read: rank and path.
  std::vector<std::pair<int, std::string>> Probes() const {
    std::vector<std::pair<int, std::string>> wanted;
    for (const auto& path : view_.files())
      if (int rank = ProbeRank(path); rank > 0 && view_.LinesOf(path) == nullptr && !seen_.binary.contains(path)) wanted.push_back({rank, path});
    std::sort(wanted.begin(), wanted.end());
    return wanted;
  }

  void PlanProbes() {
    const auto wanted = Probes();
    for (size_t i = 0; i < wanted.size() && i < kMaxProbes; ++i) queue_.Read(wanted[i].second, 1);
    gaps_.unprobed = wanted.size() - std::min(wanted.size(), kMaxProbes);
    for (const auto& folder : BareRepositories(view_)) queue_.Read(folder + "/config", 200);
  }

  // Scripts that something starts by itself, all of each, and what they start in turn.
  void PlanStarted() {
    FollowHits();
    FollowPages();
    if (!most_reads_) most_reads_ = kMaxReadsAndProbes - std::min(Probes().size(), kMaxProbes);
    for (const bool begun : {false, true})
      for (const auto& [script, when] : seen_.started)
        if (read_.contains(script) == begun) ReadOn(script);
  }

  // All hits are there before the first script is read.
  void FollowHits() {
    const auto areas = TriageAreas();
    if (std::exchange(hits_followed_, true)) return;
    for (const auto& [area, hits] : seen_.hits) {
      if (areas[area].when == When::kSign || areas[area].signs != Signs::kAll) continue;
      for (const auto& [path, number] : hits)
        for (const auto& finding : FindingsOf(view_, areas[area], path, number)) Follow(path, finding.text, areas[area].when);
    }
  }

  void FollowPages() {
    while (!pages_.empty()) {
      const Page page = std::move(pages_.back());
      pages_.pop_back();
      const auto script = seen_.started.find(page.path);
      const SeenLines* lines = view_.LinesOf(page.path);
      if (script == seen_.started.end() || lines == nullptr) continue;
      for (auto line = lines->lower_bound(page.first); line != lines->end() && line->first <= page.last; ++line) Follow(page.path, line->second.text, script->second);
    }
  }

  void Follow(const std::string& path, std::string_view line, When when) {
    for (auto& script : StartedBy(view_, path, line)) {
      const auto [known, fresh] = seen_.started.try_emplace(script, when);
      if (fresh ? !read_.contains(script) : known->second >= when) continue;
      // What it starts is started as early.
      known->second = when;
      pages_.push_back({script, 1, INT64_MAX});
    }
  }

  // The first line that was not read; 0: it was read to its end.
  int64_t NextUnread(const std::string& script) const {
    if (!read_.contains(script)) return 1;
    int64_t next = 1;
    if (const SeenLines* lines = view_.LinesOf(script)) {
      for (auto line = lines->begin(); line != lines->end() && line->first == next; ++line) ++next;
      if (next <= lines->rbegin()->first) return next;
    }
    return view_.NextLine(script);
  }

  void ReadOn(const std::string& script) {
    const int64_t first = NextUnread(script), last = std::max(first, length_of_[script]);
    if (first == 0 || seen_.binary.contains(script)) return;
    for (int64_t from = first; from <= last && reads_ < *most_reads_; from += kPage)
      if (asked_.insert({script, from}).second) ++reads_, queue_.ReadFrom(script, from, kPage);
  }

  Report Write(const PlaybookRun& run) override {
    for (const auto& [script, when] : seen_.started) {
      if (seen_.binary.contains(script)) continue;
      if (NextUnread(script) > 0) gaps_.unread.push_back(script);
      if (const SeenLines* lines = view_.LinesOf(script))
        gaps_.cut_lines = gaps_.cut_lines || std::any_of(lines->begin(), lines->end(), [](const auto& line) { return line.second.cut; });
    }
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
  std::set<std::string> read_;
  std::map<std::string, int64_t> length_of_;          // in lines, where that is known
  std::set<std::pair<std::string, int64_t>> asked_;   // from which lines on
  size_t reads_ = 0;
  std::optional<size_t> most_reads_;
  bool hits_followed_ = false;
};

}  // namespace

std::unique_ptr<Playbook> MakeTriage() { return std::make_unique<Triage>(); }

}  // namespace paddock::subagents
