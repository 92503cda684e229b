// Texts of import lines taken apart.
#pragma once

#include <re2/re2.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents::imports {

re2::StringPiece Piece(std::string_view text);
// Without blanks at both ends, nor commas and semicolons behind.
std::string_view TrimItem(std::string_view text);
bool Indented(std::string_view line);
// "a/b" and "../c" → "a/c". Nothing where it leads out.
std::optional<std::string> Joined(std::string_view folder, std::string_view name);
std::string InFolder(std::string_view folder, std::string_view name);
// What stands between separators that no brace encloses.
std::vector<std::string_view> Split(std::string_view text, std::string_view separator);

}  // namespace paddock::subagents::imports
