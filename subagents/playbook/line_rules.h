// Finding lines by table: "in a file of this name, in this section, a line like that".
//
// Every fact of the report is such a hit, which is why each has a citation. Sections are what the line's format
// calls them: `[project.scripts]` of TOML and INI, keys of JSON, elements of XML, `require (` of go.mod,
// `name = [` of TOML; joined by "/" where nested. Patterns are RE2's, so that a hostile line costs linear time.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct LineRule {
  const char* file;               // RE2, the whole path
  const char* line;               // RE2, anywhere in the line
  const char* section = nullptr;  // RE2, the whole section path; null for any place
  const char* unless = nullptr;   // RE2, anywhere in the line: then it does not count
};

struct LineHit {
  std::string path;
  int64_t line = 0;
  std::string text;                 // the line
  std::vector<std::string> groups;  // captures of `line`, from 0; empty where one took no part
};

// In files nearest to the root first; foreign paths (IsForeignPath) are skipped except where the rule's file
// pattern names "debian". At most `limit` hits.
std::vector<LineHit> FindLines(const RepoView& view, const LineRule& rule, size_t limit);
// The citation of a hit (nothing when the line was not seen whole).
std::optional<Citation> CiteHit(const RepoView& view, const LineHit& hit);

// Patterns here and above are literals only: once compiled they are kept, by their address.
// Does `pattern` match the whole of, or a part of, `text`?
bool MatchesWhole(std::string_view text, const char* pattern);
bool MatchesPart(std::string_view text, const char* pattern);
// The same of a whole path, for file systems that ignore case.
bool MatchesWholeAnyCase(std::string_view path, const char* pattern);
// The first capture of the first match in `text`, or the match itself where the pattern has none.
std::optional<std::string> FirstGroup(std::string_view text, const char* pattern);
// The captures of the first match in `text`, empty where one took no part; none where nothing matches. At most 6.
std::vector<std::string> GroupsOf(std::string_view text, const char* pattern);
// Where in `text` the first match begins.
std::optional<size_t> MatchAt(std::string_view text, const char* pattern);

// Patterns of this thread that were used and are no regular expressions: a bug of a table. For tests.
std::vector<std::string> InvalidPatterns();
// How often this thread has held a text against a pattern: the work of a walk. For tests.
int64_t PatternsTried();

// "{1}" becomes groups[0], "{file}" the path, "{base}" its name, "{dir}" its folder, "{stem}" its name without extension.
std::string FillTemplate(const char* text, const LineHit& hit);

}  // namespace paddock::subagents
