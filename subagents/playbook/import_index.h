// The files that a line may import, and how each language's lines are found.
//
// A unit is what others depend on: a file without its extension, so that a header and its source are one; in Go a folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/package_imports.h"

namespace paddock::subagents {

struct ImportLanguage {
  const char* name;
  const char* glob;     // of search_text and list_files
  const char* pattern;  // of lines that may import; of the tool, and so RE2
  int64_t context;      // lines after one that may belong to it
  const char* unseen = nullptr;  // what its files use without a line that imports it, as a sentence without its end
  bool within_package = false;   // and that of their own package alone
};
std::span<const ImportLanguage> ImportLanguages();
// nullptr: none of ours.
const ImportLanguage* ImportLanguageOf(std::string_view path);
// ImportLanguage::unseen of the file's language; nullptr where all that it uses is imported.
const char* UnseenUses(std::string_view path);

std::string UnitOf(std::string_view path);
std::string FolderOfUnit(std::string_view unit);  // "." at the top; of a Go unit itself

// Files to resolve names against, and what manifests call their parts.
class ImportIndex {
 public:
  void Add(const std::string& path);
  bool Has(std::string_view path) const { return ++looked_up_, files_.contains(path); }
  // The file whose path is `suffix` or ends with it, nearest to `from`.
  std::optional<std::string> EndingWith(const std::string& suffix, std::string_view from) const;
  bool HasName(std::string_view base) const { return by_name_.contains(base); }
  // The one file of this name that lies in a folder "include".
  std::optional<std::string> InIncludeFolder(const std::string& name) const;
  void AddIncludeLine(std::string line);  // of a build file, one that may tell include paths
  // A file of this name may be found by it alone: lines of build files name its folder where they name include paths.
  bool MayBeOnIncludePath(std::string_view base) const;
  // "a/b.py" or "a/b/__init__.py" of "a/b", from one of the folders that Python imports from: the top, and what holds a package and is none.
  std::optional<std::string> PythonModule(std::string_view path) const;
  // How often a path was looked for, or a line for its folders: the work of reading imports. For tests.
  int64_t looked_up() const { return looked_up_; }
  const std::set<std::string>& python_packages() const { return python_packages_; }  // folders

  std::map<std::string, std::string> go_modules;    // "github.com/x/y" → folder
  std::map<std::string, std::string> packages;      // of package.json and Cargo.toml: name → folder
  PackageImports package_imports;

 private:
  std::set<std::string, std::less<>> files_;
  std::map<std::string, std::vector<std::string>, std::less<>> by_name_;
  using Modules = std::map<std::string, std::string, std::less<>>;
  Modules FindPythonModules() const;
  bool IsNamedAsIncluded(std::string_view base) const;

  std::vector<std::string> include_lines_;
  mutable std::map<std::string, bool, std::less<>> on_include_path_;  // by name, as far as asked

  std::set<std::string> python_packages_;
  mutable std::optional<Modules> python_modules_;  // by their paths below such a folder; none until one is asked for
  mutable int64_t looked_up_ = 0;
};

}  // namespace paddock::subagents
