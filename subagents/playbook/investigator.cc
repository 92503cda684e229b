// The investigator: the goal's names, where they are defined and used, and around the definitions what they say and call.
#include <algorithm>
#include <set>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/definition_searches.h"
#include "subagents/playbook/fields.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/investigator_report.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_uses.h"
#include "subagents/playbook/names_by_words.h"
#include "subagents/playbook/paced.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/text_places.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNames = 5;
constexpr int64_t kSearchLimit = 500, kMostLines = 2000;
constexpr size_t kMostReads = 16, kMostFields = 12, kMostCalled = 60;
constexpr int64_t kLinesToField = 80;  // of a structure, before it
constexpr char kGlobOfFields[] = "*.{go,rs,c,h,cc,cpp,cxx,hh,hpp,hxx}";

// No value, and no module: what a word of a goal may well mean.
bool IsMore(const Place* place) { return !MatchesWhole(place->what, "variable|constant|property|field|module|packageName"); }

class Investigator : public PacedPlaybook {
  void Take(const agentcore::CallOutcome& outcome) override {
    seen_.symbols.Take(outcome);
    const Json& arguments = outcome.call.arguments;
    if (outcome.call.tool != "search_text" || outcome.result.artifacts.empty()) return;
    const Json& facts = outcome.result.artifacts.front().facts;
    if (facts.is_object() && facts.value("truncated", Json(false)) == Json(true)) seen_.cut_searches.insert(arguments.value("pattern", std::string()));
    for (const auto& artifact : outcome.result.artifacts) {
      if (IsForeignPath(artifact.path) || IsMadePath(artifact.path)) continue;
      for (int64_t line : MatchesShownCut(artifact)) seen_.shown_cut[arguments.value("pattern", std::string())].insert(artifact.path + ":" + std::to_string(line));
    }
  }

  void Plan(const ModelRequestFrame& request) override {
    if (stage_ == 0) seen_.goal = ReadGoal(request.goal);
    while (queue_.empty() && stage_ < 8) {
      switch (stage_++) {
        case 0:
          queue_.Add("list_files", Json{{"limit", 2000}});
          for (const auto& name : seen_.goal.names) Ask(name);
          for (const auto& name : seen_.goal.asked) Ask(name);
          if (seen_.goal.names.empty()) AskForStems();
          else if (!seen_.goal.words.empty()) queue_.Add("search_text", Json{{"pattern", DefinitionPattern(AnyOfBare(seen_.goal.words))}, {"limit", 200}});
          break;
        case 1: Choose(); break;
        case 2: Resolve(); break;
        case 3: ReadAround(); break;
        case 4: AskForCalled(); break;
        case 5:
        case 6: ReadUsers(); break;
        case 7: Widen(); break;
      }
    }
  }

  Report Write(const PlaybookRun& run) override {
    if (seen_.names.empty()) Resolve();
    return WriteInvestigatorReport(view_, &seen_, run);
  }

  void Ask(const GoalName& name) {
    if (name.is_file) {
      queue_.Add("outline", Json{{"path", name.name}});
      queue_.Read(name.name, 200);
      queue_.Add("search_text", Json{{"pattern", std::string(BaseName(name.name))}, {"literal", true}, {"limit", 60}});
      return;
    }
    if (name.is_text) {
      seen_.searches.push_back(name.name);
      queue_.Add("search_text", Json{{"pattern", name.name}, {"literal", true}, {"limit", kSearchLimit}});
      return;
    }
    queue_.Add("find_symbol", Json{{"name", name.name}});
    queue_.Add("search_text", Json{{"pattern", DefinitionPattern(AnyOfBare(name.spellings))}, {"limit", 100}});
    Search(name.spellings);
    if (!name.owner.empty()) queue_.Add("search_text", Json{{"pattern", DefinitionPattern(OwnerName(name.owner))}, {"limit", 40}});
  }
  void Search(const std::vector<std::string>& words) {
    const std::string pattern = AnyOf(words);
    seen_.searches.insert(seen_.searches.end(), words.begin(), words.end());
    queue_.Add("search_text", Json{{"pattern", pattern}, {"limit", kSearchLimit}});
  }
  static std::string AnyOfBare(const std::vector<std::string>& names) {
    std::string all = AnyOf(names);
    for (size_t at = 0; (at = all.find("\\b", at)) != std::string::npos;) all.erase(at, 2);
    return all;
  }

