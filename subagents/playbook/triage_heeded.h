// Which names some tool heeds by itself, by the tables of the areas: what stands there has to be looked at whole, or to be told.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/triage_rules.h"

namespace paddock::subagents {

// git's settings of a folder that is no repository.
bool IsForeignConfig(const RepoView& view, const TriageArea& area, const std::string& path);
// The rule is for files of this name, as it is written or, in areas that go by names, in any case.
bool IsFor(const TriageArea& area, const TriageRule& rule, const std::string& path);
// Only file systems that ignore case make this name the one that is heeded; `rule` may be null.
bool IsOtherCase(const TriageArea& area, const TriageRule* rule, const std::string& path);
// A rule of the area is for files of this name.
bool IsHeeded(const RepoView& view, const TriageArea& area, const std::string& path);
// A line of a file that the area heeds is understood only together with its neighbours (TriageArea::whole).
bool IsSplit(const RepoView& view, const TriageArea& area, const std::string& path, const std::string& line);
// What is around a line like that says what it is (TriageRule::within).
bool IsByMap(const TriageArea& area, const std::string& path, const std::string& line);
// What is said of one name is said of the other, too: the glob takes both, and so does each rule.
bool SameRules(const TriageArea& area, const std::string& one, const std::string& other);
// Areas of what runs by itself that heed a file of this name.
std::set<size_t> AreasHeeding(const RepoView& view, const std::string& path);
// A glob of the names of folders that such areas name (".vscode", "hooks"): a link there is as good as the folder.
std::string HeededFolders();
// Where a link at `path` leads, as a path of the repository; "" for outside.
std::string LinkedPath(const std::string& path, const std::string& target);

}  // namespace paddock::subagents
