// Tags in which models write calls, and the values between them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "agentcore/tools/tool.h"
#include "base/json.h"

namespace paddock::agentcore {

// <name>, <name=value>, <name attribute="value">, with a prefix or without.
struct Tag {
  std::string prefix, name;
  std::string value;         // of name=value, or of the attribute "name"
  bool as_string = false;    // string="true"
  bool not_string = false;   // string="false"
  bool empty = false;        // <name/>
  size_t end = 0;            // behind it
  std::string close() const { return "</" + prefix + name + ">"; }
};

// The tag at `at`, in one line of at most 300 bytes.
std::optional<Tag> ReadTag(std::string_view text, size_t at);

// A value that is written without quotes: text where the tool wants text, JSON where it wants something else.
Json PlainValue(std::string_view text, const Json* schema, const Tag& tag);

// What the tool wants for an argument; null when nobody knows.
const Json* ArgumentSchema(std::span<const ToolSpec> offered, const std::string& tool, const std::string& key);

std::string_view TrimSpace(std::string_view text);

}  // namespace paddock::agentcore
