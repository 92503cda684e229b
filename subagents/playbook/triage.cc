// Triage: what would this repository do to a machine that opens, installs or builds it?
//
// All names, then one search an area (triage_areas.cc), then the scripts that what was found starts, and the binaries. A hit counts only
// for the area whose search gave it.
#include <algorithm>
#include <map>

#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/triage_report.h"

namespace paddock::subagents {
namespace {

// Bytes of one search's pattern. search_text takes 4,096; but where much text is searched, a few small ones together are far
// faster than one of many alternatives.
constexpr size_t kMaxPattern = 3'900, kMaxWidePattern = 700;
constexpr size_t kMaxReads = 24, kMaxProbes = 34;

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
    for (const auto& artifact : outcome.result.artifacts) {
      if (artifact.kind != "excerpt") continue;
      for (size_t i = 0; i < artifact.lines.size(); ++i) seen_.hits[area->second].insert({artifact.path, artifact.line_start + static_cast<int64_t>(i)});
    }
  }

  void TakeRead(const agentcore::CallOutcome& outcome) {
    const std::string path = outcome.call.arguments.value("path", "");
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

  void Plan(const ModelRequestFrame& /*request*/) override {
    while (queue_.empty() && stage_ < 4) {
      switch (stage_++) {
        case 0: PlanNames(); PlanSearches(); break;
        case 1: case 2: PlanStarted(); break;
        case 3: PlanStarted(); PlanProbes(); break;
      }
    }
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

  // Files whose name doesn't say what they are, or says that they can't be read.
  void PlanProbes() {
    std::vector<std::pair<int, std::string>> wanted;  // rank, path
    for (const auto& path : view_.files())
      if (int rank = ProbeRank(path); rank > 0 && view_.LinesOf(path) == nullptr && !seen_.binary.contains(path)) wanted.push_back({rank, path});
    std::sort(wanted.begin(), wanted.end());
    for (size_t i = 0; i < wanted.size() && i < kMaxProbes; ++i) queue_.Read(wanted[i].second, 1);
    gaps_.unprobed = wanted.size() - std::min(wanted.size(), kMaxProbes);
    for (const auto& folder : BareRepositories(view_)) queue_.Read(folder + "/config", 200);
  }

  // Scripts that something starts by itself.
  void PlanStarted() {
    const auto areas = TriageAreas();
    auto follow = [&](const std::string& path, std::string_view line, When when) {
      for (auto& script : StartedBy(view_, path, line)) {
        When& known = seen_.started.try_emplace(script, when).first->second;
        known = std::max(known, when);
        if (reads_ < kMaxReads && read_.insert(script).second) ++reads_, queue_.Read(script, 400);
      }
    };
    const auto started = seen_.started;
    for (const auto& [path, when] : started)
      if (const SeenLines* lines = view_.LinesOf(path))
        for (const auto& [number, line] : *lines) follow(path, line.text, when);
    for (const auto& [area, hits] : seen_.hits) {
      if (areas[area].when == When::kSign || areas[area].signs != Signs::kAll) continue;
      for (const auto& [path, number] : hits)
        for (const auto& finding : FindingsOf(view_, areas[area], path, number)) follow(path, finding.text, areas[area].when);
    }
  }

  Report Write(const PlaybookRun& run) override { return WriteTriageReport(view_, seen_, gaps_, run); }

  int stage_ = 0;
  TriageSeen seen_;
  TriageGaps gaps_;
  std::map<std::string, size_t> searches_;
  std::set<std::string> read_;
  size_t reads_ = 0;
};

}  // namespace

std::unique_ptr<Playbook> MakeTriage() { return std::make_unique<Triage>(); }

}  // namespace paddock::subagents
