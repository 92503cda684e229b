// Bytes and text. Four small alphabets, each with one job:
//
//  - wire text: arbitrary bytes as valid UTF-8, without loss, so that a line of a file can travel in a JSON
//    string. Valid UTF-8 is unchanged; each byte that is not part of it becomes one code point
//    U+10FF00 + byte (private use). Code points of that range in the source are treated as invalid bytes.
//  - path text: a file name as people, models and JSON see it. Printable UTF-8 is unchanged; `\` is `\\`,
//    newline, tab and return are `\n`, `\t`, `\r`, any other byte that is invalid, a control or part of an invisible character is `\xNN`.
//  - visible text: one way, for terminals and models: control, bidi, zero-width and tag characters and
//    invalid bytes become visible escapes, but for what emoji and scripts need. Newline and tab may be kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock {

// Length (1-4) of the valid UTF-8 character at the start of `text`, and its code point; 0 when invalid
// (RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF).
size_t DecodeUtf8(std::string_view text, char32_t* code_point);
void AppendUtf8(std::string* out, char32_t code_point);
bool IsValidUtf8(std::string_view text);

std::string WireFromBytes(std::string_view bytes);
// The inverse of WireFromBytes, for any valid UTF-8; other bytes pass unchanged.
std::string BytesFromWire(std::string_view wire);

std::string PathToText(std::string_view path_bytes);
// kInvalid when an escape is malformed or the result would hold a NUL.
Result<std::string> PathFromText(std::string_view text);

// True for characters that a reader can't see or that change how others are shown: C0 and C1 controls
// (newline and tab included), U+00AD, bidi controls, zero-width, tags, variation selectors, line separators.
bool IsInvisible(char32_t code_point);

enum class Newlines { kKeep, kEscape };
// kKeep leaves '\n' and '\t'; everything else that is invisible becomes `\u{202E}`, invalid bytes `\xNN`. Joiners and selectors that belong stay.
std::string VisibleText(std::string_view bytes, Newlines newlines);

// A name that a stranger chose (path text), within a sentence of ours: in quotes where it holds more than names are made of, a quote in
// it as \x22, so that it never reads as more of the sentence.
std::string NameInSentence(std::string_view name);

// Nothing that anybody could see: spaces of all kinds, and what is invisible.
bool IsBlank(std::string_view text);

// At most `max_bytes`, cut at a character boundary, never longer than the input.
std::string_view TruncateUtf8(std::string_view text, size_t max_bytes);

}  // namespace paddock
