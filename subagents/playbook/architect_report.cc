#include "subagents/playbook/architect_report.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "subagents/playbook/architect_data.h"
#include "subagents/playbook/architect_words.h"
#include "subagents/playbook/counted.h"
#include "subagents/playbook/entry_points.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kCycles = 40, kHubs = 10, kFoundCycles = 16, kFoundEdges = 16, kFoundHubs = 4, kFoundEntries = 5;
constexpr const char *kOneLater = ", which is indented, for types only, or for later: likely not needed when it is loaded.", *kAllLater = ", all of them indented, for types only, or for later: likely not needed when it is loaded.";

class Writer {
 public:
  Writer(const RepoView& view, const ArchitectSeen& seen) : view_(view), seen_(seen), by_folder_(ByFolder(seen)), graph_(by_folder_ ? seen.folders : seen.units) {
    tangled_ = graph_.Cycles(kCycles);
    file_cycles_ = seen.paths.Cycles(kCycles);
    // Of files that are the modules themselves the cycles are among those already, but for those of a header and its source.
    if (!by_folder_) std::erase_if(file_cycles_, [](const DependencyCycle& cycle) { return std::any_of(cycle.modules.begin(), cycle.modules.end(), [&](const std::string& file) { return UnitOf(file) != UnitOf(cycle.modules[0]); }); });
    std::stable_sort(file_cycles_.begin(), file_cycles_.end(), [](const auto& a, const auto& b) { return a.modules.size() < b.modules.size(); });
    FindUnread();
    layers_ = graph_.Layers();
    used_by_ = graph_.UsedBy();
  }

  // One folder with nearly everything in it says nothing, nor do folders where files depend on those beside them only: the files are the
  // modules then.
  static bool ByFolder(const ArchitectSeen& seen) {
    std::map<std::string, size_t> sizes;
    size_t most = 0;
    bool go = false;
    for (const auto& [unit, edges] : seen.units.edges()) most = std::max(most, ++sizes[FolderOfUnit(unit)]), go = go || unit.ends_with('/');
    return go || (most * 4 < seen.units.edges().size() * 3 && (seen.folders.HasEdges() || !seen.units.HasEdges()));
  }

  void Structure() {
    if (graph_.edges().empty()) return;
    std::vector<Citation> evidence;
    for (const auto& [from, to, edge] : StrongestEdges(graph_, 3)) evidence.push_back(edge->lines[0]);
    if (evidence.empty()) return;
    const std::string why = WhyNoLayers(seen_, by_folder_);
    std::string detail = why.empty() ? "From the bottom, each using only those below it; those of a cycle share a layer" + std::string(AnyDeferred() ? ", and lines that are indented or for types only aren't counted:" : ":") : "Which of them stands lowest is not told: " + why + ".";
    for (size_t i = 0; why.empty() && i < layers_.size() && i < 12; ++i) {
      detail += "\n" + std::to_string(i) + ": ";
      const auto placed = Placed(layers_[i]);
      for (size_t k = 0; k < placed.size() && k < 12; ++k) detail += (k == 0 ? "" : ", ") + Name(placed[k], 80);
      if (placed.size() > 12) detail += ", and " + std::to_string(placed.size() - 12) + " more";
    }
    if (why.empty() && !UseAside().empty()) detail += "\n" + NamesSaid("Not placed, as what they use of tests, examples and the like isn't counted: ", {UseAside().begin(), UseAside().end()});
    if (why.empty() && layers_.size() > 12) detail += "\nand " + std::to_string(layers_.size() - 12) + " layers more above";
    Add(Modules() + (why.empty() ? " in " + Count(layers_.size(), "layer", "layers") : "") + (tangled_.empty() ? file_cycles_.empty() ? "" : ", with cycles between files" : ", with cycles"), detail, Severity::kInfo,
        std::move(evidence));
  }

  void Cycles() {
    AddCycles(graph_, tangled_, by_folder_ ? "Cycle" : "Cycle between " + Units(), by_folder_ ? Severity::kLow : Severity::kInfo);
    AddCycles(seen_.paths, file_cycles_, "Cycle between files", Severity::kInfo);
  }

