// A line as the parts that rules and signs are held against: what a minified file has on one line, a tidy one has on many.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct LinePiece {
  std::string raw;    // as it stands in the line
  std::string plain;  // what it says: escapes of JSON read, what make only prints left out
  std::string rule;   // the same for rules, where a quote or backslash within a string is no quote or backslash (ShownPiece)
  std::optional<std::string> within = std::nullopt;  // the keys of the objects around it ("pnpm/overrides"), of JSON that was read and understood whole
};

bool IsJson(std::string_view path);
// .git/config, .gitmodules and the like.
bool IsGitSettings(std::string_view path);

// Of a file: by the line that each begins in.
struct FilePieces {
  std::map<int64_t, std::vector<LinePiece>> of;
  bool understood = true;  // to the end
};
// JSON and git's settings are read across lines where all of them are there.
bool HasFilePieces(std::string_view path);
FilePieces PiecesOfFile(std::string_view path, const SeenLines& lines);

// A line by itself. JSON is cut where a member or object begins, XML where an element does; of any other file the line is one piece.
std::vector<LinePiece> PiecesOf(std::string_view path, std::string_view line);
// A part of LinePiece::rule for people.
std::string ShownPiece(std::string text);
// What stands before the bracket that closes one opened before it: of "a (b) c) d" is "a (b) c" left.
std::string UpToClosing(std::string text);

}  // namespace paddock::subagents
