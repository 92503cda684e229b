// From the graph to the report: structure, dependencies, cycles, hubs, each with its lines.
#pragma once

#include <set>
#include <string>

#include "subagents/playbook/module_graph.h"
#include "subagents/playbook/paced.h"

namespace paddock::subagents {

struct ArchitectSeen {
  ModuleGraph units;   // files without their extension
  ModuleGraph folders;
  ModuleGraph paths;  // files as they are, where files import files: not of Go
  std::map<std::string, std::string> file_of;  // unit → the file that stands for it
  std::map<std::string, std::set<std::string>> files_of;  // unit → all of its files
  std::set<std::string> use_aside, folders_use_aside;  // units and folders that use tests, examples or the like, which were left aside
  std::set<std::string> languages;
  int64_t files = 0, left_aside = 0;   // source files; of them tests, examples, copies of others
  std::set<std::string> not_searched;  // folders and files of which not all lines were seen
  bool listing_cut = false;
  bool missed = false;  // a line names a file of the tree by a path that couldn't be followed
};

Report WriteArchitectReport(const RepoView& view, const ArchitectSeen& seen, const PlaybookRun& run);

}  // namespace paddock::subagents
