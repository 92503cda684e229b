#include "sandbox/profile.h"

#include <charconv>

#include "base/text.h"

namespace paddock::sandbox {
namespace {

struct Unit {
  const char* suffix;
  int64_t factor;
};

Result<int64_t> ParseWithUnit(const std::string& text, std::initializer_list<Unit> units, const char* form) {
  int64_t number = -1;
  auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault == std::errc() && number >= 0) {
    std::string_view suffix(rest, static_cast<size_t>(text.data() + text.size() - rest));
    for (const Unit& unit : units)
      if (suffix == unit.suffix && number <= (int64_t{1} << 50) / unit.factor) return number * unit.factor;
  }
  return Fail(ErrorKind::kInvalid, "\"" + VisibleText(TruncateUtf8(text, 64), Newlines::kEscape) + "\": expected " + form);
}

}  // namespace

Result<int64_t> ParseDuration(const std::string& text) {
  return ParseWithUnit(text, {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}, "a duration such as 500ms, 60s, 5m or 1h");
}

Result<int64_t> ParseSize(const std::string& text) {
  return ParseWithUnit(text, {{"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}}, "a size such as 64K, 512M or 1G");
}

}  // namespace paddock::sandbox
