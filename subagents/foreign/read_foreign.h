// One file of another tool, read: what it says of a subagent in paddock's words, what of it is lost, what is wrong.
#pragma once

#include <string>
#include <string_view>

#include "subagents/foreign_definition.h"

namespace paddock::subagents {

// `path` is path text; from it comes the name where the file has none. Never fails: what is wrong is in `faults`.
ForeignDefinition ReadForeign(std::string_view bytes, std::string_view path, DefinitionFormat format);

}  // namespace paddock::subagents
