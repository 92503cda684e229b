// What subagents/embed.cmake writes: the Markdown files of this folder, sorted by name.
#pragma once

namespace paddock::subagents {

struct BuiltinFile {
  const char* name;  // without .md; null ends the list
  const char* text;
};
extern const BuiltinFile kBuiltinFiles[];

}  // namespace paddock::subagents
