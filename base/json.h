// The strict, bounded JSON reader that every byte from outside goes through.
//
// RFC 8259, with less: one value, valid UTF-8, no duplicate keys, bounded bytes, depth, values and keys an
// object. It is read as a stream of events (nlohmann's SAX interface, which keeps no recursion), so that a
// hostile document costs no more memory than its limits say.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock {

// Objects keep the order of their keys, so that what we print reads like its field table.
using Json = nlohmann::ordered_json;

struct JsonLimits {
  size_t max_bytes = 8u << 20;
  int max_depth = 64;
  size_t max_values = 100'000;  // numbers, strings, literals, arrays and objects together
  size_t max_keys = 512;        // in one object
  bool comments = false;        // allow // and /* */ (files that people write)
};

// kInvalid: "line 3, column 7: ...", or "duplicate key: $.a.b". kLimit: which bound was passed.
Result<Json> ParseJson(std::string_view text, const JsonLimits& limits = {});

// One line, valid UTF-8 whatever the strings hold (invalid bytes become U+FFFD).
std::string DumpJson(const Json& value);
// For people: two spaces of indentation.
std::string PrettyJson(const Json& value);

}  // namespace paddock
