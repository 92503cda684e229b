// A caller's JSON Schema for `data` of a report: what of it is taken, and whether a report fits it.
#pragma once

#include <string>

#include "agentcore/model/arguments.h"
#include "agentcore/pipeline/redact.h"
#include "base/json.h"
#include "base/result.h"

namespace paddock::subagents {

inline constexpr size_t kMaxDataSchemaBytes = 16u << 10;
inline constexpr int kMaxDataSchemaDepth = 32;  // of its JSON

// kInvalid, kLimit: "$.properties.a.if: this keyword is not understood". `at` stands for "$" in it. An object is wanted; otherwise
// the subset is that of arguments.h, which is checked whole.
Status CheckDataSchema(const Json& schema, const std::string& at = "$");

// `data` of a report, mended as arguments are, and as it goes into the ticket: cleaned, redacted, bounded. It fits in that form, or the
// status says by path ("$.data.a: ...") what doesn't. `schema` has passed CheckDataSchema.
agentcore::CheckedArguments FitData(const Json& schema, const Json& data, const agentcore::Redactor& redactor);

// The schema as the member `data` of an object's.
void AddDataSchema(const Json& schema, Json* object);

}  // namespace paddock::subagents
