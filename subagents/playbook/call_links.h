// Is what a line calls that which is defined there? By the receiver, the imports and what the calling file itself defines, as far as these
// were seen: the same name is not the same thing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "subagents/playbook/imported_from.h"
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

// What the lines of a file say of a name: each is looked for once.
class NamesInFiles {
 public:
  explicit NamesInFiles(const RepoView& view) : view_(view) {}
  // Does the file itself define a function of that name?
  bool Defines(const std::string& path, const std::string& name);
  // Was the variable made by another module's function, as far as was seen?
  bool IsMadeElsewhere(const std::string& path, const std::string& variable);
  // The type with which the file declares the variable in C++, as far as was seen; "" where there is none, or several, or one that points on.
  const std::string& TypeOf(const std::string& path, const std::string& variable);
  const ImportedName& Import(const std::string& path, const std::string& name);

 private:
  using Key = std::pair<std::string, std::string>;  // path, name
  const RepoView& view_;
  std::map<Key, bool> defines_, made_elsewhere_;
  std::map<Key, ImportedName> imports_;
  std::map<Key, std::string> types_;
};

class CallLinks {
 public:
  explicit CallLinks(const RepoView& view) : view_(view), names_(view) {}
  // Of the line `number` of the file `from`.
  Link Of(const std::string& from, int64_t number, const Callee& callee);

 private:
  // Lines without comments and what strings hold.
  const std::map<int64_t, std::string>& CodeOfFile(const std::string& path);

  const RepoView& view_;
  NamesInFiles names_;
  std::map<std::string, std::map<int64_t, std::string>> code_;
};

}  // namespace paddock::subagents
