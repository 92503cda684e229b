#include "subagents/playbook/review_unjudged.h"

#include <algorithm>

#include "subagents/playbook/counted.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {

std::string NamesOfUnread(const ChangeSet& changes) {
  std::string names;
  int64_t shown = 0;
  for (const auto& path : changes.Unread())
    if (shown < 3) names += (shown++ > 0 ? ", " : "") + ShortenWords(path, 160);
  const int64_t more = changes.CountUnread() - shown;
  return names + (shown > 0 && more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string LeftOut(const ChangeSet& changes, int64_t foreign) {
  std::string out;
  const auto quiet = std::count_if(changes.files.begin(), changes.files.end(), [](const auto& file) { return HoldsTrials(file.path) && !LanguageOf(file.path).empty() && file.Count('+') > 0; });
  if (changes.hidden() > 0) out += " Left out: " + Count(changes.hidden(), "file", "files") + " of it that the profile hides.";
  if (changes.unreadable() > 0) out += " Left out: " + Count(changes.unreadable(), "file", "files") + " of it that could not be read.";
  if (foreign > 0) out += " Of " + Count(foreign, "file", "files") + " of other projects in it (such as those below vendor/) only what is severe was looked for.";
  if (quiet > 0) out += " For " + Count(quiet, "file", "files") + " of tests, examples and the like only a few of the rules hold.";
  return out;
}

}  // namespace paddock::subagents
