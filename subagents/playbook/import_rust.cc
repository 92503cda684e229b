// Rust's paths: crates, modules, and groups of them that may span lines.
#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/import_text.h"
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

void ImportReader::RustPath(std::string_view path, bool deferred) {
  path = Trim(path);
  if (size_t open = path.find('{'); open != std::string_view::npos) {
    const size_t close = path.rfind('}');
    std::string_view inside = path.substr(open + 1, close == std::string_view::npos || close < open ? std::string_view::npos : close - open - 1);
    const std::string prefix(path.substr(0, open));
    for (std::string_view part : Split(inside, ","))
      if (!Trim(part).empty()) RustPath(prefix + std::string(Trim(part)), deferred);
    return;
  }
  path = path.substr(0, path.find(' '));
  std::vector<std::string_view> names = Split(path, "::");
  if (names.empty() || names[0].empty()) return;
  // The crate's own folder: the nearest above with lib.rs or main.rs.
  auto root_of = [&](std::string folder) {
    for (;; folder = std::string(FolderName(folder))) {
      if (index_.Has(InFolder(folder, "lib.rs")) || index_.Has(InFolder(folder, "main.rs"))) return folder;
      if (folder.empty()) return std::string("\n");
    }
  };
  std::string root = root_of(std::string(FolderName(path_)));
  if (root == "\n") return;
  const std::string_view base = BaseName(path_);
  const bool heads = base == "lib.rs" || base == "main.rs" || base == "mod.rs";
  // Where the children of this file lie.
  std::string here = heads ? std::string(FolderName(path_)) : UnitOf(path_);
  size_t next = 1;
  if (names[0] == "crate") {
    here = root;
  } else if (names[0] == "super") {
    here = std::string(FolderName(here));
    for (; next < names.size() && names[next] == "super"; ++next) here = std::string(FolderName(here));
  } else if (names[0] != "self") {
    std::string name(names[0]);
    auto crate = index_.packages.find(name);
    if (crate == index_.packages.end() && name.find('_') != std::string::npos) std::replace(name.begin(), name.end(), '_', '-'), crate = index_.packages.find(name);
    if (crate != index_.packages.end()) here = root = InFolder(crate->second, "src");
    else if (index_.Has(InFolder(here, std::string(names[0]) + ".rs")) || index_.Has(InFolder(here, std::string(names[0]) + "/mod.rs"))) next = 0;
    else return;
  }
  std::string best;
  std::string folder = here;
  for (size_t i = next; i < names.size(); ++i) {
    const std::string stem = InFolder(folder, names[i]);
    if (index_.Has(stem + ".rs")) best = stem + ".rs";
    else if (index_.Has(stem + "/mod.rs")) best = stem + "/mod.rs";
    else break;
    folder = stem;
  }
  if (best.empty()) {
    const std::string own = here == root ? "" : here + ".rs";
    if (!own.empty() && index_.Has(own)) best = own;
    else if (here != root && index_.Has(here + "/mod.rs")) best = here + "/mod.rs";
    else best = index_.Has(InFolder(here, "lib.rs")) ? InFolder(here, "lib.rs") : InFolder(here, "main.rs");
  }
  if (index_.Has(best)) Found(best, deferred);
}

void ImportReader::Rust(std::string_view line) {
  static const RE2 kUse(R"(^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+(?:::)?(.*))"), kPath(R"(\b(crate(?:::\w+)+))");
  std::string_view text = Trim(line);
  if (text.starts_with("//")) return;
  std::string path;
  if (!open_.empty()) {
    // What stands in a group that goes on counts where it stands.
    if (!text.starts_with("}") && !text.ends_with("{")) RustPath(OpenGroups(open_) + std::string(text), open_deferred_);
    open_ += std::string(text) + (text.ends_with("{") ? "" : ",");
  } else if (RE2::PartialMatch(Piece(line), kUse, &path)) {
    open_ = path;
    open_deferred_ = Indented(line);
  } else {
    re2::StringPiece rest = Piece(line);
    while (RE2::FindAndConsume(&rest, kPath, &path)) RustPath(path, Indented(line));
    return;
  }
  if (std::count(open_.begin(), open_.end(), '{') > std::count(open_.begin(), open_.end(), '}') && open_.size() < 4000) return;
  if (!path.empty()) RustPath(path, open_deferred_);
  open_.clear();
}

}  // namespace paddock::subagents
