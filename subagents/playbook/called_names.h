// Which functions some lines call: what a test does before its assertion fails.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// Names before "(", the last part of "a.b(", "a->b(" and "a::b(", and what is behind "new", in the order of the line; keywords and the
// words of test frameworks left out.
std::vector<std::string> NamesCalled(std::string_view line);
// With them: a project's own checks are named as the frameworks' are.
std::vector<std::string> AllNamesCalled(std::string_view line);

// Names behind "." and "->", which may be read without a call.
std::vector<std::string> NamesOfMembers(std::string_view line);

// Where the test (or function) that holds the line begins: the nearest line at or above it that looks so, at most `reach` lines up.
int64_t BeginOfTest(const RepoView& view, const std::string& path, int64_t line, int64_t reach);

// Does the line look so, or open what goes on below it?
// Does a test of this name begin in the line?
bool BeginsTestNamed(const std::string& path, const std::string& line, const std::string& name);
bool MayBeginTest(const RepoView& view, const std::string& path, int64_t line);

struct NearCall {
  double near = 0;   // 1: in the last line; falling to 0.4, of what is only read as a member to 0.28
  int64_t line = 0;  // the nearest
};
// Names called, or read as members, between `first` and `last`.
std::map<std::string, NearCall> CalledBefore(const RepoView& view, const std::string& path, int64_t first, int64_t last);

}  // namespace paddock::subagents