  // Names of the code that are made of the goal's words.
  void AskForStems() {
    if (seen_.goal.stems.empty()) return;
    seen_.stems = seen_.goal.stems;
    queue_.Add("search_text", Json{{"pattern", DefinitionsByWords(seen_.stems)}, {"ignore_case", true}, {"limit", 400}});
    queue_.Add("search_text", Json{{"pattern", FieldsByWords(seen_.stems)}, {"ignore_case", true}, {"glob", kGlobOfFields}, {"limit", 200}});
    from_words_ = true;
    stage_ = 1;  // of what is found is chosen, again where the goal's names were tried first
  }

  void Choose() {
    TakeTextsAsNames();
    if (TakeAsked() || (!from_words_ && AnyNameStands())) return seen_.stems.clear();
    if (!from_words_) return AskForStems();  // none of the names stands anywhere
    if (!fields_read_) {
      fields_read_ = true;
      ReadLikelyFields();
      stage_ = 1;
      return;
    }
    ChooseByWords();
    seen_.files = FilesOfGoal(view_, seen_.goal);
    for (const auto& path : seen_.files) queue_.Read(path, 600);
  }

  // Words that the goal asks about are names where the code defines them.
  bool TakeAsked() {
    bool any = false;
    for (const auto& name : seen_.goal.asked) {
      const auto places = PlacesOf(view_, seen_.symbols, name.name, name.name);
      const auto definitions = places.Definitions();
      if (std::none_of(definitions.begin(), definitions.end(), IsMore)) continue;
      seen_.goal.names.push_back(name);
      any = true;
    }
    return any;
  }

  bool AnyNameStands() const {
    return std::any_of(seen_.goal.names.begin(), seen_.goal.names.end(), [&](const auto& name) { return name.is_file || !Spelled(name).empty() || !PlacesOfText(view_, name.name).empty(); });
  }

  // That such a line is a field is told by those before it.
  void ReadLikelyFields() {
    size_t read = 0;
    for (const auto& [path, line] : LikelyFields(view_, seen_.goal.stems))
      if (read++ < kMostFields) queue_.ReadFrom(path, std::max<int64_t>(1, line - kLinesToField), kLinesToField + 4);
  }

  // A text that stands nowhere may be a name in words: "rate limit" of rate_limit.
  void TakeTextsAsNames() {
    for (auto& name : seen_.goal.names) {
      if (!name.is_text || name.spellings.size() < 2 || !PlacesOfText(view_, name.name).empty()) continue;
      name.is_text = false;
      GoalName in_words = name;
      in_words.spellings.erase(in_words.spellings.begin());
      in_words.name = in_words.spellings[0];
      Ask(in_words);
    }
  }

  // The spelling that stands in the code: the one with a definition, else any.
  std::string Spelled(const GoalName& name) const {
    std::string any;
    for (const auto& spelling : name.spellings) {
      const auto places = PlacesOf(view_, seen_.symbols, spelling, name.name);
      if (!places.Of(PlaceKind::kDefinition).empty()) return spelling;
      if (any.empty() && !places.places.empty()) any = spelling;
    }
    return any;
  }

  void ChooseByWords() {
    seen_.chosen = NamesByWords(view_, seen_.goal.stems);
    for (const auto& name : seen_.chosen) {
      queue_.Add("find_symbol", Json{{"name", name}});
      Search({name});
    }
  }

  // From here on the names are those of the code.
  void Resolve() {
    seen_.names.clear();
    auto add = [&](const std::string& name, const std::string& asked, const std::string& owner, const std::string& kind = "") {
      if (name.empty()) return;
      for (const auto& have : seen_.names)
        if (have.name == name) return;
      if (seen_.names.size() >= kMaxNames) {
        seen_.goal.left_out.push_back(asked);
        return;
      }
      seen_.names.push_back(PlacesOf(view_, seen_.symbols, name, asked, owner, kind));
    };
    for (const auto& name : seen_.goal.names)
      if (!name.is_file && !name.is_text) add(Spelled(name), name.name, name.owner, name.kind);
    for (const auto& name : seen_.chosen) add(name, "", "");
  }

