#include "agentcore/pipeline/known_secrets.h"

#include <string.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0'; }

// Takes no room where it is shown: a soft hyphen, joiners, marks of direction.
bool IsUnseen(char32_t c) { return c == 0xAD || (c >= 0x200B && c <= 0x200F) || (c >= 0x2060 && c <= 0x2064) || c == 0xFEFF; }

// A text as its escapes mean, without blanks. [from[i], to[i]) is what gave the i-th character.
struct Meaning {
  std::string text;
  std::vector<uint32_t> from, to;
};

// Number written in `digits` of `base` at the start of `text`: how many characters it takes, and its value.
size_t ReadNumber(std::string_view text, int base, size_t least, size_t most, uint32_t* value) {
  size_t n = 0;
  *value = 0;
  while (n < text.size() && n < most) {
    int digit = HexValue(text[n]);
    if (digit < 0 || digit >= base) break;
    *value = *value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
    ++n;
  }
  return n < least ? 0 : n;
}

// The escape at the start of `text`: its length, 0 for none; what it means, in *value.
size_t ReadEscape(std::string_view text, uint32_t* value) {
  size_t n;
  switch (text[0]) {
    case '%': {  // and %2541: twice
      size_t again = 1;
      while (again < 9 && text.substr(again).starts_with("25") && ReadNumber(text.substr(again + 2), 16, 2, 2, value)) again += 2;
      n = ReadNumber(text.substr(again), 16, 2, 2, value);
      return n ? n + again : 0;
    }
    case '=':  // quoted-printable; a soft line break
      if (text.size() > 1 && text[1] == '\n') return *value = ' ', 2;
      return 0;
    case '&': {
      static constexpr std::pair<std::string_view, char> kNamed[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
      for (auto [name, c] : kNamed)
        if (text.starts_with(name)) return *value = static_cast<unsigned char>(c), name.size();
      if (!text.starts_with("&#")) return 0;
      bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
      size_t skip = hex ? 3 : 2;
      n = ReadNumber(text.substr(std::min(skip, text.size())), hex ? 16 : 10, 1, 16, value);
      if (n == 0) return 0;
      return skip + n + (skip + n < text.size() && text[skip + n] == ';' ? 1 : 0);
    }
    case '\\': {
      size_t slashes = 1;
      while (slashes < text.size() && slashes < 8 && text[slashes] == '\\') ++slashes;
      if (slashes == text.size()) return 0;
      std::string_view rest = text.substr(slashes + 1);
      switch (text[slashes]) {
        case 'u':
          if (rest.starts_with("{")) {
            n = ReadNumber(rest.substr(1), 16, 1, 6, value);
            return n && n + 1 < rest.size() && rest[n + 1] == '}' ? slashes + n + 3 : 0;
          }
          n = ReadNumber(rest, 16, 4, 4, value);
          return n ? slashes + 1 + n : 0;
        case 'U':
          n = ReadNumber(rest, 16, 8, 8, value);
          return n ? slashes + 1 + n : 0;
        case 'x':
          n = ReadNumber(rest, 16, 2, 2, value);
          return n ? slashes + 1 + n : 0;
        case '0': case '1':
          n = ReadNumber(text.substr(slashes), 8, 3, 3, value);
          return n ? slashes + n : 0;
        case 'n': case 'r': case 't':
          return *value = ' ', slashes + 1;
        case '/': case '"': case '\'':
          return *value = static_cast<unsigned char>(text[slashes]), slashes + 1;
        default:
          return 0;
      }
    }
    default:
      return 0;
  }
}

Meaning Mean(std::string_view text) {
  Meaning out;
  out.text.reserve(text.size());
  out.from.reserve(text.size());
  out.to.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    size_t n = 1;
    if (c == '%' || c == '&' || c == '\\' || c == '=') {
      uint32_t value = 0;
      n = ReadEscape(text.substr(i), &value);
      if (n == 0) n = 1;
      else if (value < 0x80) c = static_cast<char>(value);
      else c = IsUnseen(value) ? ' ' : '\x01';  // nothing that stands in a secret
    } else if (c == '\xE2' || c == '\xEF' || c == '\xC2') {
      char32_t character = 0;
      if (size_t bytes = DecodeUtf8(text.substr(i), &character); bytes > 1 && IsUnseen(character)) n = bytes, c = ' ';
    }
    if (!IsBlank(c)) {
      out.text += c;
      out.from.push_back(static_cast<uint32_t>(i));
      out.to.push_back(static_cast<uint32_t>(i + n));
    }
    i += n;
  }
  return out;
}

std::string Base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (char byte : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(byte);
    for (have += 8; have >= 6; have -= 6) out += kDigits[(bits >> (have - 6)) & 63];
  }
  return out;  // bits that are left depend on what follows
}

