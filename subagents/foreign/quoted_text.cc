#include "subagents/foreign/quoted_text.h"

#include "base/text.h"

namespace paddock::subagents {
namespace {

int Hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

size_t ReadEscape(std::string_view rest, std::string* out) {
  if (rest.size() < 2) return 0;
  size_t digits = 0;
  switch (rest[1]) {
    case 'n': *out += '\n'; return 2;
    case 't': *out += '\t'; return 2;
    case 'r': *out += '\r'; return 2;
    case '"':
    case '\'':
    case '\\':
    case '/':
    case ' ': *out += rest[1]; return 2;
    case 'x': digits = 2; break;
    case 'u': digits = 4; break;
    case 'U': digits = 8; break;
    default: return 0;
  }
  if (rest.size() < 2 + digits) return 0;
  char32_t c = 0;
  for (size_t i = 0; i < digits; ++i) {
    const int digit = Hex(rest[2 + i]);
    if (digit < 0 || c > 0x10FFFF) return 0;
    c = c * 16 + static_cast<char32_t>(digit);
  }
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
  AppendUtf8(out, c);
  return 2 + digits;
}

QuotedText ReadQuoted(std::string_view text, bool doubled) {
  QuotedText read;
  const char quote = text.front();
  for (size_t at = 1; at < text.size();) {
    if (text[at] == quote) {
      if (quote == '\'' && doubled && at + 1 < text.size() && text[at + 1] == quote) {
        read.text += quote;
        at += 2;
        continue;
      }
      read.length = at + 1;
      return read;
    }
    if (quote == '"' && text[at] == '\\') {
      if (at + 1 == text.size()) return read;
      const size_t length = ReadEscape(text.substr(at), &read.text);
      if (length == 0) {
        read.fault = "a backslash in quotes that begins no escape";
        return read;
      }
      at += length;
      continue;
    }
    read.text += text[at++];
  }
  return read;
}

}  // namespace paddock::subagents
