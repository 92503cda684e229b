// What a name alone tells: binaries, names that look like others, repositories within the repository.
#pragma once

#include <string>
#include <vector>

#include "subagents/playbook/triage_rules.h"

namespace paddock::subagents {

struct NameRule {
  const char* label;
  When when;
  Severity severity;
  const char* path;   // RE2, the whole path
  const char* title;  // FillTemplate, with {file}, {base}
  const char* unless = nullptr;
  bool check = false;  // worth an attempt to read it: only then is it certain that it is no text
};
std::span<const NameRule> NameRules();
// What its name says that runs it, and when ("{base}" is it); nullptr for any other file. That holds whatever the rules for its lines know.
const char* ProgramByName(std::string_view path, When* when);
// Is it worth an attempt to read it, to see whether it is a program? 1: first of all; 0: no.
int ProbeRank(std::string_view path);
// From here on nothing but files that run by their names, which are told of in any case.
inline constexpr int kProgramRank = 6;
// Globs of list_files that together give every name that a rule may want.
std::span<const char* const> NameGlobs();

// Where a link leads, as it stands in it.
struct TriageLink {
  std::string path, target;
};
bool LeadsOut(const TriageLink& link);
bool LeadsToSecrets(const TriageLink& link);

}  // namespace paddock::subagents
