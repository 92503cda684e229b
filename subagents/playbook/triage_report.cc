#include "subagents/playbook/triage_report.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/jailed_command.h"
#include "subagents/playbook/triage_settings.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFindings = 200, kShownOfEach = 5;

struct Verdict {
  const char* word;   // of data.verdict
  const char* words;  // of the summary
};

Verdict VerdictOf(const std::vector<TriageFinding>& findings, bool all_seen) {
  bool open = false, runs = false, calm = true;  // calm: nothing at all happens when it is opened
  for (const auto& finding : findings) {
    all_seen = all_seen && !IsUnseen(finding);
    if (IsUnseen(finding)) continue;
    if (finding.severity >= Severity::kHigh) return {"hostile signs", "Hostile signs."};
    calm = calm && finding.when != When::kOpen;
    open = open || (finding.when == When::kOpen && finding.severity >= Severity::kMedium);
    if (finding.when == When::kInstall || finding.when == When::kBuild)  // by its folder: conftest.py of the root runs
      runs = runs || finding.severity >= Severity::kMedium || std::any_of(finding.files.begin(), finding.files.end(), [](const std::string& file) { return !IsSidePath(std::string(FolderName(file)) + "/"); });
  }
  if (open) return {"runs on open", "Runs code on open."};
  if (runs && all_seen && calm) return {"runs on install or build", "Runs code on install or build. Nothing was found that runs as soon as it is opened."};
  if (runs) return {"runs on install or build", "Runs code on install or build."};
  if (!all_seen) return {"not all looked at", "Not all of what may run by itself was looked at."};
  const bool asked = std::any_of(findings.begin(), findings.end(), [](const TriageFinding& finding) { return finding.when == When::kOpen && finding.severity == Severity::kLow; });
  if (asked) return {"nothing found that runs by itself", "Nothing found that runs by itself: what is told below waits until somebody asks for it or allows it."};
  return {"nothing found that runs by itself", "Nothing found that runs by itself, as far as these rules know."};
}

std::string Join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", and ") + word;
  return out;
}

std::string TitleOf(const TriageFinding& finding) {
  std::string title = finding.title;
  if (!finding.words.empty() && title.find(finding.words[0]) == std::string::npos) title += ": " + Join(finding.words);
  return VisibleText(ShortenWords(title, 400), Newlines::kEscape);
}

std::string PlaceOf(const TriageFinding& finding) {
  return finding.places.empty() ? ShortenWords(finding.path, 100) : ShortenWords(finding.places[0].path, 100) + ":" + std::to_string(finding.places[0].line_start);
}

const char* Heading(When when) {
  switch (when) {
    case When::kOpen: return "On opening or entering the folder";
    case When::kInstall: return "On install, or when submodules are fetched";
    case When::kBuild: return "On build or test";
    case When::kHooked: return "Once hooks are installed";
    case When::kSign: break;
  }
  return "Not by itself, but worth a look";
}

std::string DetailOf(const TriageFinding& finding) {
  const bool unknown = finding.label == kUnknownSettings || finding.label == kSignsInSettings;
  std::string out = unknown ? "When what reads it runs something of it is not known: no rule is for it." : finding.when == When::kSign ? "Doesn't run by itself as far as was seen." : std::string("When: ") + Heading(finding.when) + ".";
  if (!finding.words.empty()) out += " Signs: it " + Join(finding.words) + ".";
  if (finding.count > 1) out += " " + std::to_string(finding.count) + " places in " + std::to_string(finding.files.size()) + (finding.files.size() == 1 ? " file." : " files.");
  if (finding.places.empty()) out += " By its name and kind.";
  if (finding.files.size() > 1) {
    out += " Files: ";
    size_t shown = 0;
    for (const auto& file : finding.files) {
      if (++shown > 12) break;
      out += (shown == 1 ? "" : ", ") + ShortenWords(file, 120);
    }
  }
  return out;
}

void Section(const std::vector<TriageFinding>& findings, When when, std::string* out) {
  size_t shown = 0, more = 0;
  for (const auto& finding : findings) {
    if (finding.when != when || (when == When::kSign && finding.severity < Severity::kMedium)) continue;
    if (++shown > kShownOfEach) {
      ++more;
      continue;
    }
    if (shown == 1) *out += std::string("\n") + Heading(when) + ":";
    const Json severity = ToJson(ClaimedFinding{"x", finding.severity, {}, {}, {}})["severity"];
    *out += "\n- [" + severity.get<std::string>() + "] " + PlaceOf(finding) + ": " + ShortenWords(TitleOf(finding), 160);
  }
  if (more > 0) *out += "\n- and " + std::to_string(more) + " more";
}

Json DataOf(const TriageFinding& finding) {
  Json places = Json::array();
  for (const auto& place : finding.places) places.push_back(Json{{"path", place.path}, {"line", place.line_start}});
  for (auto file = finding.files.begin(); finding.places.empty() && file != finding.files.end() && places.size() < 50; ++file) places.push_back(Json{{"path", *file}, {"line", 0}});
  return Json{{"label", finding.label}, {"when", WhenWord(finding.when)}, {"severity", ToJson(ClaimedFinding{"x", finding.severity, {}, {}, {}})["severity"]},
              {"signs", finding.signs}, {"places", std::move(places)}, {"count", finding.count}};
}