std::string Url(std::string text) {
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::string Wide(std::string_view text) {  // UTF-16, little end first
  std::string out;
  for (char c : text) out += c, out += '\0';
  return out;
}

}  // namespace

KnownSecrets::KnownSecrets(std::vector<KnownSecret> secrets) {
  for (KnownSecret& secret : secrets) {
    while (!secret.value.empty() && IsBlank(secret.value.back())) secret.value.pop_back();
    if (secret.value.size() < kLeastKnown) continue;
    const size_t kind = kinds_.size();
    kinds_.push_back(secret.kind);
    plain_.push_back({secret.value, kind, false, false});
    auto add = [&](std::string text, bool folded, bool ragged) {
      if (text.size() < kLeastKnown) return;
      for (const Needle& needle : needles_)
        if (needle.text == text && needle.folded == folded) return;
      needles_.push_back({std::move(text), kind, folded, ragged});
    };
    std::string meant = Mean(secret.value).text;
    add(meant, false, false);
    add(std::string(meant.rbegin(), meant.rend()), false, false);
    std::string hex;
    for (char c : secret.value) {
      static constexpr char kHex[] = "0123456789abcdef";
      hex += kHex[static_cast<unsigned char>(c) >> 4];
      hex += kHex[static_cast<unsigned char>(c) & 15];
    }
    add(hex, true, false);
    for (const std::string& bytes : {secret.value, Wide(secret.value)})
      for (size_t before = 0; before < 3; ++before) {
        // The first characters hold bits of what stands before the secret.
        std::string coded = Base64(std::string(before, 'x') + bytes).substr(before == 0 ? 0 : before + 1);
        add(coded, false, true);
        add(Url(coded), false, true);
      }
  }
}

void KnownSecrets::Find(std::string_view text, std::vector<RedactSpan>* out) const {
  if (kinds_.empty()) return;
  auto add = [&](size_t begin, size_t end, size_t kind) {
    bool first = true;
    const size_t context = begin;
    while (begin < end) {
      size_t stop = std::min(text.find('\n', begin), end);
      size_t last = stop;
      while (last > begin && IsBlank(text[last - 1])) --last;
      size_t from = begin;
      if (!first)
        while (from < last && IsBlank(text[from])) ++from;
      if (from < last) out->push_back({from, last, kinds_[kind], context, first});
      first = false;
      begin = stop + 1;
    }
  };
  auto each = [](std::string_view hay, const std::string& needle, auto found) {
    for (size_t at = 0; at + needle.size() <= hay.size();) {
      const void* hit = ::memmem(hay.data() + at, hay.size() - at, needle.data(), needle.size());
      if (!hit) return;
      size_t offset = static_cast<size_t>(static_cast<const char*>(hit) - hay.data());
      found(offset);
      at = offset + needle.size();
    }
  };
  for (const Needle& needle : plain_)
    each(text, needle.text, [&](size_t at) { add(at, at + needle.text.size(), needle.kind); });
  const Meaning meaning = Mean(text);
  // For hex: in lower case, without what stands between the bytes (41:42, 0x41, 0x42).
  Meaning digits;
  for (size_t i = 0; i < meaning.text.size(); ++i) {
    char c = meaning.text[i];
    if (c == ':' || c == '-' || c == ',') continue;
    if (c == '0' && i + 1 < meaning.text.size() && meaning.text[i + 1] == 'x') {
      ++i;
      continue;
    }
    digits.text += c >= 'A' && c <= 'F' ? static_cast<char>(c | 0x20) : c;
    digits.from.push_back(meaning.from[i]);
    digits.to.push_back(meaning.to[i]);
  }
  for (const Needle& needle : needles_) {
    if (needle.folded) {
      each(digits.text, needle.text, [&](size_t at) { add(digits.from[at], digits.to[at + needle.text.size() - 1], needle.kind); });
      continue;
    }
    each(meaning.text, needle.text, [&](size_t at) {
      size_t end = at + needle.text.size();
      auto coded = [&](char c) { return HexValue(c) >= 0 || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '+' || c == '/' || c == '-' || c == '_'; };
      // Over a line break too, but not the next word.
      auto joined = [&](size_t i) { return meaning.to[i - 1] == meaning.from[i] || text[meaning.to[i - 1]] == '\n' || text[meaning.to[i - 1]] == '\r'; };
      if (needle.ragged && at > 0 && coded(meaning.text[at - 1]) && joined(at)) --at;
      if (needle.ragged && end < meaning.text.size() && coded(meaning.text[end]) && joined(end)) ++end;
      add(meaning.from[at], meaning.to[end - 1], needle.kind);
    });
  }
}

}  // namespace paddock::agentcore
