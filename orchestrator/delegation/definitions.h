// Other tools' definitions of agents in a folder, read by a definitions cell: the parent opens none of these files.
//
// What the cell sends may be what a file made of it. It is bounded here, and checked by CarryOver (carry_over.h) before it is used.
#pragma once

#include <string>
#include <vector>

#include "base/frame_pipe.h"
#include "orchestrator/delegation/cell_starter.h"
#include "subagents/foreign_definition.h"

namespace paddock::orchestrator {

// Of all files that one cell reads, as they come.
inline constexpr size_t kMaxDefinitionBytes = 16u << 20;

struct FoundDefinitions {
  std::vector<subagents::ForeignDefinition> files;
  std::vector<std::string> incomplete;  // why not all was looked at
};

// Borrowed for the call.
struct CellAccess {
  CellStarter* starter = nullptr;
  FramePool* pool = nullptr;
  int cancel_fd = -1;
};

// Where agents of other tools lie in a repository.
std::vector<subagents::LookFrame> RepositoryPlaces();

// A cell on `workspace` looks at each of the places, in order. At most 20 s. Any failure is one of the whole.
Result<FoundDefinitions> ReadDefinitions(const CellAccess& access, const sandbox::Workspace& workspace, const std::vector<subagents::LookFrame>& places);

}  // namespace paddock::orchestrator
