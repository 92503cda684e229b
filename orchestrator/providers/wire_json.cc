#include "orchestrator/providers/wire_json.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxNameBytes = 256;
constexpr char kReplacement[] = "\xEF\xBF\xBD";

bool IsHex4(std::string_view text) {
  return text.size() >= 4 && std::all_of(text.begin(), text.begin() + 4, [](unsigned char c) { return std::isxdigit(c); });
}
bool IsEscape(std::string_view text, char first, char last_from, char last_to) {
  // \uD800-\uDBFF is a high surrogate, \uDC00-\uDFFF a low one: the second hex digit tells.
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u' || !IsHex4(text.substr(2))) return false;
  const char second = static_cast<char>(std::tolower(static_cast<unsigned char>(text[3])));
  return std::tolower(static_cast<unsigned char>(text[2])) == first && second >= last_from && second <= last_to;
}
bool IsHigh(std::string_view text) { return IsEscape(text, 'd', '8', 'b'); }
bool IsLow(std::string_view text) { return IsEscape(text, 'd', 'c', 'f'); }

// Halves of a surrogate pair may come in two chunks. Until they meet, they stand as code points of a private plane, where
// they keep their order: U+10F800 is \uD800, U+10FFFF is \uDFFF.
constexpr char32_t kHalves = 0x10F800, kLowHalves = 0x10FC00, kLastHalf = 0x10FFFF;

// JSON text that a strict reader takes: U+FFFD for invalid bytes; halves as above, or as U+FFFD.
std::string CleanJsonText(std::string_view data, bool keep_halves) {
  std::string out;
  out.reserve(data.size());
  for (size_t i = 0; i < data.size();) {
    if (data[i] == '\\') {
      const std::string_view rest = data.substr(i);
      if (IsHigh(rest) && IsLow(rest.substr(6))) {
        out += rest.substr(0, 12);
        i += 12;
      } else if (IsHigh(rest) || IsLow(rest)) {
        if (keep_halves) AppendUtf8(&out, kHalves + static_cast<char32_t>(std::stoul(std::string(rest.substr(2, 4)), nullptr, 16)) - 0xD800);
        else out += kReplacement;
        i += 6;
      } else {
        out += rest.substr(0, 2);
        i += std::min<size_t>(2, rest.size());
      }
      continue;
    }
    char32_t ignored;
    const size_t length = DecodeUtf8(data.substr(i), &ignored);
    if (length == 0) out += kReplacement;
    else out += data.substr(i, length);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

}  // namespace

std::string JoinHalves(std::string text) {
  if (text.find("\xF4\x8F") == std::string::npos) return text;  // how all of them begin
  std::string out;
  char32_t high = 0;
  const auto lose_high = [&] {
    if (std::exchange(high, 0)) out += kReplacement;
  };
  for (size_t i = 0; i < text.size();) {
    char32_t point = 0;
    const size_t length = std::max<size_t>(DecodeUtf8(std::string_view(text).substr(i), &point), 1);
    if (point >= kLowHalves && point <= kLastHalf && high) {
      AppendUtf8(&out, 0x10000 + ((high - kHalves) << 10) + (point - kLowHalves));
      high = 0;
    } else if (point >= kHalves && point < kLowHalves) {
      lose_high();
      high = point;
    } else {
      lose_high();
      if (point >= kLowHalves && point <= kLastHalf) out += kReplacement;
      else out += text.substr(i, length);
    }
    i += length;
  }
  lose_high();
  return out;
}

Json JoinHalvesIn(Json value) {
  if (value.is_string()) return JoinHalves(value.get<std::string>());
  if (value.is_array())
    for (Json& one : value) one = JoinHalvesIn(std::move(one));
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (auto one = value.begin(); one != value.end(); ++one) out[JoinHalves(one.key())] = JoinHalvesIn(std::move(one.value()));
  return out;
}

Result<Json> ParseChunk(std::string_view data) {
  auto json = ParseJson(CleanJsonText(data, true));
  if (!json) return Fail(ErrorKind::kProtocol, "the model's server sent something that is no JSON: " + json.error().message);
  return json;
}

Result<Json> ParseJoined(std::string text) { return ParseJson(CleanJsonText(JoinHalves(std::move(text)), false)); }

const Json* Member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string TextMember(const Json& object, const char* key) {
  const Json* value = Member(object, key);
  return value && value->is_string() ? value->get<std::string>() : "";
}

int64_t CountMember(const Json& object, const char* key) {
  const Json* value = Member(object, key);
  if (!value || !value->is_number()) return -1;
  const double number = value->get<double>();
  return number >= 0 && number < 1e9 ? static_cast<int64_t>(number) : -1;
}

std::optional<int64_t> CachedMember(const Json& details, int64_t input) {
  const int64_t count = CountMember(details, "cached_tokens");
  return count < 0 ? std::nullopt : std::optional(std::min(count, input));
}

std::string BoundedName(const std::string& text) { return std::string(TruncateUtf8(text, kMaxNameBytes)); }

}  // namespace paddock::orchestrator
