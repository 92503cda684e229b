#include "subagents/playbook/investigator_report.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "subagents/playbook/bodies.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFindings = 60, kMaxEvidence = 6;

std::string Short(std::string_view text, size_t bytes = 300) { return std::string(TruncateUtf8(text, bytes)); }
std::string At(const Place& place) { return place.path + ":" + std::to_string(place.line); }
std::string Count(size_t n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); }

class Writer {
 public:
  Writer(const RepoView& view, InvestigatorSeen* seen) : view_(view), seen_(*seen) {}

  void File(const GoalName& file) {
    const SeenLines* lines = view_.LinesOf(file.name);
    if (lines == nullptr) {
      missing_.push_back("no file " + file.name + " was read");
      return;
    }
    std::vector<Citation> evidence;
    std::string names;
    size_t count = 0;
    for (const auto& [number, line] : *lines) {
      auto defined = DefinedOn(file.name, line.text);
      if (!defined || defined->kind == "variable" || defined->kind == "declaration") continue;
      if (++count <= 12) names += (names.empty() ? "" : ", ") + Short(defined->name, 60);
      if (auto citation = view_.Cite(file.name, number, number); citation && evidence.size() < 8) evidence.push_back(*citation);
    }
    if (count > 0) Add(file.name + " defines " + names + (count > 12 ? " and more" : ""), "", std::move(evidence));
    std::vector<Citation> users;
    for (const auto& path : view_.ReadFiles()) {
      if (path == file.name || IsForeignPath(path)) continue;
      for (const auto& [number, line] : *view_.LinesOf(path))
        if (users.size() < kMaxEvidence && line.text.find(BaseName(file.name)) != std::string::npos) {
          if (auto citation = view_.Cite(path, number, number, BaseName(file.name))) users.push_back(*citation);
          break;
        }
    }
    if (!users.empty()) Add(std::string(BaseName(file.name)) + " is named in " + users[0].path + (users.size() > 1 ? " and other files" : ""), "", std::move(users));
    Json entry = {{"name", file.name}, {"definitions", Json::array({file.name})}, {"uses", Json::array()}, {"tests", Json::array()}, {"docs", Json::array()}};
    data_.push_back(std::move(entry));
  }

  void Name(const NamePlaces& name) {
    Json entry = {{"name", name.name}, {"definitions", Json::array()}, {"declarations", Json::array()}, {"uses", Json::array()}, {"tests", Json::array()}, {"docs", Json::array()}, {"settings", Json::array()}};
    of_others_ = false;
    Definitions(name, &entry);
    Uses(name, &entry);
    ByFile(name, PlaceKind::kTest, "tests", "no test names", &entry);
    ByFile(name, PlaceKind::kProse, "docs", "no document names", &entry);
    ByFile(name, PlaceKind::kSettings, "settings", nullptr, &entry);
    data_.push_back(std::move(entry));
  }

