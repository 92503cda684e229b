// What a file's bytes are: decided by content, never by name.
//
// UTF-16 is shown as UTF-8; a UTF-8 byte order mark is left out of line 1; everything else is shown as it is.
// Whoever compares a citation with a file uses ShownLine too, so that both sides see the same text.
#pragma once

#include <string>
#include <string_view>

namespace paddock::agentcore {

enum class TextEncoding { kUtf8, kUtf8Bom, kUtf16Le, kUtf16Be, kLatin1, kUnknown8Bit };

// "utf-8", "utf-8-bom", "utf-16le", "utf-16be", "latin-1?", "unknown-8bit".
const char* EncodingName(TextEncoding encoding);
inline bool IsUtf16(TextEncoding e) { return e == TextEncoding::kUtf16Le || e == TextEncoding::kUtf16Be; }

inline constexpr size_t kSampleBytes = 8192;  // as much of its start decides what a file is

struct ContentKind {
  bool binary = false;
  std::string kind;  // of binary content, where it is obvious: "ELF program", "PNG image"; else "binary data"
  TextEncoding encoding = TextEncoding::kUtf8;
};
// `sample`: the first kSampleBytes of the file, or all of it.
ContentKind DetectContent(std::string_view sample);

// The text of one line: `raw` without its newline, decoded. `first`: line 1, whose byte order mark goes.
std::string ShownLine(std::string_view raw, TextEncoding encoding, bool first);
// Number of bytes of the newline at the end of `raw`: 0, 1, or 2 in UTF-16.
size_t NewlineBytes(std::string_view raw, TextEncoding encoding);

// True when `rest` (not empty) is the beginning of a UTF-8 character whose end is not there.
bool CutsCharacter(std::string_view rest);

// Invalid units become U+FFFD.
std::string Utf8FromUtf16(std::string_view bytes, bool big_endian);

}  // namespace paddock::agentcore
