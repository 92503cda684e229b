#include "subagents/playbook/triage_findings.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "subagents/playbook/telling_line.h"
#include "subagents/playbook/triage_heeded.h"
#include "subagents/playbook/triage_letters.h"
#include "subagents/playbook/triage_management.h"
#include "subagents/playbook/triage_merged.h"
#include "subagents/playbook/triage_pieces.h"
#include "subagents/playbook/triage_settings.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kGroupBytes = 160;

// Where nothing is installed or opened: what tests are made of.
bool IsFixture(std::string_view path) { return MatchesWhole(path, R"((?i)(.*/)?(fixtures?|testdata|__fixtures__|test[_-]?fixtures?|test[_-]data|node_modules/.*/(test|example)s?)/.*)"); }

bool IsTestOrSample(std::string_view path) {
  return MatchesWhole(path, R"((?i)(.*/)?(tests?|specs?|__tests__|testdata|testing|fixtures?|examples?|samples?|bench\w*|fuzz\w*|t)/.*|(.*/)?(test_[^/]*|[^/]*[._-](test|spec)s?\.\w+))");
}

Severity Lower(Severity severity) { return severity == Severity::kInfo ? severity : static_cast<Severity>(static_cast<int>(severity) - 1); }

// A line that only tells people something.
bool IsComment(std::string_view path, std::string_view line) {
  size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  line.remove_prefix(first);
  if (line.starts_with("//")) return !line.starts_with("//go:") && MatchesWhole(path, R"((?i).*\.(js|mjs|cjs|ts|tsx|jsx|go|rs|c|cc|cpp|h|hpp|java|kt|gradle|kts|jsonc?|php|cs|swift))");
  if (line.starts_with("#")) return !line.starts_with("#!") && !line.starts_with("#{") && !MatchesWhole(path, R"((?i).*\.(c|cc|cpp|cxx|h|hpp|m|cs|inc|md|go|[cm]?[jt]sx?|rs|java|kts?|gradle|scala|swift|bat|cmd|lua|el|vim))");
  // "* " goes on with a comment, or with a product: what calls something is the latter.
  if (line.starts_with("* ")) return MatchesWhole(path, R"(.*\.(js|ts|java|c|cc|cpp|h|go|rs|php|kt))") && !MatchesPart(line, R"(\w\s*\()");
  return (MatchesPart(line, R"((?i)^rem\s)") && MatchesWhole(path, R"((?i).*\.(bat|cmd))")) || (line.starts_with("dnl ") && MatchesWhole(path, R"(.*\.(ac|m4|in))"));
}

// Targets that somebody has to ask for by name, mostly.
bool IsForTheAsking(std::string_view path, std::string_view line) {
  return MatchesWhole(path, R"((?i)(.*/)?((gnu)?makefile(\.(am|in))?|.*\.mk|justfile|taskfile\.yml|rakefile))") && !MatchesPart(line, R"(\$[({]shell\b|!=)");
}

void AddSigns(const std::string& path, const LinePiece& piece, Signs which, TriageFinding* finding, bool fixture) {
  const std::string& line = piece.plain;
  if (which == Signs::kNone || IsComment(path, line)) return;
  for (const TriageSign& sign : TriageSigns()) {
    Severity severity = which == Signs::kAll ? sign.severity : sign.in_source;
    if (severity == Severity::kInfo || (sign.files != nullptr && !MatchesWhole(path, sign.files)) || !(MatchesPart(line, sign.line) || MatchesPart(piece.raw, sign.line)) || (sign.unless != nullptr && MatchesPart(line, sign.unless))) continue;
    if (fixture || (which == Signs::kAll && IsForTheAsking(path, line))) severity = Lower(severity);
    finding->severity = std::max(finding->severity, severity);
    if (std::find(finding->signs.begin(), finding->signs.end(), sign.label) != finding->signs.end()) continue;
    finding->signs.emplace_back(sign.label);
    finding->words.emplace_back(sign.words);
  }
}

void Place(const RepoView& view, const std::string& path, int64_t line, const std::string& part, TriageFinding* finding) {
  finding->path = path;
  finding->files = {path};
  finding->count = 1;
  if (line == 0) return;
  if (auto citation = view.Cite(path, line, line, part)) return finding->places.push_back(*std::move(citation));
  // Of a line that goes on, its beginning was seen.
  const SeenLines* lines = view.LinesOf(path);
  if (auto found = lines ? lines->find(line) : SeenLines::const_iterator(); lines && found != lines->end() && found->second.text.size() > 80 && found->second.text.find_first_not_of(" \t") < 40)
    finding->places.push_back({path, line, line, std::string(TruncateUtf8(found->second.text, 80))});
}

