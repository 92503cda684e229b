// From what a definitions cell says of a file to a subagent that can be sent: everything is checked again, as data of a stranger, and
// only ever made narrower.
#pragma once

#include <string>
#include <vector>

#include "subagents/definition.h"
#include "subagents/foreign_definition.h"

namespace paddock::orchestrator {

// What a definition of another tool gets where it asks for nothing; in a repository also where it asks for more.
inline constexpr int64_t kForeignTurns = 12, kForeignSeconds = 300;

struct CarriedOver {
  subagents::DefinitionFormat format = subagents::DefinitionFormat::kAny;
  std::string path;                  // path text, as the cell had it
  std::string sha256;                // of the file's bytes; empty where it could not be read
  size_t bytes = 0;                  // of the file
  subagents::Definition definition;  // to be used only without faults; the prompt ends with the shared rules
  size_t own_prompt = 0;             // how much of the prompt is the file's
  std::vector<subagents::Loss> losses;
  std::vector<subagents::DefinitionFault> faults;

  bool usable() const { return faults.empty(); }
};

struct CarryRules {
  std::vector<std::string> tools;      // of this build
  bool own = false;                    // lies in a folder of the user's: turns and seconds are as it says
};

CarriedOver CarryOver(const subagents::ForeignDefinition& foreign, const CarryRules& rules);

// One hash for all files of a place: their paths and hashes, in order.
std::string DigestOf(const std::vector<subagents::ForeignDefinition>& files);
// Of one file; empty where it could not be read.
std::string FileHash(const subagents::ForeignDefinition& file);

}  // namespace paddock::orchestrator
