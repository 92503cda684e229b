// The tables of redact_rules.h at work: finds what they describe. One file sees RE2, redact_finders.cc.
#pragma once

#include <string_view>
#include <vector>

#include "agentcore/pipeline/redact_blocks.h"
#include "agentcore/pipeline/redact_span.h"

namespace paddock::agentcore {

// Adds the secrets of common kinds in `text`, in no order; they may overlap. Thread-safe. Not for what stands in
// base64, see FindInBase64.
void FindCommonKinds(std::string_view text, const BlockOptions& options, std::vector<RedactSpan>* out);

// Words of base64 that hold, decoded, a secret of a common kind.
void FindInBase64(std::string_view text, std::vector<RedactSpan>* out);

}  // namespace paddock::agentcore
