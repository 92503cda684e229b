#include "base/text.h"

#include <cstdio>

namespace paddock {
namespace {

constexpr char32_t kWireBase = 0x10FF00;

void AppendHexByte(std::string* out, unsigned char byte) {
  static constexpr char kHex[] = "0123456789abcdef";
  *out += "\\x";
  *out += kHex[byte >> 4];
  *out += kHex[byte & 15];
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsWireEscape(char32_t c) { return c >= kWireBase && c <= kWireBase + 0xFF; }

// Characters that may take part in an emoji of several code points: symbols, pictographs, skin tones.
bool IsPictograph(char32_t c) {
  return c == 0xA9 || c == 0xAE || c == 0x203C || c == 0x2049 || (c >= 0x2100 && c <= 0x21FF) || (c >= 0x2300 && c <= 0x23FF) || c == 0x24C2 ||
         (c >= 0x25A0 && c <= 0x27BF) || (c >= 0x2900 && c <= 0x297F) || (c >= 0x2B00 && c <= 0x2BFF) || c == 0x3030 || c == 0x303D || c == 0x3297 ||
         c == 0x3299 || (c >= 0x1F000 && c <= 0x1FAFF);
}

// Scripts whose spelling needs the two joiners: Arabic and those written with it, those of South Asia.
bool IsJoiningScript(char32_t c) {
  return (c >= 0x620 && c <= 0x6FF) || (c >= 0x750 && c <= 0x77F) || (c >= 0x8A0 && c <= 0x8FF) || (c >= 0x900 && c <= 0xDFF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x17B3) || (c >= 0x17B6 && c <= 0x17FF) || (c >= 0xFB50 && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFC);
}

// Is `c`, which is invisible, a part of what stands around it? One joiner between two letters that need it or two
// emoji, one variation selector behind an emoji. `before` is what was kept before it, `after` the text behind it.
bool Belongs(char32_t c, char32_t before, std::string_view after) {
  if (c == 0xFE0F || c == 0xFE0E) return IsPictograph(before);
  if (c != 0x200C && c != 0x200D) return false;
  char32_t next = 0;
  if (DecodeUtf8(after, &next) == 0) return false;
  if (IsJoiningScript(before)) return IsJoiningScript(next);
  return c == 0x200D && (IsPictograph(before) || before == 0xFE0F) && IsPictograph(next);
}

// Length of the tag characters behind a black flag that make it the flag of a region; 0 when they don't.
size_t RegionFlag(std::string_view text) {
  size_t at = 0, tags = 0;
  for (;;) {
    char32_t c;
    size_t n = DecodeUtf8(text.substr(at), &c);
    if (n == 0) return 0;
    at += n;
    if (c == 0xE007F) return tags >= 2 ? at : 0;
    if (!((c >= 0xE0030 && c <= 0xE0039) || (c >= 0xE0061 && c <= 0xE007A)) || ++tags > 6) return 0;
  }
}

}  // namespace

size_t DecodeUtf8(std::string_view text, char32_t* code_point) {
  if (text.empty()) return 0;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) {
    *code_point = lead;
    return 1;
  }
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  char32_t value = lead & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    value = (value << 6) | (byte(i) & 0x3F);
  }
  static constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return 0;
  *code_point = value;
  return length;
}

void AppendUtf8(std::string* out, char32_t c) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xC0 | (c >> 6));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xE0 | (c >> 12));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | (c >> 18));
    *out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

