// Which file of the repository a line includes or imports, language by language.
//
// What leads out of the repository is no dependency of it. Where a name could be two files, it is none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/import_index.h"

namespace paddock::subagents {

struct Import {
  std::string unit;       // that of the file which imports, too: a source's own header
  std::string path;       // the file itself; of Go its folder with a slash
  bool deferred = false;  // not at load time: inside a function, or for types only
};

// Follows the lines of one file in order; an import may span several.
class ImportReader {
 public:
  ImportReader(const ImportIndex& index, std::string path) : index_(index), path_(std::move(path)), language_(ImportLanguageOf(path_)) {}
  std::vector<Import> Read(std::string_view line, int64_t number);
  // A line named a file as the tree has one, by a path that couldn't be followed: where it is installed, say.
  bool missed() const { return missed_; }

 private:
  void C(std::string_view line);
  void Python(std::string_view line);
  void Script(std::string_view line);
  void Go(std::string_view line);
  void Rust(std::string_view line);
  void Java(std::string_view line);
  void Ruby(std::string_view line);
  void RustPath(std::string_view path);
  bool InRustTests() const;
  std::string RustModule() const;
  struct Crate {
    std::string folder, file;
  };
  Crate RustCrate() const;
  void Found(std::string path, bool deferred);

  const ImportIndex& index_;
  const std::string path_;
  const ImportLanguage* const language_;
  std::string open_;      // the beginning of a group that goes on
  struct InnerModule {
    size_t indent = 0;
    std::string name;
  };
  std::vector<InnerModule> inner_;  // of Rust, those that the line is in
  int64_t last_ = 0;
  bool missed_ = false;
  std::vector<Import> out_;
};

}  // namespace paddock::subagents
