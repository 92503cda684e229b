#include "subagents/playbook/investigator_report.h"

#include <algorithm>
#include <map>
#include <set>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/counted.h"
#include "subagents/playbook/cut_searches.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/goal_files.h"
#include "subagents/playbook/known_calls.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/name_uses.h"
#include "subagents/playbook/text_places.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFindings = 60, kMaxEvidence = 6;

std::string At(const Place& place) { return place.path + ":" + std::to_string(place.line); }

class Writer {
 public:
  Writer(const RepoView& view, InvestigatorSeen* seen) : view_(view), seen_(*seen) {}

  void File(const std::string& file) {
    if (view_.LinesOf(file) == nullptr) return missing_.push_back("no file " + file + " was read");
    for (auto& finding : FindingsOfFile(view_, file)) Add(std::move(finding.title), "", std::move(finding.evidence));
    data_.push_back(Json{{"name", file}, {"definitions", Json::array({file})}, {"uses", Json::array()}, {"tests", Json::array()}, {"docs", Json::array()}});
  }

  void Text(const GoalName& text) {
    const TextPlaces places = PlacesOfText(view_, text.name);
    if (places.empty()) return missing_.push_back("the text `" + Short(text.name, 120) + "` stands in no file that was searched");
    const std::string least = seen_.cut_searches.contains(text.name) ? "at least " : "";
    for (auto& finding : FindingsOfText(view_, places, least)) Add(std::move(finding.title), "", std::move(finding.evidence));
    answers_.push_back(AnswerOfText(places, least));
    data_.push_back(DataOfText(places));
  }

  void Name(const NamePlaces& name) {
    Json entry = {{"name", name.name}, {"definitions", Json::array()}, {"declarations", Json::array()}, {"uses", Json::array()}, {"tests", Json::array()}, {"docs", Json::array()}, {"settings", Json::array()}, {"calls", Json::array()}};
    of_others_ = false;
    Definitions(name, &entry);
    Uses(name, &entry);
    Tests(name, &entry);
    Documents(name, &entry);
    Settings(name, &entry);
    TellShownCut(name);
    data_.push_back(std::move(entry));
  }

