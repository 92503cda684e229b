// What stands in a definition, by its lines: no parser, only indentation and brackets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/name_places.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

// Blanks before the text; npos for an empty line.
size_t IndentOf(std::string_view text);
// The last line of what begins in `first`: before the next line that is no deeper, its closing bracket included. As far as the
// lines were seen.
int64_t EndOfBody(const SeenLines& lines, int64_t first);

// Of a function in C or C++ that begins in `first`: does a semicolon follow its parameters? Nothing where that was not seen.
std::optional<bool> IsOnlyDeclared(const SeenLines& lines, int64_t first);

// How many lines that is; 0 where its end was not seen.
int64_t SeenLinesOfBody(const RepoView& view, const std::string& path, int64_t first);

struct CallPlace {
  std::string name;
  int64_t line = 0;
  std::string receiver = "";  // "this", or the "Oven" of "Oven::heat("
};
// What is called in the lines of a definition, as far as they were read; each name once.
std::vector<CallPlace> CallsIn(const RepoView& view, const Place& definition);

// First and last line of the comment right above a definition, or of the string right below it, as far as that was seen.
std::optional<std::pair<int64_t, int64_t>> CommentOf(const RepoView& view, const Place& place);
// The first sentence of such a comment without its signs, with "…" where it is cut; "" where it says nothing of what it stands at: it points elsewhere, is for a tool, or is code.
std::string SaidBy(std::string_view comment);

}  // namespace paddock::subagents