TriageFinding Named(std::string label, When when, Severity severity, std::string title, const std::string& path) {
  TriageFinding finding{std::move(label), when, severity, std::move(title), {}, {}, path, {}, {path}, 1, {}, {}};
  return finding;
}

std::vector<TriageFinding> ByName(const RepoView& view, const TriageSeen& seen) {
  std::vector<TriageFinding> out;
  std::set<std::string> done;
  for (const auto& path : view.files()) {
    for (const NameRule& rule : NameRules()) {
      if (!MatchesWhole(path, rule.path) || (rule.unless != nullptr && MatchesWhole(path, rule.unless))) continue;
      // Of a folder that is a git folder.
      if (BaseName(path) == "commondir" && !view.HasFile(path.substr(0, path.size() - BaseName(path).size()) + "HEAD")) continue;
      auto kind = seen.binary.find(path);
      // It was read, and is text: then its name is all there is to it.
      if (rule.check && kind == seen.binary.end() && view.LinesOf(path) != nullptr) break;
      std::string title = FillTemplate(rule.title, LineHit{path, 0, {}, {}});
      if (kind != seen.binary.end()) title += " (" + kind->second + ")";
      out.push_back(Named(rule.label, rule.when, rule.severity, std::move(title), path));
      done.insert(path);
      break;
    }
  }
  for (const auto& [path, kind] : seen.binary)
    if (!done.contains(path)) out.push_back(Named("binary", When::kSign, IsTestOrSample(path) ? Severity::kLow : Severity::kMedium, path + " is no text: " + kind, path));
  for (const auto& folder : BareRepositories(view))
    out.push_back(Named("nested-repository", When::kOpen, Severity::kHigh, folder + " is a git repository of its own, whose settings git heeds in it", folder));
  for (const auto& link : seen.links)
    if (LeadsOut(link))
      out.push_back(Named("link-out", When::kSign, LeadsToSecrets(link) ? Severity::kHigh : Severity::kMedium, "the link " + link.path + " leads out, to " + link.target, link.path));
  for (const auto& path : seen.special) out.push_back(Named("special-file", When::kSign, Severity::kMedium, path + " is no file but a FIFO, socket or device", path));
  for (const auto& [path, unseen] : seen.unseen) out.push_back(Named(kNotLookedAt, unseen.when, Severity::kMedium, path + " " + unseen.how + ": " + unseen.why, path));
  for (const auto& [area, path] : seen.cut_areas)
    out.push_back(Named(kNotLookedAt, TriageAreas()[area].when, Severity::kMedium, "too much is there of what " + std::string(TriageAreas()[area].name) + " may run: not looked at from " + path + " on", path));
  for (const auto& path : seen.odd_names) out.push_back(Named("odd-name", When::kSign, Severity::kMedium, "a name with characters that nobody sees: " + path, path));
  return out;
}

// By what is around it, where the rule asks for that and it is known; else by its own text.
bool IsInPlace(const TriageRule& rule, const LinePiece& piece) {
  if (rule.within != nullptr && piece.within) return MatchesWhole(*piece.within, rule.within);
  return rule.unless == nullptr || !MatchesPart(piece.rule, rule.unless);
}

// Of a long value its beginning, to where a character or an escape ends.
std::string ShownValue(std::string_view value) {
  value = Trim(value);
  if (value.size() <= kGroupBytes) return ShownPiece(std::string(value));
  std::string_view cut = TruncateUtf8(value, kGroupBytes);
  constexpr size_t kLongestEscape = 10;  // \U0000002d
  if (const size_t escape = cut.rfind('\\'); escape != std::string_view::npos && cut.size() - escape < kLongestEscape) cut = cut.substr(0, escape);
  while (cut.ends_with('\\')) cut.remove_suffix(1);
  return ShownPiece(std::string(cut)) + "...";
}

// A line that is cut within blanks goes on.
LinePiece WholeLine(const SeenLine& line) {
  std::string text = line.text;
  if (line.cut && text.ends_with(' ')) text.back() = 'x';
  return {text, text, text, {}};
}

