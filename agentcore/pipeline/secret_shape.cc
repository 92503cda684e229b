#include "agentcore/pipeline/secret_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace paddock::agentcore {
namespace {

constexpr size_t kLooked = 160;  // of a longer text only its beginning is looked at

enum class Class { kLower, kUpper, kDigit, kOther };
Class ClassOf(char c) {
  if (c >= 'a' && c <= 'z') return Class::kLower;
  if (c >= 'A' && c <= 'Z') return Class::kUpper;
  if (c >= '0' && c <= '9') return Class::kDigit;
  return Class::kOther;
}

constexpr std::string_view kStandIns[] = {
    "example", "sample",  "changeme", "change-me", "change_me", "change_it", "changeit", "placeholder", "your",    "xxxx",     "dummy",    "redacted",
    "todo",    "fixme",   "insert",   "replace",   "foobar",    "goes-here", "goeshere", "deadbeef",    "default", "notreal",  "fake",     "mysecret",
    "****",    "....",    "####",     "----",      "____",      "${",        "$(",       "{{",          "}}",      "%(",       "process.", "os.environ",
    "getenv",  "secrets.", "env.",    "…"};
// Whole values that say what stands there, or nothing.
constexpr std::string_view kWords[] = {"password", "passwd", "pass",  "secret", "token",  "none",  "null",  "nil",    "true",  "false", "undefined", "string",
                                       "user",     "admin",  "root",  "test",   "guest",  "empty", "bearer", "basic", "hidden", "masked", "unset",   "n/a"};

}  // namespace

double Entropy(std::string_view text) {
  text = text.substr(0, kLooked);
  std::array<int, 256> count{};
  for (char c : text) ++count[static_cast<unsigned char>(c)];
  double bits = 0, size = static_cast<double>(text.size());
  for (int n : count)
    if (n > 0) bits -= n / size * std::log2(n / size);
  return bits;
}

size_t Roughness(std::string_view text) {
  text = text.substr(0, kLooked);
  size_t changes = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    Class before = ClassOf(text[i - 1]), here = ClassOf(text[i]);
    if (before == here || before == Class::kOther || here == Class::kOther) continue;
    if (before == Class::kUpper && here == Class::kLower) continue;  // Word
    if (before == Class::kLower && here == Class::kUpper) {          // wordWord
      if (i + 1 < text.size() && ClassOf(text[i + 1]) == Class::kLower) continue;
    }
    if (here == Class::kDigit) {  // word2, word2024
      size_t end = i;
      while (end < text.size() && ClassOf(text[end]) == Class::kDigit) ++end;
      if (end == text.size() || ClassOf(text[end]) == Class::kOther) continue;
    }
    ++changes;
  }
  return changes;
}

bool IsHex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < 36; ++i) {
    bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash != (text[i] == '-') || (!dash && !IsHex(text.substr(i, 1)))) return false;
  }
  return true;
}

size_t CountClasses(std::string_view text) {
  bool seen[4] = {};
  for (char c : text) seen[static_cast<size_t>(ClassOf(c))] = true;
  return static_cast<size_t>(seen[0] + seen[1] + seen[2] + seen[3]);
}

bool IsPlaceholder(std::string_view text) {
  text = text.substr(0, kLooked);
  if (text.empty() || text[0] == '$' || text[0] == '<' || text[0] == '{' || text[0] == '[' || text[0] == '*') return true;
  std::string lower(text);
  for (char& c : lower)
    if (ClassOf(c) == Class::kUpper) c = static_cast<char>(c | 0x20);
  if (std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords)) return true;
  for (std::string_view word : kStandIns)
    if (lower.find(word) != std::string::npos) return true;
  if (lower.size() == 2 && lower[0] == '%') return true;
  // "aaaa", "12345678", "abcdefgh": most characters are the one before them, or its successor.
  size_t steps = 0;
  for (size_t i = 1; i < lower.size(); ++i) steps += lower[i] == lower[i - 1] || lower[i] == lower[i - 1] + 1;
  return lower.size() > 3 && steps * 10 >= lower.size() * 6;
}

bool IsMixedCase(std::string_view text) {
  text = text.substr(0, kLooked);
  size_t upper = 0, lower = 0, changes = 0;
  Class last = Class::kOther;
  for (char c : text) {
    const Class here = ClassOf(c);
    if (here != Class::kUpper && here != Class::kLower) continue;
    (here == Class::kUpper ? upper : lower) += 1;
    changes += last != Class::kOther && here != last;
    last = here;
  }
  const size_t letters = upper + lower, part = letters < 20 ? 3 : 4;
  return letters * 4 >= text.size() * 3 && letters >= 7 && upper * part >= letters && lower * 4 >= letters && changes * part >= letters;
}

bool HasManySigns(std::string_view text) {
  if (text.size() < 32 || text.size() > kLooked || CountClasses(text) < 3) return false;
  constexpr std::string_view kSigns = "!@#$%^&*+=(";
  size_t different = 0;
  for (char sign : kSigns) different += text.find(sign) != std::string_view::npos;
  if (different < 4 || Entropy(text) < 4) return false;
  for (std::string_view word : {"example", "change", "your", "insert", "replace", "${"})
    if (text.find(word) != std::string_view::npos) return false;
  return text.find("$(") == std::string_view::npos || text.find(')') == std::string_view::npos;
}

bool LooksRandom(std::string_view text, size_t length) {
  if (text.size() < length) return false;
  size_t looked = std::min(text.size(), kLooked);
  size_t rough = Roughness(text);
  return ((rough >= 3 && rough * 8 >= looked) || (looked >= 20 && IsMixedCase(text))) && Entropy(text) >= 2.9 && !IsPlaceholder(text);  // the dearest last
}

bool LooksLikePassword(std::string_view text) {
  if (text.size() < 8) return false;
  text = text.substr(0, kLooked);
  bool digit = text.find_first_of("0123456789") != std::string_view::npos;
  bool sign = text.find_first_of("!@#$%^*+~?&=") != std::string_view::npos;
  const bool by_turns = IsMixedCase(text);
  if (!digit && !sign && !by_turns) return false;
  size_t rough = Roughness(text);
  const bool mixed = by_turns || (rough >= 2 && rough * 8 >= text.size()) || (sign && CountClasses(text) >= 3 && text.find_first_of("/:(") == std::string_view::npos);
  return mixed && !IsPlaceholder(text);
}

}  // namespace paddock::agentcore
