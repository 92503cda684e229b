#include "subagents/playbook/triage_merged.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "subagents/playbook/fit_report.h"

namespace paddock::subagents {
namespace {

constexpr size_t kPlaces = 8;

void Merge(TriageFinding* into, const TriageFinding& more) {
  if (more.severity > into->severity) into->title = more.title, into->severity = more.severity;
  into->when = std::max(into->when, more.when);
  for (size_t i = 0; i < more.signs.size(); ++i) {
    if (std::find(into->signs.begin(), into->signs.end(), more.signs[i]) != into->signs.end()) continue;
    into->signs.push_back(more.signs[i]);
    into->words.push_back(more.words[i]);
  }
  for (const auto& place : more.places) {
    const bool known = std::any_of(into->places.begin(), into->places.end(), [&](const Citation& other) { return std::tie(other.path, other.line_start, other.quote) == std::tie(place.path, place.line_start, place.quote); });
    if (!known && into->places.size() < kPlaces) into->places.push_back(place);
  }
  into->files.insert(more.files.begin(), more.files.end());
  into->count += more.count;
}

std::string KeyOf(const TriageFinding& finding) {
  // Of what matters less, and of names without a line, one finding tells all that are alike.
  const bool alike = finding.severity < Severity::kMedium || (finding.severity == Severity::kMedium && finding.places.empty());
  return finding.label + "\n" + finding.kind + "\n" + (alike ? std::string(WhenWord(finding.when)) + (finding.severity == Severity::kMedium ? "\nmedium" : "") : finding.path);
}

// A task may be the one that runs as soon as the folder is opened.
void TellOfOpening(std::vector<TriageFinding>* all) {
  constexpr std::string_view kWhenAsked = ", when it is asked for";
  std::set<std::string> opened;
  for (const auto& finding : *all)
    if (finding.label == "vscode-folder-open") opened.insert(finding.path);
  for (auto& finding : *all) {
    if (finding.label != "vscode-task" || !opened.contains(finding.path)) continue;
    if (const size_t at = finding.title.find(kWhenAsked); at != std::string::npos) finding.title.replace(at, kWhenAsked.size(), ", in a file of which a task runs as soon as the folder is opened");
    finding.kind = finding.path;
  }
}

// A title that names one file names the others, too.
void NameOthers(TriageFinding* finding) {
  constexpr size_t kMostNamed = 3;
  const bool whole = finding->title.find(finding->path) != std::string::npos;
  const auto named = [&](const std::string& path) { return whole ? path : std::string(BaseName(path)); };
  if (finding->files.size() < 2 || finding->title.find(named(finding->path)) == std::string::npos) return;
  std::set<std::string> others;
  for (const auto& file : finding->files)
    if (named(file) != named(finding->path)) others.insert(ShortenWords(named(file), 80));
  size_t shown = 0;
  for (const auto& other : others)
    if (++shown <= kMostNamed) finding->title += (shown == 1 ? "; the same of " : ", ") + other;
  if (others.size() > kMostNamed) finding->title += " and " + std::to_string(others.size() - kMostNamed) + " more";
}

}  // namespace

std::vector<TriageFinding> MergeAlike(std::vector<TriageFinding> all) {
  TellOfOpening(&all);
  std::vector<TriageFinding> merged;
  std::map<std::string, size_t> known;
  for (auto& finding : all) {
    auto [it, fresh] = known.try_emplace(KeyOf(finding), merged.size());
    if (fresh) merged.push_back(std::move(finding));
    else Merge(&merged[it->second], finding);
  }
  for (auto& finding : merged) NameOthers(&finding);
  return merged;
}

}  // namespace paddock::subagents
