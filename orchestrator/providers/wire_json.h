// JSON as model servers write it, read at the door: invalid UTF-8 and halves of surrogate pairs do no harm, and no member is
// taken for what it isn't.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace paddock::orchestrator {

// Data of an event as JSON. Invalid bytes become U+FFFD; halves of a surrogate pair, which may come in two chunks, stand as
// code points of a private plane until JoinHalves. kProtocol when it is no JSON.
Result<Json> ParseChunk(std::string_view data);

// Halves that met become their character, the others U+FFFD.
std::string JoinHalves(std::string text);

// The same for every string and key in it.
Json JoinHalvesIn(Json value);

// JSON text that a strict reader takes, put together from chunks: arguments of a call.
Result<Json> ParseJoined(std::string text);

// A member that is there and not null; null else.
const Json* Member(const Json& object, const char* key);
// Of a text; "" else.
std::string TextMember(const Json& object, const char* key);
// A count of tokens that can be one; -1 else.
int64_t CountMember(const Json& object, const char* key);
// `cached_tokens` of the details of `input` tokens; null where it is not said.
std::optional<int64_t> CachedMember(const Json& details, int64_t input);

// An id or a name, before anything is compared with it: at most 256 bytes, cut between characters.
std::string BoundedName(const std::string& text);

}  // namespace paddock::orchestrator
