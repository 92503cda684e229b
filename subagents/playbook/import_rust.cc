// Rust's paths: crates, modules, and groups of them that may span lines.
#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/import_text.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

using namespace imports;

namespace {

// "a::{b, c::{" → "a::c::": what stands before the groups that are open at the end.
std::string OpenGroups(std::string_view text) {
  std::vector<std::string> groups;
  std::string current;
  for (char c : text) {
    if (c == '{') groups.push_back(std::move(current));
    if (c == '}' && !groups.empty()) groups.pop_back();
    if (c == '{' || c == '}' || c == ',') current.clear();
    else if (c != ' ') current += c;
  }
  std::string out;
  for (const auto& group : groups) out += group;
  return out;
}

}  // namespace

// Where the children of this file lie; of an inline module a folder that may not be there.
std::string ImportReader::RustModule() const {
  const std::string_view base = BaseName(path_);
  const bool heads = base == "lib.rs" || base == "main.rs" || base == "mod.rs" || BaseName(FolderName(path_)) == "bin";
  std::string here = heads ? std::string(FolderName(path_)) : UnitOf(path_);
  for (const auto& inner : inner_) here = InFolder(here, inner.name);
  return here;
}

// The crate that this file is of: its folder, and the file it begins with; that is empty where it could be two, and both where there is none.
ImportReader::Crate ImportReader::RustCrate() const {
  const std::string_view base = BaseName(path_);
  std::string folder(FolderName(path_));
  if (base == "lib.rs" || base == "main.rs" || base == "build.rs" || BaseName(folder) == "bin") return {folder, path_};
  for (;; folder = std::string(FolderName(folder))) {
    const std::string library = InFolder(folder, "lib.rs"), program = InFolder(folder, "main.rs");
    if (index_.Has(library) || index_.Has(program)) return {folder, !index_.Has(program) ? library : !index_.Has(library) ? program : ""};
    if (folder.empty()) return {"\n", ""};
  }
}

void ImportReader::RustPath(std::string_view path) {
  path = TrimItem(path);
  if (size_t open = path.find('{'); open != std::string_view::npos) {
    const size_t close = path.rfind('}');
    std::string_view inside = path.substr(open + 1, close == std::string_view::npos || close < open ? std::string_view::npos : close - open - 1);
    const std::string prefix(path.substr(0, open));
    for (std::string_view part : Split(inside, ","))
      if (!TrimItem(part).empty()) RustPath(prefix + std::string(TrimItem(part)));
    return;
  }
  path = path.substr(0, path.find(' '));
  std::vector<std::string_view> names = Split(path, "::");
  if (names.empty() || names[0].empty()) return;
  auto file_of = [&](const std::string& stem) {
    for (const char* end : {".rs", "/mod.rs"})
      if (index_.Has(stem + end)) return stem + end;
    return std::string();
  };
  Crate crate = RustCrate();
  std::string here = RustModule();
  size_t next = 1;
  if (names[0] == "crate") {
    here = crate.folder;
  } else if (names[0] == "super") {
    for (next = 0; next < names.size() && names[next] == "super"; ++next) {
      if (here == crate.folder) return;
      here = std::string(FolderName(here));
    }
  } else if (names[0] != "self") {
    std::string name(names[0]);
    auto other = index_.packages.find(name);
    if (other == index_.packages.end() && name.find('_') != std::string::npos) std::replace(name.begin(), name.end(), '_', '-'), other = index_.packages.find(name);
    if (!file_of(InFolder(here, names[0])).empty()) {
      next = 0;
    } else if (other != index_.packages.end()) {
      here = InFolder(other->second, "src");
      crate = {here, InFolder(here, "lib.rs")};
    } else {
      return;
    }
  }
  if (here == "\n") return;
  std::string best;
  std::string folder = here;
  for (size_t i = next; i < names.size(); ++i) {
    const std::string stem = InFolder(folder, names[i]);
    if (file_of(stem).empty()) break;
    best = file_of(stem);
    folder = stem;
  }
  if (best.empty()) best = here == crate.folder ? crate.file : file_of(here);
  if (index_.Has(best)) Found(best, false);
}

// All of Rust's is there when it is compiled: none is deferred.
void ImportReader::Rust(std::string_view line) {
  static const RE2 kUse(R"(^\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?use\s+(?:::)?(.*))"), kPath(R"(\b((?:crate|super)(?:::\w+)+))"),
      kModule(R"(^\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*([;{])[^}]*$)");
  std::string_view text = TrimItem(line);
  if (text.empty() || text.starts_with("//")) return;
  // An inline module ends before what stands as far to the left as it; what ends it may not have been seen.
  const size_t indent = line.find_first_not_of(" \t");
  while (!inner_.empty() && indent <= inner_.back().indent) inner_.pop_back();
  std::string path, mark;
  if (open_.empty() && RE2::PartialMatch(Piece(line), kModule, &path, &mark)) {
    if (mark == "{") inner_.push_back({indent, path});
    else if (!InRustTests()) RustPath("self::" + path);
    return;
  }
  if (InRustTests()) return;
  if (!open_.empty()) {
    // What stands in a group that goes on counts where it stands.
    if (!text.starts_with("}") && !text.ends_with("{")) RustPath(OpenGroups(open_) + std::string(text));
    open_ += std::string(text) + (text.ends_with("{") ? "" : ",");
  } else if (RE2::PartialMatch(Piece(line), kUse, &path)) {
    open_ = path;
  } else {
    re2::StringPiece rest = Piece(line);
    while (RE2::FindAndConsume(&rest, kPath, &path)) RustPath(path);
    return;
  }
  if (std::count(open_.begin(), open_.end(), '{') > std::count(open_.begin(), open_.end(), '}') && open_.size() < 4000) return;
  if (!path.empty()) RustPath(path);
  open_.clear();
}

// In a file's own tests, which are left aside as other tests are.
bool ImportReader::InRustTests() const {
  return std::any_of(inner_.begin(), inner_.end(), [](const InnerModule& one) { return MatchesWhole(one.name, R"((\w+_)?tests?(_\w+)?)"); });
}

}  // namespace paddock::subagents
