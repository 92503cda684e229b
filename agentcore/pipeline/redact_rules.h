// What secrets look like, as data. Three tables, for three ways to know one:
//
//   prefixes   the token says by itself what it is: ghp_..., sk-ant-...
//   patterns   something beside it does: a header, a URL, a command, a format
//   names      it is the value of something called password, token, api_key (redact_assignment.h)
//
// To add a service: a row. The words of all tables are looked for in one pass; nothing dearer is done where none is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace paddock::agentcore {

enum class Alphabet : uint8_t {
  kHex,     // lower and upper
  kAlnum,
  kUpper,   // capitals and digits
  kWord,    // alnum _ -
  kDotted,  // alnum _ - .
  kBase64,  // alnum + / = _ -
};

enum class Edge : uint8_t { kAny, kWord };  // kWord: no letter or digit right before the prefix

// `prefix` and at least `least` characters of `alphabet`; not more than `most` where that is not 0.
struct PrefixRule {
  const char* kind;
  const char* prefix;
  Alphabet alphabet;
  uint16_t least;
  uint16_t most = 0;
  Edge edge = Edge::kAny;
};

enum class Check : uint8_t {
  kNone,      // what was matched is enough
  kToken,     // must look random
  kPassword,  // must look like a password, or random
  kHidden,    // anything that is not a placeholder or a plain word
  kBase64,    // base64 of user:password
};
enum class Scope : uint8_t { kLine, kNearLines };

// RE2 syntax; the groups that take part are the secret. `words`: lower case, one of them stands near every match.
struct PatternRule {
  const char* kind;
  std::span<const std::string_view> words;
  const char* pattern;
  Check check = Check::kToken;
  Scope scope = Scope::kLine;
};

std::span<const PrefixRule> PrefixRules();
std::span<const PatternRule> PatternRules();
// Parts of names, lower case, that call for a look at the whole name.
std::span<const std::string_view> NameWords();

}  // namespace paddock::agentcore
