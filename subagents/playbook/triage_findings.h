// From lines and names to findings: the rule that a line fits, the signs of hostility on it, how severe that is together.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/triage_seen.h"

namespace paddock::subagents {

struct TriageFinding {
  std::string label;
  When when = When::kSign;
  Severity severity = Severity::kInfo;
  std::string title;
  std::vector<std::string> signs;  // labels
  std::vector<std::string> words;  // of the signs
  std::string path;                // the first of `places`
  std::vector<Citation> places;    // some; none for what only has a name
  std::set<std::string> files;
  int64_t count = 0;               // of lines, or names
  std::string text;                // of the line, its part that was found
  std::string kind;                // what the title would be of any file, where a label has several such
};

// Labels of what could not be looked at: it may run, and may not.
inline constexpr char kNotLookedAt[] = "not-looked-at", kCutLine[] = "cut-line";
inline bool IsUnseen(const TriageFinding& finding) { return finding.label == kNotLookedAt || finding.label == kCutLine; }

// A rule of the area for each piece of this line (triage_pieces.h), and its signs.
std::vector<TriageFinding> FindingsOf(const RepoView& view, const TriageSeen& seen, const TriageArea& area, const std::string& path, int64_t line);
// Most severe first; lines of one file, or of one kind where it matters little, are one finding.
std::vector<TriageFinding> TriageFindings(const RepoView& view, const TriageSeen& seen);

// A folder that is a git repository of its own: HEAD, objects, refs.
std::vector<std::string> BareRepositories(const RepoView& view);

}  // namespace paddock::subagents
