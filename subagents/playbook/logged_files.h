// Files of the repository for what a log calls them: absolute paths of another machine, paths from a build folder, base names, Java
// classes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

// What the log calls a file, where several are called so.
struct UnclearFile {
  std::string name;
  int64_t line = 0;
  std::vector<std::string> paths;
};

// That line of each of them, which may tell.
void AskForUnclear(const std::vector<UnclearFile>& unclear, CallQueue* queue);

class LoggedFiles {
 public:
  LoggedFiles(const RepoView& view, const LogFacts& log);
  // "" where it is none of the repository's, or could be several: these are put into *several.
  std::string Find(const Trace& trace, const Frame& frame, std::vector<std::string>* several) const;

 private:
  using Paths = std::vector<std::string>;
  // Those of these that the log's other words point to, all where none does.
  Paths Narrowed(Paths paths, const Trace& trace, const Frame& frame) const;
  Paths WithLine(const Paths& paths, const Frame& frame) const;
  Paths InFolder(const Paths& paths, const std::string& folder) const;
  Paths InCommand(const Paths& paths) const;
  Paths OfFramesBeside(const Paths& paths, const Trace& trace, const Frame& frame) const;
  Paths WithTest(const Paths& paths, const Trace& trace, const Frame& frame) const;

  const RepoView& view_;
  const LogFacts& log_;
  std::map<std::string, Paths> by_name_;
};

// Files that the goal names and that are no source: what a program wrote.
std::vector<std::string> LogsNamed(const std::string& goal, const RepoView& view);

}  // namespace paddock::subagents
