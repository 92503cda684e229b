// The output of a run as a model is shown it: a stranger's bytes made fit to read, without secrets, head and tail.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "agentcore/model/model.h"
#include "agentcore/pipeline/redact.h"
#include "orchestrator/run/outcome.h"

namespace paddock::orchestrator {

// What a terminal would have shown in the end: without the sequences that colour and move, of a line that was written over
// (progress) the last state. Any bytes, linear.
std::string WithoutTerminalCodes(std::string_view bytes);

// Visible text, redacted as a whole, then at most `max_bytes`: whole lines of its head and, twice as much, of its tail, with a line
// between that says how much is missing. `report`: of a run that was kept apart (run/runner.h).
std::string LogOf(const RunReport& report, const agentcore::Redactor& redactor, size_t max_bytes);

// How large a log may be for `model` (null: a playbook): a quarter of a language model's window at most.
size_t LogRoom(const agentcore::Model* model);

}  // namespace paddock::orchestrator