std::vector<LinePiece> PiecesAt(const TriageSeen& seen, const std::string& path, int64_t line, const std::string& text) {
  const auto file = seen.pieces.find(path);
  if (file == seen.pieces.end()) return PiecesOf(path, text);
  const auto at = file->second.of.find(line);
  std::vector<LinePiece> out = at == file->second.of.end() ? std::vector<LinePiece>() : at->second;
  if (!file->second.understood) std::ranges::copy(PiecesOf(path, text), std::back_inserter(out));
  return out;
}

// "; .vscode is a link to v" for what was looked at through a link.
std::string LinkNote(const TriageSeen& seen, const std::string& path) {
  for (std::string link = path; !link.empty(); link = std::string(FolderName(link))) {
    if (seen.followed.contains(link)) return "; " + link + " is a " + LinkWords(seen, link);
  }
  return "";
}

// The lines of a whole file that have signs; `like` with the beginning of the title.
void TakeSigned(const RepoView& view, const TriageSeen& seen, const TriageFinding& like, bool mild, std::vector<TriageFinding>* all) {
  const SeenLines* lines = view.LinesOf(like.path);
  if (lines == nullptr) return;
  for (const auto& [number, line] : *lines) {
    TriageFinding finding = like;
    for (const LinePiece& piece : PiecesAt(seen, like.path, number, line.text)) AddSigns(like.path, piece, Signs::kAll, &finding, mild);
    if (finding.signs.empty()) continue;
    finding.title += finding.words[0];
    Place(view, like.path, number, "", &finding);
    all->push_back(std::move(finding));
  }
}

}  // namespace

std::vector<TriageFinding> FindingsOf(const RepoView& view, const TriageSeen& all, const TriageArea& area, const std::string& path, int64_t line) {
  std::vector<TriageFinding> out;
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr || !lines->contains(line) || IsForeignConfig(view, area, path)) return out;
  const SeenLine& seen = lines->at(line);
  const bool fixture = IsFixture(path) || (area.when == When::kSign && IsTestOrSample(path));
  const bool mild = area.mild != nullptr && MatchesWhole(path, area.mild);
  // What nobody sees, and what is searched as it is shown, stands anywhere.
  std::vector<LinePiece> pieces = area.when == When::kSign ? std::vector<LinePiece>{WholeLine(seen)} : PiecesAt(all, path, line, seen.text);
  for (const LinePiece& piece : pieces) {
    TriageFinding finding;
    finding.when = area.when;
    finding.text = piece.plain;
    std::string part = pieces.size() > 1 ? piece.raw : "";
    bool other_case = IsOtherCase(area, nullptr, path);
    for (const TriageRule& rule : area.rules()) {
      if (!IsFor(area, rule, path) || (rule.until > 0 && line > rule.until) || !MatchesPart(piece.rule, rule.line) || (std::string_view(rule.label) == "homoglyph" && !MatchesPart(WithoutLetterRanges(piece.rule), rule.line)) || !IsInPlace(rule, piece)) continue;
      LineHit hit{path, line, piece.rule, GroupsOf(piece.rule, rule.line)};
      if (rule.harmless != nullptr && !hit.groups.empty() && MatchesWhole(Trim(hit.groups.back()), rule.harmless)) continue;
      for (auto& group : hit.groups) {
        if (part.empty()) part = ShownPiece(std::string(TruncateUtf8(group, kGroupBytes)));
        if (std::string_view(rule.label).starts_with("make-shell")) group = UpToClosing(std::move(group));
        group = ShownValue(group);
      }
      finding.label = rule.label;
      finding.kind = rule.title;
      finding.severity = fixture ? Lower(rule.severity) : rule.severity;
      finding.title = FillTemplate(rule.title, hit);
      if (rule.within != nullptr && !piece.within) finding.severity = Severity::kInfo, finding.title = FillTemplate(rule.loose, hit);
      other_case = IsOtherCase(area, &rule, path);
      if (finding.label == "maven-runs" && finding.severity < Severity::kMedium && IsInPluginManagement(*lines, line))
        finding.label = "maven-managed", finding.severity = Severity::kInfo, finding.title = FillTemplate("{1} is set up between the tags of pluginManagement: normal for Java", hit);
      if (finding.label == "homoglyph" && finding.severity > Severity::kMedium && StandsInText(path, piece.rule, rule.line)) finding.severity = Severity::kMedium, finding.title = "a word in a text has letters of another alphabet";
      break;
    }
    AddSigns(path, piece, area.signs, &finding, fixture);
    if (finding.label.empty() && finding.signs.empty()) continue;
    if (mild) finding.severity = std::min(finding.severity, Severity::kMedium);
    if (finding.label.empty()) finding.label = finding.signs[0], finding.title = std::string(BaseName(path)) + " " + finding.words[0];
    if (other_case && finding.severity > Severity::kMedium) finding.severity = Lower(finding.severity);
    if (other_case) finding.title += "; heeded where file names ignore case";
    Place(view, path, line, part, &finding);
    out.push_back(std::move(finding));
  }
  if (seen.cut && RunsByItself(area)) {
    TriageFinding finding = Named(kCutLine, area.when, Severity::kMedium, "line " + std::to_string(line) + " of " + path + " is too long: what it says further right was not looked at", path);
    Place(view, path, line, "", &finding);
    out.push_back(std::move(finding));
  }
  return out;
}

