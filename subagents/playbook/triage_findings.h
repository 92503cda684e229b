// From lines and names to findings: the rule that a line fits, the signs of hostility on it, how severe that is together.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/triage_names.h"

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
};

// What was seen, by the search that gave it.
struct TriageSeen {
  std::map<size_t, std::set<std::pair<std::string, int64_t>>> hits;  // area → path and line
  std::map<std::string, When> started;                               // scripts that something starts, which were read
  std::map<std::string, std::string> binary;                         // path → what it is, where reading it showed that
  std::vector<TriageLink> links;
  std::vector<std::string> special;                                  // FIFOs, sockets, devices
  std::vector<std::string> odd_names;
};

// A rule of the area for each piece of this line (triage_pieces.h), and its signs.
std::vector<TriageFinding> FindingsOf(const RepoView& view, const TriageArea& area, const std::string& path, int64_t line);
// Most severe first; lines of one file, or of one kind where it matters little, are one finding.
std::vector<TriageFinding> TriageFindings(const RepoView& view, const TriageSeen& seen);

// A folder that is a git repository of its own: HEAD, objects, refs.
std::vector<std::string> BareRepositories(const RepoView& view);
// Scripts of the repository that a line starts.
std::vector<std::string> StartedBy(const RepoView& view, const std::string& path, std::string_view line);

}  // namespace paddock::subagents
