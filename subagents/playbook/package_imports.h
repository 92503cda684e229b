// What "imports" of the top package.json calls the package's own files: "#heat" → lib/heat.js.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// Name → all files that it may be, as runtimes differ. Both may hold one "*".
using PackageImports = std::map<std::string, std::set<std::string>>;
PackageImports ReadPackageImports(const RepoView& view);
// The files that this name may be.
std::set<std::string> FilesImportedAs(const PackageImports& imports, std::string_view name);

}  // namespace paddock::subagents
