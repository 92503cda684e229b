// What a language says of who may call a function elsewhere than in the line that defines it: Ruby's "private", Python's __all__, Rust's
// modules and the parts of a class of C++.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// RE2 for the lines that say it, to be found together with the functions: "" where the language has none.
std::string VisibilityPattern(std::string_view language);

// Takes the lines of a Ruby file that were seen, in their order: classes and modules, "private" and its like, and definitions. How
// deep a line stands says which class it is of, for where a class ends isn't seen.
class RubyVisibility {
 public:
  // Is this the definition of a method that only its own class, or its heirs, may call?
  bool Hides(std::string_view line);
  // What "private :a, :b" names, in lines that may stand behind the definitions.
  const std::set<std::string>& named() const { return named_; }

 private:
  struct Scope {
    size_t indent;
    size_t hidden_from = std::string::npos;  // methods that stand this deep, or deeper
  };
  void Close(size_t indent, bool same_too);

  std::vector<Scope> open_;
  std::set<std::string> named_;
};

// The names in a Python module's __all__. Nothing where it has none, an empty one, one that is made at run time, or one that was not
// seen whole.
std::optional<std::set<std::string>> ExportedByAll(const SeenLines& lines);

// A header of C or C++: what it declares is for others.
bool IsHeader(std::string_view path);
// May others call what this line of a C or C++ header declares? Where it stands deeper, by what holds it: a namespace, a struct, or the
// public part of a class. No where that was not seen.
bool IsOffered(const SeenLines& header, int64_t number);

// The modules of Rust's libraries, by the lines that were seen: "mod x;" is private, unless something of it is handed on by "pub use".
class RustModules {
 public:
  explicit RustModules(const RepoView& view);
  // Is the file a module, or in one, that only its own library can reach? No where it isn't known.
  bool Hides(std::string_view path) const;

 private:
  std::map<std::string, std::map<std::string, bool>> declared_;  // file → module → is public
  std::map<std::string, std::set<std::string>> handed_on_;       // folder of a library's root → words of its "pub use"
};

}  // namespace paddock::subagents