  void AddCycles(const ModuleGraph& graph, const std::vector<DependencyCycle>& cycles, const std::string& kind, Severity severity) {
    for (size_t i = 0; i < cycles.size() && i < kFoundCycles; ++i) {
      const auto& modules = cycles[i].modules;
      const bool by_imports = UnseenUses(graph.Find(modules[0], modules[1 % modules.size()])->lines[0].path) != nullptr;
      std::string title = modules.size() == 2 ? kind + ": " + Name(modules[0], 150) + " and " + Name(modules[1], 150) + (by_imports ? " import each other" : " depend on each other") : kind + ":";
      std::vector<Citation> evidence;
      std::string detail;
      for (size_t k = 0; k < modules.size() && evidence.size() < 16; ++k) {
        const std::string& next = modules[(k + 1) % modules.size()];
        const Dependency* edge = graph.Find(modules[k], next);
        if (modules.size() > 2) title += " " + Name(modules[k], 60) + " →";
        detail += (detail.empty() ? "" : " ") + Name(modules[k]) + (by_imports ? " imports " : " uses ") + Name(next) + " in " + Count(static_cast<size_t>(edge->count), "line.", "lines.");
        evidence.push_back(edge->lines[0]);
      }
      if (modules.size() > 2) title += " " + Name(modules[0], 60);
      if (evidence[0].path.ends_with(".rs")) detail += " Rust compiles a crate as one, and a module and those within it often do.";
      Add(title, detail, severity, std::move(evidence));
    }
  }

  void Edges() {
    for (const auto& [from, to, edge] : StrongestEdges(graph_, kFoundEdges))
      Add(Name(from, 200) + " depends on " + Name(to, 200), Count(static_cast<size_t>(edge->count), "line", "lines") + (edge->deferred ? edge->count == 1 ? kOneLater : kAllLater : ".") + (edge->lines.size() < static_cast<size_t>(edge->count) ? " The first are shown." : ""),
          Severity::kInfo, edge->lines);
  }

  void Hubs() {
    Json used = Json::array(), using_many = Json::array();
    const auto users = seen_.units.UsedBy();
    for (const auto& [unit, count] : Most(users)) {
      used.push_back(Json{{"path", FileOf(seen_, unit)}, {"count", count}});
      if (used.size() > kFoundHubs || count < 2) continue;
      std::vector<Citation> evidence;
      for (const auto& user : users.at(unit))
        if (evidence.size() < 5) evidence.push_back(seen_.units.Find(user, unit)->lines[0]);
      const bool imported = UnseenUses(FileOf(seen_, unit)) != nullptr;
      Add(Name(FileOf(seen_, unit), 200) + (imported ? " is imported by " : " is used by ") + UsersOf(seen_, unit, count), (imported ? "One of the most imported. " : "One of the most used. ") + WhatAChangeTouches(seen_, unit, count), Severity::kInfo, std::move(evidence));
    }
    std::map<std::string, std::set<std::string>> uses;
    for (const auto& [unit, edges] : seen_.units.edges())
      for (const auto& [to, edge] : edges) uses[unit].insert(to);
    for (const auto& [unit, count] : Most(uses)) {
      using_many.push_back(Json{{"path", FileOf(seen_, unit)}, {"count", count}, {"files", FilesOf(unit)}});
      if (using_many.size() > kFoundHubs || count < 2) continue;
      std::vector<Citation> evidence;
      for (const auto& to : uses.at(unit))
        if (evidence.size() < 5) evidence.push_back(seen_.units.Find(unit, to)->lines[0]);
      Add(FilesUse(seen_, unit) + " " + std::to_string(count) + " others", std::string(UnseenUses(FileOf(seen_, unit)) ? "One of those that import most." : "One of those that use most.") + " What it uses of tests, examples and the like is not counted.", Severity::kInfo, std::move(evidence));
    }
    hubs_ = Json{{"most_used", std::move(used)}, {"using_most", std::move(using_many)}};
  }

  void EntryPoints() {
    for (const auto& point : RankEntryPoints(view_, RankLanguages(view_), DescribeRepository(view_).name)) {
      entries_.push_back(point.where);
      if (entries_.size() <= kFoundEntries) Add(ShortenWords(EntryTitle(view_, point), 300), point.what + ".", Severity::kInfo, {point.evidence});
    }
  }