  Report Finish(const PlaybookRun& run) {
    Report report;
    std::string& out = report.summary;
    for (const auto& line : answers_) out += (out.empty() ? "" : " ") + line;
    for (const auto& name : seen_.goal.names) {
      const bool found = name.is_file ? view_.LinesOf(name.name) != nullptr
                                      : std::any_of(seen_.names.begin(), seen_.names.end(), [&](const auto& have) { return have.asked == name.name; });
      if (!found) missing_.push_back("`" + Short(name.name, 80) + "` stands in no file that was searched (also tried: " + Others(name) + ")");
    }
    if (seen_.goal.names.empty() && seen_.names.empty())
      missing_.push_back(seen_.goal.stems.empty() ? "the goal has no word that could be searched for" : "nothing is defined whose name holds one of the goal's words");
    if (seen_.goal.names.empty() && !seen_.names.empty()) out += " The goal names no identifier: these are the definitions whose names hold most of its words.";
    if (!missing_.empty()) {
      out += out.empty() ? "Not found: " : " Not found: ";
      for (size_t i = 0; i < missing_.size() && i < 8; ++i) out += (i > 0 ? "; " : "") + missing_[i];
      out += ".";
    }
    if (!seen_.searches.empty() || !seen_.stems.empty()) {
      out += " Searched for";
      if (!seen_.searches.empty()) out += Words(seen_.searches, 12);
      if (!seen_.stems.empty()) out += std::string(seen_.searches.empty() ? "" : ", and for") + " definitions whose names hold" + Words(seen_.stems, 12);
      out += " in all files that are not ignored" + std::string(seen_.cut_searches.empty() ? "." : "; a search had more matches than were given, so counts are of what was seen.");
    }
    out += " No language model was used: a fixed playbook made " + std::to_string(run.tool_calls) + " tool calls.";
    if (view_.tree_incomplete()) out += " Some of the tree could not be seen (unreadable, too deep, or out of time).";
    report.findings = std::move(findings_);
    report.complete = !run.cut_short && !view_.tree_incomplete() && !report.findings.empty();
    if (run.cut_short) report.next_actions.push_back("run the investigator again with more turns: there was more to look at");
    if (report.findings.empty()) report.next_actions.push_back("name an identifier, a file or a word of the code in the goal, in backquotes");
    report.data = Json{{"names", std::move(data_)}};
    return report;
  }

 private:
  static std::string Words(const std::vector<std::string>& words, size_t most) {
    std::string out;
    std::set<std::string> said;
    for (const auto& word : words)
      if (said.insert(word).second && said.size() <= most) out += (out.empty() ? " `" : ", `") + Short(word, 80) + "`";
    return out + (said.size() > most ? " and " + std::to_string(said.size() - most) + " more" : "");
  }

  // Where a search for the name gave no more than its limit, a number is what was seen of it.
  std::string AtLeast(const NamePlaces& name) const {
    const bool cut = std::any_of(seen_.cut_searches.begin(), seen_.cut_searches.end(), [&](const std::string& pattern) { return pattern.find(name.name) != std::string::npos; });
    return cut ? "at least " : "";
  }

  static std::string Others(const GoalName& name) {
    std::string out;
    for (size_t i = 1; i < name.spellings.size(); ++i) out += (i > 1 ? ", " : "") + Short(name.spellings[i], 60);
    return out.empty() ? "nothing else" : out;
  }

  void Definitions(const NamePlaces& name, Json* entry) {
    auto definitions = name.Definitions();
    const size_t owned = static_cast<size_t>(std::count_if(definitions.begin(), definitions.end(), [](const Place* place) { return place->is_of_owner; }));
    const std::string label = "`" + (owned > 0 ? Short(name.owner, 80) : "") + name.name + "`";
    for (size_t i = 0; i < definitions.size(); ++i) {
      const Place& place = *definitions[i];
      if (i < 20) (*entry)["definitions"].push_back(At(place));
      // Of other things than the one that is asked for nothing is told.
      if (i >= 4 || (owned > 0 && i >= owned)) continue;
      auto citation = view_.Cite(place.path, place.line, place.line, name.name);
      if (!citation) continue;
      Add(label + " is " + (i == 0 ? "" : "also ") + "defined in " + At(place) + " (" + Short(place.what, 40) + ")", place.scope.empty() ? "" : "In " + Short(place.scope, 120) + ".", {*citation});
      if (i < 3) Comment(name, place);
      if (i < 2) Calls(name, place);
    }
    for (const Place* place : name.Of(PlaceKind::kDeclaration)) {
      if ((*entry)["declarations"].size() >= 8) break;
      (*entry)["declarations"].push_back(At(*place));
      if ((*entry)["declarations"].size() > 2) continue;
      if (auto citation = view_.Cite(place->path, place->line, place->line, name.name)) Add("`" + name.name + "` is declared in " + At(*place), "", {*citation});
    }
    if (definitions.empty()) missing_.push_back("no definition of `" + name.name + "`");
    else {
      const auto classes = owned == 0 && !name.owner.empty() ? ClassPlaces(view_, OwnerName(name.owner)) : std::vector<std::pair<std::string, int64_t>>();
      if (!classes.empty()) answers_.push_back("No `" + name.name + "` of " + Short(OwnerName(name.owner), 80) + " itself was seen, which is defined in " + classes[0].first + ":" + std::to_string(classes[0].second) + ".");
      const size_t same = owned > 0 ? owned : definitions.size();
      answers_.push_back(label + " is defined in " + At(*definitions[0]) + (same > 1 ? " (and " + Count(same - 1, "more place", "more places") + ")" : "") +
                         (same < definitions.size() ? "; " + Count(definitions.size() - same, "other place defines", "other places define") + " a `" + name.name + "` of something else" : "") + ".");
      of_others_ = same < definitions.size();
    }
  }