  void ReadAround() {
    for (const auto& name : seen_.names) {
      size_t read = 0;
      // Where nothing tells what a definition is of, the class itself.
      if (const auto all = name.Definitions(); !name.owner.empty() && !all.empty() && !all[0]->is_meant)
        for (const auto& place : ClassPlaces(view_, OwnerName(name.owner)))
          if (++read <= 2) queue_.ReadFrom(place.first, place.second, place.first == all[0]->path && all[0]->line > place.second ? std::clamp<int64_t>(all[0]->line - place.second + 1, 400, kMostLines) : 400);
      read = 0;
      for (const Place* place : name.Definitions()) {
        if (++read > 3) break;
        const int64_t first = std::max<int64_t>(1, place->line - 45);
        const int64_t last = place->end > 0 ? std::min(place->end + 2, place->line + 220) : place->line + 80;
        queue_.ReadFrom(place->path, first, last - first + 1);
        queue_.Add("outline", Json{{"path", place->path}, {"limit", 1000}});
      }
      if (name.Definitions().empty()) ReadStructures(name);
      // What a header says of it.
      read = 0;
      for (const Place* place : name.Of(PlaceKind::kDeclaration))
        if (++read <= 2) queue_.ReadFrom(place->path, std::max<int64_t>(1, place->line - 30), 31);
      std::vector<std::pair<int64_t, std::string>> users;
      for (const Place* place : name.Of(PlaceKind::kCall)) {
        auto have = std::find_if(users.begin(), users.end(), [&](const auto& user) { return user.second == place->path; });
        if (have == users.end()) users.emplace_back(-1, place->path);
        else --have->first;
      }
      std::stable_sort(users.begin(), users.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (size_t i = 0; i < users.size() && i < 3; ++i) queue_.Add("outline", Json{{"path", users[i].second}, {"limit", 1000}});
    }
  }

  // A line tells that it declares a field only with those before it.
  void ReadStructures(const NamePlaces& name) {
    size_t read = 0;
    for (const auto& place : name.places) {
      if (IsTestPath(place.path) || !LooksLikeField(place.path, view_.LinesOf(place.path)->at(place.line).text, name.name)) continue;
      if (++read <= 4) queue_.ReadFrom(place.path, std::max<int64_t>(1, place.line - kLinesToField), kLinesToField + 4);
    }
  }

  // Definitions of what the bodies call.
  void AskForCalled() {
    for (auto& name : seen_.names) name = PlacesOf(view_, seen_.symbols, name.name, name.asked, name.owner, name.kind);
    std::set<std::string> called;
    for (const auto& name : seen_.names)
      for (const Place* place : name.Definitions())
        for (const auto& call : CallsIn(view_, *place))
          if (called.size() < kMostCalled) called.insert(call.name);
    for (const auto& some : InPatterns({called.begin(), called.end()}, called.size())) queue_.Add("search_text", Json{{"pattern", DefinitionPattern(AnyOfBare(some))}, {"limit", 200}});
  }

  // What stands before a line tells whether it is of a comment or of a string, and which variables there are.
  void ReadUsers() {
    size_t reads = 0;
    for (const auto& name : seen_.names)
      for (const auto& kinds : {std::vector{PlaceKind::kCall, PlaceKind::kUse, PlaceKind::kDeclaration}, std::vector{PlaceKind::kTest}})
        for (const auto& use : UsesOf(name, kinds)) {
          int64_t last = 0;
          for (const Place* place : use.places) last = std::max(last, place->line);
          if (const int64_t gap = FirstGap(*view_.LinesOf(use.path)); gap < last && reads++ < kMostReads) queue_.ReadFrom(use.path, gap, std::min(last - gap + 1, kMostLines));
        }
  }
  static int64_t FirstGap(const SeenLines& lines) {
    int64_t next = 1;
    for (auto it = lines.begin(); it != lines.end() && it->first == next; ++it) ++next;
    return next;
  }

  // Where a search was cut off, tests and documents by themselves.
  void Widen() {
    for (const auto& name : seen_.names) {
      if (seen_.cut_searches.empty()) return;
      const std::string pattern = AnyOf({name.name});
      queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", "{*test*,*spec*,test*/**,**/test*/**,t/**,spec/**}"}, {"limit", 100}});
      queue_.Add("search_text", Json{{"pattern", pattern}, {"glob", "*.{md,rst,txt,adoc,pod,texi,1,3,8,in}"}, {"limit", 60}});
    }
  }

  InvestigatorSeen seen_;
  bool from_words_ = false, fields_read_ = false;
  int stage_ = 0;
};

}  // namespace

std::vector<std::string> NotLookedAt(const RepoView& view, const InvestigatorSeen& seen) {
  std::vector<std::string> out = seen.goal.left_out;
  if (seen.goal.names.empty()) return out;
  for (const auto& word : seen.goal.words) {
    const bool looked_at = std::any_of(seen.names.begin(), seen.names.end(), [&](const auto& name) { return name.name == word || name.asked == word || OwnerName(name.owner) == word; });
    if (looked_at || std::find(out.begin(), out.end(), word) != out.end()) continue;
    const auto places = PlacesOf(view, seen.symbols, word, word);
    const auto definitions = places.Definitions();
    if (std::any_of(definitions.begin(), definitions.end(), IsMore)) out.push_back(word);
  }
  return out;
}

std::unique_ptr<Playbook> MakeInvestigator() { return std::make_unique<Investigator>(); }

}  // namespace paddock::subagents
