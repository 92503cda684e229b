#include "agentcore/tools/text_encoding.h"

#include "base/text.h"

namespace paddock::agentcore {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view start;
  const char* kind;
};
constexpr Magic kMagic[] = {
    {"\x7f"
     "ELF"sv, "ELF program or library"},
    {"\x89PNG\r\n\x1a\n"sv, "PNG image"},
    {"\xff\xd8\xff"sv, "JPEG image"},
    {"GIF8"sv, "GIF image"},
    {"\x1f\x8b"sv, "gzip data"},
    {"PK\x03\x04"sv, "ZIP archive"},
    {"\xfd"
     "7zXZ"sv, "xz data"},
    {"\x28\xb5\x2f\xfd"sv, "zstd data"},
    {"BZh"sv, "bzip2 data"},
    {"7z\xbc\xaf"sv, "7z archive"},
    {"%PDF-"sv, "PDF document"},
    {"\xca\xfe\xba\xbe"sv, "Java class or Mach-O program"},
    {"\xcf\xfa\xed\xfe"sv, "Mach-O program"},
    {"MZ"sv, "Windows program"},
    {"\0asm"sv, "WebAssembly module"},
    {"SQLite format 3\0"sv, "SQLite database"},
    {"!<arch>\n"sv, "ar archive"},
    {"wOF"sv, "web font"},
    {"OggS"sv, "Ogg media"},
    {"RIFF"sv, "RIFF media"},
    {"\xff\xfe\0\0"sv, "UTF-32 text"},
    {"\0\0\xfe\xff"sv, "UTF-32 text"},
};

// Valid, but for a character that the end of a full sample cuts.
bool SampleIsUtf8(std::string_view sample) {
  const bool full = sample.size() >= kSampleBytes;
  char32_t c;
  while (!sample.empty()) {
    size_t n = DecodeUtf8(sample, &c);
    if (n == 0) return full && CutsCharacter(sample);
    sample.remove_prefix(n);
  }
  return true;
}

// UTF-16 without a mark: mostly Latin text, so that every second byte is NUL and never the others.
bool LooksUtf16(std::string_view sample, bool big_endian) {
  if (sample.size() < 4) return false;
  size_t nul[2] = {0, 0};
  for (size_t i = 0; i < sample.size(); ++i) nul[i & 1] += sample[i] == '\0';
  const size_t high = nul[big_endian ? 0 : 1], low = nul[big_endian ? 1 : 0];
  return low == 0 && high * 2 >= sample.size() / 2;
}

char32_t Unit(std::string_view bytes, size_t at, bool big_endian) {
  auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
  return big_endian ? a << 8 | b : b << 8 | a;
}

}  // namespace

bool CutsCharacter(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || rest.size() >= length) return false;
  for (size_t i = 1; i < rest.size(); ++i)
    if ((static_cast<unsigned char>(rest[i]) & 0xC0) != 0x80) return false;
  return true;
}

const char* EncodingName(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kUtf8: return "utf-8";
    case TextEncoding::kUtf8Bom: return "utf-8-bom";
    case TextEncoding::kUtf16Le: return "utf-16le";
    case TextEncoding::kUtf16Be: return "utf-16be";
    case TextEncoding::kLatin1: return "latin-1?";
    case TextEncoding::kUnknown8Bit: return "unknown-8bit";
  }
  return "?";
}

ContentKind DetectContent(std::string_view sample) {
  ContentKind content;
  const bool has_nul = sample.find('\0') != std::string_view::npos;
  const bool utf8 = SampleIsUtf8(sample);
  if (has_nul || !utf8) {
    for (const Magic& magic : kMagic) {
      if (!sample.starts_with(magic.start)) continue;
      if (!has_nul && magic.start.size() < 4 && IsValidUtf8(magic.start)) continue;  // "MZ" may begin a word
      content.binary = true;
      content.kind = magic.kind;
      return content;
    }
    if (sample.starts_with("\xff\xfe"sv) || LooksUtf16(sample, false)) {
      content.encoding = TextEncoding::kUtf16Le;
      return content;
    }
    if (sample.starts_with("\xfe\xff"sv) || LooksUtf16(sample, true)) {
      content.encoding = TextEncoding::kUtf16Be;
      return content;
    }
  }
  size_t controls = 0, c1 = 0;
  for (unsigned char c : sample) {
    controls += c < 0x20 && !(c >= '\b' && c <= '\r') && c != 0x1b;
    c1 += c >= 0x80 && c < 0xA0;
  }
  if (has_nul || controls * 10 > sample.size()) {
    content.binary = true;
    content.kind = "binary data";
  } else if (utf8) {
    content.encoding = sample.starts_with("\xEF\xBB\xBF") ? TextEncoding::kUtf8Bom : TextEncoding::kUtf8;
  } else {
    content.encoding = c1 == 0 ? TextEncoding::kLatin1 : TextEncoding::kUnknown8Bit;
  }
  return content;
}

size_t NewlineBytes(std::string_view raw, TextEncoding encoding) {
  if (!IsUtf16(encoding)) return raw.ends_with('\n') ? 1 : 0;
  return raw.size() >= 2 && raw.size() % 2 == 0 && Unit(raw, raw.size() - 2, encoding == TextEncoding::kUtf16Be) == '\n' ? 2 : 0;
}

std::string ShownLine(std::string_view raw, TextEncoding encoding, bool first) {
  raw.remove_suffix(NewlineBytes(raw, encoding));
  if (IsUtf16(encoding)) {
    const bool big_endian = encoding == TextEncoding::kUtf16Be;
    if (first && raw.size() >= 2 && Unit(raw, 0, big_endian) == 0xFEFF) raw.remove_prefix(2);
    return Utf8FromUtf16(raw, big_endian);
  }
  if (first && encoding == TextEncoding::kUtf8Bom && raw.starts_with("\xEF\xBB\xBF")) raw.remove_prefix(3);
  return std::string(raw);
}

std::string Utf8FromUtf16(std::string_view bytes, bool big_endian) {
  std::string out;
  out.reserve(bytes.size());
  size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    char32_t c = Unit(bytes, i, big_endian);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size()) {
      char32_t low = Unit(bytes, i + 2, big_endian);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    AppendUtf8(&out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
  }
  if (i < bytes.size()) AppendUtf8(&out, 0xFFFD);
  return out;
}

}  // namespace paddock::agentcore
