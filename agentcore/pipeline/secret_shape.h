// What a secret looks like, and what only stands in its place: measures on one word of text, without context.
#pragma once

#include <cstddef>
#include <string_view>

namespace paddock::agentcore {

// Bits a character, of how often each one stands in `text` (Shannon).
double Entropy(std::string_view text);

// How often letters, capitals and digits change where words don't: `camelCase`, `Title-Case` and `word2` have none,
// what a generator made has one in every second or third place.
size_t Roughness(std::string_view text);

// "changeme", "your-key-here", "xxxx", "12345678", "${TOKEN}", "<token>", "%s", "...EXAMPLE": not the thing itself.
bool IsPlaceholder(std::string_view text);

bool IsHex(std::string_view text);   // all of it, and not empty
bool IsUuid(std::string_view text);  // 8-4-4-4-12
size_t CountClasses(std::string_view text);  // of: lower case, capitals, digits, others

// Capitals and small letters by turns, as no name has them: "qXbTrKLm". Digits and signs count for nothing.
bool IsMixedCase(std::string_view text);
// Long, with many different signs in it: what a generator makes of all the keyboard.
bool HasManySigns(std::string_view text);

// Looks made by chance: rough, of many different characters, no placeholder. `length` is the least.
bool LooksRandom(std::string_view text, size_t length);
// The same for what a person or a generator chose as a password: shorter, but of several classes.
bool LooksLikePassword(std::string_view text);

}  // namespace paddock::agentcore
