// What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput: it takes bytes of a stranger through
// one reader and asserts what must hold of whatever comes out.
//
// With clang a target is a libFuzzer program (tests/long/fuzz.sh); with g++ it is linked with replay.cc and runs over its
// committed corpus, tests/data/corpus/<target>/, in ./check.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/json.h"
#include "base/result.h"
#include "base/text.h"

namespace paddock::fuzz {

// Says what was broken and aborts, which both libFuzzer and replay.cc report with the input.
[[noreturn]] inline void Broken(const char* file, int line, const char* what, std::string_view detail) {
  std::fprintf(stderr, "%s:%d: does not hold: %s\n%s\n", file, line, what, VisibleText(detail.substr(0, 4000), Newlines::kKeep).c_str());
  std::abort();
}
#define REQUIRE(condition, detail) \
  ((condition) ? void() : ::paddock::fuzz::Broken(__FILE__, __LINE__, #condition, (detail)))

// Bytes taken from the front, one decision at a time; zeros when there are none left.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  size_t Byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  size_t Number(size_t least, size_t most) {  // of two bytes
    const size_t high = Byte(), low = Byte();
    return least + (high << 8 | low) % (most - least + 1);
  }
  std::string Line() {  // up to the next newline, which is taken too
    const size_t end = rest_.find('\n');
    std::string line(rest_.substr(0, end));
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    return line;
  }
  bool empty() const { return rest_.empty(); }
  std::string Rest() { return std::string(std::exchange(rest_, {})); }

 private:
  std::string_view rest_;
};

// The values of a document, its depth, and the keys of its largest object.
struct JsonSize {
  size_t values = 0, depth = 0, keys = 0;
};
inline void Measure(const Json& value, size_t depth, JsonSize* size) {
  ++size->values;
  if (!value.is_structured()) return;
  size->depth = std::max(size->depth, depth + 1);
  if (value.is_object()) size->keys = std::max(size->keys, value.size());
  for (const Json& inner : value) Measure(inner, depth + 1, size);
}

inline constexpr JsonLimits kWide{.max_bytes = 256u << 20, .max_depth = 256, .max_values = 10'000'000, .max_keys = 1'000'000};

inline std::string Lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Nothing in it that can't be seen or that changes how the rest is shown. What belongs to a script or an emoji (joiners,
// selectors, the tags of a flag) is a question of what stands around it: that must be as VisibleText has it.
inline bool IsVisible(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    char32_t c;
    const size_t length = DecodeUtf8(rest, &c);
    const bool may_belong = c == 0x200C || c == 0x200D || c == 0xFE0E || c == 0xFE0F || (c >= 0xE0030 && c <= 0xE007F);
    if (length == 0 || (IsInvisible(c) && !may_belong)) return false;
    rest.remove_prefix(length);
  }
  return VisibleText(text, Newlines::kEscape) == text;
}

// What a person is told: something, in one line that a terminal can show, and not the whole input.
inline void RequireGood(const Error& error, size_t most = 4096) {
  REQUIRE(!error.message.empty(), error.hint);
  REQUIRE(error.message.size() <= most, error.message);
  REQUIRE(IsVisible(error.message), error.message);
  REQUIRE(error.hint.size() <= most && IsVisible(error.hint), error.hint);
}

// What was read prints as something that reads the same.
template <class T>
void RequireRoundTrip(const T& value) {
  const Json first = ToJson(value);
  const std::string text = DumpJson(first);
  const auto json = ParseJson(text, kWide);
  REQUIRE(json.has_value(), text);
  const auto again = FromJson<T>(*json);
  REQUIRE(again.has_value(), again ? text : again.error().message + "\n" + text);
  REQUIRE(ToJson(*again) == first, text);
}

// Reads it as a T, whatever it is.
template <class T>
void ReadAs(const Json& json) {
  if (auto value = FromJson<T>(json)) RequireRoundTrip(*value);
  else RequireGood(value.error());
}

}  // namespace paddock::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
