#include "orchestrator/report/text_style.h"

#include <cstdio>

#include "base/text.h"

namespace paddock::orchestrator {

void AddParagraph(std::string* out, std::string_view text, std::string_view lead, size_t width) {
  const std::string indent(lead.size(), ' ');
  std::string clean = VisibleText(text, Newlines::kKeep);
  std::string line(lead);
  size_t used = 0;
  auto flush = [&] {
    *out += line + "\n";
    line = indent;
    used = 0;
  };
  for (size_t i = 0; i < clean.size();) {
    if (clean[i] == '\n') {
      flush();
      ++i;
      continue;
    }
    size_t end = clean.find_first_of(" \n", i);
    if (end == std::string::npos) end = clean.size();
    std::string word = clean.substr(i, end - i);
    if (used > 0 && line.size() + 1 + word.size() > width) flush();
    line += (used > 0 ? " " : "") + word;
    ++used;
    i = end < clean.size() && clean[end] == ' ' ? end + 1 : end;
  }
  if (used > 0) flush();
}

std::string Seconds(int64_t ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

}  // namespace paddock::orchestrator
