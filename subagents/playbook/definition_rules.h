// What a line defines, by tables of languages: for where no index of symbols is at hand, and for lines of a diff, which no
// index knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paddock::subagents {

struct DefinedName {
  std::string name;
  std::string kind;        // "function", "class", "type", "macro", "constant", "variable", "module", "declaration" (C: elsewhere defined)
  bool is_public = false;  // by the language's own rule, as far as one line shows it
};

// By the file's extension; a file without one by `#!` is not known here.
std::optional<DefinedName> DefinedOn(std::string_view path, std::string_view line);

// A pattern for search_text, of lines that may define `name` (a word), in any language; `name` may itself be a pattern. DefinedOn has
// the last word on what it finds.
std::string DefinitionPattern(const std::string& name);

// A pattern of lines that may define any function, in files of this language (LanguageOf); "" where there is none.
std::string FunctionPattern(std::string_view language);

// The beginning of a line that is only a comment, in this file's language.
bool IsCommentLine(std::string_view path, std::string_view line);

}  // namespace paddock::subagents
