#include "agentcore/model/text_scan.h"

namespace paddock::agentcore {

size_t TextScan::Find(const std::string& mark, size_t from) {
  auto [found, is_new] = next_.try_emplace(mark, 0);
  if (is_new || (found->second != std::string_view::npos && found->second < from)) found->second = text.find(mark, from);
  return found->second;
}

size_t TextScan::JsonEnd(size_t at, size_t stop) {
  const size_t end = open_ended_ ? stop : text.size();
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = at; i < end; ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      else if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  if (end == text.size()) open_ended_ = true;
  return std::string_view::npos;
}

}  // namespace paddock::agentcore
