// The searches for lines that import, over a whole tree: as few as are likely to be enough, and what was cut again in smaller pieces.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agentcore/model/model.h"
#include "subagents/playbook/call_queue.h"
#include "subagents/playbook/import_index.h"

namespace paddock::subagents {

class ImportSearches {
 public:
  void AddFile(const std::string& path, const ImportLanguage& language) { files_of_[&language].insert(path); }
  // Once the files are known.
  void Plan();
  // As many as one turn may have of those that wait.
  void Ask(CallQueue* queue);
  // An outcome: is it of one of these searches? Where it was cut, smaller ones wait then.
  bool Take(const agentcore::CallOutcome& outcome);
  // Folders of which not all lines were given, or that nobody asked for yet.
  std::set<std::string> NotSearched() const;
  // How many names were looked at to plan. For tests.
  int64_t names_passed() const { return names_passed_; }

 private:
  using Search = std::pair<std::string, std::string>;  // path and glob

  bool Want(const std::string& path, const ImportLanguage& language, const std::string& glob);
  // As far as that matters: a chain of folders is as long as a stranger made it.
  size_t FilesBelow(const std::string& path, const ImportLanguage& language) const;
  void PlanFolder(const std::string& path, const ImportLanguage& language);
  void PlanFolders(const std::string& path, const std::set<std::string>& folders, const ImportLanguage& language);
  void Divide(const std::string& path, const ImportLanguage& language);
  void WantGroup(const std::string& path, const std::vector<std::string>& group, const ImportLanguage& language);
  void Alphabet(const std::string& path, const std::string& own, const ImportLanguage& language);

  std::map<const ImportLanguage*, std::set<std::string>> files_of_;
  std::map<Search, const ImportLanguage*> tasks_;
  std::map<Search, std::vector<std::string>> groups_;  // those of several folders
  std::deque<Search> waiting_;
  std::set<std::string> not_searched_;
  mutable int64_t names_passed_ = 0;
};

}  // namespace paddock::subagents
