// Words on a command line that are none of its own: which, and what was meant perhaps.
#pragma once

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace paddock::orchestrator {

// A word that stands in the place of a command and is none, also where --help follows: help would be another command's. `words` as below.
std::optional<Error> NoSuchCommand(const CLI::App& app, const std::vector<std::string>& words);
// `words` as they were given, the program's name first. kInvalid, with a hint, in place of what CLI11 says.
Error OddWords(const CLI::App& app, const CLI::ParseError& fault, const std::vector<std::string>& words);

}  // namespace paddock::orchestrator
