// What a language says of who may call a function elsewhere than in the line that defines it: Ruby's "private", Python's __all__ and
// modules of a name with "_", Rust's modules, the parts of a class of C++, what JavaScript exports in an object, and what a comment says.
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

// RE2 for lines by which a comment or an attribute says that what stands below is not for others: "@api private", "@internal".
inline constexpr char kPrivateTags[] = R"(^\s*(?:/\*\*.*\s|[*/#!-]+\s*)[@\\](?:api\s+private|access\s+private|private|internal)\b|^\s*@doc\s+false\b|#\[doc\(hidden\)\]|#\s*:nodoc:)";
// Does such a line stand above a definition, with nothing of the code between them that was seen?
bool IsMarkedPrivate(std::string_view path, const SeenLines& lines, int64_t number);

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
// Python's modules and packages of a name that begins with "_": what is in them is for others only where an __init__.py hands it on, or
// a module's __all__.
class PythonModules {
 public:
  explicit PythonModules(const RepoView& view);
  // The names that are handed on, where the file is such a module or in such a package; nothing where it is none, or all of it may be.
  std::optional<std::set<std::string>> HandedOn(std::string_view path) const;

 private:
  std::set<std::string> names_, whole_;  // of any of these modules; modules that are handed on as they are
};

// The lines of "module.exports = { ... }" or "export default { ... }" that stand as deep as the first of them, where the object begins
// in this line: which line is the last, as far as it was seen. Nothing where none begins.
struct ExportedObject {
  int64_t last = 0;
  size_t indent = 0;
};
std::optional<ExportedObject> ExportedObjectAt(const SeenLines& lines, int64_t number);
// Does the line define a function of an object that is so deep: "heat(t) {", "get heat() {", "heat: function (t) {"?
bool IsFunctionOfObject(std::string_view line);

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
