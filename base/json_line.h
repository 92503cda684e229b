// Where a value stands in a JSON text that a person wrote, so that an error can name the line.
//
// A scanner of its own, since the reader (json.h) keeps no places: it follows one path and skips everything else.
// The text may have comments and may be broken: what is before the break is found.
#pragma once

#include <cstddef>
#include <string_view>

namespace paddock {

struct JsonPlace {
  size_t line = 1;     // from 1; of a member's key, of an item's first byte
  bool found = false;  // the whole path is there; else `line` is that of its longest part that is
};

// `path` as base/fields.h writes it: "$.limits.wall", "$.read[2]". Keys may hold dots and brackets: the longest key
// that fits is followed. Of a key that stands there twice, the last.
JsonPlace PlaceInJson(std::string_view text, std::string_view path);

}  // namespace paddock
