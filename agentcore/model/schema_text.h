// What a JSON Schema says, read and put in words. Keywords that are not as they should be count as absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace paddock::agentcore {

std::vector<std::string> TypesOf(const Json& schema);  // empty: any
// An integer may be 20.0, within 53 bits.
bool IsOfType(const Json& value, const std::string& type);
// JSON of that type in a text, no space around it; a whole number for an integer. Nothing else, nothing for a string or null.
std::optional<Json> ReadAs(const std::string& type, const std::string& text);
bool TypeFits(const Json& schema, const Json& value);  // false also for a schema that names no type
std::optional<double> NumberIn(const Json& schema, const char* key);
std::optional<size_t> CountIn(const Json& schema, const char* key);
std::vector<std::string> NamesIn(const Json& schema, const char* key, size_t most = SIZE_MAX);
const Json& PropertiesOf(const Json& schema);
bool InBounds(const Json& schema, const Json& number);
bool IsMultiple(const Json& schema, const Json& number);
// What "$ref" names, where that is "#/$defs/NAME" of `root`; null else.
const Json* Target(const Json& root, const Json& schema);

// The same text for values that are the same by the standard.
std::string SameText(const Json& value);
// How much it is to copy.
size_t Weight(const Json& value);

// "a whole number >= 1 and <= 100", "one of "a", "b"".
std::string Expected(const Json& schema);
std::string FormsText(const Json& list);
std::string ChoicesText(const Json& choices);
std::string KeysText(const std::vector<std::string>& names);
// What a mended value is called: "the number 20".
std::string MendText(const Json& value);
std::string RangeText(std::optional<size_t> least, std::optional<size_t> most);
std::string NumberText(double number);
// Visible, at most some 60 bytes.
std::string ShownText(const std::string& text);
std::string ShownKey(const std::string& key);
std::string ShownValue(const Json& value);

}  // namespace paddock::agentcore