  Report Finish(const PlaybookRun& run) {
    Report report;
    report.data = ArchitectData({graph_, by_folder_, tangled_, file_cycles_, layers_, seen_.not_searched, hubs_, entries_});
    size_t edges = 0;
    for (const auto& [name, targets] : graph_.edges()) edges += targets.size();
    std::string& out = report.summary;
    if (edges == 0) {
      out = WithoutEdges(seen_, graph_, by_folder_);
    } else {
      const bool layers = WhyNoLayers(seen_, by_folder_).empty();
      out = Modules() + " with " + Count(edges, "dependency", "dependencies") + " between them" + (UnseenOf(seen_).empty() ? "" : " by their imports alone") + (layers ? ", in " + Count(layers_.size(), "layer" , "layers") : "") + ".";
      out += CyclesSaid(run);
      if (const auto bottom = Placed(layers_.front()); layers && !bottom.empty()) out += NamesSaid(" At the bottom: ", bottom);
      if (const auto top = Placed(layers_.back()); layers && layers_.size() > 1 && !top.empty()) out += NamesSaid(" At the top: ", top);
      if (const auto most = Most(seen_.units.UsedBy()); !most.empty()) out += (UnseenUses(FileOf(seen_, most[0].first)) ? " Most imported: " : " Most used: ") + Name(FileOf(seen_, most[0].first)) + " (by " + UsersOf(seen_, most[0].first, most[0].second) + ").";
    }
    out += DataSaid(report.data);
    if (!unread_.empty()) out += " What files in " + unread_ + " import was not read.";
    std::string languages;
    for (const auto& language : seen_.languages) languages += (languages.empty() ? "" : ", ") + language;
    out += " No language model was used: fixed rules read the includes and imports of " + std::to_string(seen_.files - seen_.left_aside) + " source files (" + (languages.empty() ? "no language that is known here" : languages) + ") in " +
           std::to_string(run.tool_calls) + " tool calls; " + std::to_string(seen_.left_aside) + " of tests, examples, documentation and other projects were left aside.";
    const bool partial = !seen_.not_searched.empty() || seen_.listing_cut || run.cut_short;
    if (!seen_.not_searched.empty()) out += " Not all lines were seen in " + std::to_string(seen_.not_searched.size()) + " places, first of all " + Short(*seen_.not_searched.begin(), 120) + ".";
    if (seen_.listing_cut) out += " There are more files than could be listed.";
    if (view_.tree_incomplete()) out += " Some of the tree could not be seen.";
    // That nothing depends on anything is a whole answer too, where all was read.
    report.complete = !partial && !view_.tree_incomplete() && (edges > 0 || (!graph_.edges().empty() && unread_.empty()));
    if (partial) report.next_actions.push_back("ask again for one folder at a time");
    report.findings = std::move(findings_);
    return report;
  }

 private:
  const std::set<std::string>& UseAside() const { return by_folder_ ? seen_.folders_use_aside : seen_.use_aside; }

  // Of a layer, those of which all uses are counted.
  std::vector<std::string> Placed(const std::vector<std::string>& layer) const {
    std::vector<std::string> out;
    std::copy_if(layer.begin(), layer.end(), std::back_inserter(out), [&](const std::string& name) { return !UseAside().contains(name); });
    return out;
  }

  std::string DataSaid(const Json& data) const {
    if (!data["omitted"].contains("modules") && !data["omitted"].contains("edges")) return "";
    return " `data` holds " + std::to_string(data["modules"].size()) + " of " + DumpJson(data["counts"]["modules"]) + " " + (by_folder_ ? "folders" : Units()) + " and " + std::to_string(data["edges"].size()) + " of " +
           DumpJson(data["counts"]["edges"]) + " dependencies between them.";
  }

  bool AnyDeferred() const {
    return std::any_of(graph_.edges().begin(), graph_.edges().end(), [](const auto& module) { return std::any_of(module.second.begin(), module.second.end(), [](const auto& edge) { return edge.second.deferred; }); });
  }

  // How many are counted together under the name of one.
  size_t FilesOf(const std::string& unit) const {
    const auto files = seen_.files_of.find(unit);
    return files == seen_.files_of.end() ? 1 : files->second.size();
  }

  std::string Modules() const { return by_folder_ ? Count(graph_.edges().size(), "folder", "folders") : std::to_string(graph_.edges().size()) + (HasPairs(seen_) ? " modules (a header and its source are one)" : graph_.edges().size() == 1 ? " file" : " files"); }
  // What they are where folders aren't the modules.
  std::string Units() const { return HasPairs(seen_) ? "modules" : "files"; }

