// Asks a model to write down what older turns gave, so that they need not be shown any more.
#pragma once

#include <vector>

#include "agentcore/context/memory.h"
#include "agentcore/model/model.h"

namespace paddock::agentcore {

inline constexpr char kNotesTool[] = "notes";
inline constexpr int64_t kMaxNotesTokens = 2'000;  // of one answer

// One question that stands by itself: the goal, the notes that there are, and the turns. `why` says what was wrong with the last
// answer, or is empty.
ModelRequest NotesRequest(const std::string& goal, const Memory& memory, const std::vector<TurnDigest>& turns, const std::string& why);

// kInvalid says what is wrong: no call of `notes`, not its schema, nothing in it, or larger than what it stands for.
Result<Notes> ReadNotes(const ModelTurn& answer, const std::vector<TurnDigest>& turns);

}  // namespace paddock::agentcore
