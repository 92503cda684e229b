#include "subagents/playbook/imported_from.h"

#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kLinesOfImport = 40;  // above the name

bool HasWord(const std::string& text, const std::string& name) {
  static const RE2 words(R"(([A-Za-z_$][\w$]*))");
  re2::StringPiece rest(text), found;
  while (RE2::FindAndConsume(&rest, words, &found))
    if (found == name) return true;
  return false;
}

std::string ModuleIn(const std::string& text) {
  if (auto module = FirstGroup(text, R"re((?:\bfrom|\brequire\s*\(|\bimport\s*\(|^\s*import)\s*['"]([^'"]+)['"])re")) return *module;
  return FirstGroup(text, R"(^\s*from\s+([\w.]+)\s+c?import\b)").value_or("");
}

// "a/b/../c" → "a/c".
std::string Plain(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    if (part == ".." && !parts.empty()) parts.pop_back();
    else if (!part.empty() && part != ".") parts.push_back(part);
    at = end + 1;
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "/") + part;
  return out;
}

// "thing.core" is any file or folder thing/core with what lies below it, which a package may hand on; "..core" is core in the folder above.
bool IsPythonModule(std::string_view module, const std::string& from, const std::string& to) {
  const std::string bare = "/" + to.substr(0, to.rfind('.')) + "/";
  const size_t dots = std::min(module.find_first_not_of('.'), module.size());
  std::string path(module.substr(dots));
  std::replace(path.begin(), path.end(), '.', '/');
  if (dots == 0) return bare.find("/" + path + "/") != bare.npos;
  std::string_view folder = FolderName(from);
  for (size_t up = 1; up < dots; ++up) folder = FolderName(folder);
  const std::string package = folder.empty() ? "/" : "/" + std::string(folder) + "/";
  return path.empty() ? bare == package + "__init__/" : bare.starts_with(package + path + "/");
}

}  // namespace

ImportedName ImportOf(const RepoView& view, const std::string& path, const std::string& name) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr) return {};
  for (const auto& [number, line] : *lines) {
    if (line.text.find(name) == line.text.npos || !MatchesPart(line.text, R"re(^\s*(import|from|use|using|include|require|export)\b|\brequire\s*\(|\bimport\s*\(|^\s*(\w+\s+)?"[\w./-]+"\s*$|^\s{1,8}[\w$]+( as \w+)?,?\s*\)?$)re")) continue;
    if (!HasWord(line.text, name)) continue;
    ImportedName imported{true, MatchesPart(line.text, R"re(['"]\.\.?(/|['"])|\bfrom\s+\.|\b(crate|super|self)::)re"), ModuleIn(line.text)};
    // Of names that stand below each other.
    for (int64_t n = number - 1; imported.module.empty() && n > number - kLinesOfImport && lines->contains(n) && MatchesPart(lines->at(n).text, R"(^\s*[\w$]+( as \w+)?,\s*$|\(\s*$)"); --n) imported.module = ModuleIn(lines->at(n).text);
    return imported;
  }
  return {};
}

bool IsFile(const ImportedName& imported, const std::string& from, const std::string& to) {
  if (imported.module.empty()) return false;
  if (MatchesWhole(LanguageOf(from), "JavaScript|TypeScript")) {
    if (!imported.module.starts_with(".")) return false;
    const std::string path = Plain(std::string(FolderName(from)) + "/" + imported.module), stem = path.empty() ? "index" : path;
    if (to == path) return true;
    const std::string bare = to.substr(0, to.rfind('.'));
    return bare == stem || bare == path + "/index" || bare == path.substr(0, path.rfind('.'));
  }
  return IsPythonModule(imported.module, from, to);
}

}  // namespace paddock::subagents
