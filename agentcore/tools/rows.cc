#include "agentcore/tools/rows.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>

#include "base/text.h"

namespace paddock::agentcore {

std::string Column(std::string_view bytes, size_t most) {
  std::string text(IsValidUtf8(bytes) ? TruncateUtf8(bytes, most) : bytes.substr(0, most));
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r' || c == '\0') c = ' ';
  return WireFromBytes(text);
}

std::string Row(const std::vector<std::string>& columns) {
  std::string row;
  for (size_t i = 0; i < columns.size(); ++i) row += (i ? "\t" : "") + columns[i];
  return row;
}

std::string UtcTime(int64_t seconds) {
  using namespace std::chrono;
  constexpr int64_t kLast = 253'402'300'799;  // of the year 9999
  if (seconds < 0 || seconds > kLast) return "unknown";
  const sys_seconds at{std::chrono::seconds(seconds)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  char text[32];
  snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
           static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return text;
}

int64_t Number(std::string_view text) {
  int64_t value = -1;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

std::string_view TakePart(std::string_view* rest, char end) {
  const size_t at = std::min(rest->find(end), rest->size());
  const std::string_view part = rest->substr(0, at);
  rest->remove_prefix(std::min(at + 1, rest->size()));
  return part;
}

}  // namespace paddock::agentcore
