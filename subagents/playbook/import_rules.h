// Which file of the repository a line includes or imports, language by language.
//
// A unit is what others depend on: a file without its extension, so that a header and its source are one; in Go a folder. What leads
// out of the repository is no dependency of it. Where a name could be two files, it is none.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

struct ImportLanguage {
  const char* name;
  const char* glob;     // of search_text and list_files
  const char* pattern;  // of lines that may import; of the tool, and so RE2
  int64_t context;      // lines after one that may belong to it
};
std::span<const ImportLanguage> ImportLanguages();
// nullptr: none of ours.
const ImportLanguage* ImportLanguageOf(std::string_view path);

std::string UnitOf(std::string_view path);
std::string FolderOfUnit(std::string_view unit);  // "." at the top; of a Go unit itself

// Files to resolve names against, and what manifests call their parts.
class ImportIndex {
 public:
  void Add(const std::string& path);
  bool Has(std::string_view path) const { return files_.contains(path); }
  const std::set<std::string, std::less<>>& files() const { return files_; }
  // The file whose path is `suffix` or ends with it, nearest to `from`.
  std::optional<std::string> EndingWith(const std::string& suffix, std::string_view from) const;
  // The one file of this name that lies in a folder "include".
  std::optional<std::string> InIncludeFolder(const std::string& name) const;
  std::vector<std::string> PythonRoots() const;

  std::map<std::string, std::string> go_modules;    // "github.com/x/y" → folder
  std::map<std::string, std::string> packages;      // of package.json and Cargo.toml: name → folder

 private:
  std::set<std::string, std::less<>> files_;
  std::map<std::string, std::vector<std::string>, std::less<>> by_name_;
  std::set<std::string> python_packages_;
};

struct Import {
  std::string unit;
  std::string path;       // the file itself; of Go its folder with a slash
  bool deferred = false;  // not at load time: inside a function, or for types only
};

// Follows the lines of one file in order; an import may span several.
class ImportReader {
 public:
  ImportReader(const ImportIndex& index, std::string path) : index_(index), path_(std::move(path)), language_(ImportLanguageOf(path_)) {}
  std::vector<Import> Read(std::string_view line, int64_t number);

 private:
  void C(std::string_view line);
  void Python(std::string_view line);
  void Script(std::string_view line);
  void Go(std::string_view line);
  void Rust(std::string_view line);
  void Java(std::string_view line);
  void RustPath(std::string_view path, bool deferred);
  void Found(std::string path, bool deferred);

  const ImportIndex& index_;
  const std::string path_;
  const ImportLanguage* const language_;
  std::string open_;      // the beginning of a group that goes on
  bool open_deferred_ = false;
  int64_t last_ = 0;
  std::vector<Import> out_;
};

}  // namespace paddock::subagents