std::vector<TriageFinding> TriageFindings(const RepoView& view, const TriageSeen& seen) {
  std::vector<TriageFinding> all = ByName(view, seen);
  std::set<std::pair<std::string, int64_t>> told;  // a line that two areas found is told by the first
  const auto areas = TriageAreas();
  for (const auto& [area, hits] : seen.hits)
    for (const auto& [path, line] : hits) {
      auto findings = FindingsOf(view, seen, areas[area], path, line);
      for (auto& finding : findings) finding.title += LinkNote(seen, path);
      if (!findings.empty() && (told.insert({path, line}).second || areas[area].when == When::kOpen)) std::move(findings.begin(), findings.end(), std::back_inserter(all));
    }
  for (const auto& [path, when] : seen.started) TakeSigned(view, seen, Named("started-script", when, Severity::kInfo, path + ", which is started by itself, ", path), false, &all);
  // It isn't known that anything runs those: less than in what is known to run.
  for (const auto& path : UnknownSettings(view)) TakeSigned(view, seen, Named(kSignsInSettings, When::kSign, Severity::kInfo, path + ", settings that no rule of triage knows, ", path), true, &all);
  // A file that something runs by its name runs, though no rule knows its lines.
  std::set<std::string> told_of;
  for (const auto& finding : all)
    if (finding.when == When::kInstall || finding.when == When::kBuild || finding.when == When::kOpen) told_of.insert(finding.files.begin(), finding.files.end());
  for (const auto& path : view.files()) {
    When when = When::kBuild;
    const char* runs = told_of.contains(path) || IsForeignPath(path) ? nullptr : ProgramByName(path, &when);
    if (runs == nullptr) continue;
    all.push_back(Named("program-by-name", when, Severity::kInfo, FillTemplate(runs, LineHit{path, 0, {}, {}}), path));
    all.back().kind = runs;
    if (auto line = TellingLine(view, path)) all.back().places.push_back(*std::move(line));
  }
  // Which line it is says more.
  std::set<std::string> cut;
  for (const auto& finding : all)
    if (finding.label == kCutLine) cut.insert(finding.path);
  std::erase_if(all, [&](const TriageFinding& finding) { return finding.label == kNotLookedAt && finding.title.ends_with(kLongLine) && cut.contains(finding.path); });
  std::vector<TriageFinding> merged = MergeAlike(std::move(all));
  if (auto unknown = UnknownSettingsFinding(view)) merged.push_back(*std::move(unknown));
  std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return std::pair(a.severity, a.when) > std::pair(b.severity, b.when); });
  return merged;
}

std::vector<std::string> BareRepositories(const RepoView& view) {
  std::vector<std::string> out;
  for (const auto& path : view.files()) {
    if (BaseName(path) != "HEAD") continue;
    const std::string folder(FolderName(path));
    if (folder.empty() && view.HasFolder("objects") && view.HasFolder("refs")) out.push_back(".");
    if (folder.empty()) continue;
    if (folder == ".git" || folder.ends_with("/.git") || folder.find(".git/") != std::string::npos) continue;
    if (view.HasFolder(folder + "/objects") && (view.HasFolder(folder + "/refs") || view.HasFile(folder + "/config"))) out.push_back(folder);
  }
  return out;
}

}  // namespace paddock::subagents