std::string UnreadSaid(const std::vector<std::string>& scripts) {
  if (scripts.empty()) return "";
  if (scripts.size() == 1) return " 1 script that is started was not read to its end: " + ShortenWords(scripts[0], 120) + ".";
  return " " + std::to_string(scripts.size()) + " scripts that are started were not read to their end, first of all " + ShortenWords(scripts[0], 120) + ".";
}

}  // namespace

Report WriteTriageReport(const RepoView& view, const TriageSeen& seen, const TriageGaps& gaps, const PlaybookRun& run) {
  std::vector<TriageFinding> findings = TriageFindings(view, seen);
  const size_t all = findings.size();
  const bool unseen = std::any_of(findings.begin(), findings.end(), IsUnseen);
  const bool failed = run.cut_short || gaps.failed_searches || view.tree_incomplete();
  const Verdict verdict = VerdictOf(findings, !failed && gaps.unread.empty() && !gaps.unfollowed && !gaps.cut_names && !gaps.cut_settings);
  Report report;
  const std::string unknown = UnknownSettingsSaid(findings);
  const bool nothing = std::string_view(verdict.word) == "nothing found that runs by itself";
  report.summary = nothing && !unknown.empty() ? "Nothing known found that runs by itself; " + unknown + ". Look at " + (unknown.starts_with("1 ") ? "it" : "them") + " before you open, install or build it." : verdict.words;
  for (When when : {When::kOpen, When::kInstall, When::kBuild, When::kHooked, When::kSign}) Section(findings, when, &report.summary);
  report.summary += "\nNo language model was used: fixed rules looked at the names of " + std::to_string(std::max<int64_t>(view.total_files(), static_cast<int64_t>(view.files().size()))) +
                    " files, ignored ones and .git included, and searched them in " + std::to_string(run.tool_calls) + " tool calls. What no rule knows was not found.";
  if (!nothing && !unknown.empty()) report.summary += " " + unknown + ".";
  if (gaps.cut_settings) report.summary += " There are more names of settings than could be listed.";
  if (gaps.cut_names) report.summary += " Some lists of names were too long: what stands behind their ends was not looked at.";
  if (gaps.cut_searches) report.summary += " Some searches gave more than could be looked at.";
  if (gaps.cut_lines) report.summary += " Some lines or files of what runs by itself are too long: the rest of them was not looked at.";
  if (gaps.cut_source) report.summary += " Of very long lines and large files elsewhere only the beginning was searched.";
  if (gaps.unfollowed) report.summary += " What runs by itself names more scripts than were looked for: some that it starts may not have been read.";
  report.summary += UnreadSaid(gaps.unread);
  if (run.cut_short) report.summary += " The time or the turns were over before all was looked at.";
  if (gaps.unprobed > 0) report.summary += " " + std::to_string(gaps.unprobed) + " more files may be programs by their names, and were not read.";
  if (gaps.failed_searches || view.tree_incomplete()) report.summary += " Some of the tree could not be seen (unreadable, too deep, or out of time).";
  if (all > kMaxFindings) {
    report.summary += " " + std::to_string(all - kMaxFindings) + " lesser findings were left out.";
    findings.resize(kMaxFindings);
  }
  Json data{{"verdict", verdict.word}, {"counts", {{"findings", all}}}, {"omitted", Json::object()}}, list = Json::array();
  for (auto& finding : findings) {
    list.push_back(DataOf(finding));
    report.findings.push_back({TitleOf(finding), finding.severity, DetailOf(finding), finding.places.empty() ? Confidence::kMedium : Confidence::kHigh, std::move(finding.places)});
  }
  DataRoom room;
  TakeRoom(data, &room);
  TakeRoom(0, &room);
  FitList(&list, &room);
  if (all > list.size()) data["omitted"]["findings"] = all - list.size();
  data["findings"] = std::move(list);
  report.data = std::move(data);
  report.complete = !failed && !unseen && !gaps.cut_searches && !gaps.cut_names && !gaps.cut_lines && !gaps.cut_settings && !gaps.unfollowed && gaps.unread.empty();
  if (std::string_view(verdict.word) == "hostile signs") report.next_actions.push_back("don't open, install or build it outside of a jail; read the places of the findings first");
  else if (std::string_view(verdict.word) == "not all looked at") report.next_actions.push_back("look at what the findings name before you open, install or build it, or do that in a jail: " + JailedBuildOf(view));
  else if (nothing && !unknown.empty()) report.next_actions.push_back("read the settings files that triage doesn't know before you open, install or build it, or do that in a jail: " + JailedBuildOf(view));
  else if (!nothing) report.next_actions.push_back("install and build it in a jail: " + JailedBuildOf(view));
  return report;
}

}  // namespace paddock::subagents
