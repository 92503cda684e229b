// Settings of tools that triage knows nothing about: no table of what runs ends, so what is in none is told by name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/triage_findings.h"

namespace paddock::subagents {

inline constexpr char kUnknownSettings[] = "unknown-settings", kSignsInSettings[] = "signs-in-unknown-settings";

// Globs of list_files for names of settings, in the order in which their names matter. Where one is cut, `IsSettingsGlob` is what it was.
std::span<const char* const> SettingsGlobs();
bool IsSettingsGlob(std::string_view glob);
// What looks like settings of a tool, no rule is for, and is not known to be harmless.
std::vector<std::string> UnknownSettings(const RepoView& view);
// The glob that takes the first of them, as many as one search looks through; "" for none.
std::string GlobOfSettings(const std::vector<std::string>& paths);
// One finding for all of them.
std::optional<TriageFinding> UnknownSettingsFinding(const RepoView& view);
// Its verdict: "3 settings files are unknown to triage: a, b, c"; "" without such.
std::string UnknownSettingsSaid(const std::vector<TriageFinding>& findings);

}  // namespace paddock::subagents
