#include "agentcore/context/token_estimate.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

enum class Kind { kLower, kUpper, kDigit, kSpace, kNewline, kIdeograph, kLetter, kSign, kEnd };

struct Sign {
  Kind kind = Kind::kEnd;
  size_t bytes = 0;
};

// Scripts without spaces between words, of which one sign is about two thirds of a token.
bool IsIdeograph(char32_t c) {
  return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}
// Letters of other scripts; what is left are signs: punctuation, arrows, emoji.
bool IsLetter(char32_t c) { return (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7) || (c >= 0x2c00 && c < 0x2e00) || (c >= 0xa000 && c < 0xd800) || (c >= 0x10000 && c < 0x1d000); }

Sign SignAt(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const unsigned char byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    if (byte >= 'a' && byte <= 'z') return {Kind::kLower, 1};
    if (byte >= 'A' && byte <= 'Z') return {Kind::kUpper, 1};
    if (byte >= '0' && byte <= '9') return {Kind::kDigit, 1};
    if (byte == '\n' || byte == '\r') return {Kind::kNewline, 1};
    return {byte == ' ' || byte == '\t' || byte == '\f' || byte == '\v' ? Kind::kSpace : Kind::kSign, 1};
  }
  char32_t point = 0;
  const size_t bytes = DecodeUtf8(text.substr(at), &point);
  if (bytes == 0) return {Kind::kSign, 1};
  return {IsIdeograph(point) ? Kind::kIdeograph : IsLetter(point) ? Kind::kLetter : Kind::kSign, bytes};
}

// Signs of one kind from `at` on: how many, and their end.
size_t Run(std::string_view text, size_t* at, Kind kind, size_t most = SIZE_MAX) {
  size_t count = 0;
  for (Sign sign; count < most && (sign = SignAt(text, *at)).kind == kind; ++count) *at += sign.bytes;
  return count;
}

// What stands before a word belongs to it.
enum class Before { kNothing, kSpace, kSign };

double WordTokens(size_t upper, size_t lower, Before before) {
  const double length = static_cast<double>(upper + lower), over = std::max(0.0, length - 4);
  if (upper > 1 && lower == 0) return (before == Before::kSign ? 1.15 : 0.9) + 0.17 * (length - 1);
  switch (before) {
    case Before::kSpace: return 1.0 + 0.035 * over;
    case Before::kNothing: return 1.0 + (upper ? 0.035 : 0.09) * over;
    case Before::kSign: return upper ? 1.23 + 0.166 * over : 1.07 + 0.126 * over;
  }
  return 1;
}

// A run of signs; of one sign repeated, such as a line of dashes, the encoder knows long pieces.
double SignTokens(std::string_view run, bool ascii) {
  const double bytes = static_cast<double>(run.size());
  if (!ascii) return std::max(1.0, 0.3 + 0.35 * bytes);
  if (bytes <= 3) return 1.0 + 0.04 * (bytes - 1);
  const bool same = std::all_of(run.begin(), run.end(), [&](char c) { return c == run[0]; });
  return same ? 1.0 + bytes / 24 : 1.2 + 0.5 * (bytes - 4);
}

// From `at` on, with the line ends behind them: those are one piece with signs.
double SignRunTokens(std::string_view text, size_t* at) {
  const size_t begin = *at;
  bool ascii = true;
  for (Sign next; (next = SignAt(text, *at)).kind == Kind::kSign; *at += next.bytes) ascii = ascii && static_cast<unsigned char>(text[*at]) < 0x80;
  const std::string_view run = text.substr(begin, *at - begin);
  Run(text, at, Kind::kNewline);
  return SignTokens(run, ascii);
}

double SpaceTokens(size_t length) { return length <= 16 ? 1 : 1 + static_cast<double>(length - 16) / 40; }

}  // namespace

int64_t EstimateTokens(std::string_view text) {
  double tokens = 0;
  for (size_t at = 0; at < text.size();) {
    const Sign first = SignAt(text, at);
    // A space or a sign, and right behind it a word.
    Before before = Before::kNothing;
    if (first.kind == Kind::kSpace || first.kind == Kind::kSign) {
      const Kind next = SignAt(text, at + first.bytes).kind;
      if (next == Kind::kLower || next == Kind::kUpper || next == Kind::kLetter || next == Kind::kIdeograph) {
        before = text[at] == ' ' ? Before::kSpace : Before::kSign;
        if (first.bytes > 1) tokens += 0.5;  // seldom one piece with the word
        at += first.bytes;
      }
    }
    const Sign sign = SignAt(text, at);
    const size_t begin = at;
    switch (sign.kind) {
      case Kind::kLower:
      case Kind::kUpper: {
        const size_t upper = Run(text, &at, Kind::kUpper), lower = Run(text, &at, Kind::kLower);
        tokens += WordTokens(upper, lower, before);
        break;
      }
      case Kind::kDigit:
        Run(text, &at, Kind::kDigit, 3);
        tokens += 1;
        break;
      case Kind::kIdeograph:
        tokens += 0.75 + 0.64 * static_cast<double>(Run(text, &at, Kind::kIdeograph)) + (before == Before::kNothing ? 0 : 0.3);
        break;
      case Kind::kLetter:
        Run(text, &at, Kind::kLetter);
        tokens += 0.7 + 0.45 * static_cast<double>(at - begin);
        break;
      case Kind::kSpace: {
        // Up to the line's end it is one piece with it; before a word the last space is the word's.
        size_t length = Run(text, &at, Kind::kSpace);
        if (SignAt(text, at).kind == Kind::kNewline) length += Run(text, &at, Kind::kNewline);
        else if (length > 1 && at < text.size()) --at, --length;
        else if (length == 1 && SignAt(text, at).kind == Kind::kSign) {
          tokens += SignRunTokens(text, &at);  // the space is theirs, and a word behind them stands by itself
          break;
        }
        tokens += SpaceTokens(length);
        break;
      }
      case Kind::kNewline:
        Run(text, &at, Kind::kNewline);
        tokens += 1;
        break;
      case Kind::kSign: tokens += SignRunTokens(text, &at); break;
      case Kind::kEnd: ++at; break;
    }
  }
  return static_cast<int64_t>(std::llround(tokens));
}

void TokenRate::Learn(int64_t estimated, int64_t said) {
  if (estimated < 100 || said <= 0) return;
  const double seen = static_cast<double>(said) / static_cast<double>(estimated);
  if (seen < 0.05 || seen > 20) return;
  rate_ = known_ ? 0.5 * (rate_ + seen) : seen;
  known_ = true;
}

int64_t TokenRate::Corrected(int64_t estimated) const { return static_cast<int64_t>(std::llround(rate_ * static_cast<double>(estimated))); }

}  // namespace paddock::agentcore
