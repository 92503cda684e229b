// What triage has seen of names and lines, by what gave it, and what it could not look at.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "subagents/playbook/triage_names.h"
#include "subagents/playbook/triage_pieces.h"

namespace paddock::subagents {

inline constexpr char kLongLine[] = "a line of it is too long";

struct TriageUnseen {
  When when;
  std::string why;  // "it is no text"
  const char* how = "was not looked at";
};

// What was seen, by the search that gave it.
struct TriageSeen {
  std::map<size_t, std::set<std::pair<std::string, int64_t>>> hits;  // area → path and line
  std::map<std::string, FilePieces> pieces;                          // of files that were read whole, and are more than their lines
  std::map<std::string, When> started;                               // scripts that something starts, which were read
  std::map<std::string, std::string> binary;                         // path → what it is, where reading it showed that
  std::map<std::string, TriageUnseen> unseen;                        // at names that some tool heeds
  std::vector<TriageLink> links;
  std::map<std::string, std::string> followed;                       // links at such names, and where they lead
  std::map<size_t, std::string> cut_areas;                           // areas whose search gave its limit → the last path it gave
  std::vector<std::string> special;                                  // FIFOs, sockets, devices
  std::vector<std::string> odd_names;
};
// "link to v" for a link, or "link" where that is not known.
std::string LinkWords(const TriageSeen& seen, const std::string& path);
// What the facts of a listing of everything tell of links, of what is no file, of odd names and of closed folders.
void TakeNames(const Json& facts, TriageSeen* seen);

}  // namespace paddock::subagents