  // Main languages of which no import was read: no rule here knows them.
  void FindUnread() {
    const auto languages = RankLanguages(view_);
    for (size_t i = 0; i < languages.size() && i < 6; ++i) {
      const bool known = MatchesWhole(languages[i].name, "C|C\\+\\+|Objective-C.*|Python|Cython|JavaScript|TypeScript|Go|Rust|Java|Kotlin|Scala|Groovy|Ruby|Shell");
      if (!known && languages[i].files * 20 >= languages[0].files) unread_ += (unread_.empty() ? "" : ", ") + languages[i].name;
    }
  }

  // That there is none is said only of what was looked at.
  std::string CyclesSaid(const PlaybookRun& run) const {
    const std::string modules = by_folder_ ? "folders" : Units(), unseen = UnseenOf(seen_);
    std::string out;
    if (!tangled_.empty()) out += CyclesBetween(tangled_, graph_.Tangles(), modules + " in " + Count(graph_.Tangles().size(), "group", "groups"), !by_folder_ && !unseen.empty());
    // Those that close only by lines which may not count when it is loaded.
    const auto later = tangled_.empty() ? graph_.AllAtOnce().Cycles(1) : std::vector<DependencyCycle>();
    if (!later.empty()) out += " No cycle at load time was seen between " + modules + "; with lines that are indented or for types only, " + CycleNames(later[0]) + " depend on each other.";
    if (!file_cycles_.empty()) {
      out += !by_folder_ || !out.empty() ? "" : " No cycle between folders was seen, but";
      out += CyclesBetween(file_cycles_, seen_.paths.Tangles(), "files", !unseen.empty());
    }
    const bool partial = !seen_.not_searched.empty() || seen_.listing_cut || seen_.missed || run.cut_short || view_.tree_incomplete();
    const char* none = by_folder_ ? seen_.paths.edges().empty() || !unseen.empty() ? "folders" : "folders or files" : "files";
    if (out.empty()) out = std::string(partial || !unseen.empty() ? " No cycle was seen between " : " No cycles between ") + none + (partial ? seen_.missed ? ", but not all includes could be followed." : ", but not all was looked at." : unseen.empty() ? "." : " by their imports alone.");
    return out;
  }

  // Of a group that has pairs only those are told.
  static std::string CyclesBetween(const std::vector<DependencyCycle>& cycles, const std::vector<std::set<std::string>>& tangles, const std::string& modules, bool may_be_more) {
    const bool longer = std::any_of(tangles.begin(), tangles.end(), [](const auto& tangle) { return tangle.size() > 2; });
    return (may_be_more || cycles.size() >= kCycles ? " At least " : " ") + Count(cycles.size(), "cycle", "cycles") + " between " + modules + ", first of all " + CycleNames(cycles[0]) + (longer ? " (of a group that has pairs no longer ones are counted)." : ".");
  }

  static std::vector<std::pair<std::string, size_t>> Most(const std::map<std::string, std::set<std::string>>& sets) {
    std::vector<std::pair<std::string, size_t>> out;
    for (const auto& [name, others] : sets) out.emplace_back(name, others.size());
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (out.size() > kHubs) out.resize(kHubs);
    return out;
  }

  void Add(std::string title, std::string detail, Severity severity, std::vector<Citation> evidence) {
    if (!evidence.empty()) findings_.push_back({VisibleText(title, Newlines::kEscape), severity, Short(detail, 4000), Confidence::kHigh, std::move(evidence)});
  }

  const RepoView& view_;
  const ArchitectSeen& seen_;
  const bool by_folder_;
  const ModuleGraph& graph_;
  std::vector<DependencyCycle> tangled_, file_cycles_;
  std::string unread_;
  std::vector<std::vector<std::string>> layers_;
  std::map<std::string, std::set<std::string>> used_by_;
  std::vector<ClaimedFinding> findings_;
  Json hubs_, entries_ = Json::array();
};

}  // namespace

Report WriteArchitectReport(const RepoView& view, const ArchitectSeen& seen, const PlaybookRun& run) {
  Writer writer(view, seen);
  writer.Structure();
  writer.Cycles();
  writer.Edges();
  writer.Hubs();
  writer.EntryPoints();
  return writer.Finish(run);
}

}  // namespace paddock::subagents
