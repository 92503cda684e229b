// Arguments of a call against the tool's schema, as a model gives them.
//
// Of JSON Schema (draft 2020-12) this is understood: type (one or a list), properties, required, additionalProperties, items, prefixItems, enum,
// const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength and maxLength (characters), pattern (RE2), minItems,
// maxItems, uniqueItems, anyOf, oneOf, allOf, not, and $ref to "#/$defs/NAME". format is ignored, as are words for people. CheckSchema says what
// else a schema uses; CheckArguments passes over it.
//
// Small slips are mended, since asking again costs a turn, and each is said:
//   a number, true or false in a string; an object or a list as JSON in a string; one value where a list of such is wanted; 20.0 for 20; null
//   for a field that may be left out; no arguments at all for {}
// and nothing else: no name is guessed and no field is dropped that the schema doesn't know. Where two mends would do, none is made.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace paddock::agentcore {

struct CheckedArguments {
  Json arguments;                    // mended; as they were when they don't fit
  std::vector<std::string> repairs;  // `$.limit: "20" taken as the number 20`; visible text
  // kInvalid: each field by its path with what was expected, at most five; the nearest name in the hint. kLimit: too deep, too costly.
  Status status;
};

CheckedArguments CheckArguments(const Json& schema, Json arguments);

// kInvalid: "$.properties.a.if: not understood", the first such place. A schema that passes is checked whole.
Status CheckSchema(const Json& schema);

}  // namespace paddock::agentcore
