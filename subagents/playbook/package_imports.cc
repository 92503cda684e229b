#include "subagents/playbook/package_imports.h"

#include <re2/re2.h>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {

PackageImports ReadPackageImports(const RepoView& view) {
  static const RE2 kFile(R"re("\./([^"]+)")re");
  PackageImports out;
  const SeenLines* lines = view.LinesOf("package.json");
  if (lines == nullptr) return out;
  std::string name;  // whose object is open
  for (const auto& [number, line] : *lines) {
    const auto key = FirstGroup(line.text, R"re(^\s*"(#[^"]+)"\s*:)re");
    if (key) name = *key;
    else if (MatchesPart(line.text, R"(^\s*\})")) name.clear();
    if (name.empty()) continue;
    re2::StringPiece rest(line.text);
    for (std::string file; RE2::FindAndConsume(&rest, kFile, &file);) out[name].insert(file);
    if (key && !MatchesPart(line.text, R"(\{\s*$)")) name.clear();
  }
  return out;
}

std::set<std::string> FilesImportedAs(const PackageImports& imports, std::string_view name) {
  if (const auto found = imports.find(std::string(name)); found != imports.end()) return found->second;
  for (const auto& [pattern, files] : imports) {
    const size_t star = pattern.find('*');
    if (star == std::string::npos || name.size() < pattern.size() || !name.starts_with(std::string_view(pattern).substr(0, star)) || !name.ends_with(std::string_view(pattern).substr(star + 1))) continue;
    std::set<std::string> out;
    for (std::string file : files) {
      if (const size_t at = file.find('*'); at != std::string::npos) file.replace(at, 1, name.substr(star, name.size() - pattern.size() + 1));
      out.insert(std::move(file));
    }
    return out;
  }
  return {};
}

}  // namespace paddock::subagents
