// The JSON Schemas that paddock publishes in subagents/schema/, made from the field tables of the contract.
#pragma once

#include <map>
#include <string>

namespace paddock::subagents {

// File name → text, as it stands in subagents/schema/.
std::map<std::string, std::string> PublishedSchemas();

}  // namespace paddock::subagents
