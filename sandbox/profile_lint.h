// What in a profile contradicts itself, or is not what its author may think. Looks at the paths that it names.
#pragma once

#include <string>
#include <vector>

#include "sandbox/filter_rules.h"
#include "sandbox/profile.h"

namespace paddock::sandbox {

struct LintRemark {
  std::string path;  // JSON path of the value concerned
  std::string message;
  std::string hint;      // what to write instead
  bool warning = false;  // else the profile can't be used
  bool of_own = false;   // a warning that is of interest only to who wrote the value
  std::vector<std::string> against;  // JSON paths of the values that it contradicts: its author may have written those
};

// `profile` was read: its units are good, and `calls` are the rules of its system calls. A list of programs with an interpreter among them becomes
// "any" (with a warning), since what an interpreter runs is in no list.
std::vector<LintRemark> LintProfile(Profile* profile, const CallRules& calls);

// A program that runs whatever it is told: shells, languages, debuggers, loaders, and those that start others. A bare
// name or a path; versions ("python3.11") are those of the same program.
bool IsInterpreter(const std::string& program);

}  // namespace paddock::sandbox
