// Is what a line calls that which is defined there? By the receiver, the imports and what the calling file itself defines, as far as these
// were seen: the same name is not the same thing.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

enum class Link {
  kNone,  // another one of that name
  kName,  // the name stands there, and may mean it
  kCall,  // it is called there
};

struct Callee {
  std::string name, path;
  int64_t line = 0;     // that defines it
  bool is_only = true;  // no other of that name is defined in the sources that were seen
};

class CallLinks {
 public:
  explicit CallLinks(const RepoView& view) : view_(view) {}
  // Of the line `number` of the file `from`.
  Link Of(const std::string& from, int64_t number, const Callee& callee);

 private:
  // Lines without comments and what strings hold.
  const std::map<int64_t, std::string>& CodeOfFile(const std::string& path);

  const RepoView& view_;
  std::map<std::string, std::map<int64_t, std::string>> code_;
};

}  // namespace paddock::subagents
