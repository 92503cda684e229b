// What triage looks for, as tables: in files of these names, a line like that means that something runs at some moment.
//
// An area is one search: its glob, and the lines of all of its rules together. Of an area's rules the first that fits a line
// counts. A rule's severity is that of an honest project; signs of hostility on the same line raise it. Patterns are RE2's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/report.h"

namespace paddock::subagents {

// When it would run. kSign: not by itself. kHooked: in git's commands, once somebody has installed the hooks.
enum class When { kSign, kHooked, kBuild, kInstall, kOpen };
const char* WhenWord(When when);  // "sign", "build", ...

struct TriageRule {
  const char* label;  // "npm-script"
  Severity severity;
  const char* line;   // anywhere in the line, as it is shown
  const char* title;  // FillTemplate (line_rules.h)
  const char* files = nullptr;   // the whole path; null: all that the area's glob takes
  const char* unless = nullptr;  // anywhere in the line: then it does not count. What excuses a value is `harmless`: beside a value there may be anything
  const char* harmless = nullptr;  // the whole of what the last capture holds: then it does not count either
  int64_t until = 0;             // counts in the file's first lines alone; 0: in all
  const char* within = nullptr;  // the whole of LinePiece::within, where that is known: then it stands for `unless`
  const char* loose = nullptr;   // the title where it isn't known, which is kInfo then
};

enum class Signs { kNone, kSource, kAll };

std::span<const TriageRule> CiRules();

struct TriageArea {
  const char* name;
  When when;
  const char* glob;  // of search_text
  Signs signs;       // looked for as well
  std::span<const TriageRule> (*rules)();
  const char* search = nullptr;  // the pattern of the search, where it isn't that of the rules: invisible characters are shown as escapes
  int64_t limit = 300;
  const char* mild = nullptr;  // in files of these paths nothing is more than medium: text there is only text
  const char* whole = nullptr; // a line like that is understood only together with its neighbours (triage_pieces.h)
};
// In order of importance.
std::span<const TriageArea> TriageAreas();
// One search an area, or as few as the length of a pattern allows.
std::vector<std::string> PatternsOf(const TriageArea& area);
// Its files are what something runs or reads by itself, and not all text.
inline bool RunsByItself(const TriageArea& area) { return area.when != When::kSign && *area.glob != '\0'; }
// Something looks for its files by their names, in whatever case where file names ignore that.
inline bool IsByName(const TriageArea& area) { return RunsByItself(area) || area.rules == &CiRules; }
// Its glob, as it is given to a tool.
std::string GlobOf(const TriageArea& area);
// Before a glob: names in any case.
inline constexpr char kAnyCase[] = ":(icase)";

// What no honest project does in something that runs by itself.
struct TriageSign {
  const char* label;
  Severity severity;   // in what runs by itself
  Severity in_source;  // in any other program; kInfo: it isn't looked for there
  const char* line;
  const char* words;   // "fetches a program and runs it"
  const char* unless = nullptr;
  const char* files = nullptr;  // the whole path; null: all
};
std::span<const TriageSign> TriageSigns();
// Searches for them alone.
std::vector<std::string> PatternsOfSigns();

// The tables behind the areas, by what they are about.
std::span<const TriageRule> NpmRules();
std::span<const TriageRule> PythonRules();
std::span<const TriageRule> ConftestRules();  // and what else tools take that check or test
std::span<const TriageRule> LockRules();
std::span<const TriageRule> PackageRules();  // Ruby, PHP, Perl, Deno, registries
std::span<const TriageRule> RustRules();
std::span<const TriageRule> JvmRules();
std::span<const TriageRule> NativeRules();   // CMake, make, meson, configure, Bazel, MSBuild
std::span<const TriageRule> DebianRules();
std::span<const TriageRule> GoRules();
std::span<const TriageRule> GitRules();
std::span<const TriageRule> SubmoduleRules();
std::span<const TriageRule> HookRules();
std::span<const TriageRule> EditorRules();
std::span<const TriageRule> AgentRules();
std::span<const TriageRule> SourceRules();
std::span<const TriageRule> AddressedRules();  // text addressed to agents
std::span<const TriageRule> LongLineRules();
std::span<const TriageRule> HiddenTextRules();
std::span<const TriageRule> ModelineRules();

}  // namespace paddock::subagents