bool IsValidUtf8(std::string_view text) {
  char32_t c;
  while (!text.empty()) {
    size_t n = DecodeUtf8(text, &c);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

std::string WireFromBytes(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    char32_t c;
    size_t n = DecodeUtf8(bytes, &c);
    if (n == 0 || IsWireEscape(c)) {
      AppendUtf8(&out, kWireBase + static_cast<unsigned char>(bytes[0]));
      n = 1;
    } else {
      out.append(bytes.substr(0, n));
    }
    bytes.remove_prefix(n);
  }
  return out;
}

std::string BytesFromWire(std::string_view wire) {
  std::string out;
  out.reserve(wire.size());
  while (!wire.empty()) {
    char32_t c;
    size_t n = DecodeUtf8(wire, &c);
    if (n == 4 && IsWireEscape(c)) {
      out += static_cast<char>(c - kWireBase);
    } else {
      n = n == 0 ? 1 : n;
      out.append(wire.substr(0, n));
    }
    wire.remove_prefix(n);
  }
  return out;
}

std::string PathToText(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    char32_t c;
    size_t n = DecodeUtf8(bytes, &c);
    if (n == 0) {
      AppendHexByte(&out, static_cast<unsigned char>(bytes[0]));
      n = 1;
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (IsInvisible(c)) {
      for (size_t i = 0; i < n; ++i) AppendHexByte(&out, static_cast<unsigned char>(bytes[i]));
    } else {
      out.append(bytes.substr(0, n));
    }
    bytes.remove_prefix(n);
  }
  return out;
}

Result<std::string> PathFromText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') return Fail(ErrorKind::kInvalid, "path holds a NUL character");
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == '\\') {
      out += '\\';
    } else if (next == 'n') {
      out += '\n';
    } else if (next == 't') {
      out += '\t';
    } else if (next == 'r') {
      out += '\r';
    } else if (next == 'x' && i + 3 < text.size() && HexDigit(text[i + 2]) >= 0 && HexDigit(text[i + 3]) >= 0) {
      int value = HexDigit(text[i + 2]) * 16 + HexDigit(text[i + 3]);
      if (value == 0) return Fail(ErrorKind::kInvalid, "path holds a NUL character");
      out += static_cast<char>(value);
      i += 2;
    } else {
      return Fail(ErrorKind::kInvalid,
                  "bad escape in path at character " + std::to_string(i + 1) +
                      R"(: expected \\, \n, \t, \r or \xNN)",
                  R"(write a backslash in a file name as \\)");
    }
    ++i;
  }
  return out;
}

bool IsInvisible(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return true;
  if (c == 0xAD || c == 0x34F || c == 0x61C || c == 0x115F || c == 0x1160) return true;
  if (c == 0x17B4 || c == 0x17B5 || (c >= 0x180B && c <= 0x180F)) return true;
  if (c >= 0x200B && c <= 0x200F) return true;
  if (c >= 0x2028 && c <= 0x202E) return true;
  if (c >= 0x2060 && c <= 0x206F) return true;
  if (c == 0x3164 || c == 0xFEFF || c == 0xFFA0) return true;
  if (c >= 0xFE00 && c <= 0xFE0F) return true;
  if (c >= 0xFFF0 && c <= 0xFFFB) return true;
  if (c >= 0x1BCA0 && c <= 0x1BCA3) return true;
  if (c >= 0x1D173 && c <= 0x1D17A) return true;
  if (c >= 0xE0000 && c <= 0xE0FFF) return true;
  return c >= 0xF0000;  // private use planes 15 and 16
}

std::string VisibleText(std::string_view bytes, Newlines newlines) {
  std::string out;
  out.reserve(bytes.size());
  char32_t before = 0;
  while (!bytes.empty()) {
    char32_t c = 0;
    size_t n = DecodeUtf8(bytes, &c);
    if (n == 0) {
      AppendHexByte(&out, static_cast<unsigned char>(bytes[0]));
      n = 1;
    } else if (newlines == Newlines::kKeep && (c == '\n' || c == '\t')) {
      out += static_cast<char>(c);
    } else if (c == 0x1F3F4) {
      n += RegionFlag(bytes.substr(n));
      out.append(bytes.substr(0, n));
    } else if (IsInvisible(c) && !Belongs(c, before, bytes.substr(n))) {
      char escape[16];
      std::snprintf(escape, sizeof escape, "\\u{%X}", static_cast<unsigned>(c));
      out += escape;
      c = 0;  // not kept
    } else {
      out.append(bytes.substr(0, n));
    }
    before = c;
    bytes.remove_prefix(n);
  }
  return out;
}

bool IsBlank(std::string_view text) {
  for (char32_t c = 0; !text.empty();) {
    const size_t bytes = DecodeUtf8(text, &c);
    const bool space = c == ' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x2800 || c == 0x3000 || c == 0x3164;
    if (bytes == 0 || (!space && !IsInvisible(c))) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string NameInSentence(std::string_view name) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/+@~#%=\\";
  if (name.find_first_not_of(kPlain) == name.npos) return std::string(name);
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\\x22" : std::string(1, c);
  return out + "\"";
}

std::string_view TruncateUtf8(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  const auto back = [&] {
    const size_t from = end;
    while (end > 0 && from - end < 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  };
  back();
  // What joins or marks the character before it is nothing without what was cut off.
  for (int steps = 0; steps < 8 && end > 0; ++steps) {
    const size_t last = end--;
    back();
    char32_t c;
    if (DecodeUtf8(text.substr(end), &c) != last - end || !(c == 0x200C || c == 0x200D || (c >= 0xE0020 && c <= 0xE007F))) return text.substr(0, last);
  }
  return text.substr(0, end);
}

}  // namespace paddock
