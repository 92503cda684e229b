// What the architect's report says of modules, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/architect_report.h"

namespace paddock::subagents {

// A module's name for people: "." would read as a full stop.
std::string Name(std::string_view module, size_t bytes = 120);
// At most six of them, after `what`.
std::string NamesSaid(const char* what, const std::vector<std::string>& names);
std::string CycleNames(const DependencyCycle& cycle);
// The file that stands for a unit.
std::string FileOf(const ArchitectSeen& seen, const std::string& unit);
// The same with what counts as one with it: "db_impl.h and .cc together use". Where more may be used than is imported: "A.java imports".
std::string FilesUse(const ArchitectSeen& seen, const std::string& unit);
// What the units are: "files", or "modules" where a header and its source are one.
bool HasPairs(const ArchitectSeen& seen);
// "9 others besides its own x.c": a header and its source are one module.
std::string UsersOf(const ArchitectSeen& seen, const std::string& unit, size_t count);
std::string WhatAChangeTouches(const ArchitectSeen& seen, const std::string& unit, size_t users);
// Of all its languages, the first of which the imports don't tell all uses; "" where there is none.
std::string UnseenOf(const ArchitectSeen& seen);
// Why the imports don't tell which module stands below which, "" where they do.
std::string WhyNoLayers(const ArchitectSeen& seen, bool by_folder);
// No dependency between modules: what there is instead.
std::string WithoutEdges(const ArchitectSeen& seen, const ModuleGraph& graph, bool by_folder);

}  // namespace paddock::subagents
