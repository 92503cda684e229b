#include "subagents/playbook/review_summary.h"

#include <algorithm>
#include <functional>

#include "subagents/playbook/counted.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/review_untested.h"

namespace paddock::subagents {
namespace {

// Of the project's own files of which not all was read: "a.c, b.c and 3 more".
std::string NamesOfUnread(const ChangeSet& changes) {
  std::string names;
  int64_t shown = 0;
  for (const auto& path : changes.Unread())
    if (shown < 3) names += (shown++ > 0 ? ", " : "") + ShortenWords(path, 160);
  const int64_t more = changes.CountUnread() - shown;
  return names + (shown > 0 && more > 0 ? " and " + std::to_string(more) + " more" : "");
}

int64_t CountAdded(const std::vector<FileDiff>& files, const std::function<bool(const FileDiff&)>& counts) {
  int64_t lines = 0;
  for (const auto& file : files)
    if (counts(file)) lines += file.Added();
  return lines;
}

// Added lines that are longer than what is looked at of a line.
int64_t CountLong(const std::vector<FileDiff>& files) {
  int64_t count = 0;
  for (const auto& file : files)
    for (const auto& hunk : file.hunks) count += std::count_if(hunk.lines.begin(), hunk.lines.end(), [](const auto& line) { return line.sign == '+' && line.text.size() > kMostJudged; });
  return count;
}

// What was hidden, unreadable, of other projects, or judged by few rules.
std::string LeftOut(const ChangeSet& changes, int64_t foreign) {
  std::string out;
  const auto quiet = std::count_if(changes.files.begin(), changes.files.end(), [](const auto& file) { return HoldsTrials(file.path) && !LanguageOf(file.path).empty() && file.Count('+') > 0; });
  const auto is_made = [](const FileDiff& file) { return IsMadePath(file.path) && file.Added() > 0; };
  const auto made = std::count_if(changes.files.begin(), changes.files.end(), is_made);
  const auto unknown = std::count_if(changes.files.begin(), changes.files.end(), [](const auto& file) { return !IsMadePath(file.path) && !IsProsePath(file.path) && !file.binary && ReviewLanguage(file.path, file.first_line) == "Text" && file.Count('+') > 0; });
  if (changes.hidden() > 0) out += " Left out: " + Count(changes.hidden(), "file", "files") + " of it that the profile hides.";
  if (changes.unreadable() > 0) out += " Left out: " + Count(changes.unreadable(), "file", "files") + " of it that could not be read.";
  if (foreign > 0) out += " Of " + Count(foreign, "file", "files") + " of other projects in it (such as those below vendor/) only what is severe was looked for.";
  if (made > 0) out += " Not judged: " + Count(made, "file", "files") + " that a program makes, by the name, with " + Count(CountAdded(changes.files, is_made), "added line", "added lines") + ".";
  if (const int64_t cut = CountLong(changes.files); cut > 0) out += " Of " + Count(cut, "added line", "added lines") + " only the first " + std::to_string(kMostJudged) + " bytes were looked at.";
  if (unknown > 0) out += " " + Count(unknown, "file is", "files are") + " in no language that is known here: only what holds in any language was looked for, such as secrets.";
  if (quiet > 0) out += " For " + Count(quiet, "file", "files") + " of tests, examples and the like only a few of the rules hold.";
  return out;
}

std::string Why(const ReviewRange& range) { return range.why.empty() ? "" : " It was taken since " + range.why + "."; }

std::string NothingToReview(const ReviewOutcome& outcome) {
  const auto& [range, changes, without_tests, uncited, not_looked_up, not_told, foreign, has_tests] = outcome;
  if (!changes.fault.empty()) return "The changes could not be read: " + changes.fault + ". A unified diff in the context would do.";
  const std::string more = Why(range) + LeftOut(changes, foreign);
  if (foreign > 0) return "Nothing of the project's own was changed by " + range.text + "." + more;
  if (changes.hidden() + changes.unreadable() == 0) return "There is nothing to review: " + range.text + " holds no change." + more;
  return "Nothing of " + range.text + " can be reviewed: it changes files, and none of them may be seen." + more;
}

std::string Found(const std::vector<ClaimedFinding>& findings, bool all_judged) {
  if (findings.empty()) return std::string(" The rules found nothing to say") + (all_judged ? "" : " of the rest") + ", which is no proof that there is nothing.";
  const auto with = [&](auto is) { return std::to_string(std::count_if(findings.begin(), findings.end(), [&](const auto& finding) { return is(finding.severity); })); };
  std::string out = " " + Count(static_cast<int64_t>(findings.size()), "finding", "findings") + ", " + with([](Severity one) { return one >= Severity::kHigh; }) + " of high severity, " + with([](Severity one) { return one == Severity::kMedium; }) + " of medium.";
  for (size_t i = 0; i < findings.size() && i < 3 && findings[i].severity >= Severity::kMedium; ++i) out += (i == 0 ? " First: " : "; ") + ShortenWords(findings[i].title, 160);
  return out + (findings[0].severity >= Severity::kMedium ? "." : "");
}

}  // namespace

std::string ReviewSummary(const ReviewOutcome& outcome, const std::vector<ClaimedFinding>& findings) {
  const auto& [range, changes, without_tests, uncited, not_looked_up, not_told, foreign, has_tests] = outcome;
  std::string out;
  const std::string left_out = LeftOut(changes, foreign);
  if (changes.files.empty()) {
    out = NothingToReview(outcome) + (findings.empty() ? "" : Found(findings, true));
  } else {
    out = "Reviewed " + range.text + ": " + Count(changes.CountFiles(), "file", "files") + ", " + Count(changes.CountAdded(), "line", "lines") + " added, " + std::to_string(changes.CountRemoved()) + " removed" +
          (changes.commits.size() > 1 ? ", " + std::to_string(changes.commits.size()) + " commits" : "") + "." + Why(range) + left_out + Found(findings, left_out.empty());
    if (!without_tests.empty() && !AnyTestChanged(changes.files)) out += std::string(has_tests ? " No line was added to a test, though code was changed: in " : " Code was changed, and there are no tests among the files that were listed: changed was ") + ShortenWords(without_tests[0], 160) + (without_tests.size() > 1 ? " most." : ".");
    if (uncited > 0) out += " " + Count(uncited, "finding has", "findings have") + " no citation, since the lines do not stand in the tree as they do in the change.";
    if (not_looked_up > 0) out += " " + Count(not_looked_up, "finding has", "findings have") + " no citation, since their places were not read: there were more than are looked up.";
    if (not_told > 0) out += " Not listed: " + Count(not_told, "more finding", "more findings") + ", none of them more severe than the last.";
    const std::string names = NamesOfUnread(changes);
    if (const int64_t unread = changes.CountUnread(); unread > 0)
      out += " The change is larger than what was read of it: " + Count(unread, "file was", "files were") + " not looked at, or not as a whole" + (names.empty() ? "" : ": " + names) + ". Nothing is said of what those may have lost.";
  }
  return out + " No language model was used: a fixed playbook judged the lines by its tables and does not understand what the change is for.";
}

}  // namespace paddock::subagents
