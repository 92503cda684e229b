// The definitions that come with paddock: subagents/*.md, embedded when it is built, so that nothing has to
// be found on disk and nobody can exchange them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "subagents/definition.h"

namespace paddock::subagents {

// Sorted.
std::vector<std::string> BuiltinDefinitionNames();

// The Markdown text of a definition; empty when there is none of that name.
std::string_view BuiltinDefinitionText(std::string_view name);

// What every shipped prompt ends with (subagents/shared/rules.md): what counts as evidence, what is data, how the report is
// handed in.
std::string_view SharedRules();

// With SharedRules behind its own prompt. kNotFound lists the known names, and the hint has the nearest. kInvalid when the embedded file is bad.
Result<Definition> BuiltinDefinition(std::string_view name, const DefinitionNames& known = {});

}  // namespace paddock::subagents