  Report Finish(const PlaybookRun& run) {
    Report report;
    std::string& out = report.summary;
    const auto left_out = NotLookedAt(view_, seen_);
    for (const auto& line : answers_) out += (out.empty() ? "" : " ") + line;
    for (const auto& name : seen_.goal.names) {
      if (name.is_text) continue;
      const bool found = name.is_file ? view_.LinesOf(name.name) != nullptr
                                      : std::any_of(seen_.names.begin(), seen_.names.end(), [&](const auto& have) { return have.asked == name.name; });
      if (!found && std::find(left_out.begin(), left_out.end(), name.name) == left_out.end()) missing_.push_back("`" + Short(name.name, 80) + "` stands in no file that was searched (also tried: " + Others(name) + ")");
    }
    if (seen_.goal.names.empty() && seen_.names.empty())
      missing_.push_back(seen_.goal.stems.empty() ? "the goal has no word that could be searched for" : "no function, class or type outside of tests was found whose name holds one of the goal's words");
    if (seen_.goal.names.empty() && !seen_.names.empty()) out += " The goal names no identifier: these are names of the code that hold words of it, and others may be of it too.";
    if (!seen_.goal.names.empty() && !seen_.chosen.empty()) out += " These are names of the code that hold other words of the goal.";
    if (!missing_.empty()) {
      out += out.empty() ? "Not found: " : " Not found: ";
      for (size_t i = 0; i < missing_.size() && i < 8; ++i) out += (i > 0 ? "; " : "") + missing_[i];
      out += ".";
    }
    if (!left_out.empty()) out += " Not looked at:" + Words(left_out, 8) + ".";
    if (!seen_.searches.empty() || !seen_.stems.empty()) {
      out += " Searched for";
      if (!seen_.searches.empty()) out += Words(seen_.searches, 12);
      if (!seen_.stems.empty()) out += std::string(seen_.searches.empty() ? "" : ", and for") + " definitions whose names hold" + Words(seen_.stems, 12);
      out += " in all files that are not ignored" + std::string(seen_.cut_searches.empty() ? "." : "; a search had more matches than were given, so counts are of what was seen.");
    }
    out += " No language model was used: a fixed playbook made " + std::to_string(run.tool_calls) + " tool calls.";
    if (view_.tree_incomplete()) out += " Some of the tree could not be seen (unreadable, too deep, or out of time).";
    report.findings = std::move(findings_);
    report.complete = !run.cut_short && !view_.tree_incomplete() && !report.findings.empty() && !unsure_;
    if (run.cut_short) report.next_actions.push_back("run the investigator again with more turns: there was more to look at");
    if (!left_out.empty()) report.next_actions.push_back("name `" + Short(left_out[0], 80) + "` in backquotes, in a goal of its own: it was not looked at");
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

  void TellShownCut(const NamePlaces& name) {
    const auto lines = ShownCut(seen_, name);
    if (lines.empty()) return;
    unsure_ = true;
    answers_.push_back("What `" + name.name + "` is in " + *lines.begin() + Further(lines.size(), "other line", "other lines") + " isn't known: only the beginning was shown of a line so long.");
  }

  static std::string Others(const GoalName& name) {
    std::string out;
    for (size_t i = 1; i < name.spellings.size(); ++i) out += (i > 1 ? ", " : "") + Short(name.spellings[i], 60);
    return out.empty() ? "nothing else" : out;
  }

  void Definitions(const NamePlaces& name, Json* entry) {
    auto definitions = name.Definitions();
    const size_t owned = static_cast<size_t>(std::count_if(definitions.begin(), definitions.end(), [](const Place* place) { return place->is_meant; }));
    const std::string label = "`" + (owned == 0 ? "" : (name.kind.empty() ? "" : name.kind + " ") + Short(name.owner, 80)) + name.name + "`";
    for (size_t i = 0; i < definitions.size(); ++i) {
      const Place& place = *definitions[i];
      if (i < 20) (*entry)["definitions"].push_back(At(place));
      // Of other things than the one that is asked for nothing is told.
      if (i >= 4 || (owned > 0 && i >= owned)) continue;
      auto citation = view_.Cite(place.path, place.line, place.line, name.name);
      if (!citation) continue;
      Add(label + " is " + (i == 0 ? "" : "also ") + "defined in " + At(place) + " (" + Short(PlainKind(place.what, LanguageOf(place.path)), 40) + ")", place.scope.empty() ? "" : "In " + Short(place.scope, 120) + ".", {*citation});
      if (i < 3) Comment(name, place);
      if (i < 2) Calls(name, place, entry);
    }
    for (const Place* place : name.Of(PlaceKind::kDeclaration)) {
      if ((*entry)["declarations"].size() >= 8) break;
      (*entry)["declarations"].push_back(At(*place));
      if ((*entry)["declarations"].size() > 2) continue;
      if (auto citation = view_.Cite(place->path, place->line, place->line, name.name)) Add("`" + name.name + "` is declared in " + At(*place), "", {*citation});
    }
    if (definitions.empty()) missing_.push_back("no definition of `" + name.name + "` was recognised");
    else {
      // Where the lines between a class and a definition weren't all seen, it may be of it.
      const bool known = std::all_of(definitions.begin(), definitions.end(), [&](const Place* place) { return !place->of.empty() || IndentOf(view_.LinesOf(place->path)->at(place->line).text) == 0; });
      const auto classes = owned == 0 && known && !name.owner.empty() ? ClassPlaces(view_, OwnerName(name.owner)) : std::vector<std::pair<std::string, int64_t>>();
      if (owned == 0 && !name.kind.empty()) answers_.push_back("No " + name.kind + " of the name `" + name.name + "`" + (name.owner.empty() ? "" : " of " + Short(OwnerName(name.owner), 80)) + " was seen.");
      else if (!classes.empty()) answers_.push_back("No `" + name.name + "` of " + Short(OwnerName(name.owner), 80) + " itself was seen, which is defined in " + classes[0].first + ":" + std::to_string(classes[0].second) + ".");
      const size_t same = owned > 0 ? owned : definitions.size();
      answers_.push_back(label + " is defined in " + At(*definitions[0]) + (same > 1 ? " (and " + Count(same - 1, "more place", "more places") + ")" : "") +
                         (same < definitions.size() ? "; " + Count(definitions.size() - same, "other place defines", "other places define") + " a `" + name.name + "` of something else" : "") + ".");
      of_others_ = same < definitions.size();
    }
  }

  // The declaration's comment where the definition has none that says something.
  void Comment(const NamePlaces& name, const Place& place) {
    std::vector<const Place*> at = {&place};
    if (name.Definitions().size() == 1)
      for (const Place* declared : name.Of(PlaceKind::kDeclaration)) at.push_back(declared);
    for (const Place* each : at) {
      const auto range = CommentOf(view_, *each);
      auto citation = range ? view_.Cite(each->path, range->first, range->second) : std::nullopt;
      const std::string plain = citation ? SaidBy(citation->quote) : "";
      if (plain.empty()) continue;
      return Add("What `" + name.name + "` is, by its own comment: " + Short(plain, 200), "", {*citation});
    }
  }

  void Calls(const NamePlaces& name, const Place& place, Json* entry) {
    const auto calls = KnownCallsIn(view_, seen_.symbols, name.name, place);
    std::vector<Citation> evidence;
    std::string names, detail;
    for (const auto& call : calls) {
      (*entry)["calls"].push_back(Json{{"in", At(place)}, {"name", call.name}, {"line", call.line}, {"defined", At(call.definition)}});
      if (evidence.size() >= kMaxEvidence) continue;
      auto citation = view_.Cite(place.path, call.line, call.line, call.name);
      if (!citation) continue;
      evidence.push_back(*citation);
      names += (names.empty() ? "`" : ", `") + Short(call.name, 60) + "`";
      detail += (detail.empty() ? "" : "; ") + Short(call.name, 60) + " is defined in " + At(call.definition);
    }
    const size_t others = calls.size() - evidence.size();
    if (!evidence.empty()) Add("`" + name.name + "` in " + At(place) + " calls " + names + (others > 0 ? " and " + std::to_string(others) + " more" : ""), detail + ". It may call others too.", std::move(evidence), Confidence::kMedium);
  }

  // As many of the places as may be shown, those first that stand first.
  std::vector<Citation> Cited(const NamePlaces& name, const FileUse& use, size_t most) const {
    std::vector<Citation> evidence;
    for (const Place* place : use.places)
      if (evidence.size() < most)
        if (auto citation = view_.Cite(place->path, place->line, place->line, name.name)) evidence.push_back(*citation);
    return evidence;
  }

  void Uses(const NamePlaces& name, Json* entry) {
    const auto files = UsesOf(name, {PlaceKind::kCall, PlaceKind::kUse, PlaceKind::kImport, PlaceKind::kWord});
    if (files.empty()) {
      if (ShownCut(seen_, name).empty()) missing_.push_back("no use of `" + name.name + "` outside of its definition, tests and documents");
      return;
    }
    const std::string least = AtLeast(seen_, name);
    std::string where;
    size_t shown = 0, lines = 0, used_in = 0;
    bool sure = !of_others_;
    for (const auto& use : files) {
      const size_t code = use.Lines() - use.words;
      lines += code;
      used_in += code > 0 ? 1 : 0;
      sure = sure && use.IsSure();
      std::string callers;
      Json data = {{"path", use.path}, {"lines", use.Lines()}, {"first", use.places[0]->line}, {"in", CallersIn(seen_.symbols, use, &callers)}, {"calls", use.calls}, {"references", use.references}, {"unsure", use.others}};
      if ((*entry)["uses"].size() < 30) (*entry)["uses"].push_back(std::move(data));
      if (++shown > 5) continue;
      if (code > 0) where += (where.empty() ? "" : ", ") + use.path;
      std::string detail = callers.empty() ? "" : "In " + callers + ".";
      if (use.calls + use.references > 0 && use.others > 0) detail += (detail.empty() ? "" : " ") + Count(use.others, "more line of it holds", "more lines of it hold") + " the word, for this or for something else.";
      Add(UseTitle(name.name, use, use.path, least), detail, Cited(name, use, 4));
    }
    if (lines == 0 && !ShownCut(seen_, name).empty()) return;
    if (lines == 0) missing_.push_back("no use of `" + name.name + "` in code outside of its definition and tests");
    else answers_.push_back((sure ? "It is used in " : "The name `" + name.name + "`, of this or of something else, is used in ") + least + Count(lines, "line", "lines") + " of " + least + Count(used_in, "file", "files") +
                       (least.empty() ? "" : ShownCut(seen_, name).empty() ? " (a search was cut off: there are more)" : " (not all was shown)") + ": " + where + (used_in > 5 ? ", ..." : "") + ".");
  }

  void Tests(const NamePlaces& name, Json* entry) {
    const auto files = UsesOf(name, {PlaceKind::kTest});
    for (size_t i = 0; i < files.size() && i < 20; ++i) {
      (*entry)["tests"].push_back(files[i].path);
      if (i < 3) Add(UseTitle(name.name, files[i], "the test " + files[i].path, AtLeast(seen_, name)), "", Cited(name, files[i], 3));
    }
    std::set<std::string> others;
    for (const Place* place : name.Of(PlaceKind::kTest)) others.insert(place->path);
    if (files.empty() && !ShownCut(seen_, name).empty()) return;
    if (files.empty()) missing_.push_back("no test names `" + name.name + "`" + (others.empty() ? "" : " in code (the word stands in " + Count(others.size(), "of them", "of them") + " otherwise)") + ", of what its folder or its name shows to be one");
    else answers_.push_back(std::string(files[0].IsSure() && files[0].words == 0 ? "Tests: " : "Tests that hold the word: ") + files[0].path + Further(files.size()));
  }

  void Documents(const NamePlaces& name, Json* entry) {
    const bool common = IsCommonName(name.name);
    const auto files = DocumentsOf(view_, name);
    for (size_t i = 0; i < files.size() && i < 20; ++i) {
      (*entry)["docs"].push_back(files[i].path);
      if (i >= 3 || (IsChangeLog(files[i].path) && i > 0)) continue;
      const std::string verb = common ? "` stands in backquotes, or as a call, in the " : "` is named in the ";
      Add("`" + name.name + verb + (IsChangeLog(files[i].path) ? "change log " : "document ") + files[i].path + " (" + AtLeast(seen_, name) + Count(files[i].words, "line", "lines") + ")", common ? "For this or for something else of the name." : "", Cited(name, files[i], 3));
    }
    const bool nowhere = name.Of(PlaceKind::kProse).empty() && AtLeast(seen_, name).empty();  // all lines were given, and none is of a document
    if (files.empty() && nowhere) missing_.push_back("no document names `" + name.name + "`");
    if (!files.empty()) answers_.push_back((common ? "Documents with the word as code: " : "Documentation: ") + files[0].path + Further(files.size()));
  }

  void Settings(const NamePlaces& name, Json* entry) {
    std::map<std::string, FileUse> files;
    for (const Place* place : name.Of(PlaceKind::kSettings)) files[place->path].places.push_back(place);
    size_t shown = 0;
    for (const auto& [path, use] : files) {
      if ((*entry)["settings"].size() < 20) (*entry)["settings"].push_back(path);
      if (!IsCommonName(name.name) && ++shown <= 3) Add("`" + name.name + "` stands in " + path + " (" + AtLeast(seen_, name) + Count(use.places.size(), "line", "lines") + ")", "", Cited(name, use, 3));
    }
  }

  static std::string Further(size_t files) { return Further(files, "other", "others") + "."; }
  static std::string Further(size_t all, const char* one, const char* many) { return all > 1 ? " and " + Count(all - 1, one, many) : ""; }

  void Add(std::string title, std::string detail, std::vector<Citation> evidence, Confidence confidence = Confidence::kHigh) {
    if (evidence.empty() || findings_.size() >= kMaxFindings) return;
    findings_.push_back({std::move(title), Severity::kInfo, Short(detail, 2000), confidence, std::move(evidence)});
  }

  const RepoView& view_;
  InvestigatorSeen& seen_;
  std::vector<ClaimedFinding> findings_;
  std::vector<std::string> answers_, missing_;
  bool unsure_ = false;     // of some lines it isn't known what the name is there
  bool of_others_ = false;  // other things have definitions of the name as well
  Json data_ = Json::array();
};

}  // namespace

Report WriteInvestigatorReport(const RepoView& view, InvestigatorSeen* seen, const PlaybookRun& run) {
  for (auto& name : seen->names) name = PlacesOf(view, seen->symbols, name.name, name.asked, name.owner, name.kind);
  Writer writer(view, seen);
  for (const auto& name : seen->goal.names)
    if (name.is_file) writer.File(name.name);
    else if (name.is_text) writer.Text(name);
  for (const auto& name : seen->names) writer.Name(name);
  for (const auto& file : seen->files) writer.File(file);
  return writer.Finish(run);
}

}  // namespace paddock::subagents