  void Comment(const NamePlaces& name, const Place& place) {
    const auto range = CommentOf(view_, place);
    auto citation = range ? view_.Cite(place.path, range->first, range->second) : std::nullopt;
    if (!citation) return;
    auto plain = FirstGroup(citation->quote, R"re([^\w`'"<]*([^\n]+))re");
    Add("What `" + name.name + "` is, by its own comment: " + Short(plain ? *plain : citation->quote, 200), "", {*citation});
  }

  void Calls(const NamePlaces& name, const Place& place) {
    std::vector<Citation> evidence;
    std::string names, detail;
    for (const auto& call : CallsIn(view_, place)) {
      if (evidence.size() >= kMaxEvidence) break;
      const auto called = PlacesOf(view_, seen_.symbols, call.name, "");
      const auto definitions = called.Definitions();
      if (definitions.size() != 1 || call.name == name.name || (definitions[0]->path == place.path && definitions[0]->line == call.line) || IsSidePath(definitions[0]->path) || definitions[0]->what == "variable") continue;  // several: which of them isn't known
      auto citation = view_.Cite(place.path, call.line, call.line, call.name);
      if (!citation) continue;
      evidence.push_back(*citation);
      names += (names.empty() ? "`" : ", `") + Short(call.name, 60) + "`";
      detail += (detail.empty() ? "" : "; ") + Short(call.name, 60) + " is defined in " + At(*definitions[0]);
    }
    if (!evidence.empty()) Add("`" + name.name + "` in " + At(place) + " calls " + names, detail + ".", std::move(evidence), Confidence::kMedium);
  }

  void Uses(const NamePlaces& name, Json* entry) {
    std::map<std::string, std::vector<const Place*>> files;
    size_t uses = 0;
    for (const auto& place : name.places) {
      if (place.kind != PlaceKind::kCall && place.kind != PlaceKind::kUse && place.kind != PlaceKind::kImport) continue;
      files[place.path].push_back(&place);
      ++uses;
    }
    if (files.empty()) {
      missing_.push_back("no use of `" + name.name + "` outside of its definition, tests and documents");
      return;
    }
    std::vector<std::pair<std::string, std::vector<const Place*>>> ranked(files.begin(), files.end());
    auto score = [](const auto& file) {
      int calls = 0;
      for (const Place* place : file.second) calls += place->kind == PlaceKind::kCall ? 3 : place->kind == PlaceKind::kUse ? 1 : 0;
      return (IsSidePath(file.first) ? -1000 : 0) + calls;
    };
    std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) { return score(a) > score(b); });
    std::string where;
    size_t shown = 0;
    for (auto& [path, places] : ranked) {
      std::stable_sort(places.begin(), places.end(), [](const Place* a, const Place* b) { return a->kind < b->kind; });
      Json use = {{"path", path}, {"lines", places.size()}, {"first", places[0]->line}, {"in", Json::array()}};
      std::vector<Citation> evidence;
      std::string callers;
      for (const Place* place : places) {
        const Symbol* around = seen_.symbols.FunctionAround(path, place->line);
        if (around != nullptr && around->name != name.name && callers.find("`" + around->name + "`") == std::string::npos && use["in"].size() < 6) {
          use["in"].push_back(around->name);
          callers += (callers.empty() ? "`" : ", `") + Short(around->name, 60) + "`";
        }
        if (evidence.size() < 4)
          if (auto citation = view_.Cite(path, place->line, place->line, name.name)) evidence.push_back(*citation);
      }
      if ((*entry)["uses"].size() < 30) (*entry)["uses"].push_back(std::move(use));
      if (++shown <= 5) {
        where += (where.empty() ? "" : ", ") + path;
        Add("`" + name.name + "` is used in " + path + " (" + AtLeast(name) + Count(places.size(), "line", "lines") + ")", callers.empty() ? "" : "In " + callers + ".", std::move(evidence));
      }
    }
    const std::string least = AtLeast(name);
    answers_.push_back((of_others_ ? "The name `" + name.name + "`, of this or of something else, is used in " : "It is used in ") + least + Count(uses, "line", "lines") + " of " + least + Count(files.size(), "file", "files") +
                       (least.empty() ? "" : " (a search was cut off: there are more)") + ": " + where + (files.size() > 5 ? ", ..." : "") + ".");
  }

  void ByFile(const NamePlaces& name, PlaceKind kind, const char* key, const char* none, Json* entry) {
    std::map<std::string, std::vector<const Place*>> files;
    for (const Place* place : name.Of(kind)) files[place->path].push_back(place);
    std::vector<std::pair<std::string, std::vector<const Place*>>> ranked(files.begin(), files.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      const bool log_a = IsChangeLog(a.first), log_b = IsChangeLog(b.first);
      return log_a != log_b ? log_b : a.second.size() > b.second.size();
    });
    const char* verb = kind == PlaceKind::kTest ? "` is named by the test " : kind == PlaceKind::kProse ? "` is named in the document " : "` stands in ";
    for (size_t i = 0; i < ranked.size() && i < 20; ++i) {
      const auto& [path, places] = ranked[i];
      (*entry)[key].push_back(path);
      if (i >= 3 || (IsChangeLog(path) && i > 0)) continue;
      std::vector<Citation> evidence;
      for (const Place* place : places)
        if (auto citation = view_.Cite(path, place->line, place->line, name.name); citation && evidence.size() < 3) evidence.push_back(*citation);
      Add("`" + name.name + (IsChangeLog(path) ? "` is named in the change log " : verb) + path + " (" + AtLeast(name) + Count(places.size(), "line", "lines") + ")", "", std::move(evidence));
    }
    if (ranked.empty() && none != nullptr) missing_.push_back(std::string(none) + " `" + name.name + "`");
    else if (kind == PlaceKind::kTest) answers_.push_back("Tests: " + ranked[0].first + (ranked.size() > 1 ? " and " + Count(ranked.size() - 1, "other", "others") : "") + ".");
    else if (kind == PlaceKind::kProse) answers_.push_back("Documentation: " + ranked[0].first + (ranked.size() > 1 ? " and " + Count(ranked.size() - 1, "other", "others") : "") + ".");
  }

  void Add(std::string title, std::string detail, std::vector<Citation> evidence, Confidence confidence = Confidence::kHigh) {
    if (evidence.empty() || findings_.size() >= kMaxFindings) return;
    findings_.push_back({std::move(title), Severity::kInfo, Short(detail, 2000), confidence, std::move(evidence)});
  }

  const RepoView& view_;
  InvestigatorSeen& seen_;
  std::vector<ClaimedFinding> findings_;
  std::vector<std::string> answers_, missing_;
  bool of_others_ = false;  // other things have definitions of the name as well
  Json data_ = Json::array();
};

}  // namespace

Report WriteInvestigatorReport(const RepoView& view, InvestigatorSeen* seen, const PlaybookRun& run) {
  for (auto& name : seen->names) name = PlacesOf(view, seen->symbols, name.name, name.asked, name.owner);
  Writer writer(view, seen);
  for (const auto& name : seen->goal.names)
    if (name.is_file) writer.File(name);
  for (const auto& name : seen->names) writer.Name(name);
  return writer.Finish(run);
}

}  // namespace paddock::subagents
